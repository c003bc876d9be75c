package fake

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/solwire/solwire-go/types"
)

// A transaction is one that touched the demo wallet.
type transaction struct {
	signature string
	time      time.Time
	slot      uint64
	fee       uint64 // lamports
	feePayer  string
	failure   string
	kind      string // its type, by which a listing is filtered
	reach     int    // how it reached the wallet
	moves     []move
	changes   []change
}

// How a transaction reached the wallet: a listing may ask for more or less.
const (
	itself         = iota // names the wallet
	balanceChanged        // names only a token account, and changed what that holds
	tokenAccount          // names only a token account
)

// A move is some of one token on its way into the wallet or out of it.
type move struct {
	of   asset
	out  bool
	raw  uint64
	with string // who sent or received it
}

// A change is what a transaction did to the balance of one token.
type change struct {
	of    asset
	out   bool
	raw   uint64
	after uint64 // the balance that it left
}

// An asset is a token, or native SOL.
type asset struct {
	mint     string
	symbol   string
	decimals int
}

func nativeSOL() asset { return asset{string(types.SOL), "SOL", 9} }

// The history has this many transactions, about one in two days.
const historyLength = 340

// ledger returns the transactions of the demo wallet, the newest first. It is
// made from what the wallet holds today backwards, so that every balance in
// the past agrees with the moves since.
var ledger = sync.OnceValue(func() []transaction {
	sol := wellKnown()[0]
	assets := []asset{nativeSOL()}
	held := map[asset]uint64{nativeSOL(): sol.raw()}
	for _, t := range slices.Concat(wellKnown()[1:4], wellKnown()[7:10], unusual()[:2], unusual()[8:9]) {
		a := asset{t.mint, t.symbol, t.decimals}
		assets = append(assets, a)
		held[a] = t.raw()
	}
	var all []transaction
	at, position := time.Date(2025, time.June, 2, 15, 4, 5, 0, time.UTC), uint64(slot)
	for i := range historyLength {
		s := seed(30).item(i)
		x := transaction{
			signature: string(s.signature(nil)), time: at, slot: position,
			fee: uint64(5000 + s.below(2)*s.below(40_000)), feePayer: Wallet,
		}
		if oldest := historyLength - 1 - i; oldest < len(assets) {
			a := assets[oldest] // what is left came from somewhere, SOL first of all
			x.kind, x.feePayer = "TRANSFER", Exchange
			x.moves = []move{{a, false, held[a], Exchange}}
		} else {
			x.happen(&s, i, assets, held)
		}
		x.settle(held)
		all = append(all, x)
		ago := 60 + s.below(4*24*3600)
		at = at.Add(-time.Duration(ago) * time.Second)
		position -= uint64(ago * 5 / 2)
	}
	return all
})

// happen decides what the i-th transaction does.
func (x *transaction) happen(s *source, i int, assets []asset, held map[asset]uint64) {
	one := func(a asset, out bool) move {
		raw := 1 + s.next()%1_000_000_000>>s.below(12)
		switch a.decimals {
		case 9:
			raw *= 7
		case 12:
			raw *= 1_000_000_007 // beyond what a float holds
		}
		if !out {
			raw = min(raw, held[a]/4) // it cannot have brought more than there was
		}
		return move{a, out, raw, stranger(s)}
	}
	sol, some := assets[0], assets[1+s.below(len(assets)-1)]
	what := s.below(12)
	switch {
	case i == 0:
		what = 6 // the newest is one that every listing shows
	case what == 9 && i >= 200:
		what = 10 // an invented token comes only once
	}
	switch what {
	case 0, 1, 2:
		x.kind = "TRANSFER"
		x.moves = []move{one(sol, s.below(2) == 0)}
	case 3, 4:
		x.kind = "TRANSFER"
		x.moves = []move{one(some, s.below(2) == 0)}
	case 5: // to several at once
		x.kind = "TRANSFER"
		for range 2 + s.below(3) {
			x.moves = append(x.moves, one(some, true))
		}
	case 6, 7:
		x.kind = "SWAP"
		pool := stranger(s)
		x.moves = []move{one(some, true), one(sol, false)}
		x.moves[0].with, x.moves[1].with = pool, pool
	case 8:
		x.kind = [...]string{"NFT_SALE", "NFT_MINT", "BURN", "COMPRESSED_NFT_MINT"}[s.below(4)]
		x.moves = []move{one(sol, i%2 == 0)}
	case 9: // what nobody asked for
		x.kind, x.reach, x.feePayer = "TRANSFER", balanceChanged, stranger(s)
		t := invented(i)
		a := asset{t.mint, t.symbol, t.decimals}
		held[a] = t.raw()
		x.moves = []move{{a, false, held[a], x.feePayer}}
	case 10:
		x.kind, x.reach, x.feePayer = "EXECUTE_TRANSACTION", tokenAccount, stranger(s)
	case 11:
		x.kind = "SWAP"
		x.failure = [...]string{"InstructionError: [3, Custom(6001)]", "InsufficientFundsForRent"}[s.below(2)]
	}
}

// settle computes the changes of x from its moves and its fee, and takes what
// the wallet holds back to where it was before.
func (x *transaction) settle(held map[asset]uint64) {
	in, out := map[asset]uint64{}, map[asset]uint64{}
	for _, m := range x.moves {
		if m.out {
			out[m.of] += m.raw
		} else {
			in[m.of] += m.raw
		}
	}
	if x.feePayer == Wallet {
		out[nativeSOL()] += x.fee
	}
	for a, after := range held {
		switch {
		case in[a] > out[a]:
			x.changes = append(x.changes, change{a, false, in[a] - out[a], after})
		case in[a] < out[a]:
			x.changes = append(x.changes, change{a, true, out[a] - in[a], after})
		}
		held[a] = after - in[a] + out[a]
	}
	slices.SortFunc(x.changes, func(a, b change) int { return cmp.Compare(a.of.mint, b.of.mint) })
}

// stranger returns one of those whom the wallet deals with.
func stranger(s *source) string {
	n := s.below(26)
	if n == 0 {
		return Exchange
	}
	who := seed(31).item(n)
	return string(who.address(nil))
}
