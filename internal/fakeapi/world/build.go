package world

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/types"
)

const compressedProgram = string(types.CompressedTokenProgram)

// A Builder makes a World. It keeps the first mistake.
type Builder struct {
	w        *World
	entry    string // the entry that is being added, such as World.Wallets[0]
	previous *Transaction
	deposits map[*Holding]bool // in token accounts
	pools    map[string]uint64 // tokens that are compressed, by mint
	unique   map[string]bool   // signatures, and hashes and addresses of compressed accounts
	err      error

	random    *Source // of a transaction that happens, nil before the start of the world
	happening *Transaction
	applies   []func(*Transaction) // its changes
}

// NewBuilder begins with a preset: empty or "default".
func NewBuilder(preset string) *Builder {
	b := &Builder{
		w: newWorld(), deposits: map[*Holding]bool{}, pools: map[string]uint64{}, unique: map[string]bool{},
	}
	switch preset {
	case "":
		// events move wrapped SOL
		b.known(Token{Mint: WrappedSOL, Symbol: "SOL", Name: "Wrapped SOL", Decimals: 9, Price: "142.37"})
		b.known(Token{Mint: USDC, Symbol: "USDC", Name: "USD Coin", Decimals: 6, Price: "0.99985"})
	case "default":
		b.preset()
	default:
		b.failf("preset %q is neither empty nor default", preset)
	}
	return b
}

// Default returns the world of a preset.
func Default(preset string) *World {
	w, err := NewBuilder(preset).World()
	if err != nil {
		panic(err)
	}
	return w
}

// World returns the world, or the first mistake.
func (b *Builder) World() (*World, error) {
	b.finish()
	return b.w, b.err
}

// At sets the name of the entry that is added next, for the text of mistakes.
func (b *Builder) At(entry string) { b.entry = entry }

// Entry returns the name of the entry that is added now.
func (b *Builder) Entry() string { return b.entry }

// failf keeps a mistake in the entry.
func (b *Builder) failf(format string, args ...any) {
	err := fmt.Errorf(format, args...)
	if b.entry != "" {
		err = fmt.Errorf("%s: %w", b.entry, err)
	}
	b.err = cmp.Or(b.err, err)
}

// Fieldf keeps a mistake in a field of the entry.
func (b *Builder) Fieldf(field, format string, args ...any) {
	if b.entry != "" {
		field = b.entry + "." + field
	}
	b.err = cmp.Or(b.err, fmt.Errorf("%s "+format, append([]any{field}, args...)...))
}

// Check keeps a mistake for an invalid address, hash or signature. Omitted fields may be empty.
func (b *Builder) Check(name string, value any) {
	if at, err := invalid(reflect.ValueOf(value), true); err != nil {
		b.err = cmp.Or(b.err, fmt.Errorf("%s: %w", strings.TrimPrefix(name+at, "."), err))
	}
}

// invalid returns the first mistake in a value, and where it is.
func invalid(v reflect.Value, optional bool) (at string, err error) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if at, err := invalid(v.Field(i), strings.Contains(f.Tag.Get("json"), ",omit")); err != nil {
				return "." + f.Name + at, err
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if at, err := invalid(v.Index(i), false); err != nil {
				return fmt.Sprintf("[%d]%s", i, at), err
			}
		}
	case reflect.String:
		text, isBinary := reflect.TypeAssert[interface{ Bytes() ([]byte, error) }](v)
		if isBinary && (v.Len() > 0 || !optional) {
			_, err = text.Bytes()
		}
		return fmt.Sprintf(" %q", v), err
	default:
	}
	return "", err
}

// Once keeps a mistake if an earlier entry has the same text in the field. Empty texts are allowed.
func (b *Builder) Once(field, text string) {
	if key := field + " " + text; text != "" && b.unique[key] {
		b.Fieldf(field, "%q is in an earlier entry", text)
	} else {
		b.unique[key] = true
	}
}

// source returns the source of the next thing that is made up.
func (b *Builder) source() *Source {
	b.w.made++
	if b.random != nil {
		return b.random
	}
	s := Seed(50).Item(b.w.made)
	return &s
}

