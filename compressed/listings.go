package compressed

import (
	"cmp"
	"context"
	"fmt"
	"iter"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// ListingOptions page a listing. The zero value, like nil, starts at the first page.
type ListingOptions struct {
	// Cursor is that of the last handled page, to go on after it. Empty means
	// the first page.
	Cursor string `json:"cursor,omitempty"`

	// Limit is the number of items per page. 0 means 1000, which is the default
	// and the maximum of the service.
	Limit int `json:"limit,omitempty"`

	// Prefetch requests the next page while the loop handles the current one.
	Prefetch bool `json:"-"`
}

func (o *ListingOptions) copied() ListingOptions {
	if o == nil {
		return ListingOptions{}
	}
	return *o
}

func (o *ListingOptions) check() error { return argument.NotNegative("Limit", o.Limit) }

// page requests one page of a listing. Named reports whether an item has the member
// that identifies it, to tell an item from null.
func page[T any](ctx context.Context, c *Client, op transport.Op, invalid error, params any, named func(*T) bool) (*types.Page[T], error) {
	l, slot, err := transport.Value(ctx, c.api, transport.Query[listed[T]]{
		Op: op, Invalid: invalid, Params: params, Check: func(l *listed[T]) error { return l.complete(named) },
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

func (l *listed[T]) complete(named func(*T) bool) error {
	return cmp.Or(transport.Require(l.Items != nil, "items"), paging.CheckItems(l.Items, named), paging.CheckCursor(l.Cursor))
}

// page returns the page that was sent.
func (l *listed[T]) page(slot uint64) *types.Page[T] {
	return &types.Page[T]{Items: l.Items, Cursor: l.Cursor, HasMore: l.Cursor != "", Slot: slot}
}

// incomplete says why a listing cannot go on after a page. It never looks complete, also
// where the page has no cursor.
func incomplete[T any](p *types.Page[T], op, why string) {
	p.HasMore = true
	p.Err = fmt.Errorf("%s: %s: %w", op, why, types.ErrIncomplete)
}

// listPages iterates over the pages of a listing without other options.
func listPages[T any](
	ctx context.Context, op transport.Op, opts *ListingOptions,
	fetch func(context.Context, *ListingOptions) (*types.Page[T], error),
) iter.Seq2[*types.Page[T], error] {
	o := opts.copied()
	return paging.List(ctx, op.String(), o.Cursor, o.Prefetch, func(ctx context.Context, cursor string) (*types.Page[T], error) {
		o := o
		o.Cursor = cursor
		return fetch(ctx, &o)
	})
}
