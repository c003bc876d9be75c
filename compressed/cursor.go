package compressed

import (
	"context"
	"fmt"
	"strings"

	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A selection is what selects the items of a listing.
type selection struct {
	op      transport.Op
	address types.Address // the owner, delegate, mint or address asked about
	mint    types.Address
	filters []types.Filter
}

// paged returns what marks the cursors of the listing.
func (s selection) paged() paging.Selection {
	paged := paging.Selection{s.op.Method(), string(s.address), string(s.mint)}
	if len(s.filters) > 0 { // no listing has both
		var filters strings.Builder
		for _, f := range s.filters {
			offset, data, _ := f.Compared()
			_, _ = fmt.Fprintf(&filters, "%d:%x,", offset, data)
		}
		paged[2] = filters.String()
	}
	return paged
}

// listOf returns the list of a selection. Begin starts a reading and returns the function
// that requests the page at a cursor of the service.
func listOf[T any](
	ctx context.Context, c *Client, s selection, cursor string, prefetch bool,
	begin func() func(context.Context, string) (*types.Page[T], error),
) types.List[T] {
	return paging.ListOf(ctx, s.op.String(), cursor, prefetch, func() func(context.Context, string) (*types.Page[T], error) {
		fetch := begin()
		return func(ctx context.Context, cursor string) (*types.Page[T], error) {
			position, err := s.paged().Position(cursor)
			if err != nil {
				return nil, c.api.Check(s.op, err)
			}
			p, err := fetch(ctx, position)
			if err == nil {
				p.Cursor = s.paged().Marked(p.Cursor)
			}
			return p, err
		}
	})
}
