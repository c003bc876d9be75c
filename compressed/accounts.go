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
	// Limit is at most 1000, and 0 means 1000.
	types.PageOptions

	// DataSlice is the part of AccountData.Bytes to return; nil means all of it.
	DataSlice *types.DataSlice `json:"dataSlice,omitempty"`

	// An account has to match all Filters. Make them with [types.Memcmp] or
	// [types.MemcmpAddress], 5 at most.
	Filters []types.Filter `json:"filters,omitempty"`
}

// AccountsByOwner lists the compressed accounts of owner, a program or a wallet; an unknown owner
// has none. On indexers whose cursors skip accounts, a listing of 1000 accounts or more ends with
// [types.ErrIncomplete]: use package partition then. Accounts that change during the listing may
// be missed or listed twice. Read the list with All, Pages, Page or Collect; each page costs 10
// credits.
//
// JSON-RPC method: getCompressedAccountsByOwnerV2, or getCompressedAccountsByOwner.
func (c *Client) AccountsByOwner(ctx context.Context, owner types.Address, opts *AccountsByOwnerOptions) types.List[Account] {
	o := argument.Options(opts)
	o.Filters = slices.Clone(o.Filters)
	if o.DataSlice != nil {
		part := *o.DataSlice
		o.DataSlice = &part
	}
	l := paging.ListingOf(c.api, c.current(opAccountsByOwner), owner, argument.FilterText(o.Filters), o.PageOptions)
	return paging.List(ctx, l, func(ctx context.Context, w *paging.Walk) (*types.Page[Account], error) {
		r := ownerReading{c, owner, o, w}
		return r.next(ctx)
	})
}

// page requests up to limit accounts after a hash. 0 means the largest limit.
func (r *ownerReading) page(ctx context.Context, after string, limit int) (*types.Page[Account], error) {
	params := struct {
		Owner  types.Address `json:"owner"`
		Cursor string        `json:"cursor,omitempty"`
		Limit  int           `json:"limit,omitempty"`
		AccountsByOwnerOptions
	}{r.owner, after, limit, r.options}
	p, err := page[Account](ctx, r.client, opAccountsByOwner, &r.walk.Items, cmp.Or(argument.Address("owner", r.owner), r.options.check()), r.owner, params)
	if err != nil {
		return nil, err
	}
	for i := range p.Items {
		p.Items[i].setTree()
	}
	return p, nil
}

// maxOffset is the largest offset that the database of the service takes. A larger one fails
// with an internal error, which would be retried in vain.
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
