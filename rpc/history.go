package rpc

import (
	"context"
	"strings"

	"github.com/solwire/solwire-go/internal/facts"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A history is a listing of transactions or transfers of an address, in their order. W
// is an item as the service sends it, T a public one.
type history[W, T any] struct {
	paging.Listing

	ascending bool
	shared    bool // several items may have the place of one transaction
	fetch     func(ctx context.Context, token string, items *transport.Items) (*historyPage[W], error)
	item      func(*W) T
	at        func(*T) paging.Place
}

// A historyPage is a page of a history as the service sends it.
type historyPage[W any] struct {
	Data   []W    `json:"data" required:"true"`
	Cursor string `json:"paginationToken"`
}

// list returns a list that ends with types.ErrIncomplete in place of a page out of order:
// transactions are missing or repeated.
func (h history[W, T]) list(ctx context.Context) types.List[T] {
	if h.ascending {
		// the service continues at the token of the opposite order, and skips the other part
		h.Filters = "ascending"
	}
	return paging.List(ctx, h.Listing, func(ctx context.Context, w *paging.Walk) (*types.Page[T], error) {
		// a token of the service, as in 315073428:35
		if slot, _, found := strings.Cut(w.At, ":"); found && w.Known == "" {
			w.Known = slot
		}
		got, err := h.fetch(ctx, w.At, &w.Items)
		if err != nil {
			return nil, err
		}
		page := &types.Page[T]{Items: make([]T, len(got.Data)), Cursor: got.Cursor}
		for i := range got.Data {
			page.Items[i] = h.item(&got.Data[i])
		}
		at := func(i int) paging.Place { return h.at(&page.Items[i]) }
		return page, w.InOrder(len(page.Items), at, h.ascending, h.shared)
	})
}

// fetcher returns a function that fetches a page of an operation, with a config made for each page.
func fetcher[W any](
	c *Client, op transport.Op, address types.Address, config func(token string) any, times func(items int) uint64, check func(*[]W) error, invalid error,
) func(context.Context, string, *transport.Items) (*historyPage[W], error) {
	return func(ctx context.Context, token string, items *transport.Items) (*historyPage[W], error) {
		return transport.Result(ctx, c.api, transport.Query[historyPage[W]]{
			Op: op, Invalid: invalid, Params: []any{address, config(token)}, Items: items,
			Credits: func(p *historyPage[W]) uint64 { return op.Facts().Credits * times(len(p.Data)+len(items.Unreadable)) },
			Check:   func(p *historyPage[W]) error { return check(&p.Data) },
		})
	}
}

// perHundred returns the price of n transactions, as a multiple of the price of a page.
func perHundred(n int) uint64 {
	return max(1, (uint64(n)+facts.FullTransactions-1)/facts.FullTransactions)
}

func perPage(int) uint64 { return 1 }
