package stream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/rpc/stream/internal/merge"
	"github.com/solwire/solwire-go/types"
)

// A lister lists the history of an account from slot since to until, and merge.Margin more slots.
type lister[T any] = func(ctx context.Context, account types.Address, since, until uint64, cursor string) types.List[T]

// A head has the items of a history that were read and not yet emitted.
type head[T, E any] struct {
	account types.Address
	page    *types.Page[T] // the last one
	items   []merge.Item[E]
	slot    uint64 // of the last item
	err     error
}

// historyOf merges the ascending histories of accounts by slot and index. It opens all at once. A
// page costs price.
func historyOf[T, E any](c *Client, price uint64, accounts []types.Address, list lister[T], item func(T) merge.Item[E]) merge.History[E] {
	return func(ctx context.Context, r merge.Range[E]) error {
		read := func(h *head[T, E]) {
			for h.err == nil && len(h.items) == 0 && h.page.HasMore {
				err := c.budget.take(ctx, price)
				if err == nil {
					h.page, err = list(ctx, h.account, r.Since, r.Until, h.page.Cursor).Page()
				}
				h.items, h.err = itemsOf(h.page, err, &h.slot, item)
			}
		}
		heads := make([]*head[T, E], len(accounts))
		var all sync.WaitGroup
		for i, account := range accounts {
			heads[i] = &head[T, E]{account: account, page: &types.Page[T]{HasMore: true}, slot: r.Since}
			all.Go(func() { read(heads[i]) })
		}
		all.Wait()
		for {
			var first *head[T, E]
			for _, h := range heads {
				switch {
				case h.err != nil:
					return h.err
				case len(h.items) > 0 && (first == nil || bySlot(h.items[0], first.items[0]) < 0):
					first = h
				}
			}
			if first == nil {
				return nil
			}
			if err := r.Emit(first.items[0]); err != nil {
				return err
			}
			first.items = first.items[1:]
			read(first)
		}
	}
}

// itemsOf returns the items of a page, and inserts the unreadable items of err by their slots. An
// item without a slot gets the slot of the previous item.
func itemsOf[T, E any](page *types.Page[T], err error, slot *uint64, item func(T) merge.Item[E]) ([]merge.Item[E], error) {
	unreadable, err := unreadableItems[E](err)
	if err != nil {
		return nil, err
	}
	before, all := *slot, make([]merge.Item[E], len(page.Items))
	for i, value := range page.Items {
		all[i] = item(value)
		all[i].Slot = cmp.Or(all[i].Slot, *slot)
		*slot = all[i].Slot
	}
	for _, made := range unreadable {
		made.Slot = cmp.Or(made.Slot, before)
		at := slices.IndexFunc(all, func(other merge.Item[E]) bool { return bySlot(made, other) < 0 })
		if at < 0 {
			at = len(all)
		}
		all = slices.Insert(all, at, made)
	}
	return all, nil
}

func bySlot[E any](a, b merge.Item[E]) int {
	return cmp.Or(cmp.Compare(a.Slot, b.Slot), cmp.Compare(a.Index, b.Index))
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

	Index   uint64      `json:"transactionIndex"`
	Context slotContext `json:"context"`
	Parsed  slotContext `json:"parsed"`
	Value   struct {
		Transaction slotContext `json:"transaction"`
	} `json:"value"`
}
