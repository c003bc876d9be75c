package rpc

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/facts"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A history is a listing of transactions or transfers of an address, in their order. W
// is an item as the service sends it, T a public one.
type history[W, T any] struct {
	op        transport.Op
	address   types.Address
	cursor    string // of the first page
	prefetch  bool
	ascending bool
	shared    bool  // several items may have the position of one transaction
	invalid   error // why an argument is invalid
	onItem    func(*types.ItemError)
	fetch     func(ctx context.Context, token string, invalid error, items *transport.Items) (*historyPage[W], error)
	item      func(*W) T
	at        func(*T) position
}

// A historyPage is a page of a history as the service sends it.
type historyPage[W any] struct {
	Data   []W    `json:"data"`
	Cursor string `json:"paginationToken"`
}

// A position is the place of a transaction in the chain. An index of 0 may be unknown.
type position struct{ slot, index uint64 }

// list returns a list that ends with types.ErrIncomplete in place of a page that breaks
// the order, which means that transactions are missing or repeated.
func (h history[W, T]) list(ctx context.Context) types.List[T] {
	start := paging.ListingOf(h.op.Method, h.op.Wire, h.address, "", h.cursor, h.prefetch) // the token has the order
	start.OnItem = h.onItem
	return paging.ListOf(ctx, start, func() paging.Fetch[types.Page[T]] {
		last, started := h.start()
		return func(ctx context.Context, cursor string) (*types.Page[T], error) {
			token, ascending := strings.CutPrefix(cursor, ascendingCursor)
			var opposite error
			if cursor != "" && ascending != h.ascending {
				opposite = argument.Invalid("Cursor "+argument.Quote(cursor), "is of a listing in the opposite order; set Ascending as in that listing")
			}
			items := new(transport.Items)
			got, err := h.fetch(ctx, token, cmp.Or(h.invalid, opposite), items)
			if err != nil {
				return nil, err
			}
			page := &types.Page[T]{Items: make([]T, len(got.Data)), Cursor: got.Cursor, HasMore: got.Cursor != ""}
			if h.ascending && page.HasMore {
				page.Cursor = ascendingCursor + got.Cursor
			}
			for i := range got.Data {
				page.Items[i] = h.item(&got.Data[i])
				next := h.at(&page.Items[i])
				if started && !h.follows(last, next) {
					return nil, fmt.Errorf("%s: items are out of order at slot %d: %w", paging.Name(h.op.Wire, string(h.address)), next.slot, types.ErrIncomplete)
				}
				started, last = true, next
			}
			return page, items.Err()
		}
	})
}

// ascendingCursor begins the cursors of ascending listings. The service continues a
// listing at the cursor of one in the opposite order, and so skips its other part.
const ascendingCursor = "asc:"

// start returns the slot that the first item follows, if the cursor says which.
func (h history[W, T]) start() (last position, known bool) {
	slot, _, found := strings.Cut(strings.TrimPrefix(h.cursor, ascendingCursor), ":") // as in 315073428:35
	n, err := strconv.ParseUint(slot, 10, 64)
	return position{slot: n}, found && err == nil
}

// follows reports whether a transaction at next may come after the one at last.
func (h history[W, T]) follows(last, next position) bool {
	if h.ascending {
		last, next = next, last
	}
	if next.slot != last.slot || last.index == 0 || next.index == 0 {
		return next.slot <= last.slot
	}
	return next.index < last.index || next.index == last.index && h.shared
}

// fetcher returns how to fetch a page of an operation, with a config that is made for each page.
func fetcher[W any](
	c *Client, op transport.Op, address types.Address, config func(token string) any, times func(items int) uint64, check func(*[]W) error,
) func(context.Context, string, error, *transport.Items) (*historyPage[W], error) {
	return func(ctx context.Context, token string, invalid error, items *transport.Items) (*historyPage[W], error) {
		return transport.Result(ctx, c.api, transport.Query[historyPage[W]]{
			Op: op, Invalid: invalid, Params: []any{address, config(token)}, Items: items,
			Credits: func(p *historyPage[W]) uint64 { return op.Facts().Credits * times(len(p.Data)+len(items.Unreadable)) },
			Check: func(p *historyPage[W]) error {
				return cmp.Or(transport.Require(p.Data != nil, "data"), check(&p.Data), paging.CheckCursor(p.Cursor))
			},
		})
	}
}

// perHundred is how many times the price of a page a number of transactions costs.
func perHundred(n int) uint64 {
	return max(1, (uint64(n)+facts.FullTransactions-1)/facts.FullTransactions)
}

func perPage(int) uint64 { return 1 }
