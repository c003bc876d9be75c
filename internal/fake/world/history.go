package world

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"
)

// fresh is the number of transactions whose block time is not known at first.
const fresh = 2

// historyLength is the number of transactions of the demo wallet, about one in two days.
const historyLength = 340

// demoLedger returns the transactions of the demo wallet, newest first.
func demoLedger() []*Transaction { return copies(demoTransactions()) }

// openings returns the first transactions of the wallets that the demo wallet deals with.
func openings() []*Transaction { return copies(openingTransactions()) }

func copies(txs []Transaction) []*Transaction {
	all := make([]*Transaction, len(txs))
	for i, x := range txs {
		all[i] = &x
	}
	return all
}

// A past is the history of the demo wallet while it is made, backwards from the holdings of
// today, so that every past balance agrees with the transfers since.
type past struct {
	held    map[string]uint64 // by mint
	assets  []Token           // that are transferred
	unmoved []string          // mints of which nothing is held before the first transactions
}

var demoTransactions = sync.OnceValue(func() []Transaction {
	known := append(wellKnown(), unusual()...)
	p := past{held: map[string]uint64{}}
	p.assets = append(p.assets, Token{Mint: SOL, Decimals: 9})
	p.held[SOL] = known[0].raw
	for _, a := range slices.Concat(wellKnown()[1:4], wellKnown()[7:10], unusual()[:2], unusual()[8:9]) {
		p.assets = append(p.assets, a.Token)
		p.held[a.Mint] = a.raw
	}
	all := make([]Transaction, 0, historyLength)
	var ago time.Duration
	for i := range historyLength {
		s := Seed(30).Item(i)
		x := Transaction{
			Signature: s.Signature(), Ago: ago, Fresh: i < fresh,
			Fee: uint64(5000 + s.Below(2)*s.Below(40_000)), FeePayer: Demo,
		}
		if oldest := historyLength - 1 - i; oldest < len(p.assets) {
			p.bring(&x, oldest)
		} else {
			p.decide(&x, &s, i)
		}
		p.before(&x)
		all = append(all, x)
		ago += time.Duration(60+s.Below(4*24*3600)) * time.Second
	}
	return all
})

// bring makes x one of the first transactions, which brought what is held before all others,
// beginning with SOL.
func (p *past) bring(x *Transaction, oldest int) {
	if oldest == len(p.assets)-1 {
		for _, a := range demoAmounts() {
			if _, moved := p.held[a.Mint]; !moved && a.raw > 0 && !a.native {
				p.held[a.Mint] = a.raw
				p.unmoved = append(p.unmoved, a.Mint)
			}
		}
	}
	x.Kind, x.FeePayer = "TRANSFER", Exchange
	share := min(len(p.unmoved), (len(p.unmoved)+oldest)/(oldest+1))
	for _, mint := range append([]string{p.assets[oldest].Mint}, p.unmoved[:share]...) {
		x.Transfers = append(x.Transfers, Transfer{Exchange, Demo, mint, p.held[mint]})
	}
	p.unmoved = p.unmoved[share:]
}

// decide decides what the i-th transaction does.
func (p *past) decide(x *Transaction, s *Source, i int) {
	one := func(a Token, out bool) Transfer {
		raw := 1 + s.Next()%1_000_000_000>>s.Below(12)
		switch a.Decimals {
		case 9:
			raw *= 7
		case 12:
			raw *= 1_000_000_007 // more digits than a float has
		}
		if !out {
			raw = min(raw, p.held[a.Mint]/4) // no more than the balance after it
			return Transfer{stranger(s), Demo, a.Mint, raw}
		}
		return Transfer{Demo, stranger(s), a.Mint, raw}
	}
	sol, some := p.assets[0], p.assets[1+s.Below(len(p.assets)-1)]
	what := s.Below(12)
	switch {
	case i == 0:
		what = 6 // every listing shows the latest
	case what == 9 && i >= 200:
		what = 10 // an invented token is received once
	}
	switch what {
	case 0, 1, 2:
		x.Kind = "TRANSFER"
		x.Transfers = []Transfer{one(sol, s.Below(2) == 0)}
	case 3, 4:
		x.Kind = "TRANSFER"
		x.Transfers = []Transfer{one(some, s.Below(2) == 0)}
	case 5: // to several wallets
		x.Kind = "TRANSFER"
		for range 2 + s.Below(3) {
			x.Transfers = append(x.Transfers, one(some, true))
		}
	case 6, 7:
		x.Kind = "SWAP"
		pool := stranger(s)
		x.Transfers = []Transfer{one(some, true), one(sol, false)}
		x.Transfers[0].To, x.Transfers[1].From = pool, pool
	case 8:
		x.Kind = [...]string{"NFT_SALE", "NFT_MINT", "BURN", "COMPRESSED_NFT_MINT"}[s.Below(4)]
		x.Transfers = []Transfer{one(sol, i%2 == 0)}
	case 9: // an unsolicited token
		x.Kind, x.FeePayer = "TRANSFER", stranger(s)
		x.Reach = map[string]int{Demo: BalanceChanged}
		t := invented(i)
		p.held[t.Mint] = t.raw
		x.Transfers = []Transfer{{x.FeePayer, Demo, t.Mint, t.raw}}
	case 10:
		x.Kind, x.FeePayer = "EXECUTE_TRANSACTION", stranger(s)
		x.Reach = map[string]int{Demo: TokenAccounts}
	case 11:
		x.Kind = "SWAP"
		x.Failure = [...]string{"InstructionError: [3, Custom(6001)]", "InsufficientFundsForRent"}[s.Below(2)]
		for _, data := range [][]byte{{2, 64, 13, 3, 0}, {3, 16, 39, 0, 0, 0, 0, 0, 0}, {1, 0, 0, 4, 0}} {
			x.Instructions = append(x.Instructions, Instruction{Program: Budget, Data: data})
		}
		x.Instructions = append(x.Instructions, routeOf(Demo, "8x5VqbHA8D7NkD52uNuS5nnt3PwA8pLD34ymskeSo2Wn", 1_000_000_000, 0, nil))
	}
}