// Wallet adds a wallet that holds SOL. One of the preset is replaced.
func (b *Builder) Wallet(address, sol string) {
	b.Once("Address", address)
	x := b.w.wallet(address)
	for _, h := range x.order {
		h.Raw = 0
	}
	x.Stated = true
	b.w.holding(x, b.w.native).Raw = b.raw("SOL", sol, 9)
}

// Hold adds a token to a wallet. A token without a symbol has the symbol of an earlier entry of
// the mint.
func (b *Builder) Hold(wallet string, t Token, amount string) {
	known := b.w.tokens[t.Mint]
	if t.Symbol == "" && known != nil {
		t.Symbol, t.Name = known.Symbol, cmp.Or(t.Name, known.Name)
	}
	if t.Price == "0" {
		t.Price = ""
	}
	token := b.token(t)
	token.Symbol, token.Name, token.Price, token.Token2022 = t.Symbol, t.Name, t.Price, t.Token2022
	x := b.w.wallet(wallet)
	if h := x.holdings[t.Mint]; h != nil && h.Raw > 0 {
		b.Fieldf("Mint", "%q is in an earlier entry of the wallet", t.Mint)
	}
	b.w.holding(x, token).Raw = b.raw("Amount", amount, t.Decimals)
}

// token returns the token of a mint, which must have the same decimals in all entries.
func (b *Builder) token(t Token) *Token {
	if b.w.Token(t.Mint) == b.w.native {
		b.Fieldf("Mint", "%q is native SOL, which is Wallet.SOL", t.Mint)
	}
	known := b.known(t)
	if known.Decimals != t.Decimals {
		b.Fieldf("Decimals", "is %d, but mint %s has %d elsewhere", t.Decimals, t.Mint, known.Decimals)
	}
	return known
}

// Identify adds the identity of a wallet.
func (b *Builder) Identify(i Identity) {
	if i.Tags == nil {
		i.Tags = []string{}
	}
	b.w.identities[i.Address] = i
	for _, d := range i.Domains {
		b.w.Domains[strings.ToLower(d)] = i.Address
	}
}

// raw returns an amount in the smallest units.
func (b *Builder) raw(field, amount string, decimals int) uint64 {
	if amount == "" {
		return 0
	}
	d, err := decimal.NewFromString(amount)
	d = d.Shift(int32(decimals))
	if err != nil || !d.IsInteger() || !d.BigInt().IsUint64() {
		b.Fieldf(field, "%q has more than %d decimals or exceeds 64 bits", amount, decimals)
		return 0
	}
	return d.BigInt().Uint64()
}

// A Leg is a transfer of a transaction, in whole tokens. An empty mint means native SOL.
type Leg struct{ From, To, Mint, Amount string }

// Transact adds a transaction. Without a signature one is made up; without a time it is a minute
// older than the previous one.
func (b *Builder) Transact(x Transaction, legs []Leg) {
	if x.Signature == "" {
		x.Signature = b.source().Signature()
	}
	b.Once("Signature", x.Signature)
	if len(legs) == 0 && x.FeePayer == "" {
		b.failf("transaction %s has neither transfers nor a fee payer", x.Signature)
		return
	}
	if x.FeePayer == "" {
		x.FeePayer = legs[0].From
	}
	x.Fee = cmp.Or(x.Fee, 5000)
	if x.Failure != "" && len(legs) > 0 {
		b.failf("transaction %s failed and has transfers", x.Signature)
	}
	if x.At.IsZero() {
		x.Ago = time.Minute
		if p := b.previous; p != nil {
			x.Ago += p.Ago
			if !p.At.IsZero() {
				x.At, x.Ago = p.At.Add(-time.Minute), 0
			}
		}
	}
	entry := b.entry
	for i, l := range legs {
		b.At(strings.TrimPrefix(fmt.Sprintf("%s.Transfers[%d]", entry, i), "."))
		if a := b.w.Assets.byID[l.Mint]; a != nil && a.Compressed && b.random != nil {
			b.give(&x, a, l)
			continue
		}
		t := b.w.Token(cmp.Or(l.Mint, SOL))
		if t == nil {
			b.failf("mint %s is not a token of a wallet", l.Mint)
			return
		}
		x.Transfers = append(x.Transfers, Transfer{l.From, l.To, t.Mint, b.raw("Amount", l.Amount, t.Decimals)})
	}
	b.At(entry)
	if b.err != nil {
		return
	}
	if x.Failure != "" {
		if err := b.w.checkFailure(&x); err != nil {
			b.Fieldf("Err", "%w", err)
		}
	}
	if b.random != nil {
		x.Ago, b.happening = 0, &x
		return
	}
	b.previous = &x
	b.w.Ledger = append(b.w.Ledger, &x)
}

