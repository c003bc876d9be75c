package compressed

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/types"
)

var opAccountsByOwner = inVersions("compressed.Client.AccountsByOwner", "getCompressedAccountsByOwnerV2", "getCompressedAccountsByOwner")

// AccountsByOwnerOptions select and page the accounts of an owner. The zero value,
// like nil, selects all accounts and starts at the first page.
type AccountsByOwnerOptions struct {
	// Cursor resumes after a page: set it to the Cursor of the last page you handled.
	// Empty starts at the first page.
	Cursor string `json:"cursor,omitempty"`

	// Limit is the number of accounts per page. 0 means 1000, which is the default and the
	// maximum of the service. The first request asks for 10 at least, and the page has all
	// of them if there are no more or if they are not sorted by hash. Where cursors skip
	// accounts, the second page has all that remain, or the listing is incomplete.
	Limit int `json:"limit,omitempty"`

	// DataSlice is the part of AccountData.Bytes to return; nil means all of it.
	DataSlice *types.DataSlice `json:"dataSlice,omitempty"`

	// Filters are conditions that an account has to match all of, made with
	// [types.Memcmp] or [types.MemcmpAddress]. The service takes up to 5.
	Filters []types.Filter `json:"filters,omitempty"`

	// Prefetch requests the next page while the loop handles the current one, from the second
	// page on.
	Prefetch bool `json:"-"`
}

// AccountsByOwner lists the compressed accounts that owner, a program or a wallet, owns;
// an unknown owner has none. It ends with [types.ErrIncomplete] if a page shows that the
// cursors of the indexer skip accounts and one page does not have all of them; use
// package partition then. Accounts that change meanwhile may be missed or listed twice.
// Read the list with All, Pages, Page or Collect; each page costs 10 credits.
//
// JSON-RPC method: getCompressedAccountsByOwnerV2, or getCompressedAccountsByOwner.
func (c *Client) AccountsByOwner(ctx context.Context, owner types.Address, opts *AccountsByOwnerOptions) types.List[Account] {
	o := argument.Options(opts)
	o.Filters = slices.Clone(o.Filters)
	if o.DataSlice != nil {
		part := *o.DataSlice
		o.DataSlice = &part
	}
	op := c.current(opAccountsByOwner)
	l := paging.ListingOf(op.Method, op.Wire, owner, argument.FilterText(o.Filters), o.Cursor, o.Prefetch)
	return paging.NewList(ctx, l, func(ctx context.Context, cursor string) (*types.Page[Account], error) {
		o := o
		var known string
		limit := o.Limit
		if o.Cursor, known = splitCursor(cursor); cursor == "" && limit > 0 {
			o.Limit = max(limit, leastFirst)
		}
		p, err := c.ownerPage(ctx, owner, o)
		if err != nil {
			return nil, err
		}
		return c.inOrder(ctx, owner, o, known, limit, p)
	})
}

// ownerPage requests a page.
func (c *Client) ownerPage(ctx context.Context, owner types.Address, o AccountsByOwnerOptions) (*types.Page[Account], error) {
	params := struct {
		Owner types.Address `json:"owner"`
		AccountsByOwnerOptions
	}{owner, o}
	p, err := page[Account](ctx, c, opAccountsByOwner, cmp.Or(argument.Address("owner", owner), o.check()), params)
	if err != nil {
		return nil, err
	}
	for i := range p.Items {
		p.Items[i].setTree()
	}
	return p, nil
}

// maxOffset is the largest offset that the service's database takes. It answers
// larger ones with an internal error, which would be retried in vain.
const maxOffset = 1<<31 - 2

func (o *AccountsByOwnerOptions) check() error {
	if s := o.DataSlice; s != nil && (s.Offset > maxOffset || s.Length > maxOffset+1) {
		return argument.Invalid("DataSlice", "goes beyond 2147483647 bytes; leave it nil for all data")
	}
	for i, f := range o.Filters {
		if err := checkFilter(fmt.Sprintf("Filters[%d]", i), f); err != nil {
			return err
		}
	}
	return argument.NotNegative("Limit", o.Limit)
}
