package fake

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"
)

// A world is the data of a Service. It does not change: what happens later is kept
// in the Service.
type world struct {
	preset     bool // whether it has the data of a preset
	holders    map[string]*holder
	identities []identity
	domains    map[string]string // addresses by name
	owners     map[string]lister
	groups     map[string][]group      // compressed token accounts by delegate, empty for none
	delegates  map[string][]delegation // token accounts by delegate, empty for none
	tokens     map[string]token        // by mint
}

// A holder is a wallet.
type holder struct {
	tokens []holding // native SOL first
	nfts   []json.RawMessage
	ledger []transaction // newest first
}

// A holding is a token and how much of it a wallet holds at the start.
type holding struct {
	token
	native bool
	raw    uint64
}

func (h holding) asset() asset {
	if h.native {
		return nativeSOL()
	}
	return h.token.asset()
}

// defaultWorld is made once.
var defaultWorld = sync.OnceValue(func() *world {
	w := emptyWorld()
	w.preset = true
	for _, h := range demoHoldings() {
		w.tokens[h.mint] = h.token // wrapped SOL comes after native SOL
	}
	w.identities, w.domains = identities(), domains()
	w.owners[Owner] = &accounts{seed: 5, owner: Owner, count: 3500}
	w.owners[Program] = &accounts{seed: 6, owner: Program, count: 60, v2: 5}
	w.groups[Delegate] = delegated(0)
	w.groups[V2Delegate] = []group{delegated(1)[0]}
	w.groups[V2Delegate][0].delegate = V2Delegate
	w.delegates[Delegate] = delegations(false)
	w.holders[Wallet] = demoHolder()
	w.addCounterparties()
	w.holders[Collector].nfts = collection()
	for _, d := range w.delegates[Delegate] {
		w.hold(d)
	}
	return w
})

// symbol returns the symbol of an asset, which may be empty.
func (w *world) symbol(of asset) string {
	if of == nativeSOL() {
		return "SOL"
	}
	return w.tokens[of.mint].symbol
}

func emptyWorld() *world {
	return &world{
		holders: map[string]*holder{}, domains: map[string]string{}, owners: map[string]lister{},
		groups: map[string][]group{}, delegates: map[string][]delegation{}, tokens: map[string]token{},
	}
}

// hostileWorld is the default world with data that strict clients may refuse.
var hostileWorld = sync.OnceValue(func() *world {
	w := *defaultWorld()
	w.identities = append(slices.Clone(w.identities), identity{Address: Collector, Type: "unknown"}) // with status 200
	w.delegates, w.groups = maps.Clone(w.delegates), maps.Clone(w.groups)
	w.delegates[Delegate] = delegations(true)
	w.owners = maps.Clone(w.owners)
	w.owners[Owner] = &accounts{seed: 5, owner: Owner, count: 3500, v2: 25}
	w.groups[Delegate] = delegated(25)
	for i := range w.groups[Delegate] {
		w.groups[Delegate][i].hostile = true
	}
	return &w
})

// demoHolder is the wallet of the demo data.
func demoHolder() *holder {
	h := &holder{tokens: demoHoldings(), ledger: ledger()}
	for i := range 12 {
		h.nfts = append(h.nfts, collectible(i))
	}
	return h
}

func collection() []json.RawMessage {
	var all []json.RawMessage
	for i := range 120 {
		all = append(all, collectible(100+i))
	}
	return all
}

// hold makes the owner of a token account a holder of what is in it.
func (w *world) hold(d delegation) {
	if w.holders[d.owner] != nil {
		return
	}
	sol := holding{token: wellKnown()[0], native: true, raw: 50_000_000}
	t, known := w.tokens[d.mint]
	if !known {
		t = d.token()
	}
	w.holders[d.owner] = &holder{tokens: []holding{sol, {t, false, d.amount}}}
}

// addCounterparties adds the other sides of the transactions of the demo wallet,
// each with the same transactions and with what it must have held for them.
func (w *world) addCounterparties() {
	sides := map[string][]transaction{}
	for _, x := range w.holders[Wallet].ledger {
		others := map[string]bool{}
		for _, m := range x.moves {
			if !others[m.with] {
				others[m.with] = true
				sides[m.with] = append(sides[m.with], x.mirrored(Wallet, m.with))
			}
		}
	}
	sides[Collector] = nil
	var exchange []transaction
	for i, name := range slices.Sorted(maps.Keys(sides)) {
		if name == Exchange {
			continue
		}
		list := sides[name]
		first := w.opening(name, i, list)
		list = append(list, first)
		w.holders[name] = w.settled(name, list, nil)
		exchange = append(exchange, first.mirrored(name, Exchange))
	}
	exchange = append(exchange, sides[Exchange]...)
	slices.SortStableFunc(exchange, func(a, b transaction) int { return cmp.Compare(a.ago, b.ago) })
	reserve := map[asset]uint64{nativeSOL(): 5_000_000_000_000}
	w.holders[Exchange] = w.settled(Exchange, exchange, reserve)
}

