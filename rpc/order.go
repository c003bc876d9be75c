package rpc

import (
	"context"
	"fmt"
	"iter"

	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A listingOf is a listing of transactions in their order.
type listingOf struct {
	op        transport.Op
	cursor    string // of the first page
	prefetch  bool
	ascending bool
	shared    bool // several items may have the position of one transaction
}

// ordered iterates over the pages of a listing and fails at a page that breaks its
// order, which means that transactions are missing or repeated. Place returns the
// position of a transaction; an index of 0 may be unknown.
func ordered[T any](
	ctx context.Context, l listingOf,
	fetch func(context.Context, string) (*types.Page[T], error), place func(*T) (slot, index uint64),
) iter.Seq2[*types.Page[T], error] {
	return func(yield func(*types.Page[T], error) bool) {
		var lastSlot, lastIndex uint64 // of this listing
		started := false
		checked := func(ctx context.Context, cursor string) (*types.Page[T], error) {
			page, err := fetch(ctx, cursor)
			if err != nil {
				return nil, err
			}
			for i := range page.Items {
				slot, index := place(&page.Items[i])
				if started && l.breaks(lastSlot, lastIndex, slot, index) {
					return nil, fmt.Errorf("%s: items are out of order at slot %d: %w", l.op, slot, types.ErrIncomplete)
				}
				started, lastSlot, lastIndex = true, slot, index
			}
			return page, nil
		}
		paging.List(ctx, l.op.String(), l.cursor, l.prefetch, checked)(yield)
	}
}

// breaks reports whether a position does not follow the one before.
func (l listingOf) breaks(lastSlot, lastIndex, slot, index uint64) bool {
	if l.ascending {
		lastSlot, lastIndex, slot, index = slot, index, lastSlot, lastIndex
	}
	if slot != lastSlot || lastIndex == 0 || index == 0 {
		return slot > lastSlot
	}
	return index > lastIndex || index == lastIndex && !l.shared
}
