// Package world is the data of the fake: one ledger of transactions, and views of it. The
// balances, histories, holders, supplies, blocks and assets of the whole fake are read from
// here, so that they agree.
//
// Readers lock the World.
package world

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/solwire/solwire-go/internal/facts"
	"github.com/solwire/solwire-go/types"
)

// SOL stands for native SOL in the mints of transfers and holdings.
const SOL = string(types.SOL)

// The mints that events move.
const (
	WrappedSOL = string(types.WrappedSOL)
	USDC       = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
)

// PoolOwner owns the token accounts with the tokens that are compressed.
const PoolOwner = facts.TokenPoolOwner

// A World has all data.
type World struct { //nolint:gocritic // its users, all in this module, lock it around several calls
	sync.Mutex

	Clock   func() time.Time // nil means that time stands still
	Network types.Network
	Keep    int // the number of later transactions that are kept; 0 means all

	HistoryLag uint64 // how many slots histories are behind
	BalanceLag uint64 // how many slots the Wallet API and digital assets are behind

	// Patches are changes of items as they are sent, by their IDs: JSON merge patches. They do not
	// change while the world is read.
	Patches map[string]json.RawMessage

	// Watch is called for each transaction that happens, in their order, with the lock of the
	// world. It may read the world, and must neither block nor lock it.
	Watch func(Update)

	start  time.Time
	native *Token

	wallets    map[string]*Wallet
	tokens     map[string]*Token        // by mint
	accounts   map[string]*TokenAccount // by address
	stored     map[string]*Account      // of programs, by address
	identities map[string]Identity
	Domains    map[string]string // addresses by name in lower case

	Ledger     []*Transaction // oldest first
	signed     map[string]*Transaction
	later      int // transactions since the start
	made       int // accounts and signatures made up so far
	Compressed *Compression
	Assets     *Collection

	kept map[string]any // selections of listings, until the world changes
}

// A Wallet is an address that holds something, or did.
type Wallet struct {
	Address string
	Stated  bool // whether the world states the balance

	holdings map[string]*Holding
	order    []*Holding // native SOL first
}

// A Mention is a transaction in the history of an account.
type Mention struct {
	*Transaction
	Reach int
}

// How a transaction involves an account, in the order in which the option tokenAccounts
// widens a listing.
const (
	Named          = iota // names it
	BalanceChanged        // names only a token account of the wallet, and changed its balance
	TokenAccounts         // names only a token account of the wallet
)

// A Holding is how much of a token a wallet holds.
type Holding struct {
	Token    *Token
	Owner    string
	Raw      uint64
	Accounts []*TokenAccount // empty for native SOL

	steps []step // oldest first
}

// A step is a transaction that changed a holding.
type step struct {
	tx      *Transaction
	in, out uint64
}

// An Identity is an entry of the service about an address.
type Identity struct {
	Address  string   `json:"address"`
	Type     string   `json:"type"`
	Name     string   `json:"name,omitempty"`
	Category string   `json:"category,omitempty"`
	Tags     []string `json:"tags,omitzero"`
	Domains  []string `json:"domainNames,omitempty"`
}

// An Account is an account of a program.
type Account struct {
	Address, Program string
	Data             []byte
	Lamports         uint64
	Executable       bool

	Since  *Transaction // that wrote it, nil for the start of the world
	before *Account     // its state until then, nil if new
}

// At returns the account at a moment, nil if it did not exist.
func (a *Account) At(later Later) *Account {
	for a != nil && a.Since != nil && later(a.Since) {
		a = a.before
	}
	return a
}

func newWorld() *World {
	w := &World{
		Watch:   func(Update) {},
		native:  &Token{Mint: SOL, Symbol: "SOL", Name: "Solana", Decimals: 9, Price: "142.37"},
		wallets: map[string]*Wallet{}, tokens: map[string]*Token{}, accounts: map[string]*TokenAccount{},
		stored:     map[string]*Account{},
		identities: map[string]Identity{}, Domains: map[string]string{},
		signed: map[string]*Transaction{},
	}
	w.Compressed = &Compression{w: w, groups: map[[2]string]*Group{}}
	w.Assets = &Collection{w: w, byID: map[string]*Asset{}, byMetadata: map[string]*Asset{}, tree: Derived("tree of assets")}
	return w
}

// maxKept limits the memory of selections.
const maxKept = 64

// Keep returns the result of made and keeps it until the world changes. Thus the pages of a
// listing need not select and sort its items again.
func Keep[T any](w *World, key string, made func() T) T {
	kept, known := w.kept[key].(T)
	if !known {
		kept = made()
		if w.kept == nil || len(w.kept) >= maxKept {
			w.kept = map[string]any{}
		}
		w.kept[key] = kept
	}
	return kept
}

func (w *World) changed() { w.kept = nil }

