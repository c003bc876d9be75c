package compressed

import (
	"cmp"
	"context"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var (
	opTokenAccountsByDelegate = inVersions("compressed.Client.TokenAccountsByDelegate", "getCompressedTokenAccountsByDelegateV2", "getCompressedTokenAccountsByDelegate")
	opTokenAccountsByOwner    = inVersions("compressed.Client.TokenAccountsByOwner", "getCompressedTokenAccountsByOwnerV2", "getCompressedTokenAccountsByOwner")
)

// A TokenAccount is a compressed account that holds tokens.
type TokenAccount struct {
	Account   Account   `json:"account"`   // owned by the token program, not by the wallet
	TokenData TokenData `json:"tokenData"` // the tokens in it, and their owner
}

// TokenAccountsByOwner lists the compressed token accounts that a wallet owns, sorted by
// mint; an unknown owner or mint has none. Accounts that change meanwhile may be missed or
// listed twice. Read the list with All, Pages, Page or Collect; each page costs 10
// credits.
//
// JSON-RPC method: getCompressedTokenAccountsByOwnerV2, or
// getCompressedTokenAccountsByOwner.
func (c *Client) TokenAccountsByOwner(ctx context.Context, owner types.Address, opts *TokenListingOptions) types.List[TokenAccount] {
	return c.tokenAccounts(ctx, opTokenAccountsByOwner, "owner", owner, opts, func(o TokenListingOptions) any {
		return struct {
			Owner types.Address `json:"owner"`
			TokenListingOptions
		}{owner, o}
	})
}

// TokenAccountsByDelegate lists the compressed token accounts that delegate may spend
// from, sorted by mint; an unknown delegate or mint has none. Accounts that change
// meanwhile may be missed or listed twice. Read the list with All, Pages, Page or Collect;
// each page costs 10 credits.
//
// JSON-RPC method: getCompressedTokenAccountsByDelegateV2, or
// getCompressedTokenAccountsByDelegate.
func (c *Client) TokenAccountsByDelegate(ctx context.Context, delegate types.Address, opts *TokenListingOptions) types.List[TokenAccount] {
	return c.tokenAccounts(ctx, opTokenAccountsByDelegate, "delegate", delegate, opts, func(o TokenListingOptions) any {
		return struct {
			Delegate types.Address `json:"delegate"`
			TokenListingOptions
		}{delegate, o}
	})
}

func (c *Client) tokenAccounts(
	ctx context.Context, op operation, name string, address types.Address, opts *TokenListingOptions, params func(TokenListingOptions) any,
) types.List[TokenAccount] {
	o := argument.Options(opts)
	fetch := func(ctx context.Context, cursor string) (p *types.Page[TokenAccount], err error) {
		o := o
		o.Cursor = cursor
		err = c.withFallback(op, func(op transport.Op) error {
			p, err = page(ctx, c, op, cmp.Or(argument.Address(name, address), o.check()), params(o), func(a *TokenAccount) bool { return a.Account.Hash != "" })
			return err
		})
		if err != nil {
			return nil, err
		}
		tokenAccountOrder(o.Mint).check(cursor, p)
		for i := range p.Items {
			p.Items[i].Account.setTree()
		}
		return p, nil
	}
	return paging.NewList(ctx, o.listing(c.current(op), address), fetch)
}
