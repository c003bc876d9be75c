package fake

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/solwire/solwire-go/types"
)

// A Builder makes a world. It keeps the first mistake.
type Builder struct {
	w     *world
	hooks []*webhook
	past  []pastTransaction
	made  int    // accounts and signatures made up so far
	entry string // what is added now, such as World.Wallets[0]

	deposits map[string]map[string]deposit // in token accounts, by owner and mint
	err      error
}

// A pastTransaction is one of the whole world.
type pastTransaction struct {
	transaction
	legs  []Leg
	entry string
}

// A Leg is a transfer of a transaction. An empty mint means native SOL.
type Leg struct{ From, To, Mint, Amount string }

// NewBuilder begins with a preset: empty, "default" or "hostile". Accounts is the
// number of compressed accounts of Owner, 0 for that of the preset.
func NewBuilder(preset string, accountsOfOwner int) *Builder {
	b := &Builder{}
	switch preset {
	case "":
		b.w = emptyWorld()
		b.w.tokens[solMint], b.w.tokens[usdcMint] = unusual()[0], wellKnown()[1] // which events move
	case "default":
		b.w = defaultWorld().clone()
	case "hostile":
		b.w = hostileWorld().clone()
	default:
		b.failf("preset %q is not empty, default or hostile", preset)
		b.w = emptyWorld()
	}
	if accountsOfOwner < 0 || accountsOfOwner > 1_000_000 {
		b.failf("%d accounts are not between 0 and 1000000", accountsOfOwner)
	} else if accountsOfOwner > 0 {
		made := accounts{seed: 5, owner: Owner}
		if of, known := b.w.owners[Owner].(*accounts); known {
			made.v2 = of.v2
		}
		made.count = accountsOfOwner
		b.w.owners[Owner] = &made
	}
	return b
}

func (w *world) clone() *world {
	c := *w
	c.identities = slices.Clone(w.identities)
	c.holders, c.domains, c.owners = maps.Clone(w.holders), maps.Clone(w.domains), maps.Clone(w.owners)
	c.groups, c.delegates, c.tokens = maps.Clone(w.groups), maps.Clone(w.delegates), maps.Clone(w.tokens)
	return &c
}

// Service returns a Service with the world, or the first mistake.
func (b *Builder) Service() (*Service, error) {
	b.settle()
	b.holdDeposits()
	b.checkSupplies()
	if b.err != nil {
		return nil, b.err
	}
	s := newService(b.w)
	s.hooks, s.made = b.hooks, len(b.hooks)
	return s, nil
}

// At sets the name of the entry that is added next, for the text of mistakes.
func (b *Builder) At(entry string) { b.entry = entry }

// failf keeps a mistake in the entry.
func (b *Builder) failf(format string, args ...any) {
	err := fmt.Errorf(format, args...)
	if b.entry != "" {
		err = fmt.Errorf("%s: %w", b.entry, err)
	}
	b.err = cmp.Or(b.err, err)
}

// fieldf keeps a mistake in a field of the entry.
func (b *Builder) fieldf(field, format string, args ...any) {
	if b.entry != "" {
		field = b.entry + "." + field
	}
	b.err = cmp.Or(b.err, fmt.Errorf("%s "+format, append([]any{field}, args...)...))
}

func (b *Builder) address(field, text string) string {
	if _, err := types.ParseAddress(text); err != nil {
		b.fieldf(field, "%q: %w", text, err)
	}
	return text
}

// source returns the source of the next thing that is made up.
func (b *Builder) source() *source {
	b.made++
	s := seed(50).item(b.made)
	return &s
}

// Wallet adds a wallet that holds SOL. An earlier one of this address is replaced.
func (b *Builder) Wallet(address, sol string) {
	b.address("Address", address)
	raw := b.raw("SOL", sol, 9)
	b.w.holders[address] = &holder{tokens: []holding{{wellKnown()[0], true, raw}}}
}

// Hold adds a token to a wallet.
func (b *Builder) Hold(wallet, mint, symbol, name, amount, price string, decimals uint8, is2022 bool) {
	b.address("Mint", mint)
	t := token{mint: mint, symbol: symbol, name: name, decimals: int(decimals), price: price, program: spl}
	if is2022 {
		t.program = token2022
	}
	if price == "0" {
		t.price = ""
	}
	if symbol == "" { // as another entry says
		t.symbol, t.name = b.w.tokens[mint].symbol, cmp.Or(name, b.w.tokens[mint].name)
	}
	if _, err := strconv.ParseFloat(cmp.Or(price, "0"), 64); err != nil {
		b.fieldf("PriceUSD", "%q is not a number", price)
	}
	b.checkDecimals(t)
	b.w.tokens[mint] = t
	h := b.w.holders[wallet]
	if slices.ContainsFunc(h.tokens, func(has holding) bool { return !has.native && has.mint == mint }) {
		b.fieldf("Mint", "%q is in an earlier entry of the wallet", mint)
	}
	h.tokens = append(h.tokens, holding{t, false, b.raw("Amount", amount, t.decimals)})
}

// Identify says who a wallet is.
func (b *Builder) Identify(wallet, kind, name, category string, tags, domains []string) {
	if tags == nil {
		tags = []string{}
	}
	b.w.identities = slices.DeleteFunc(b.w.identities, func(i identity) bool { return i.Address == wallet })
	b.w.identities = append(b.w.identities, identity{wallet, kind, name, category, tags, domains})
	for _, d := range domains {
		b.w.domains[strings.ToLower(d)] = wallet
	}
}

