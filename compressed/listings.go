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
	// Limit is at most 1000, and 0 means 1000.
	types.PageOptions
}

// TokenListingOptions select and page token accounts or balances. The zero value, like
// nil, selects all tokens and starts at the first page.
type TokenListingOptions struct {
	// Limit is at most 1000, and 0 means 1000.
	types.PageOptions

	Mint types.Address `json:"mint,omitempty"` // selects one token; empty means all
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

// listing returns the list of a method. Check sees each page, and may end the listing after it.
func listing[T any](
	ctx context.Context, c *Client, op operation, invalid error, params listParams, o types.PageOptions, check func(*paging.Walk, *types.Page[T]),
) types.List[T] {
	about := cmp.Or(params.Address, params.Owner, params.Delegate, params.Mint)
	l := paging.ListingOf(c.api, c.current(op), about, string(params.Mint), o)
	return paging.List(ctx, l, func(ctx context.Context, w *paging.Walk) (*types.Page[T], error) {
		params := params
		params.Cursor, params.Limit = w.At, o.Limit
		p, err := page[T](ctx, c, op, &w.Items, cmp.Or(invalid, argument.Fields(&o)), about, params)
		if err != nil {
			return nil, err
		}
		check(w, p)
		return p, nil
	})
}

// page requests one page of a listing.
func page[T any](ctx context.Context, c *Client, op operation, items *transport.Items, invalid error, about, params any) (*types.Page[T], error) {
	if items != nil {
		*items = transport.Items{} // of an earlier request
	}
	l, slot, err := ask(ctx, c, op, transport.Query[listed[T]]{Invalid: invalid, About: about, Params: params, Check: (*listed[T]).complete, Items: items})
	if err != nil {
		return nil, err
	}
	return &types.Page[T]{Items: l.Items, Cursor: l.Cursor, Slot: slot}, nil
}

// listed is a page as the service sends it.
type listed[T any] struct {
	Items     []T    `json:"items"`
	Balances1 []T    `json:"token_balances"` // instead of items: token balances of version 1
	Balances2 []T    `json:"tokenBalances"`  // instead, from proxies that change the case
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
	return paging.CheckItems(&l.Items)
}
