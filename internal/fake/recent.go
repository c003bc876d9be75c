package fake

import (
	"slices"
	"time"
)

// untimedFor is how long a transaction has no block time.
const untimedFor = 10 * time.Second

// holder returns what a wallet holds at the start, nothing if it is unknown.
func (s *Service) holder(wallet string) *holder {
	if h := s.world.holders[wallet]; h != nil {
		return h
	}
	return &holder{}
}

// An activity is what happened to a wallet since the start. It keeps the latest
// transactions, so that a test can deliver any number of events.
type activity struct {
	held   []holding     // now
	ledger []transaction // oldest first
}

// kept is the number of transactions that a wallet keeps, and of events.
const kept = 500

// strangers is the number of wallets that are not of the world and keep what happens to
// them.
const strangers = 10_000

// latest returns the end of a list.
func latest[T any](list []T) []T {
	if len(list) > 2*kept { // not for each element
		return slices.Delete(list, 0, len(list)-kept)
	}
	return list
}

// transactionsOf returns the transactions of a wallet, newest first.
func (s *Service) transactionsOf(wallet string) []transaction {
	s.mu.Lock()
	defer s.mu.Unlock()
	past := s.holder(wallet).ledger
	since := s.recent[wallet]
	if since == nil {
		return past
	}
	all := make([]transaction, 0, len(since.ledger)+len(past))
	for _, x := range slices.Backward(since.ledger) {
		all = append(all, x)
	}
	return append(all, past...)
}

// holdings returns what a wallet holds now.
func (s *Service) holdings(wallet string) []holding {
	s.mu.Lock()
	defer s.mu.Unlock()
	if since := s.recent[wallet]; since != nil {
		return slices.Clone(since.held)
	}
	return s.holder(wallet).tokens
}

func (s *Service) newHolding(of asset) holding {
	if of == nativeSOL() {
		return holding{token: wellKnown()[0], native: true}
	}
	t, known := s.world.tokens[of.mint]
	if !known {
		t = token{mint: of.mint, decimals: of.decimals, program: spl}
	}
	return holding{token: t}
}

// entries returns the balances of a wallet in the order in which they are sent.
func (s *Service) entries(wallet string) []balance {
	var all []balance
	for i, h := range s.holdings(wallet) {
		all = append(all, entry(i, h))
	}
	sortBalances(all)
	return all
}

// timeOf returns when x happened.
func (s *Service) timeOf(x *transaction) time.Time {
	if !x.at.IsZero() {
		return x.at
	}
	return s.started().Add(-x.ago)
}

func (s *Service) slotOf(x *transaction) uint64 { return s.slotAt(s.timeOf(x)) }

// untimed reports whether the block time of x is not known yet.
func (s *Service) untimed(x *transaction) bool {
	return x.fresh && s.now().Sub(s.started()) < untimedFor
}

// move makes an event part of the histories and balances of its wallets.
func (s *Service) move(e Event) {
	if len(e.moves) == 0 {
		return
	}
	at := e.at
	if at.IsZero() {
		at = s.now()
	}
	x := transaction{signature: e.Signature, at: at, fee: eventFee, feePayer: e.owner, kind: e.Type, moves: e.moves}
	others := map[string]bool{}
	for _, m := range e.moves {
		if m.with == e.owner { // it gets what it sends
			x.moves = append(x.moves, move{m.of, !m.out, m.raw, e.owner})
		} else if !others[m.with] {
			others[m.with] = true
			s.add(m.with, x.mirrored(e.owner, m.with))
		}
	}
	s.add(e.owner, x)
}

// add adds the newest transaction of a wallet. If the wallet does not hold what it
// sends, it is taken to have held just that.
func (s *Service) add(wallet string, x transaction) {
	since := s.recent[wallet]
	if since == nil {
		since = &activity{held: slices.Clone(s.holder(wallet).tokens)}
		if len(s.recent) < strangers || s.world.holders[wallet] != nil {
			s.recent[wallet] = since
		}
	}
	held := map[asset]uint64{}
	for _, h := range since.held {
		held[h.asset()] = h.raw
	}
	in, out := x.sums(wallet)
	for a, n := range out {
		held[a] = max(held[a], n-min(n, in[a]))
	}
	x.happen(wallet, held)
	for _, c := range x.changes {
		i := slices.IndexFunc(since.held, func(h holding) bool { return h.asset().mint == c.of.mint })
		if i < 0 {
			i = len(since.held)
			since.held = append(since.held, s.newHolding(c.of))
		}
		since.held[i].raw = c.after
	}
	since.ledger = latest(append(since.ledger, x))
}

// has returns how much of a token a wallet holds.
func (s *Service) has(wallet, mint string) uint64 {
	for _, h := range s.holdings(wallet) {
		if h.asset().mint == mint {
			return h.raw
		}
	}
	return 0
}