// TokenAccount adds a token account. Without an address one is made up.
func (b *Builder) TokenAccount(a TokenAccount, t Token) {
	a.Token = b.token(t)
	h := b.w.holding(b.w.wallet(a.Owner), a.Token)
	if a.Address == "" {
		a.Address = b.w.associated(h)
	}
	if b.w.accounts[a.Address] != nil {
		b.Fieldf("Address", "%q is in an earlier entry", a.Address)
	}
	b.deposits[h] = true
	b.w.addAccount(h, &a)
}

// Account adds an account of a program.
func (b *Builder) Account(a Account) {
	if a.Address == "" {
		a.Address = b.source().Address()
	}
	old := b.w.stored[a.Address]
	a.Lamports = cmp.Or(a.Lamports, max(cmp.Or(old, new(Account)).Lamports, Rent(len(a.Data))))
	switch {
	case b.random != nil:
		b.write(b.happening, a)
	case old != nil:
		b.Fieldf("Address", "%q is in an earlier entry", a.Address)
	default:
		b.w.stored[a.Address] = &a
	}
}

// Close closes an account of a program.
func (b *Builder) Close(address string) { b.write(b.happening, Account{Address: address}) }

// Asset adds an NFT. Without an ID one is made up.
func (b *Builder) Asset(a Asset) {
	if a.ID == "" {
		a.ID = b.source().Address()
	}
	if b.w.Assets.byID[a.ID] != nil || b.w.tokens[a.ID] != nil {
		b.Fieldf("ID", "%q is in an earlier entry", a.ID)
	}
	b.w.Assets.add(&a)
}

// Patch changes items as they are sent.
func (b *Builder) Patch(patches map[string]json.RawMessage) {
	for id, patch := range patches {
		if !json.Valid(patch) {
			b.failf("World.Patches[%q] is not JSON", id)
		}
	}
	b.w.Patches = patches
}

// Convert returns a value of the world with the fields of another one, which have the same names
// in JSON.
func Convert[T any](b *Builder, from any) (to T) {
	text, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(text, &to)
	}
	if err != nil {
		b.failf("%w", err)
	}
	return to
}

// finish completes the world. The token accounts hold the balances of their wallets, and each
// account was created by a transaction.
func (b *Builder) finish() {
	b.At("")
	w := b.w
	for _, mint := range slices.Sorted(maps.Keys(b.pools)) {
		pool := w.wallet(PoolOwner)
		pool.Stated = true
		w.holding(pool, w.tokens[mint]).Raw += b.pools[mint]
	}
	for h := range b.deposits {
		in, owner := uint64(0), w.wallets[h.Owner]
		for _, a := range h.Accounts { // some of the preset
			in += a.Amount
		}
		switch {
		case h.Raw == 0 || !owner.Stated:
			h.Raw, owner.Stated = in, true
		case h.Raw != in:
			b.failf("the token accounts of owner %s and mint %s hold %d in all, but the balance of the owner is %d, in the smallest unit",
				h.Owner, h.Token.Mint, in, h.Raw)
		}
	}
	c := w.Compressed
	for _, g := range slices.SortedFunc(maps.Values(c.groups), func(a, b *Group) int { return cmp.Or(cmp.Compare(a.Mint, b.Mint), cmp.Compare(a.Of, b.Of)) }) {
		c.open(g)
	}
	w.Assets.create()
}
