package world

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"time"
)

// A Transaction is an entry of the ledger.
type Transaction struct {
	Signature string
	Kind      string // such as SWAP
	Source    string // the program it is of; empty means the usual one of the kind
	Fee       uint64 // lamports
	FeePayer  string
	Failure   string
	Memo      string
	Transfers []Transfer

	Instructions []Instruction // after the instructions of the transfers
	Sent         *Sent         // nil unless a client sent it
	Written      []*Account    // accounts of programs, as they are after it
	Closed       []*Compressed
	Given        []Transfer // of compressed NFTs
	Dropped      bool       // is never confirmed

	NewAccounts    []*TokenAccount // that it creates
	ClosedAccounts []string        // token accounts

	deposits []deposit
	reaches  map[string]int

	At    time.Time     // zero if Ago tells it
	Ago   time.Duration // before the start of the world
	Fresh bool          // has no block time during the first seconds

	// Known since the start of the world.
	Slot  uint64
	Index int // in its block
	Time  time.Time
}

// A Transfer moves tokens, or native SOL, from one wallet to another.
type Transfer struct {
	From, To, Mint string
	Raw            uint64
}

// Compare orders transactions by their places in the ledger.
func (x *Transaction) Compare(y *Transaction) int {
	return cmp.Or(cmp.Compare(x.Slot, y.Slot), cmp.Compare(x.Index, y.Index))
}

// before reports whether x is older than y.
func (x *Transaction) before(y *Transaction) bool { return x.Compare(y) < 0 }

