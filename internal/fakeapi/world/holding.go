package world

import (
	"cmp"
	"fmt"
	"slices"
)

// states reports whether the world states the balance of a holding. It always states the owner
// of an NFT.
func (x *Wallet) states(h *Holding) bool { return x.Stated || h.Token.IsNFT() }

// open computes the past balances of a holding from the current one, and returns a mistake if one
// is negative. A current balance that the world does not state is as high as the transactions
// need.
func (w *World) open(x *Wallet, h *Holding) error {
	if !x.states(h) {
		h.Raw += needed(h.steps)
		for _, s := range h.steps {
			h.Raw += s.in - s.out
		}
	}
	now := h.Raw
	for _, s := range slices.Backward(h.steps) {
		if now+s.out < s.in {
			return fmt.Errorf("wallet %s received more %s than it holds and has sent since; increase what it holds", h.Owner, cmp.Or(h.Token.Symbol, h.Token.Mint))
		}
		now += s.out - s.in
	}
	w.spread(h, 0)
	return nil
}

// needed returns the least balance before some steps, so that none of them makes it negative.
func needed(steps []step) uint64 {
	var need, now uint64
	for _, s := range steps {
		now += s.in
		if s.out > now {
			need += s.out - now
			now = s.out
		}
		now -= s.out
	}
	return need
}

// spread divides a holding among its token accounts, and adds the change to the supply. The last
// account changes; the others do when it is empty.
func (w *World) spread(h *Holding, before uint64) {
	if h.Token.IsNative() {
		return
	}
	main := w.account(h)
	rest := h.Raw
	for _, a := range h.Accounts {
		if a == main {
			break
		}
		a.Amount = min(a.Amount, rest)
		rest -= a.Amount
	}
	main.Amount = rest
	h.Token.supply += h.Raw - before
}

// insert adds a step in the order of the ledger. A balance that the world does not state never
// gets negative.
func (h *Holding) insert(s step) {
	h.Raw = max(h.Raw+s.in, s.out) - s.out
	at := len(h.steps)
	for at > 0 && s.tx.before(h.steps[at-1].tx) {
		at--
	}
	h.steps = slices.Insert(h.steps, at, s)
}

// A Later is a moment in the history. It reports whether a transaction comes after the moment.
type Later func(*Transaction) bool

// Never is the moment after all transactions.
func Never(*Transaction) bool { return false }

// AfterSlot is the moment after a slot.
func AfterSlot(slot uint64) Later { return func(x *Transaction) bool { return x.Slot > slot } }

// Around returns the moments before and after x.
func (x *Transaction) Around() [2]Later {
	return [2]Later{func(y *Transaction) bool { return !y.before(x) }, func(y *Transaction) bool { return x.before(y) }}
}

// At returns the balance of a wallet at a moment, and the last transaction that had changed it,
// nil for none.
func (h *Holding) At(later Later) (raw uint64, last *Transaction) {
	if h == nil {
		return 0, nil
	}
	raw = h.Raw
	for _, s := range slices.Backward(h.steps) {
		if later(s.tx) {
			raw += s.out - s.in
		} else if s.in != s.out {
			return raw, s.tx
		}
	}
	return raw, nil
}

// AccountAt returns a token account as it was at a moment, nil if there was none, and the last
// transaction that had changed it.
func (w *World) AccountAt(address string, later Later) (*TokenAccount, *Transaction) {
	a := w.accounts[address]
	if a == nil || a.opened != nil && later(a.opened) || a.closed != nil && !later(a.closed) {
		return nil, nil
	}
	h := w.wallets[a.Owner].Holding(a.Token.Mint)
	if w.account(h) != a {
		return a, nil
	}
	raw, last := h.At(later)
	if raw != h.Raw {
		then := *a
		then.Amount = raw - min(h.Raw-a.Amount, raw)
		a = &then
	}
	return a, last
}

// Holding returns the holding of a wallet in a mint, nil if it never had any.
func (x *Wallet) Holding(mint string) *Holding {
	if x == nil {
		return nil
	}
	return x.holdings[mint]
}
