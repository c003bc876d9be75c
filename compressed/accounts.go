package compressed

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

const accountsByOwner operation = "compressed.Client.AccountsByOwner getCompressedAccountsByOwnerV2 getCompressedAccountsByOwner"

// AccountsByOwnerOptions select and page the accounts of an owner. The zero value,
// like nil, selects all accounts and starts at the first page.
type AccountsByOwnerOptions struct {
	// Cursor is that of the last handled page, to go on after it. Empty means
	// the first page.
	Cursor string `json:"cursor,omitempty"`

	// Limit is the number of items per page. 0 means 1000, which is the default
	// and the maximum of the service.
	Limit int `json:"limit,omitempty"`

	// DataSlice is the part of AccountData.Bytes to return; nil means all of it.
	DataSlice *types.DataSlice `json:"dataSlice,omitempty"`

	// Filters are conditions that an account has to match all of. The service
	// takes up to 5.
	Filters []Filter `json:"filters,omitempty"`

	// Prefetch requests the next page while the loop handles the current one.
	Prefetch bool `json:"-"`
}

// AccountsByOwner returns one page of the compressed accounts that owner, a program or
// a wallet, owns; an unknown owner has none. It costs 10 credits, and up to 30 more if
// the page does not show whether the cursors of the indexer reach all accounts. If
// they do not, the Err of the page matches [types.ErrIncomplete] (see the package
// comment).
//
// JSON-RPC method: getCompressedAccountsByOwnerV2, or getCompressedAccountsByOwner.
func (c *Client) AccountsByOwner(
	ctx context.Context, owner types.Address, opts *AccountsByOwnerOptions,
) (*types.Page[Account], error) {
	o := opts.copied()
	return c.accountsByOwner(ctx, owner, &o, new(ownerOrder))
}

// accountsByOwner requests a page, and checks it with what is known about the order.
func (c *Client) accountsByOwner(
	ctx context.Context, owner types.Address, o *AccountsByOwnerOptions, order *ownerOrder,
) (*types.Page[Account], error) {
	p, err := c.ownerPage(ctx, owner, *o)
	if err != nil {
		return nil, err
	}
	if err := order.check(ctx, p, &prober{c, owner, *o}); err != nil {
		return nil, err
	}
	return p, nil
}

// ownerPage requests a page.
func (c *Client) ownerPage(
	ctx context.Context, owner types.Address, o AccountsByOwnerOptions,
) (p *types.Page[Account], err error) {
	params := struct {
		Owner types.Address `json:"owner"`
		AccountsByOwnerOptions
	}{owner, o}
	err = c.newest(accountsByOwner, func(op transport.Op, _ Version) error {
		p, err = page(ctx, c, op, cmp.Or(argument.Address("owner", owner), o.check()), params, func(a *Account) bool { return a.Hash != "" })
		return err
	})
	if err != nil {
		return nil, err
	}
	for i := range p.Items {
		p.Items[i].setTree()
	}
	return p, nil
}

// AccountsByOwnerPages iterates over the pages of [Client.AccountsByOwner], at 10
// credits each, and up to 30 more once to check the cursors of the indexer. If they do
// not reach all accounts, the page that shows it is the last before
// [types.ErrIncomplete]; use [Client.AllPartitionedAccountsByOwner] then. To resume,
// set Cursor to that of the last handled page; HasMore is false on the last one.
func (c *Client) AccountsByOwnerPages(
	ctx context.Context, owner types.Address, opts *AccountsByOwnerOptions,
) iter.Seq2[*types.Page[Account], error] {
	o := opts.copied()
	return func(yield func(*types.Page[Account], error) bool) {
		order := new(ownerOrder) // of this listing alone
		fetch := func(ctx context.Context, cursor string) (*types.Page[Account], error) {
			o := o
			o.Cursor = cursor
			return c.accountsByOwner(ctx, owner, &o, order)
		}
		paging.List(ctx, c.wire(accountsByOwner), o.Cursor, o.Prefetch, fetch)(yield)
	}
}

// AllAccountsByOwner iterates over the accounts of all pages of
// [Client.AccountsByOwnerPages], at 10 credits per page. It ends with the same
// errors. Accounts that change during the listing may be missed or listed twice.
func (c *Client) AllAccountsByOwner(
	ctx context.Context, owner types.Address, opts *AccountsByOwnerOptions,
) iter.Seq2[Account, error] {
	return paging.ListItems(c.AccountsByOwnerPages(ctx, owner, opts))
}

// copied returns a deep copy, so that later changes by the caller have no effect.
func (o *AccountsByOwnerOptions) copied() AccountsByOwnerOptions {
	if o == nil {
		return AccountsByOwnerOptions{}
	}
	c := *o
	c.Filters = slices.Clone(o.Filters)
	if o.DataSlice != nil {
		part := *o.DataSlice
		c.DataSlice = &part
	}
	return c
}

// maxOffset is the largest offset that the service's database takes. It answers
// larger ones with an internal error, which would be retried in vain.
const maxOffset = 1<<31 - 2

func (o *AccountsByOwnerOptions) check() error {
	if err := argument.NotNegative("Limit", o.Limit); err != nil {
		return err
	}
	if s := o.DataSlice; s != nil && (s.Offset > maxOffset || s.Length > maxOffset+1) {
		return argument.Invalid("DataSlice", "goes beyond 2147483647 bytes; leave it nil for all data")
	}
	for i, f := range o.Filters {
		if err := f.check(fmt.Sprintf("Filters[%d]", i)); err != nil {
			return err
		}
	}
	return nil
}
