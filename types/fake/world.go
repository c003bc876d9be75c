package fake

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/internal/fakeapi/hooks"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
)

// A Preset is the data that a World begins with.
type Preset string

// The presets.
const (
	PresetEmpty   Preset = ""        // nothing
	PresetDefault Preset = "default" // the wallets and accounts of the addresses of this package
)

// A World is the data of a [Service]: a preset, and the additions in the other fields. [ParseWorld]
// reads it from JSON. The balances of wallets are the current ones. Histories and past balances
// follow from them and from the transactions, for both wallets of each transfer.
type World struct {
	Preset Preset `json:"preset,omitempty"`

	// Accounts is the number of generated compressed accounts of OwnerAddress, at most a
	// million. 0 means the number of the preset: 0 or 3500.
	Accounts int `json:"accounts,omitempty"`

	Wallets                 []Wallet                 `json:"wallets,omitempty"`
	Transactions            []Transaction            `json:"transactions,omitempty"` // newest first
	TokenAccounts           []TokenAccount           `json:"tokenAccounts,omitempty"`
	CompressedAccounts      []CompressedAccount      `json:"compressedAccounts,omitempty"`
	CompressedTokenAccounts []CompressedTokenAccount `json:"compressedTokenAccounts,omitempty"`
	ProgramAccounts         []ProgramAccount         `json:"programAccounts,omitempty"`
	NFTs                    []NFT                    `json:"nfts,omitempty"`
	Webhooks                []Webhook                `json:"webhooks,omitempty"`

	// Patches change items in responses, notifications and deliveries, to test how a program
	// handles a [types.ItemError]. They are JSON merge patches (RFC 7396) by the ID of the item:
	// a signature, address, hash, asset ID or mint. The patch {"slot": "x"} makes transactions
	// unreadable, {"amount": -1} token accounts.
	Patches map[string]json.RawMessage `json:"patches,omitempty"`
}

// A Wallet is a wallet with its current balances.
type Wallet struct {
	Address  types.Address   `json:"address"`
	SOL      decimal.Decimal `json:"sol"` // at 142.37 US dollars
	Tokens   []Token         `json:"tokens,omitempty"`
	Identity *Identity       `json:"identity,omitempty"` // nil means unknown: 404
}

// A Token is the amount of one token that a wallet holds.
type Token struct {
	Mint      types.Address   `json:"mint"`
	Symbol    string          `json:"symbol,omitempty"` // empty: as in an earlier entry
	Name      string          `json:"name,omitempty"`
	Decimals  uint8           `json:"decimals"`
	Amount    decimal.Decimal `json:"amount"`   // in whole tokens
	PriceUSD  decimal.Decimal `json:"priceUsd"` // of one token; 0 means unknown
	Token2022 bool            `json:"token2022,omitempty"`
}

// An Identity says who a wallet belongs to.
type Identity struct {
	Type     string   `json:"type,omitempty"` // empty means wallet
	Name     string   `json:"name"`
	Category string   `json:"category,omitempty"`
	Tags     []string `json:"tags,omitempty"`
	Domains  []string `json:"domains,omitempty"` // names that resolve to the wallet
}

// A TokenAccount is a token account. The RawAmounts of all accounts of an owner and a mint must add
// up to the balance of the owner. If nothing else in the World sets this balance, their sum is the
// balance.
type TokenAccount struct {
	Address         types.Address `json:"address,omitempty"`  // empty means a generated one
	Delegate        types.Address `json:"delegate,omitempty"` // empty means none
	Owner           types.Address `json:"owner"`
	Mint            types.Address `json:"mint"`
	RawAmount       uint64        `json:"rawAmount"`
	DelegatedAmount uint64        `json:"delegatedAmount"` // raw too; 0 without a Delegate
	Decimals        uint8         `json:"decimals"`        // the same in all entries of a mint
	Frozen          bool          `json:"frozen,omitempty"`
	Token2022       bool          `json:"token2022,omitempty"`
}