// raw returns an amount in the smallest units.
func (b *Builder) raw(field, amount string, decimals int) uint64 {
	if amount == "" {
		return 0
	}
	r, ok := new(big.Rat).SetString(amount)
	if ok {
		r.Quo(r, units(1, decimals))
	}
	if !ok || !r.IsInt() || r.Sign() < 0 || !r.Num().IsUint64() {
		b.fieldf(field, "%q has more than %d decimals or exceeds 64 bits", amount, decimals)
		return 0
	}
	return r.Num().Uint64()
}

// Transact adds a transaction. Without a signature one is made up; without a time it
// is a minute older than the one before.
func (b *Builder) Transact(signature, kind, feePayer, failure string, at time.Time, fee uint64, legs []Leg) {
	if signature == "" {
		signature = b.source().signature()
	} else if _, err := types.Signature(signature).Bytes(); err != nil {
		b.fieldf("Signature", "%q: %w", signature, err)
	} else if slices.ContainsFunc(b.past, func(p pastTransaction) bool { return p.signature == signature }) {
		b.fieldf("Signature", "%q is that of an earlier entry", signature)
	}
	if len(legs) == 0 && feePayer == "" {
		b.failf("transaction %s has neither transfers nor a fee payer", signature)
		return
	}
	if feePayer == "" {
		feePayer = legs[0].From
	}
	b.address("FeePayer", feePayer)
	if failure != "" && len(legs) > 0 {
		b.failf("transaction %s failed and has transfers", signature)
	}
	x := transaction{signature: signature, at: at, fee: fee, feePayer: feePayer, failure: failure, kind: kind}
	if at.IsZero() {
		before := transaction{}
		if len(b.past) > 0 {
			before = b.past[len(b.past)-1].transaction
		}
		x.ago = before.ago + time.Minute
		if !before.at.IsZero() {
			x.at, x.ago = before.at.Add(-time.Minute), 0
		}
	}
	b.past = append(b.past, pastTransaction{x, legs, b.entry})
}

// settle makes the histories of the wallets.
func (b *Builder) settle() {
	lists := map[string][]transaction{}
	for _, p := range b.past {
		moves := map[string][]move{p.feePayer: nil}
		for i, l := range p.legs {
			b.At(fmt.Sprintf("%s.Transfers[%d]", p.entry, i))
			of, err := b.asset(l.Mint)
			if err != nil {
				b.failf("%w", err)
				return
			}
			raw := b.raw("Amount", l.Amount, of.decimals)
			from, to := b.address("From", l.From), b.address("To", l.To)
			moves[from] = append(moves[from], move{of, true, raw, to})
			moves[to] = append(moves[to], move{of, false, raw, from})
		}
		for wallet, of := range moves {
			x := p.transaction
			x.moves = of
			lists[wallet] = append(lists[wallet], x)
		}
	}
	b.At("")
	for _, wallet := range slices.Sorted(maps.Keys(lists)) {
		list := lists[wallet]
		slices.SortStableFunc(list, newestFirst)
		if known := b.w.holders[wallet]; known != nil {
			b.precede(wallet, known, list)
		} else {
			b.w.holders[wallet] = b.w.settled(wallet, list, nil)
		}
	}
}

// newestFirst compares transactions. Those without a time were added first, so they
// are newer than the others.
func newestFirst(x, y transaction) int {
	if x.at.IsZero() && y.at.IsZero() {
		return cmp.Compare(x.ago, y.ago)
	}
	if x.at.IsZero() != y.at.IsZero() {
		return order(x.at.IsZero())
	}
	return y.at.Compare(x.at)
}

// precede computes the balances of a wallet before each of its transactions from
// what it holds after them.
func (b *Builder) precede(wallet string, h *holder, list []transaction) {
	held := map[asset]uint64{}
	for _, has := range h.tokens {
		held[has.asset()] = has.raw
	}
	for i := range list {
		x := &list[i]
		in, out := x.sums(wallet)
		before := maps.Clone(held)
		for _, a := range slices.SortedFunc(maps.Keys(in), byMint) {
			if held[a]+out[a] < in[a] {
				b.failf("wallet %s received more %s in transaction %s than it holds and has sent since; increase what it holds", wallet, cmp.Or(b.w.symbol(a), a.mint), x.signature)
			}
			before[a] -= in[a]
		}
		for a, n := range out {
			before[a] += n
		}
		after := maps.Clone(before)
		x.happen(wallet, after)
		held = before
	}
	known := *h
	known.ledger = slices.Concat(list, h.ledger)
	b.w.holders[wallet] = &known
}

// asset returns the token of a mint; empty means native SOL.
func (b *Builder) asset(mint string) (asset, error) {
	if mint == "" || mint == string(types.SOL) || mint == string(types.NativeSOLMint) {
		return nativeSOL(), nil
	}
	t, known := b.w.tokens[mint]
	if !known {
		return asset{}, errors.New("mint " + mint + " is not a token of a wallet")
	}
	return t.asset(), nil
}

// Webhook adds an active webhook. Without an ID one is made up.
func (b *Builder) Webhook(id, url, kind, auth string, kinds, accounts []string) {
	h := &webhook{
		ID: cmp.Or(id, webhookID(len(b.hooks)+1)), URL: url, Type: cmp.Or(kind, "enhanced"), Auth: auth, Types: kinds, Accounts: accounts,
		Status: "all", Encoding: "jsonParsed", Wallet: Wallet, Project: "solwire-demo", Active: true,
	}
	if h.Types == nil {
		h.Types = []string{"ANY"}
	}
	if h.Accounts == nil {
		h.Accounts = []string{}
	}
	if !deliverable(url) {
		b.fieldf("URL", "%q is neither https nor on loopback", url)
	}
	for i, a := range accounts {
		b.address(fmt.Sprintf("AccountAddresses[%d]", i), a)
	}
	b.hooks = append(b.hooks, h)
}