// before takes what is held back to before x.
func (p *past) before(x *Transaction) {
	if x.FeePayer == Demo {
		p.held[SOL] += x.Fee
	}
	for _, t := range x.Transfers {
		if t.From == Demo {
			p.held[t.Mint] += t.Raw
		} else {
			p.held[t.Mint] -= t.Raw
		}
	}
}

// stranger returns one of the wallets that the demo wallet deals with.
func stranger(s *Source) string {
	n := s.Below(26)
	if n == 0 {
		return Exchange
	}
	who := Seed(31).Item(n)
	return who.Address()
}

// openingTransactions has one for each wallet: the exchange sends what its later transactions
// need.
var openingTransactions = sync.OnceValue(func() []Transaction {
	steps := map[string]map[string][]step{Collector: {}} // by wallet and mint, oldest first
	for _, x := range slices.Backward(demoTransactions()) {
		flows := map[string]map[string]step{}
		add := func(wallet, mint string, in, out uint64) {
			if wallet == Demo || wallet == Exchange {
				return
			}
			if flows[wallet] == nil {
				flows[wallet] = map[string]step{}
			}
			s := flows[wallet][mint]
			flows[wallet][mint] = step{in: s.in + in, out: s.out + out}
		}
		add(x.FeePayer, SOL, 0, x.Fee)
		for _, t := range x.Transfers {
			add(t.From, t.Mint, 0, t.Raw)
			add(t.To, t.Mint, t.Raw, 0)
		}
		for wallet, of := range flows {
			if steps[wallet] == nil {
				steps[wallet] = map[string][]step{}
			}
			for mint, s := range of {
				steps[wallet][mint] = append(steps[wallet][mint], s)
			}
		}
	}
	names := slices.Sorted(maps.Keys(steps))
	at, _ := slices.BinarySearch(names, Exchange) // which has no opening
	names = slices.Insert(names, at, Exchange)
	var all []Transaction
	for i, name := range names {
		if name != Exchange {
			all = append(all, opening(name, i, steps[name]))
		}
	}
	slices.SortStableFunc(all, func(a, b Transaction) int { return cmp.Compare(a.Ago, b.Ago) })
	return all
})

func opening(name string, i int, later map[string][]step) Transaction {
	oldest := demoTransactions()[historyLength-1].Ago
	s := Seed(40).Item(i)
	x := Transaction{
		Signature: s.Signature(), Ago: oldest + time.Hour + time.Duration(s.Below(90*24*3600))*time.Second,
		Fee: 5000, FeePayer: Exchange, Kind: "TRANSFER",
	}
	need := map[string]uint64{}
	for mint, steps := range later {
		need[mint] = needed(steps)
	}
	need[SOL] += 1_000_000_000 + s.Next()%5_000_000_000
	if name == Collector {
		need[USDC] = 120_500_000
	}
	for _, mint := range slices.Sorted(maps.Keys(need)) {
		if need[mint] > 0 {
			x.Transfers = append(x.Transfers, Transfer{Exchange, name, mint, need[mint]})
		}
	}
	return x
}
