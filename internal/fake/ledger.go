package fake

import (
	"slices"
	"sync"
	"time"

	"github.com/solwire/solwire-go/types"
)

// A transaction in the history of the demo wallet.
type transaction struct {
	signature string
	at        time.Time     // zero if ago tells it
	ago       time.Duration // before the start of the world
	fresh     bool          // has no block time during the first seconds
	fee       uint64        // lamports
	feePayer  string
	failure   string
	kind      string // the type, by which a listing is filtered
	reach     int    // how it involves the wallet
	moves     []move
	changes   []change
}

// How a transaction involves the wallet, in the order in which the option
// tokenAccounts widens a listing.
const (
	itself         = iota // names the wallet
	balanceChanged        // names only a token account, and changed its balance
	tokenAccount          // names only a token account
)

// A move is a transfer of one token into or out of the wallet.
type move struct {
	of   asset
	out  bool
	raw  uint64
	with string // the other wallet
}

// A change is the effect of a transaction on the balance of one token.
type change struct {
	of    asset
	out   bool
	raw   uint64
	after uint64 // the balance after it
}

// An asset is a token, or native SOL.
type asset struct {
	mint     string
	decimals int
}

func nativeSOL() asset { return asset{string(types.SOL), 9} }

// newest is the number of transactions whose block time is not known at first.
const newest = 2

// historyLength is the number of transactions, about one in two days.
const historyLength = 340

// ledger are the transactions of the demo wallet, newest first. They are made
// backwards from the holdings of today, so that every past balance agrees with
// the moves since.
var ledger = sync.OnceValue(func() []transaction {
	sol := wellKnown()[0]
	assets := []asset{nativeSOL()}
	held := map[asset]uint64{nativeSOL(): sol.raw()}
	for _, t := range slices.Concat(wellKnown()[1:4], wellKnown()[7:10], unusual()[:2], unusual()[8:9]) {
		a := t.asset()
		assets = append(assets, a)
		held[a] = t.raw()
	}
	var all []transaction
	var ago time.Duration
	var rest []asset // of which nothing is held before the first transactions
	for i := range historyLength {
		s := seed(30).item(i)
		x := transaction{
			signature: s.signature(), ago: ago, fresh: i < newest,
			fee: uint64(5000 + s.below(2)*s.below(40_000)), feePayer: Wallet,
		}
		if oldest := historyLength - 1 - i; oldest < len(assets) {
			if oldest == len(assets)-1 {
				rest = unmoved(held)
			}
			a := assets[oldest] // the first transactions brought what is left, beginning with SOL
			x.kind, x.feePayer = "TRANSFER", Exchange
			x.moves = []move{{a, false, held[a], Exchange}}
			share := min(len(rest), (len(rest)+oldest)/(oldest+1))
			for _, a := range rest[:share] {
				x.moves = append(x.moves, move{a, false, held[a], Exchange})
			}
			rest = rest[share:]
		} else {
			x.decide(&s, i, assets, held)
		}
		x.settle(held)
		all = append(all, x)
		ago += time.Duration(60+s.below(4*24*3600)) * time.Second
	}
	return all
})

// unmoved adds to held the tokens of the demo wallet that are not there, and
// returns them.
func unmoved(held map[asset]uint64) []asset {
	var rest []asset
	for _, h := range demoHoldings() {
		if _, moved := held[h.asset()]; !moved && h.raw > 0 {
			held[h.asset()] = h.raw
			rest = append(rest, h.asset())
		}
	}
	return rest
}

// decide decides what the i-th transaction does.
func (x *transaction) decide(s *source, i int, assets []asset, held map[asset]uint64) {
	one := func(a asset, out bool) move {
		raw := 1 + s.next()%1_000_000_000>>s.below(12)
		switch a.decimals {
		case 9:
			raw *= 7
		case 12:
			raw *= 1_000_000_007 // more digits than a float has
		}
		if !out {
			raw = min(raw, held[a]/4) // no more than the balance after it
		}
		return move{a, out, raw, stranger(s)}
	}
	sol, some := assets[0], assets[1+s.below(len(assets)-1)]
	what := s.below(12)
	switch {
	case i == 0:
		what = 6 // every listing shows the newest
	case what == 9 && i >= 200:
		what = 10 // an invented token is received once
	}
	switch what {
	case 0, 1, 2:
		x.kind = "TRANSFER"
		x.moves = []move{one(sol, s.below(2) == 0)}
	case 3, 4:
		x.kind = "TRANSFER"
		x.moves = []move{one(some, s.below(2) == 0)}
	case 5: // to several wallets
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
	case 9: // an unsolicited token
		x.kind, x.reach, x.feePayer = "TRANSFER", balanceChanged, stranger(s)
		t := invented(i)
		a := t.asset()
		held[a] = t.raw()
		x.moves = []move{{a, false, held[a], x.feePayer}}
	case 10:
		x.kind, x.reach, x.feePayer = "EXECUTE_TRANSACTION", tokenAccount, stranger(s)
	case 11:
		x.kind = "SWAP"
		x.failure = [...]string{"InstructionError: [3, Custom(6001)]", "InsufficientFundsForRent"}[s.below(2)]
	}
}

// settle computes the changes of x from its moves and its fee, and takes the
// holdings back to those before x.
func (x *transaction) settle(held map[asset]uint64) {
	in, out := x.sums(Wallet)
	for a := range in {
		out[a] += 0
	}
	for a := range out {
		after := held[a]
		switch {
		case in[a] > out[a]:
			x.changes = append(x.changes, change{a, false, in[a] - out[a], after})
		case in[a] < out[a]:
			x.changes = append(x.changes, change{a, true, out[a] - in[a], after})
		}
		held[a] = after - in[a] + out[a]
	}
	slices.SortFunc(x.changes, func(a, b change) int { return byMint(a.of, b.of) })
}

// stranger returns one of the wallets that the demo wallet deals with.
func stranger(s *source) string {
	n := s.below(26)
	if n == 0 {
		return Exchange
	}
	who := seed(31).item(n)
	return who.address()
}
