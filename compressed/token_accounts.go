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

const (
	tokenAccountsByDelegate operation = "compressed.Client.TokenAccountsByDelegate getCompressedTokenAccountsByDelegateV2 getCompressedTokenAccountsByDelegate"
	tokenAccountsByOwner    operation = "compressed.Client.TokenAccountsByOwner getCompressedTokenAccountsByOwnerV2 getCompressedTokenAccountsByOwner"
)

// A TokenAccount is a compressed account that holds tokens.
type TokenAccount struct {
	Account   Account   `json:"account"`   // owned by the token program, not by the wallet
	TokenData TokenData `json:"tokenData"` // the tokens in it, and their owner
}

// TokenAccountsByOwnerOptions select and page the token accounts of a wallet.
// The zero value, like nil, selects all accounts and starts at the first page.
type TokenAccountsByOwnerOptions struct {
	// Mint selects the accounts of one token; empty means those of all tokens.
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

// TokenAccountsByOwner returns one page of the compressed token accounts that a wallet
// owns, sorted by mint. The page of an unknown owner or mint is empty. It costs 10
// credits.
//
// JSON-RPC method: getCompressedTokenAccountsByOwnerV2, or
// getCompressedTokenAccountsByOwner.
func (c *Client) TokenAccountsByOwner(
	ctx context.Context, owner types.Address, opts *TokenAccountsByOwnerOptions,
) (*types.Page[TokenAccount], error) {
	o := opts.copied()
	params := struct {
		Owner types.Address `json:"owner"`
		TokenAccountsByOwnerOptions
	}{owner, o}
	return c.tokenAccounts(ctx, tokenAccountsByOwner, cmp.Or(argument.Address("owner", owner), o.check()), params, o.Mint, o.Cursor)
}

// TokenAccountsByOwnerPages iterates over the pages of
// [Client.TokenAccountsByOwner], at 10 credits each. To resume, set Cursor to
// that of the last handled page; HasMore is false on the last one. A page that is
// out of order and a repeated cursor end the listing with [types.ErrIncomplete].
func (c *Client) TokenAccountsByOwnerPages(
	ctx context.Context, owner types.Address, opts *TokenAccountsByOwnerOptions,
) iter.Seq2[*types.Page[TokenAccount], error] {
	o := opts.copied()
	fetch := func(ctx context.Context, cursor string) (*types.Page[TokenAccount], error) {
		o := o
		o.Cursor = cursor
		return c.TokenAccountsByOwner(ctx, owner, &o)
	}
	return paging.List(ctx, c.wire(tokenAccountsByOwner), o.Cursor, o.Prefetch, fetch)
}

// AllTokenAccountsByOwner iterates over the accounts of all pages of
// [Client.TokenAccountsByOwnerPages], at 10 credits per page. It ends with the
// same errors. Accounts that change during the listing may be missed or listed twice.
func (c *Client) AllTokenAccountsByOwner(
	ctx context.Context, owner types.Address, opts *TokenAccountsByOwnerOptions,
) iter.Seq2[TokenAccount, error] {
	return paging.ListItems(c.TokenAccountsByOwnerPages(ctx, owner, opts))
}

func (o *TokenAccountsByOwnerOptions) copied() TokenAccountsByOwnerOptions {
	if o == nil {
		return TokenAccountsByOwnerOptions{}
	}
	return *o
}

func (o *TokenAccountsByOwnerOptions) check() error {
	return cmp.Or(checkOptional("Mint", o.Mint), argument.NotNegative("Limit", o.Limit))
}

// TokenAccountsByDelegateOptions select and page the token accounts of a delegate.
// The zero value, like nil, selects all accounts and starts at the first page.
type TokenAccountsByDelegateOptions struct {
	// Mint selects the accounts of one token; empty means those of all tokens.
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

// TokenAccountsByDelegate returns one page of the compressed token accounts that
// delegate may spend from, sorted by mint. The page of an unknown delegate or mint is
// empty. It costs 10 credits.
//
// JSON-RPC method: getCompressedTokenAccountsByDelegateV2, or
// getCompressedTokenAccountsByDelegate.
func (c *Client) TokenAccountsByDelegate(
	ctx context.Context, delegate types.Address, opts *TokenAccountsByDelegateOptions,
) (*types.Page[TokenAccount], error) {
	o := opts.copied()
	params := struct {
		Delegate types.Address `json:"delegate"`
		TokenAccountsByDelegateOptions
	}{delegate, o}
	return c.tokenAccounts(ctx, tokenAccountsByDelegate, cmp.Or(argument.Address("delegate", delegate), o.check()), params, o.Mint, o.Cursor)
}

// TokenAccountsByDelegatePages iterates over the pages of
// [Client.TokenAccountsByDelegate], at 10 credits each. To resume, set Cursor to
// that of the last handled page; HasMore is false on the last one. A page that is
// out of order and a repeated cursor end the listing with [types.ErrIncomplete].
func (c *Client) TokenAccountsByDelegatePages(
	ctx context.Context, delegate types.Address, opts *TokenAccountsByDelegateOptions,
) iter.Seq2[*types.Page[TokenAccount], error] {
	o := opts.copied()
	fetch := func(ctx context.Context, cursor string) (*types.Page[TokenAccount], error) {
		o := o
		o.Cursor = cursor
		return c.TokenAccountsByDelegate(ctx, delegate, &o)
	}
	return paging.List(ctx, c.wire(tokenAccountsByDelegate), o.Cursor, o.Prefetch, fetch)
}

// AllTokenAccountsByDelegate iterates over the accounts of all pages of
// [Client.TokenAccountsByDelegatePages], at 10 credits per page. It ends with the
// same errors. Accounts that change during the listing may be missed or listed twice.
func (c *Client) AllTokenAccountsByDelegate(
	ctx context.Context, delegate types.Address, opts *TokenAccountsByDelegateOptions,
) iter.Seq2[TokenAccount, error] {
	return paging.ListItems(c.TokenAccountsByDelegatePages(ctx, delegate, opts))
}

func (o *TokenAccountsByDelegateOptions) copied() TokenAccountsByDelegateOptions {
	if o == nil {
		return TokenAccountsByDelegateOptions{}
	}
	return *o
}

func (o *TokenAccountsByDelegateOptions) check() error {
	return cmp.Or(checkOptional("Mint", o.Mint), argument.NotNegative("Limit", o.Limit))
}

// tokenAccounts requests a page of a listing of token accounts.
func (c *Client) tokenAccounts(
	ctx context.Context, op operation, invalid error, params any, mint types.Address, start string,
) (p *types.Page[TokenAccount], err error) {
	err = c.newest(op, func(op transport.Op, _ Version) error {
		p, err = page(ctx, c, op, invalid, params, func(a *TokenAccount) bool { return a.Account.Hash != "" })
		if err == nil {
			tokenAccountOrder(mint).check(op, start, p)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for i := range p.Items {
		p.Items[i].Account.setTree()
	}
	return p, nil
}
