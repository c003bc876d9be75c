package rpc

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A sequence is a listing of transactions in their order.
type sequence struct {
	op        transport.Op
	about     types.Address
	selection paging.Selection
	cursor    string // of the first page
	prefetch  bool
	ascending bool
	shared    bool // several items may have the position of one transaction
}

// A position is the place of a transaction in the chain. An index of 0 may be unknown.
type position struct{ slot, index uint64 }

// sequenceOf returns a list that ends with types.ErrIncomplete in place of a page that
// breaks the order, which means that transactions are missing or repeated. Fetch
// requests the page at a cursor.
func sequenceOf[T any](
	ctx context.Context, s sequence,
	fetch func(context.Context, string) (*types.Page[T], error), at func(*T) position,
) types.List[T] {
	return paging.ListOf(ctx, paging.Listing{Op: s.op.Wire, About: string(s.about), Selection: s.selection, Cursor: s.cursor, Prefetch: s.prefetch}, func() func(context.Context, string) (*types.Page[T], error) {
		last, started := s.start()
		return func(ctx context.Context, cursor string) (*types.Page[T], error) {
			page, err := fetch(ctx, cursor)
			if err != nil {
				return nil, err
			}
			for i := range page.Items {
				next := at(&page.Items[i])
				if started && !s.follows(last, next) {
					return nil, fmt.Errorf("%s: items are out of order at slot %d: %w", paging.Name(s.op.Wire, string(s.about)), next.slot, types.ErrIncomplete)
				}
				started, last = true, next
			}
			return page, nil
		}
	})
}

// ascendingCursor begins the cursors of ascending listings. The service continues a
// listing at the cursor of one in the opposite order, and so skips its other part.
const ascendingCursor = "asc:"

// token returns the cursor as the service sent it.
func (s sequence) token(cursor string) (string, error) {
	token, ascending := strings.CutPrefix(cursor, ascendingCursor)
	if cursor != "" && ascending != s.ascending {
		return "", argument.Invalid("Cursor "+argument.Quote(cursor), "is of a listing in the opposite order; set Ascending as in that listing")
	}
	return token, nil
}

// mark returns the cursor of a page for a token of the service.
func (s sequence) mark(token string) string {
	if token != "" && s.ascending {
		return ascendingCursor + token
	}
	return token
}

// start returns the slot that the first item follows, if the cursor says which.
func (s sequence) start() (last position, known bool) {
	slot, _, found := strings.Cut(strings.TrimPrefix(s.cursor, ascendingCursor), ":") // as in 315073428:35
	n, err := strconv.ParseUint(slot, 10, 64)
	return position{slot: n}, found && err == nil
}

// follows reports whether a transaction at next may come after the one at last.
func (s sequence) follows(last, next position) bool {
	if s.ascending {
		last, next = next, last
	}
	if next.slot != last.slot || last.index == 0 || next.index == 0 {
		return next.slot <= last.slot
	}
	return next.index < last.index || next.index == last.index && s.shared
}
