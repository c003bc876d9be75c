package compressed

import (
	"cmp"
	"context"
	"iter"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

const tokenBalancesByOwner operation = "compressed.Client.TokenBalancesByOwner getCompressedTokenBalancesByOwnerV2 getCompressedTokenBalancesByOwner"

// A TokenBalance is what an owner has of a token in all of its token accounts.
type TokenBalance struct {
	Mint types.Address `json:"mint"` // the token; [types.WrappedSOL] for wrapped SOL

	// RawAmount is in the smallest unit of the token; 0 occurs. Wire name: balance.
	RawAmount uint64 `json:"balance"`
}

// TokenBalancesByOwnerOptions select and page the balances of an owner. The zero
// value, like nil, selects all tokens and starts at the first page.
type TokenBalancesByOwnerOptions struct {
	// Mint selects one token, so that the page has one item or none.
	Mint types.Address `json:"mint,omitempty"`

	// Cursor is that of the last handled page, to go on after it. Empty means
	// the first page.
	Cursor string `json:"cursor,omitempty"`

	// Limit is the number of items per page. 0 means 1000, which is the default
	// and the maximum of the service.
	Limit int `json:"limit,omitempty"`

	// Prefetch requests the next page while the loop handles the current one.
	Prefetch bool `json:"-"`
}

// TokenBalancesByOwner returns one page of the balances of a wallet, sorted by mint.
// The page of an unknown owner or mint is empty. It costs 10 credits.
//
// JSON-RPC method: getCompressedTokenBalancesByOwnerV2, or
// getCompressedTokenBalancesByOwner.
func (c *Client) TokenBalancesByOwner(
	ctx context.Context, owner types.Address, opts *TokenBalancesByOwnerOptions,
) (*types.Page[TokenBalance], error) {
	o := opts.copied()
	params := struct {
		Owner types.Address `json:"owner"`
		TokenBalancesByOwnerOptions
	}{owner, o}
	var p *types.Page[TokenBalance]
	err := c.newest(tokenBalancesByOwner, func(op transport.Op, _ Version) error {
		v, slot, err := transport.Value(ctx, c.api, transport.Query[listedBalances]{
			Op: op, Invalid: cmp.Or(argument.Address("owner", owner), o.check()), Params: params, Check: (*listedBalances).complete,
		})
		if err != nil {
			return err
		}
		p = v.page(slot)
		if o.Mint != "" { // the service gives a cursor after the one balance, and ignores it
			p.Cursor, p.HasMore = "", false
			return nil
		}
		tokenBalanceOrder().check(op, o.Cursor, p)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// TokenBalancesByOwnerPages iterates over the pages of
// [Client.TokenBalancesByOwner], at 10 credits each. To resume, set Cursor to that
// of the last handled page; HasMore is false on the last one. A page that is out of
// order and a repeated cursor end the listing with [types.ErrIncomplete].
func (c *Client) TokenBalancesByOwnerPages(
	ctx context.Context, owner types.Address, opts *TokenBalancesByOwnerOptions,
) iter.Seq2[*types.Page[TokenBalance], error] {
	o := opts.copied()
	fetch := func(ctx context.Context, cursor string) (*types.Page[TokenBalance], error) {
		o := o
		o.Cursor = cursor
		return c.TokenBalancesByOwner(ctx, owner, &o)
	}
	return paging.List(ctx, c.wire(tokenBalancesByOwner), o.Cursor, o.Prefetch, fetch)
}

// AllTokenBalancesByOwner iterates over the balances of all pages of
// [Client.TokenBalancesByOwnerPages], at 10 credits per page. It ends with the same
// errors.
func (c *Client) AllTokenBalancesByOwner(
	ctx context.Context, owner types.Address, opts *TokenBalancesByOwnerOptions,
) iter.Seq2[TokenBalance, error] {
	return paging.ListItems(c.TokenBalancesByOwnerPages(ctx, owner, opts))
}

func (o *TokenBalancesByOwnerOptions) copied() TokenBalancesByOwnerOptions {
	if o == nil {
		return TokenBalancesByOwnerOptions{}
	}
	return *o
}

func (o *TokenBalancesByOwnerOptions) check() error {
	return cmp.Or(checkOptional("Mint", o.Mint), argument.NotNegative("Limit", o.Limit))
}

// listedBalances is a page as the service sends it. The name of the list depends on
// the version.
type listedBalances struct {
	listed[TokenBalance]
	Balances1 []TokenBalance `json:"token_balances"` // version 1
	Balances2 []TokenBalance `json:"tokenBalances"`  // version 1 behind proxies that change the case
}

func (l *listedBalances) complete() error {
	switch {
	case l.Items != nil:
	case l.Balances1 != nil:
		l.Items = l.Balances1
	case l.Balances2 != nil:
		l.Items = l.Balances2
	}
	return l.listed.complete(func(b *TokenBalance) bool { return b.Mint != "" })
}
