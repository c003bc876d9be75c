package stream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/rpc/stream/internal/merge"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

// items iterates over the items of a history page by page, each of which costs price. Items
// that could not be read have their error, at the place that their slot tells. An item
// without a slot has the slot of the one before, the first one since.
func items[T, E any](
	ctx context.Context, c *Client, price, since uint64, list func(cursor string) types.List[T], item func(T) merge.Item[E],
) iter.Seq2[merge.Item[E], error] {
	return func(yield func(merge.Item[E], error) bool) {
		slot := since
		for page := (&types.Page[T]{HasMore: true}); page.HasMore; {
			err := c.budget.take(ctx, price)
			if err == nil {
				page, err = list(page.Cursor).Page()
			}
			unreadable, err := unreadableItems[E](err)
			if err != nil {
				yield(merge.Item[E]{}, err)
				return
			}
			before, all := slot, make([]merge.Item[E], len(page.Items))
			for i, value := range page.Items {
				all[i] = item(value)
				all[i].Slot = cmp.Or(all[i].Slot, slot)
				slot = all[i].Slot
			}
			for _, made := range unreadable {
				made.Slot = cmp.Or(made.Slot, before)
				at := slices.IndexFunc(all, func(other merge.Item[E]) bool { return bySlot(made, other) < 0 })
				if at < 0 {
					at = len(all)
				}
				all = slices.Insert(all, at, made)
			}
			for _, next := range all {
				if !yield(next, nil) {
					return
				}
			}
		}
	}
}

func bySlot[T any](a, b merge.Item[T]) int {
	return cmp.Or(cmp.Compare(a.Slot, b.Slot), cmp.Compare(a.Index, b.Index))
}

// A head is the first item of a history that is not used yet, or its error, which has slot 0.
// The end of a history has the last slot of all.
type head[T any] struct {
	item merge.Item[T]
	err  error
	next func() (merge.Item[T], error, bool)
}

func (h *head[T]) advance() {
	var more bool
	if h.item, h.err, more = h.next(); !more {
		h.item.Slot = math.MaxUint64
	}
}

// A lister lists the history of an account from slot since to until, and merge.Margin more slots.
type lister[T any] = func(ctx context.Context, account types.Address, since, until uint64, cursor string) types.List[T]

// historyOf is the history of accounts whose histories ascend, with pages that cost price: their
// items by slot and index. It opens all at once.
func historyOf[T, E any](c *Client, price uint64, accounts []types.Address, list lister[T], item func(T) merge.Item[E]) merge.History[E] {
	return func(ctx context.Context, r merge.Range[E]) error {
		heads := make([]*head[E], len(accounts))
		var all sync.WaitGroup
		for i, account := range accounts {
			next, stop := iter.Pull2(items(ctx, c, price, r.Since, func(cursor string) types.List[T] {
				return list(ctx, account, r.Since, r.Until, cursor)
			}, item))
			defer stop() //nolint:gocritic // of all histories, when the fill ends
			h := &head[E]{next: next}
			heads[i] = h
			all.Go(h.advance)
		}
		all.Wait()
		for {
			first := slices.MinFunc(heads, func(a, b *head[E]) int { return bySlot(a.item, b.item) })
			if first.err != nil || first.item.Slot == math.MaxUint64 {
				return first.err
			}
			if err := r.Emit(first.item); err != nil {
				return err
			}
			first.advance()
		}
	}
}

// unreadableItems returns the items of an ItemError, or another error.
func unreadableItems[T any](err error) (items []merge.Item[T], other error) {
	var all *types.ItemError
	if !errors.As(err, &all) {
		return nil, err
	}
	for _, e := range append([]*types.ItemError{all}, all.More...) {
		var in slotMembers
		_ = json.Unmarshal(e.JSON, &in) // as far as its members can be read
		var signed tx.Signed
		if _ = json.Unmarshal(in.Transaction, &signed); len(signed.Signatures) > 0 { // base64
			e.ID = string(signed.Signatures[0])
		}
		e.More = nil
		slot := cmp.Or(in.Slot, in.Context.Slot, in.Value.Transaction.Slot, in.Parsed.Slot)
		item := merge.Item[T]{Slot: slot, Index: in.Index, Err: e}
		if argument.Signature("", types.Signature(e.ID)) == nil { // states have no IDs of their own
			item.ID = e.ID
		}
		items = append(items, item)
	}
	return items, nil
}

// A slotMembers has the members of notifications, and of the items of histories, that tell a slot.
type slotMembers struct {
	slotContext

	Index       uint64          `json:"transactionIndex"`
	Transaction json.RawMessage `json:"transaction"`
	Context     slotContext     `json:"context"`
	Parsed      slotContext     `json:"parsed"`
	Value       struct {
		Transaction slotContext `json:"transaction"`
	} `json:"value"`
}