// A ProgramAccount is an account of a program other than the token programs.
type ProgramAccount struct {
	Address    types.Address `json:"address,omitempty"` // empty means a generated one
	Program    types.Address `json:"program"`
	Data       []byte        `json:"data,omitempty"`     // base64 in JSON
	Lamports   uint64        `json:"lamports,omitempty"` // 0 means the minimum exempt from rent
	Executable bool          `json:"executable,omitempty"`
}

// An NFT is an NFT, a print of another one, or a collection: the Collection of other NFTs.
type NFT struct {
	ID          types.Address `json:"id,omitempty"` // empty means a generated one
	Owner       types.Address `json:"owner"`
	Name        string        `json:"name,omitempty"`
	Symbol      string        `json:"symbol,omitempty"`
	Description string        `json:"description,omitempty"`
	URI         string        `json:"uri,omitempty"` // of its JSON
	Image       string        `json:"image,omitempty"`

	Collection types.Address   `json:"collection,omitempty"` // ID of the collection; empty: none
	Authority  types.Address   `json:"authority,omitempty"`
	Creators   []Creator       `json:"creators,omitempty"`
	Attributes json.RawMessage `json:"attributes,omitempty"`
	Interface  string          `json:"interface,omitempty"` // empty means V1_NFT

	RoyaltyBasisPoints int           `json:"royaltyBasisPoints,omitempty"`
	Delegate           types.Address `json:"delegate,omitempty"` // empty means none

	AgentSigner types.Address `json:"agentSigner,omitempty"` // makes it an agent of MPL Core
	AgentToken  types.Address `json:"agentToken,omitempty"`

	Compressed bool `json:"compressed,omitempty"` // in a Merkle tree, with a verifiable proof
	Frozen     bool `json:"frozen,omitempty"`
	Burnt      bool `json:"burnt,omitempty"`
	Immutable  bool `json:"immutable,omitempty"`

	MaxSupply     uint64        `json:"maxSupply,omitempty"`     // of prints; 0 means no limit
	MasterEdition types.Address `json:"masterEdition,omitempty"` // of a print: the ID of its master
	Edition       uint64        `json:"edition,omitempty"`       // of a print
}

// A Creator has a share in the royalties of an NFT. The shares of an NFT add up to 100.
type Creator struct {
	Address  types.Address `json:"address"`
	Share    int           `json:"share"`
	Verified bool          `json:"verified,omitempty"`
}

// A CompressedAccount is a compressed account.
type CompressedAccount struct {
	Owner         types.Address `json:"owner"`
	Hash          types.Hash    `json:"hash,omitempty"`    // empty means a generated one
	Address       types.Address `json:"address,omitempty"` // empty means none
	Discriminator uint64        `json:"discriminator,omitempty"`

	// Base64 in JSON; nil means an account without data.
	Data []byte `json:"data,omitempty"`

	Lamports uint64 `json:"lamports,omitempty"`
	V2       bool   `json:"v2,omitempty"` // in a tree of the second version
}

// A CompressedTokenAccount is a compressed token account. Its tokens are not in the
// balance of a Wallet.
type CompressedTokenAccount struct {
	Delegate  types.Address `json:"delegate,omitempty"` // empty means none
	Owner     types.Address `json:"owner"`
	Mint      types.Address `json:"mint"`
	RawAmount uint64        `json:"rawAmount"`
	Decimals  uint8         `json:"decimals,omitempty"` // 0 means the decimals of other entries
	Hash      types.Hash    `json:"hash,omitempty"`     // empty means a generated one
	Frozen    bool          `json:"frozen,omitempty"`
	V2        bool          `json:"v2,omitempty"` // in a tree of the second version
}

// A Webhook is an active webhook.
type Webhook struct {
	ID               string          `json:"id,omitempty"` // empty means a generated one
	URL              string          `json:"url"`
	Type             string          `json:"type,omitempty"`             // empty means enhanced
	TransactionTypes []txtype.Type   `json:"transactionTypes,omitempty"` // nil means ANY
	AccountAddresses []types.Address `json:"accountAddresses,omitempty"`
	AuthHeader       string          `json:"authHeader,omitempty"`
}