// opening is the first transaction of a wallet: the exchange sends what the later
// ones, newest first, need.
func (w *world) opening(name string, i int, later []transaction) transaction {
	s := seed(40).item(i)
	x := transaction{
		signature: s.signature(), ago: 410*24*time.Hour + time.Duration(s.below(90*24*3600))*time.Second,
		fee: 5000, feePayer: Exchange, kind: "TRANSFER",
	}
	need := needs(name, later)
	need[nativeSOL()] += 1_000_000_000 + s.next()%5_000_000_000
	if name == Collector {
		need[wellKnown()[1].asset()] = 120_500_000
	}
	for _, a := range slices.SortedFunc(maps.Keys(need), byMint) {
		if need[a] > 0 {
			x.moves = append(x.moves, move{a, false, need[a], Exchange})
		}
	}
	return x
}

func byMint(a, b asset) int { return cmp.Compare(a.mint, b.mint) }

// needs returns what a wallet must hold before transactions, newest first, so that
// no balance is negative.
func needs(name string, list []transaction) map[asset]uint64 {
	need, now := map[asset]uint64{}, map[asset]uint64{}
	for _, x := range slices.Backward(list) {
		in, out := x.sums(name)
		for a, n := range in {
			now[a] += n
		}
		for a, n := range out {
			if n > now[a] {
				need[a] += n - now[a]
				now[a] = n
			}
			now[a] -= n
		}
	}
	return need
}

// settled returns a wallet with transactions, newest first, which begins with an
// opening balance and what it needs.
func (w *world) settled(name string, list []transaction, opening map[asset]uint64) *holder {
	held := needs(name, list)
	for a, n := range opening {
		held[a] += n
	}
	for i := len(list) - 1; i >= 0; i-- {
		list[i].happen(name, held)
	}
	h := &holder{ledger: list}
	h.tokens = append(h.tokens, holding{wellKnown()[0], true, held[nativeSOL()]})
	for _, a := range slices.SortedFunc(maps.Keys(held), byMint) {
		if a == nativeSOL() {
			continue
		}
		t, known := w.tokens[a.mint]
		if !known {
			t = token{mint: a.mint, decimals: a.decimals, program: spl}
		}
		h.tokens = append(h.tokens, holding{t, false, held[a]})
	}
	return h
}

// happen computes the changes of x for a wallet, and brings what it holds from
// before x to after x.
func (x *transaction) happen(name string, held map[asset]uint64) {
	in, out := x.sums(name)
	x.changes = nil
	for a := range in {
		out[a] += 0
	}
	for a := range out {
		before := held[a]
		held[a] = before + in[a] - out[a]
		switch {
		case in[a] > out[a]:
			x.changes = append(x.changes, change{a, false, in[a] - out[a], held[a]})
		case in[a] < out[a]:
			x.changes = append(x.changes, change{a, true, out[a] - in[a], held[a]})
		}
	}
	slices.SortFunc(x.changes, func(a, b change) int { return byMint(a.of, b.of) })
}

// sums returns what a wallet receives and sends in x. The fee of a failed
// transaction is paid too.
func (x *transaction) sums(name string) (in, out map[asset]uint64) {
	in, out = map[asset]uint64{}, map[asset]uint64{}
	for _, m := range x.moves {
		if m.out {
			out[m.of] += m.raw
		} else {
			in[m.of] += m.raw
		}
	}
	if x.feePayer == name {
		out[nativeSOL()] += x.fee
	}
	return in, out
}

// mirrored returns x, a transaction of one wallet, as the other wallet sees it.
func (x transaction) mirrored(one, other string) transaction {
	moves := x.moves
	x.moves, x.changes, x.reach = nil, nil, itself
	for _, m := range moves {
		if m.with == other {
			x.moves = append(x.moves, move{m.of, !m.out, m.raw, one})
		}
	}
	return x
}
