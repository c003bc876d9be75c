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

	// Prefetch requests the next page while the loop handles the current one.
	Prefetch bool `json:"-"`
}

// listing returns the listing about an address, which is empty for all.
func (o *ListingOptions) listing(op transport.Op, address types.Address) paging.Listing {
	return paging.Listing{Op: op.Wire, Selection: paging.Selection{op.Method, string(address)}, Cursor: o.Cursor, Prefetch: o.Prefetch}
}

func (o *ListingOptions) check() error { return argument.NotNegative("Limit", o.Limit) }

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

	// Prefetch requests the next page while the loop handles the current one.
	Prefetch bool `json:"-"`
}

// listing returns the listing about an address.
func (o *TokenListingOptions) listing(op transport.Op, address types.Address) paging.Listing {
	return paging.Listing{Op: op.Wire, Selection: paging.Selection{op.Method, string(address), string(o.Mint)}, Cursor: o.Cursor, Prefetch: o.Prefetch}
}

func (o *TokenListingOptions) check() error {
	return cmp.Or(checkOptional("Mint", o.Mint), argument.NotNegative("Limit", o.Limit))
}

// listing returns the list of a method with ListingOptions. Params returns the parameters
// of a page, and check may make the cursor of a page a dead end.
func listing[T any](
	ctx context.Context, c *Client, op transport.Op, address types.Address, invalid error, opts *ListingOptions,
	params func(ListingOptions) any, isItem func(*T) bool, check func(ListingOptions, *types.Page[T]),
) types.List[T] {
	o := argument.Options(opts)
	fetch := func(ctx context.Context, cursor string) (*types.Page[T], error) {
		o := o
		o.Cursor = cursor
		p, err := page(ctx, c, op, cmp.Or(invalid, o.check()), params(o), isItem)
		if err != nil {
			return nil, err
		}
		check(o, p)
		return p, nil
	}
	return paging.NewList(ctx, o.listing(op, address), fetch)
}

// page requests one page of a listing. Identified reports whether an item has the member
// that identifies it, to tell an item from null.
func page[T any](ctx context.Context, c *Client, op transport.Op, invalid error, params any, identified func(*T) bool) (*types.Page[T], error) {
	l, slot, err := value(ctx, c, transport.Query[listed[T]]{
		Op: op, Invalid: invalid, Params: params, Check: func(l *listed[T]) error { return l.complete(identified) },
	})
	if err != nil {
		return nil, err
	}
	return l.page(slot), nil
}

// listed is a page as the service sends it.
type listed[T any] struct {
	Items  []T    `json:"items"`
	Cursor string `json:"cursor"`
}

func (l *listed[T]) complete(identified func(*T) bool) error {
	return cmp.Or(transport.Require(l.Items != nil, "items"), paging.CheckItems(l.Items, identified), paging.CheckCursor(l.Cursor))
}

// page returns the page that was sent.
func (l *listed[T]) page(slot uint64) *types.Page[T] {
	return &types.Page[T]{Items: l.Items, Cursor: l.Cursor, HasMore: l.Cursor != "", Slot: slot}
}

// incomplete makes a page one after which the listing cannot continue.
func incomplete[T any](p *types.Page[T], why string) {
	p.HasMore = true
	p.Cursor = paging.DeadEnd(why)
}
