package types

import (
	"fmt"
	"iter"
)

// A Page is one page of a listing with cursors. It may be short or empty although more
// pages follow: check HasMore for the end.
//
// To continue after a page, also in another process, set the Cursor of the options to
// the Cursor of the page.
type Page[T any] struct {
	Items   []T    `json:"items"`   // in the order of the listing
	Cursor  string `json:"cursor"`  // of the next page; empty on the last page
	HasMore bool   `json:"hasMore"` // whether more pages follow
	Slot    uint64 `json:"slot"`    // the slot of the state that was read; 0 where the listing has none

	// Total is the number of items of the whole listing, as the service counts them; 0
	// where it does not say.
	Total uint64 `json:"total"`

	// Err says why a listing that has more items, or may have skipped some, does not
	// continue after this page. It matches [ErrIncomplete], HasMore is true, and
	// iterations end with it. It is nil on other pages.
	Err error
}

// Collect returns the items of a listing as a slice, at most limit of them. It requests
// only the pages that it needs:
//
//	txs, err := wallets.History(ctx, owner, nil).Collect(1000)
//
// An error of the listing is returned without items. A limit below 1 fails with
// [ErrInvalid].
func Collect[T any](items iter.Seq2[T, error], limit int) ([]T, error) {
	if limit <= 0 {
		return nil, fmt.Errorf("types.Collect: limit %d is not positive; set the most items to return: %w", limit, ErrInvalid)
	}
	var all []T
	for item, err := range items {
		if err != nil {
			return nil, err
		}
		if all = append(all, item); len(all) == limit {
			break
		}
	}
	return all, nil
}
