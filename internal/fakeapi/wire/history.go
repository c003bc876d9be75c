package wire

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/solwire/solwire-go/internal/fakeapi/world"
)

// Bounds are a range.
type Bounds struct {
	GTE *uint64 `json:"gte"`
	GT  *uint64 `json:"gt"`
	LTE *uint64 `json:"lte"`
	LT  *uint64 `json:"lt"`
	EQ  *uint64 `json:"eq"`
}

// Has reports whether n is in the range.
func (b *Bounds) Has(n uint64) bool {
	return (b.GTE == nil || n >= *b.GTE) && (b.GT == nil || n > *b.GT) && (b.LTE == nil || n <= *b.LTE) &&
		(b.LT == nil || n < *b.LT) && (b.EQ == nil || n == *b.EQ)
}

// A History is a part of the transactions of an address.
type History struct {
	Commitment    string
	After, Before *world.Transaction // which need not be of the address; nil for none
	Through       bool               // whether the transaction where the order begins is a part
	Ascending     bool               // from old to new
	Reach         int
	Slots, Times  Bounds
	Status        string // succeeded or failed; others mean both
}

// A Listing has the options that histories of an address have in common.
type Listing struct {
	Order      string `json:"sortOrder"       oneof:"asc desc"`
	Limit      int    `json:"limit"`
	Cursor     string `json:"paginationToken"`
	Commitment string `json:"commitment"      oneof:"confirmed finalized"`
	MinSlot    uint64 `json:"minContextSlot"`
}

// History returns the part of a history from the cursor on.
func (o *Listing) History(c *Call, most int) History {
	if o.Limit < 1 || o.Limit > most {
		c.Invalid("Invalid params: limit must be between 1 and %d", most)
	}
	c.Reached(o.MinSlot, c.World.SlotOf(o.Commitment))
	h := History{Commitment: o.Commitment, Ascending: o.Order == "asc"}
	if o.Cursor != "" {
		h.Continue(c.At(o.Cursor))
	}
	return h
}

// Reached refuses a minContextSlot that the node has not reached.
func (c *Call) Reached(least, slot uint64) {
	if least > slot {
		c.Refuse(&Refusal{Code: -32016, Message: "Minimum context slot has not been reached", Details: string(world.JSON(`{"contextSlot":?}`, slot))})
	}
}

// Continue makes h begin after x.
func (h *History) Continue(x *world.Transaction) {
	if h.Ascending {
		h.After = x
	} else {
		h.Before = x
	}
}

// Of returns the transactions of an address.
func (h *History) Of(w *world.World, address string) iter.Seq[*world.Mention] {
	all := w.History(address, h.Commitment)
	place := func(x *world.Transaction, through bool) int {
		place, found := world.Place(all, x)
		if found && through {
			place++
		}
		return place
	}
	first, past := 0, len(all)
	if h.After != nil {
		first = place(h.After, !h.Through || !h.Ascending)
	}
	if h.Before != nil {
		past = place(h.Before, h.Through && !h.Ascending)
	}
	return func(yield func(*world.Mention) bool) {
		for i := first; i < past; i++ {
			at := i
			if !h.Ascending {
				at = first + past - 1 - i
			}
			if m := &all[at]; h.has(m) && !yield(m) {
				break
			}
		}
	}
}

func (h *History) has(m *world.Mention) bool {
	return m.Reach <= h.Reach && h.Slots.Has(m.Slot) && h.Times.Has(uint64(m.Time.Unix())) &&
		(h.Status != "failed" || m.Failure != "") && (h.Status != "succeeded" || m.Failure == "")
}

// Reach reads which transactions histories of a wallet have; absent is the default.
func (c *Call) Reach(tokenAccounts, absent string) int {
	names := []string{"none", "balanceChanged", "all"} // in the order of world.Named
	c.OneOf(tokenAccounts, names...)
	return slices.Index(names, cmp.Or(tokenAccounts, absent))
}

// InvalidCursor refuses a cursor.
const InvalidCursor = "Invalid params: invalid paginationToken"

// CursorOf is a cursor of the transaction x.
func CursorOf(x *world.Transaction) string { return fmt.Sprintf("%d:%d", x.Slot, x.Index) }

// At returns the transaction of a cursor that begins like [CursorOf], which it refuses if there
// is none.
func (c *Call) At(cursor string) *world.Transaction {
	var slot uint64
	var index int
	if n, _ := fmt.Sscanf(cursor, "%d:%d", &slot, &index); n == 2 {
		block := c.World.Block(slot)
		if i := slices.IndexFunc(block, func(x *world.Transaction) bool { return x.Index == index }); i >= 0 {
			return block[i]
		}
	}
	c.Invalid(InvalidCursor)
	return nil
}

// Known returns the transaction with a signature, nil without one. It refuses unknown ones.
func (c *Call) Known(signature string) *world.Transaction {
	x := c.World.Transaction(signature)
	if x == nil && signature != "" {
		c.Invalid("unknown signature")
	}
	return x
}

// Page returns a page of the transactions of an address, each made by item, and the cursor of
// its last one if more follow.
func (h *History) Page(w *world.World, address string, limit int, item func(m *world.Mention) (json.RawMessage, string)) ([]json.RawMessage, string) {
	return Page(limit, func(yield func(json.RawMessage, string) bool) {
		for m := range h.Of(w, address) {
			if !yield(item(m)) {
				break
			}
		}
	})
}

// Page returns a page of a list, and the cursor of its last item if more follow. The list has
// each item with its cursor. Items that are nil count, and are left out.
func Page(limit int, list iter.Seq2[json.RawMessage, string]) (data []json.RawMessage, next string) {
	n, last := 0, ""
	for item, cursor := range list {
		if n == limit {
			return data, last
		}
		if item != nil {
			data = append(data, item)
		}
		n, last = n+1, cursor
	}
	return data, ""
}