// ParseWorld reads a World from JSON. It returns an error where [New] would panic. The names of the
// members are in the tags of the fields. Amounts are numbers or text, times are Unix seconds, and
// unknown members are errors.
func ParseWorld(data []byte) (*World, error) {
	w := new(World)
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(w); err != nil {
		return nil, fmt.Errorf("fake.ParseWorld: %w", err)
	}
	s, err := w.build()
	if err == nil {
		err = s.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("fake.ParseWorld: %w", err)
	}
	return w, nil
}

// build returns a service with the data of w, the default world if it is nil.
func (w *World) build() (*fakeapi.Service, error) {
	if w == nil {
		return fakeapi.New(), nil
	}
	b := world.NewBuilder(string(w.Preset))
	b.Check("World", *w)
	b.Patch(w.Patches)
	if w.Accounts != 0 {
		b.Generate(w.Accounts)
	}
	each(b, "Wallets", w.Wallets, (*Wallet).build)
	each(b, "NFTs", w.NFTs, (*NFT).build)
	each(b, "Transactions", w.Transactions, (*Transaction).build)
	each(b, "TokenAccounts", w.TokenAccounts, (*TokenAccount).build)
	each(b, "ProgramAccounts", w.ProgramAccounts, (*ProgramAccount).build)
	each(b, "CompressedAccounts", w.CompressedAccounts, (*CompressedAccount).build)
	each(b, "CompressedTokenAccounts", w.CompressedTokenAccounts, (*CompressedTokenAccount).build)
	var active []hooks.Webhook
	each(b, "Webhooks", w.Webhooks, func(h *Webhook, b *world.Builder) {
		b.Once("ID", h.ID)
		active = append(active, h.build(b))
	})
	made, err := b.World()
	if err != nil {
		return nil, err
	}
	return fakeapi.NewOf(made, active...), nil
}

// each adds the entries of a field of a World.
func each[T any](b *world.Builder, field string, entries []T, add func(x *T, b *world.Builder)) {
	for i := range entries {
		b.At(fmt.Sprintf("World.%s[%d]", field, i))
		add(&entries[i], b)
	}
}

func (x *Wallet) build(b *world.Builder) {
	address, entry := string(x.Address), b.Entry()
	b.Wallet(address, x.SOL.String())
	for i, t := range x.Tokens {
		b.At(fmt.Sprintf("%s.Tokens[%d]", entry, i))
		b.Hold(address, world.Convert[world.Token](b, t), t.Amount.String())
	}
	if i := x.Identity; i != nil {
		b.Identify(world.Identity{
			Address: address, Type: cmp.Or(i.Type, "wallet"), Name: i.Name, Category: cmp.Or(i.Category, "Wallet"), Tags: i.Tags, Domains: i.Domains,
		})
	}
}

func (a *TokenAccount) build(b *world.Builder) {
	b.TokenAccount(world.Convert[world.TokenAccount](b, a), world.Convert[world.Token](b, a))
}

func (a *ProgramAccount) build(b *world.Builder) {
	b.Account(world.Convert[world.Account](b, a))
}

func (n *NFT) build(b *world.Builder) { b.Asset(world.Convert[world.Asset](b, n)) }

func (a *CompressedAccount) build(b *world.Builder) {
	b.Compressed(world.Convert[world.Compressed](b, a), a.V2)
}

func (a *CompressedTokenAccount) build(b *world.Builder) {
	b.CompressedToken(world.Convert[world.Compressed](b, a), string(a.Delegate), world.Convert[world.Token](b, a), a.V2)
}

func (h *Webhook) build(b *world.Builder) hooks.Webhook {
	s := hooks.Settings{URL: h.URL, Type: cmp.Or(h.Type, "enhanced"), Auth: h.AuthHeader, Types: []string{"ANY"}, Accounts: texts[string](h.AccountAddresses)}
	if h.TransactionTypes != nil {
		s.Types = texts[string](h.TransactionTypes)
	}
	if mistake := s.Mistake(); mistake != "" {
		member, is, _ := strings.Cut(mistake, " ")
		b.Fieldf(member, "%s", is)
	}
	return hooks.Webhook{ID: h.ID, Settings: s}
}

func texts[To, From ~string](values []From) []To {
	all := []To{}
	for _, v := range values {
		all = append(all, To(v))
	}
	return all
}
