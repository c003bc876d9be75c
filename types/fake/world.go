package fake

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/internal/fake/hooks"
	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
)

// A Preset is the data that a World begins with.
type Preset string

// The presets.
const (
	PresetEmpty   Preset = ""        // nothing
	PresetDefault Preset = "default" // the wallets and accounts of the addresses of this package

	// PresetHostile is the default with unusual values that strict decoders refuse.
	PresetHostile Preset = "hostile"
)

// A World is the data of a [Service]: a preset, and what the other fields add to it. It
// can also be written in JSON, see [ParseWorld]. The balances of wallets are the current
// ones. Histories and past balances follow from them and the transactions, for both
// wallets of each transfer.
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
	Symbol    string          `json:"symbol,omitempty"` // empty means the symbol in an earlier entry of the mint
	Name      string          `json:"name,omitempty"`
	Decimals  uint8           `json:"decimals"`
	Amount    decimal.Decimal `json:"amount"`   // in whole tokens
	PriceUSD  decimal.Decimal `json:"priceUsd"` // of one token; 0 means unknown
	Token2022 bool            `json:"token2022,omitempty"`
}

// An Identity is what the service knows about a wallet.
type Identity struct {
	Type     string   `json:"type,omitempty"` // empty means wallet
	Name     string   `json:"name"`
	Category string   `json:"category,omitempty"`
	Tags     []string `json:"tags,omitempty"`
	Domains  []string `json:"domains,omitempty"` // names that resolve to the wallet
}

// A Transaction is in the history of each wallet that sends or receives something.
type Transaction struct {
	Signature types.Signature `json:"signature,omitempty"` // empty means a generated one
	Type      txtype.Type     `json:"type,omitempty"`      // empty means TRANSFER

	// Zero means a minute before the previous Transaction.
	BlockTime types.Time `json:"blockTime,omitzero"`

	// Empty means the sender of the first transfer.
	FeePayer types.Address `json:"feePayer,omitempty"`

	FeeLamports uint64 `json:"feeLamports,omitempty"` // 0 means 5000

	// Why it failed, such as "InstructionError: [0, Custom(1)]", "InsufficientFundsForRent", or
	// the JSON of a node. A failed transaction has no transfers; without Instructions, its
	// only instruction is a transfer of nothing.
	Err string `json:"err,omitempty"`

	Memo      string     `json:"memo,omitempty"`
	Transfers []Transfer `json:"transfers,omitempty"`

	// After those that the transfers need. A swap of two transfers without Instructions calls
	// Jupiter.
	Instructions []Instruction `json:"instructions,omitempty"`

	// What else it does, for [Service.Happen] only: a World has what its past has made.

	ProgramAccounts         []ProgramAccount         `json:"programAccounts,omitempty"` // as they are after it, new or changed
	ClosedAccounts          []types.Address          `json:"closedAccounts,omitempty"`  // of programs
	CompressedAccounts      []CompressedAccount      `json:"compressedAccounts,omitempty"`
	CompressedTokenAccounts []CompressedTokenAccount `json:"compressedTokenAccounts,omitempty"`
	SpentHashes             []types.Hash             `json:"spentHashes,omitempty"` // of compressed accounts
	Dropped                 bool                     `json:"dropped,omitempty"`     // is processed and never confirmed
}

// An Instruction is a call of a program in a Transaction. The transaction is in the history
// of the program and of its accounts too.
type Instruction struct {
	Program  types.Address   `json:"program"`
	Accounts []types.Address `json:"accounts,omitempty"`
	Data     []byte          `json:"data,omitempty"` // base64 in JSON

	// How Parsed Events decode it; without a Name they do not. Roles are the names of the
	// first Accounts.
	ProgramName string          `json:"programName,omitempty"`
	Name        string          `json:"name,omitempty"`
	Args        json.RawMessage `json:"args,omitempty"`
	Roles       []string        `json:"roles,omitempty"`
}

// A Transfer is a part of a Transaction. In what happens, an NFT changes its owner with a transfer
// of its ID and the Amount 1.
type Transfer struct {
	From   types.Address   `json:"from"`
	To     types.Address   `json:"to"`
	Mint   types.Address   `json:"mint,omitempty"` // empty means native SOL
	Amount decimal.Decimal `json:"amount"`         // in whole tokens
}

// A TokenAccount is a token account. The RawAmounts of all accounts of an owner and a mint
// must add up to the balance of the owner; if nothing else in the World gives it a balance
// of the mint, they are the balance.
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
	Lamports   uint64        `json:"lamports,omitempty"` // 0 means those that exempt it from rent
	Executable bool          `json:"executable,omitempty"`
}

