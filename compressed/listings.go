package compressed

import (
	"cmp"
	"context"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// ListingOptions page a listing. The zero value, like nil, starts at the first page.
type ListingOptions struct {
	// Cursor resumes after a page: set it to the Cursor of the last page you handled.
	// Empty starts at the first page.
	Cursor string `json:"cursor,omitempty"`

	// Limit is the number of items per page. 0 means 1000, which is the default
	// and the maximum of the service.
	Limit int `json:"limit,omitempty"`

	// Prefetch requests the next page while the loop handles the current one, from the second
	// page on.
	Prefetch bool `json:"-"`
}

// TokenListingOptions select and page token accounts or balances. The zero value, like
// nil, selects all tokens and starts at the first page.
type TokenListingOptions struct {
	Mint types.Address `json:"mint,omitempty"` // selects one token; empty means all

	// Cursor resumes after a page: set it to the Cursor of the last page you handled.
	// Empty starts at the first page.
	Cursor string `json:"cursor,omitempty"`

	// Limit is the number of items per page. 0 means 1000, which is the default
	// and the maximum of the service.
	Limit int `json:"limit,omitempty"`

	// Prefetch requests the next page while the loop handles the current one, from the second
	// page on.
	Prefetch bool `json:"-"`
}

// listParams are the parameters of a listing.
type listParams struct {
	Address  types.Address `json:"address,omitempty"`
	Owner    types.Address `json:"owner,omitempty"`
	Delegate types.Address `json:"delegate,omitempty"`
	Mint     types.Address `json:"mint,omitempty"`
	Cursor   string        `json:"cursor,omitempty"`
	Limit    int           `json:"limit,omitempty"`
}

// listing returns the list that a method selects with its parameters. Identified reports
// whether an item has the member that identifies it, to tell an item from null. Check
// may make the cursor of the page at a cursor a dead end.
func listing[T any](
	ctx context.Context, c *Client, op operation, invalid error, params listParams, prefetch bool, check func(string, *types.Page[T]),
) types.List[T] {
	current := c.current(op)
	about := cmp.Or(params.Address, params.Owner, params.Delegate, params.Mint)
	l := paging.ListingOf(current.Method, current.Wire, about, string(params.Mint), params.Cursor, prefetch)
	return paging.NewList(ctx, l, func(ctx context.Context, cursor string) (*types.Page[T], error) {
		params := params
		params.Cursor = cursor
		p, err := page[T](ctx, c, op, cmp.Or(invalid, argument.NotNegative("Limit", params.Limit)), params)
		if err != nil {
			return nil, err
		}
		check(cursor, p)
		return p, nil
	})
}

// page requests one page of a listing.
func page[T any](ctx context.Context, c *Client, op operation, invalid error, params any) (*types.Page[T], error) {
	l, slot, err := ask(ctx, c, op, transport.Query[listed[T]]{Invalid: invalid, Params: params, Check: (*listed[T]).complete})
	if err != nil {
		return nil, err
	}
	return &types.Page[T]{Items: l.Items, Cursor: l.Cursor, HasMore: l.Cursor != "", Slot: slot}, nil
}

// listed is a page as the service sends it.
type listed[T any] struct {
	Items     []T    `json:"items"`
	Balances1 []T    `json:"token_balances"` // instead of items, of token balances in version 1
	Balances2 []T    `json:"tokenBalances"`  // the same behind proxies that change the case
	Cursor    string `json:"cursor"`
}

func (l *listed[T]) complete() error {
	if l.Items == nil {
		l.Items = l.Balances1
	}
	if len(l.Items) == 0 && l.Balances2 != nil {
		l.Items = l.Balances2
	}
	if l.Items == nil {
		return transport.Require(false, "items")
	}
	return cmp.Or(paging.CheckItems(&l.Items), paging.CheckCursor(l.Cursor))
}

// incomplete makes a page one after which the listing cannot continue.
func incomplete[T any](p *types.Page[T], why string) {
	p.HasMore = true
	p.Cursor = paging.DeadEnd(why)
}
