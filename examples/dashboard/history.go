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
	Changes   []change
	With      []types.Address // the other wallets
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
	e.Slot = t.Slot
	if !t.BlockTime.IsZero() {
		e.Time = t.BlockTime.Time
	}
	for _, c := range t.Changes() {
		switch {
		case c.Account != owner:
			if !slices.Contains(e.With, c.Account) {
				e.With = append(e.With, c.Account)
			}
		case !c.Net().IsZero():
			e.Changes = append(e.Changes, change{c.Mint, c.In.Sub(c.Out), c.Net()})
		}
	}
	slices.SortStableFunc(e.Changes, func(a, b change) int { return a.Moved.Cmp(b.Moved) }) // sent first
	n := len(e.Changes)
	in, out := n > 0 && e.Changes[n-1].Moved.IsPositive(), n > 0 && e.Changes[0].Moved.IsNegative()
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

// readHistory reads the transactions that h lacks, of a year at first. If there are too many, h
// ends with the last one read.
func (d *dashboard) readHistory(ctx context.Context, owner types.Address, h *history) error {
	opts, since := &parsedapi.HistoryOptions{SinceSlot: h.slot - min(h.slot, late)}, h.Since
	if since.IsZero() {
		since = d.clock().AddDate(-1, 0, 0)
		opts = &parsedapi.HistoryOptions{Since: since}
	}
	var all []entry
	newest, capped := h.slot, false
	for page, err := range d.parsed.History(ctx, owner, opts).Pages() {
		if err != nil {
			return err
		}
		for _, r := range page.Items {
			e := d.entryOf(owner, r.Signature, r.Parsed)
			if e.Slot == 0 && len(all) > 0 { // the service could not read it
				e.Slot, e.Time = all[len(all)-1].Slot, all[len(all)-1].Time
			}
			all, newest = append(all, e), max(newest, e.Slot)
		}
		if capped = len(all) >= mostRead && page.HasMore; capped {
			break
		}
	}
	h.add(all...)
	if h.Since, h.slot = since, newest; capped {
		h.cut(all[len(all)-1].Slot)
	}
	return nil
}

// cut forgets the entries before a slot.
func (h *history) cut(slot uint64) {
	h.Entries = slices.DeleteFunc(h.Entries, func(e entry) bool { return e.Slot < slot })
	h.Capped, h.Since = true, h.Entries[len(h.Entries)-1].Time
}

// add adds the entries that h lacks.
func (h *history) add(entries ...entry) {
	for _, e := range entries {
		if !slices.ContainsFunc(h.Entries, func(old entry) bool { return old.Signature == e.Signature }) {
			h.Entries = append(h.Entries, e)
		}
	}
	slices.SortStableFunc(h.Entries, func(a, b entry) int { return cmp.Compare(b.Slot, a.Slot) })
	if len(h.Entries) > mostKept {
		h.cut(h.Entries[mostKept].Slot)
	}
}