// An NFT is an NFT, a print of one, or a collection, which is an NFT that others name.
type NFT struct {
	ID          types.Address `json:"id,omitempty"` // empty means a generated one
	Owner       types.Address `json:"owner"`
	Name        string        `json:"name,omitempty"`
	Symbol      string        `json:"symbol,omitempty"`
	Description string        `json:"description,omitempty"`
	URI         string        `json:"uri,omitempty"` // of its JSON
	Image       string        `json:"image,omitempty"`

	Collection types.Address   `json:"collection,omitempty"` // ID of the collection; empty means none
	Authority  types.Address   `json:"authority,omitempty"`
	Creators   []Creator       `json:"creators,omitempty"`
	Attributes json.RawMessage `json:"attributes,omitempty"`
	Interface  string          `json:"interface,omitempty"` // empty means V1_NFT

	RoyaltyBasisPoints int           `json:"royaltyBasisPoints,omitempty"`
	Delegate           types.Address `json:"delegate,omitempty"` // empty means none

	AgentSigner types.Address `json:"agentSigner,omitempty"` // makes it an agent of MPL Core; empty means none
	AgentToken  types.Address `json:"agentToken,omitempty"`

	Compressed bool `json:"compressed,omitempty"` // in a Merkle tree, with a proof that can be verified
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
	Decimals  uint8         `json:"decimals,omitempty"` // 0 means the decimals in other entries of the mint
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

// ParseWorld reads a World from JSON, and reports what [New] would panic about. The
// members have the names of the fields with a small first letter, amounts are
// numbers or text, times Unix seconds; unknown members are errors.
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
func (w *World) build() (*fake.Service, error) {
	if w == nil {
		return fake.New(), nil
	}
	b := world.NewBuilder(string(w.Preset))
	b.Check("World", *w)
	if w.Accounts != 0 {
		b.Generate(w.Accounts)
	}
	each(b, "Wallets", w.Wallets, (*Wallet).build)
	each(b, "NFTs", w.NFTs, (*NFT).build)
	each(b, "Transactions", w.Transactions, (*Transaction).build)
	each(b, "TokenAccounts", w.TokenAccounts, func(a *TokenAccount, b *world.Builder) {
		b.TokenAccount(world.TokenAccount{
			Address: string(a.Address), Owner: string(a.Owner), Delegate: string(a.Delegate), Amount: a.RawAmount, Delegated: a.DelegatedAmount, Frozen: a.Frozen,
		}, world.Token{Mint: string(a.Mint), Decimals: int(a.Decimals), Token2022: a.Token2022})
	})
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
	return fake.NewOf(made, active...), nil
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
		b.Hold(address, world.Token{
			Mint: string(t.Mint), Symbol: t.Symbol, Name: t.Name, Decimals: int(t.Decimals), Price: t.PriceUSD.String(), Token2022: t.Token2022,
		}, t.Amount.String())
	}
	if i := x.Identity; i != nil {
		b.Identify(world.Identity{
			Address: address, Type: cmp.Or(i.Type, "wallet"), Name: i.Name, Category: cmp.Or(i.Category, "Wallet"), Tags: i.Tags, Domains: i.Domains,
		})
	}
}

func (x *Transaction) build(b *world.Builder) {
	if len(x.ProgramAccounts)+len(x.ClosedAccounts)+len(x.CompressedAccounts)+len(x.CompressedTokenAccounts)+len(x.SpentHashes) > 0 || x.Dropped {
		b.Fieldf("ProgramAccounts", "and what else only Service.Happen has are set; use the fields of World")
	}
	x.transact(b)
}

func (x *Transaction) transact(b *world.Builder) {
	tx := world.Transaction{
		Signature: string(x.Signature), Kind: cmp.Or(string(x.Type), "TRANSFER"), FeePayer: string(x.FeePayer), Failure: x.Err, Memo: x.Memo,
		At: x.BlockTime.Time, Fee: x.FeeLamports, Dropped: x.Dropped,
	}
	if !wire.IsType(tx.Kind) {
		b.Fieldf("Type", "%q is not a transaction type", x.Type)
	}
	for _, i := range x.Instructions {
		tx.Instructions = append(tx.Instructions, i.instruction())
	}
	b.Transact(tx, world.Convert[[]world.Leg](b, x.Transfers))
}

func (i *Instruction) instruction() world.Instruction {
	call := world.Instruction{
		Program: string(i.Program), Accounts: texts[string](i.Accounts), Data: i.Data, ProgramName: i.ProgramName, Name: i.Name, Args: i.Args,
	}
	for at, name := range i.Roles {
		call.Roles = append(call.Roles, world.Role{Name: name, Signer: at == 0})
	}
	return call
}

// happen is what [Service.Happen] does.
func (x *Transaction) happen(b *world.Builder) {
	b.Check("", *x)
	x.transact(b)
	if !b.Happens() {
		return
	}
	for _, a := range x.ProgramAccounts {
		a.build(b)
	}
	for _, address := range x.ClosedAccounts {
		b.Close(string(address))
	}
	for _, hash := range x.SpentHashes {
		b.Spend(string(hash))
	}
	for _, a := range x.CompressedAccounts {
		a.build(b)
	}
	for _, a := range x.CompressedTokenAccounts {
		a.build(b)
	}
}

func (a *ProgramAccount) build(b *world.Builder) {
	b.Account(world.Convert[world.Account](b, a))
}

func (n *NFT) build(b *world.Builder) { b.Asset(world.Convert[world.Asset](b, n)) }

func (a *CompressedAccount) build(b *world.Builder) {
	b.Compressed(world.Convert[world.Compressed](b, a), a.V2)
}

func (a *CompressedTokenAccount) build(b *world.Builder) {
	b.CompressedToken(world.Compressed{TokenOwner: string(a.Owner), Amount: a.RawAmount, Hash: string(a.Hash), Frozen: a.Frozen},
		string(a.Delegate), world.Token{Mint: string(a.Mint), Decimals: int(a.Decimals)}, a.V2)
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
