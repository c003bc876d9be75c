package main

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/rpc/parsedapi"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/parsed"
)

// An entry is a transaction from the view of a wallet.
type entry struct {
	Signature types.Signature
	Slot      uint64
	Time      time.Time
	Kind      string // such as Swap
	Own       bool   // whether the wallet paid the fee
	Changes   []change
	With      []types.Address // the other wallets
}

// Shown returns the changes that are more than a fee.
func (e entry) Shown() []change {
	return slices.DeleteFunc(slices.Clone(e.Changes), func(c change) bool { return c.Moved.IsZero() })
}

// A change is the change of one balance of the wallet.
type change struct {
	Mint  types.Address
	Moved decimal.Decimal // without the fee; negative if sent
	Net   decimal.Decimal // with the fee
}

// entryOf describes a transaction; t is nil if the service could not read it.
func (d *dashboard) entryOf(owner types.Address, signature types.Signature, t *parsed.Transaction) entry {
	e := entry{Signature: signature, Time: d.clock(), Kind: "Transaction"}
	if t == nil {
		return e
	}
	e.Slot, e.Own = t.Slot, t.FeePayer == owner
	if !t.BlockTime.IsZero() {
		e.Time = t.BlockTime.Time
	}
	in, out := false, false
	for _, c := range t.Changes() {
		switch {
		case !sane(c.In) || !sane(c.Out):
		case c.Account != owner:
			if !slices.Contains(e.With, c.Account) {
				e.With = append(e.With, c.Account)
			}
		case !c.Net().IsZero():
			x := change{c.Mint, c.In.Sub(c.Out), c.Net()}
			in, out = in || x.Moved.IsPositive(), out || x.Moved.IsNegative()
			e.Changes = append(e.Changes, x)
		}
	}
	slices.SortStableFunc(e.Changes, func(a, b change) int { return a.Moved.Cmp(b.Moved) }) // sent first
	switch {
	case in && out:
		e.Kind = "Swap"
	case in:
		e.Kind = "Received"
	case out:
		e.Kind = "Sent"
	case t.Summary != nil:
		e.Kind = clean(strings.ReplaceAll(string(t.Summary.Type), "_", " "))
	}
	if t.Failed() {
		e.Kind = "Failed " + strings.ToLower(e.Kind)
	}
	return e
}

// A history is the latest transactions of a wallet, newest first.
type history struct {
	Entries []entry
	Since   time.Time // the entries are complete since then
	Capped  bool      // whether there are too many for older ones
	slot    uint64    // of the newest transaction that was read
}

const (
	mostRead = 1000 // transactions, which cost 100 credits
	mostKept = 4 * mostRead
	late     = 100 // slots, for which a history may lack transactions
)

// readHistory reads the transactions that h lacks: newer ones, and older ones since a time.
func (d *dashboard) readHistory(ctx context.Context, owner types.Address, h *history, since time.Time) error {
	if !h.Since.IsZero() {
		newer := &parsedapi.HistoryOptions{SinceSlot: h.slot - min(h.slot, late)}
		if more, err := d.addPages(ctx, owner, h, newer); err != nil || more {
			return err
		}
		if h.Capped || !since.Before(h.Since) {
			return nil
		}
	}
	older := &parsedapi.HistoryOptions{Since: since, Until: h.Since}
	if more, err := d.addPages(ctx, owner, h, older); err != nil || more {
		return err
	}
	h.Since = since
	return nil
}

// addPages adds transactions. It reports whether there are too many; then h ends with the last
// transaction read.
func (d *dashboard) addPages(ctx context.Context, owner types.Address, h *history, opts *parsedapi.HistoryOptions) (more bool, err error) {
	read, last := 0, entry{}
	for page, err := range d.parsed.History(ctx, owner, opts).Pages() {
		if err != nil {
			return false, err
		}
		for _, r := range page.Items {
			e := d.entryOf(owner, r.Signature, r.Parsed)
			if e.Slot == 0 { // the service could not read it
				e.Slot, e.Time = last.Slot, last.Time
			}
			h.add(e)
			h.slot, last = max(h.slot, e.Slot), e
		}
		if read += len(page.Items); read >= mostRead && page.HasMore {
			h.cut(1 + slices.IndexFunc(h.Entries, func(e entry) bool { return e.Signature == last.Signature }))
			return true, nil
		}
	}
	return false, nil
}

// cut forgets all but the first n entries.
func (h *history) cut(n int) {
	h.Entries = h.Entries[:n]
	h.Capped, h.Since = true, h.Entries[n-1].Time
}

// add adds an entry in the order of slots, unless h has it.
func (h *history) add(e entry) {
	if slices.ContainsFunc(h.Entries, func(old entry) bool { return old.Signature == e.Signature }) {
		return
	}
	at, _ := slices.BinarySearchFunc(h.Entries, e.Slot, func(old entry, slot uint64) int { return cmp.Compare(slot, old.Slot) })
	// a page has the newest one of a slot first
	for at < len(h.Entries) && h.Entries[at].Slot == e.Slot {
		at++
	}
	h.Entries = slices.Insert(h.Entries, at, e)
	if len(h.Entries) > mostKept {
		h.cut(mostKept)
	}
}