// Wallet returns a wallet, nil if nothing is known of it.
func (w *World) Wallet(address string) *Wallet { return w.wallets[address] }

// wallet returns a wallet, which is new if nothing is known of it.
func (w *World) wallet(address string) *Wallet {
	x := w.wallets[address]
	if x == nil {
		x = &Wallet{Address: address, holdings: map[string]*Holding{}}
		w.wallets[address] = x
		w.holding(x, w.native)
	}
	return x
}

// holding returns the holding of a wallet in a token, which is new if there is none.
func (w *World) holding(x *Wallet, t *Token) *Holding {
	if h := x.holdings[t.Mint]; h != nil {
		return h
	}
	h := &Holding{Token: t, Owner: x.Address}
	x.holdings[t.Mint], x.order = h, append(x.order, h)
	w.changed()
	return h
}

// account returns the token account that transactions of a holding change: the last open one, or
// a new associated one.
func (w *World) account(h *Holding) *TokenAccount {
	if len(h.Accounts) == 0 {
		w.addAccount(h, &TokenAccount{Address: w.associated(h), Token: h.Token, Owner: h.Owner})
	}
	for _, a := range slices.Backward(h.Accounts) {
		if a.open() {
			return a
		}
	}
	return h.Accounts[len(h.Accounts)-1]
}

// associated returns the associated token address of a holding, or another one if it is taken.
func (w *World) associated(h *Holding) string {
	address := associated(h.Owner, h.Token)
	if w.accounts[address] != nil {
		address = Derived(address)
	}
	return address
}

// associatedTo has the results of associated, since all worlds begin with the same accounts.
var associatedTo sync.Map //nolint:gochecknoglobals // a cache of constant results

// associated returns the address of the associated token account of a wallet.
func associated(owner string, t *Token) string {
	key := [3]string{owner, t.Mint, t.Program()}
	if known, found := associatedTo.Load(key); found {
		address, _ := known.(string)
		return address
	}
	address, err := types.AssociatedTokenAddress(types.Address(owner), types.Address(t.Mint), types.Address(t.Program()))
	if err != nil { // an invalid address, which Builder.Check reports
		return Derived(owner, t.Mint)
	}
	associatedTo.Store(key, string(address))
	return string(address)
}

func (w *World) addAccount(h *Holding, a *TokenAccount) {
	w.changed()
	h.Accounts = append(h.Accounts, a)
	w.accounts[a.Address] = a
	if a.Token.Mint == WrappedSOL {
		a.Reserve = Rent(tokenAccountSize)
	}
}

// Has returns how much of a mint a wallet holds.
func (x *Wallet) Has(mint string) uint64 {
	return cmp.Or(x.Holding(mint), new(Holding)).Raw
}

// Token returns the token of a mint, nil if there is none.
func (w *World) Token(mint string) *Token {
	switch mint {
	case SOL, string(types.NativeSOLMint):
		return w.native
	}
	return w.tokens[mint]
}

// Account returns a token account, nil if there is none or it was closed.
func (w *World) Account(address string) *TokenAccount {
	if a := w.accounts[address]; a != nil && a.open() {
		return a
	}
	return nil
}

// AccountOf returns the address of the token account in which transactions change a holding of a
// wallet.
func (w *World) AccountOf(owner, mint string) string {
	return w.account(w.holding(w.wallet(owner), w.Token(mint))).Address
}

// TokenAccounts returns some token accounts as they were at a moment, sorted by address.
func (w *World) TokenAccounts(later Later, selected func(*TokenAccount) bool) (all []*TokenAccount) {
	for address := range w.accounts {
		if a, _ := w.AccountAt(address, later); a != nil && selected(a) {
			all = append(all, a)
		}
	}
	slices.SortFunc(all, func(a, b *TokenAccount) int { return CompareKeys(a.Address, b.Address) })
	return all
}

// CompareKeys orders addresses by their bytes. The first byte of an address is not 0.
func CompareKeys(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }

// Stored returns the account of a program at an address, nil if there is none.
func (w *World) Stored(address string) *Account {
	return cmp.Or(w.stored[address], w.Assets.account(address))
}

// Addresses returns the addresses of token accounts, mints and accounts of programs, in no order.
func (w *World) Addresses() []string {
	all := slices.Collect(maps.Keys(w.accounts))
	all = slices.AppendSeq(all, maps.Keys(w.tokens))
	return slices.AppendSeq(all, maps.Keys(w.stored))
}

// Identity returns the identity of an address. It is false if nothing is known.
func (w *World) Identity(address string) (Identity, bool) {
	i, known := w.identities[address]
	if !known {
		i = Identity{Address: address, Type: "unknown"}
	}
	return i, known
}

// Wallets returns the addresses of all wallets, in no order.
func (w *World) Wallets() []string { return slices.Collect(maps.Keys(w.wallets)) }