// Keys returns the accounts of a transaction in order: the fee payer, wallets that send
// something or receive SOL, token accounts, and accounts that it writes. The accounts that it only
// reads begin at readonly: mints, programs and others. A transaction that a client sent has its
// keys in its message.
func (w *World) Keys(x *Transaction) (keys []string, readonly int) {
	if x.Sent != nil {
		return x.Sent.Keys, len(x.Sent.Keys) - x.Sent.ReadonlyOthers
	}
	add := func(added ...string) {
		for _, key := range added {
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	add(x.FeePayer)
	for _, t := range x.Transfers {
		add(t.From) // the signer
		if t.Mint == SOL {
			add(t.To)
		}
	}
	for _, t := range x.Transfers {
		if t.Mint != SOL {
			add(w.AccountOf(t.From, t.Mint), w.AccountOf(t.To, t.Mint))
		}
	}
	for _, a := range x.Written {
		add(a.Address)
	}
	readonly = len(keys)
	for _, call := range w.Calls(x) {
		for _, one := range call.WithInner() {
			add(one.Accounts...)
			add(one.Program)
		}
	}
	return keys, readonly
}

// Reaches returns how x involves the accounts that it names, and the owners of token accounts
// that it names.
func (w *World) Reaches(x *Transaction) map[string]int {
	if x.reaches != nil {
		return x.reaches
	}
	x.reaches = map[string]int{}
	keys, _ := w.Keys(x)
	for _, key := range keys {
		if a := w.accounts[key]; a != nil {
			if _, known := x.reaches[a.Owner]; !known {
				x.reaches[a.Owner] = TokenAccounts
			}
		}
	}
	for _, f := range w.flows(x) {
		if _, reached := x.reaches[f.Owner]; reached && f.In != f.Out && !f.Token.IsNative() {
			x.reaches[f.Owner] = BalanceChanged
		}
	}
	for _, key := range keys {
		x.reaches[key] = Named
	}
	return x.reaches
}

// A Flow is the amounts that a transaction moves into and out of a holding.
type Flow struct {
	*Holding
	In, Out uint64
}

// flows returns the flows of x, in the order of its transfers. The fee comes first.
func (w *World) flows(x *Transaction) []Flow {
	var all []Flow
	add := func(wallet string, t *Token, in, out uint64) {
		h := w.holding(w.wallet(wallet), t)
		i := slices.IndexFunc(all, func(f Flow) bool { return f.Holding == h })
		if i < 0 {
			i, all = len(all), append(all, Flow{Holding: h})
		}
		all[i].In += in
		if all[i].Out += out; all[i].Out < out { // more than anybody has
			all[i].Out = math.MaxUint64
		}
	}
	add(x.FeePayer, w.native, 0, x.Fee)
	for _, t := range x.Transfers {
		token := w.Token(t.Mint)
		add(t.From, token, 0, t.Raw)
		add(t.To, token, t.Raw, 0)
	}
	for _, d := range x.deposits {
		add(d.wallet, w.Token(d.mint), d.in, d.out)
	}
	return all
}

// Begin gives the transactions of the past their slots and times, up to now, and computes the past
// balances. It returns a mistake in them. Nothing reads the world before. The caller holds the
// lock.
func (w *World) Begin() (mistake error) {
	w.start = w.Now()
	least := time.Duration(0)
	if w.Clock != nil {
		least = settled
	}
	slices.Reverse(w.Ledger) // it was built from new to old
	for _, x := range w.Ledger {
		if x.Time = x.At; x.At.IsZero() {
			x.Time = w.start.Add(-max(x.Ago, least))
		}
		x.Slot = w.SlotAt(x.Time)
	}
	slices.SortStableFunc(w.Ledger, func(a, b *Transaction) int { return cmp.Or(cmp.Compare(a.Slot, b.Slot), a.Time.Compare(b.Time)) })
	var before *Transaction
	for _, x := range w.Ledger {
		x.follow(before)
		before, w.signed[x.Signature] = x, x
		for _, f := range w.flows(x) {
			f.Holding.steps = append(f.Holding.steps, step{tx: x, in: f.In, out: f.Out})
		}
	}
	for _, x := range w.wallets {
		for _, h := range x.order {
			mistake = cmp.Or(mistake, w.open(x, h))
		}
		x.Stated = true
	}
	return mistake
}

// follow gives x its place in its block, after the previous transaction of the ledger, nil for
// none.
func (x *Transaction) follow(before *Transaction) {
	if before != nil && before.Slot == x.Slot {
		x.Index, x.Time = before.Index+1, before.Time
	}
}

// Changes returns the changes by x of the holdings of a wallet, sorted by mint. Flows that
// cancel out are left out.
func (w *World) Changes(x *Transaction, wallet string) []Flow {
	all := slices.DeleteFunc(w.flows(x), func(f Flow) bool { return f.Owner != wallet || f.In == f.Out })
	slices.SortFunc(all, func(a, b Flow) int { return cmp.Compare(a.Token.Mint, b.Token.Mint) })
	return all
}

// An Update has the changes of a new transaction.
type Update struct {
	Transaction *Transaction
	Accounts    []string // wallets and token accounts that it changed
}

// Land adds x to the newest processed block, with all its effects.
func (w *World) Land(x *Transaction) {
	x.Time, x.Slot = w.Now(), w.SlotOf("processed")
	w.signed[x.Signature] = x
	if x.Dropped {
		w.Watch(Update{Transaction: x})
		return
	}
	at := len(w.Ledger)
	for at > 0 && w.Ledger[at-1].Slot > x.Slot {
		at--
	}
	if at > 0 {
		x.follow(w.Ledger[at-1])
	}
	w.Ledger = slices.Insert(w.Ledger, at, x)
	update := Update{Transaction: x}
	for _, a := range x.Written {
		a.Since, a.before = x, w.stored[a.Address]
		w.stored[a.Address] = a
		update.Accounts = append(update.Accounts, a.Address)
	}
	for _, a := range x.NewAccounts {
		w.create(a, x)
		update.Accounts = append(update.Accounts, a.Address)
	}
	for _, f := range w.flows(x) {
		before := f.Holding.Raw
		f.Holding.insert(step{tx: x, in: f.In, out: f.Out})
		w.spread(f.Holding, before)
		update.Accounts = append(update.Accounts, f.Owner)
		if !f.Token.IsNative() {
			update.Accounts = append(update.Accounts, w.account(f.Holding).Address)
		}
		if a := f.Token.Asset; a != nil && f.In > f.Out {
			a.give(f.Owner)
		}
	}
	for _, address := range x.ClosedAccounts {
		w.accounts[address].closed = x
		update.Accounts = append(update.Accounts, address)
	}
	w.forget()
	w.changed()
	w.Watch(update)
}

// create adds a token account that x creates, or opens it again.
func (w *World) create(a *TokenAccount, x *Transaction) {
	if old := w.accounts[a.Address]; old != nil {
		old.closed = nil
		return
	}
	a.opened = x
	w.addAccount(w.holding(w.wallet(a.Owner), a.Token), a)
}

// Transaction returns the transaction with a signature, nil if there is none.
func (w *World) Transaction(signature string) *Transaction {
	if x := w.signed[signature]; x != nil && !x.Dropped {
		return x
	}
	return nil
}

// Status returns the transaction with a signature, nil for none. A dropped transaction has a
// status while it is in a processed block.
func (w *World) Status(signature string) *Transaction {
	if x := w.signed[signature]; x != nil && (!x.Dropped || w.Commitment(x) == "processed") {
		return x
	}
	return nil
}

// Commitment returns the highest commitment that x has reached.
func (w *World) Commitment(x *Transaction) string {
	for _, c := range []string{"finalized", "confirmed"} {
		if x.Slot <= w.SlotOf(c) {
			return c
		}
	}
	return "processed"
}

// Block returns the transactions of a block.
func (w *World) Block(slot uint64) []*Transaction {
	since := func(slot uint64) int {
		return sort.Search(len(w.Ledger), func(i int) bool { return w.Ledger[i].Slot >= slot })
	}
	return w.Ledger[since(slot):since(slot+1)]
}

// History returns the transactions that name an address or reach it through its token accounts,
// up to a commitment, the oldest first.
func (w *World) History(address, commitment string) []Mention {
	all, newest := w.mentions(address), w.SlotOf(commitment)
	n := len(all)
	for n > 0 && all[n-1].Slot+w.HistoryLag > newest {
		n--
	}
	return all[:n:n]
}

// Place returns the place of x in a history, or where it would be, and whether it is there.
func Place(all []Mention, x *Transaction) (place int, found bool) {
	return slices.BinarySearchFunc(all, x, func(m Mention, x *Transaction) int { return m.Compare(x) })
}

func (w *World) mentions(address string) []Mention {
	return Keep(w, "history "+address, func() (all []Mention) {
		for _, x := range w.Ledger {
			if reach, reached := w.Reaches(x)[address]; reached {
				all = append(all, Mention{x, reach})
			}
		}
		return all
	})
}

// forget removes the oldest transactions when too many have happened since the start. Balances
// keep their effects.
func (w *World) forget() {
	w.later++
	if w.Keep == 0 || w.later <= w.Keep+w.Keep/10 {
		return
	}
	gone := w.Ledger[:w.later-w.Keep]
	w.later = w.Keep
	for _, x := range gone {
		delete(w.signed, x.Signature)
		for _, f := range w.flows(x) {
			if s := f.Holding.steps; len(s) > 0 && s[0].tx == x {
				f.Holding.steps = s[1:]
			}
		}
	}
	w.Ledger = slices.Delete(w.Ledger, 0, len(gone))
}
