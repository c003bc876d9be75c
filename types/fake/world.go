package fake

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/fake"
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
	// million. 0 means that of the preset: 0 or 3500.
	Accounts int `json:"accounts,omitempty"`

	Wallets                 []Wallet                 `json:"wallets,omitempty"`
	Transactions            []Transaction            `json:"transactions,omitempty"` // newest first
	TokenAccounts           []TokenAccount           `json:"tokenAccounts,omitempty"`
	CompressedAccounts      []CompressedAccount      `json:"compressedAccounts,omitempty"`
	CompressedTokenAccounts []CompressedTokenAccount `json:"compressedTokenAccounts,omitempty"`
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
	Symbol    string          `json:"symbol,omitempty"` // empty means that of an earlier entry of the mint
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

	// Why it failed; a failed transaction has no transfers.
	Err string `json:"err,omitempty"`

	Transfers []Transfer `json:"transfers,omitempty"`
}

// A Transfer is a part of a Transaction.
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
	Decimals  uint8         `json:"decimals,omitempty"` // 0 means those of other entries of the mint
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
	if _, err := w.build(); err != nil {
		return nil, fmt.Errorf("fake.ParseWorld: %w", err)
	}
	return w, nil
}

// service returns a service with the data of w, the default world if it is nil.
func (w *World) service() *fake.Service {
	if w == nil {
		return fake.New()
	}
	s, err := w.build()
	if err != nil {
		panic("fake.New: " + err.Error())
	}
	return s
}

func (w *World) build() (*fake.Service, error) {
	b := fake.NewBuilder(string(w.Preset), w.Accounts)
	for i, x := range w.Wallets {
		x.build(b, fmt.Sprintf("World.Wallets[%d]", i))
	}
	for i, x := range w.Transactions {
		b.At(fmt.Sprintf("World.Transactions[%d]", i))
		x.build(b)
	}
	for i, a := range w.TokenAccounts {
		b.At(fmt.Sprintf("World.TokenAccounts[%d]", i))
		b.Delegate(string(a.Delegate), string(a.Address), string(a.Owner), string(a.Mint), a.RawAmount, a.DelegatedAmount, a.Decimals, a.Frozen, a.Token2022)
	}
	for i, a := range w.CompressedAccounts {
		b.At(fmt.Sprintf("World.CompressedAccounts[%d]", i))
		b.Account(string(a.Owner), string(a.Hash), string(a.Address), a.Data, a.Discriminator, a.Lamports, a.V2)
	}
	for i, a := range w.CompressedTokenAccounts {
		b.At(fmt.Sprintf("World.CompressedTokenAccounts[%d]", i))
		b.TokenAccount(string(a.Delegate), string(a.Owner), string(a.Mint), string(a.Hash), a.RawAmount, a.Decimals, a.Frozen, a.V2)
	}
	for i, h := range w.Webhooks {
		b.At(fmt.Sprintf("World.Webhooks[%d]", i))
		b.Webhook(h.ID, h.URL, h.Type, h.AuthHeader, texts(h.TransactionTypes), texts(h.AccountAddresses))
	}
	return b.Service()
}

func (x *Wallet) build(b *fake.Builder, entry string) {
	address := string(x.Address)
	b.At(entry)
	b.Wallet(address, x.SOL.String())
	for i, t := range x.Tokens {
		b.At(fmt.Sprintf("%s.Tokens[%d]", entry, i))
		b.Hold(address, string(t.Mint), t.Symbol, t.Name, t.Amount.String(), t.PriceUSD.String(), t.Decimals, t.Token2022)
	}
	if i := x.Identity; i != nil {
		b.Identify(address, cmp.Or(i.Type, "wallet"), i.Name, cmp.Or(i.Category, "Wallet"), i.Tags, i.Domains)
	}
}

func (x *Transaction) build(b *fake.Builder) {
	var legs []fake.Leg
	for _, t := range x.Transfers {
		legs = append(legs, fake.Leg{From: string(t.From), To: string(t.To), Mint: string(t.Mint), Amount: t.Amount.String()})
	}
	const usualFee = 5000
	b.Transact(string(x.Signature), cmp.Or(string(x.Type), "TRANSFER"), string(x.FeePayer), x.Err, x.BlockTime.Time, cmp.Or(x.FeeLamports, usualFee), legs)
}

func texts[T ~string](values []T) []string {
	var all []string
	for _, v := range values {
		all = append(all, string(v))
	}
	return all
}

func randomSeed() uint64 { return rand.Uint64() | 1 }
