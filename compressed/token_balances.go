package compressed

import (
	"cmp"
	"context"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var opTokenBalancesByOwner = inVersions("compressed.Client.TokenBalancesByOwner", "getCompressedTokenBalancesByOwnerV2", "getCompressedTokenBalancesByOwner")

// A TokenBalance is what an owner has of a token in all of its token accounts.
type TokenBalance struct {
	Mint types.Address `json:"mint"` // the token; [types.WrappedSOL] for wrapped SOL

	// RawAmount is in the smallest unit of the token; 0 occurs. Wire name: balance.
	RawAmount uint64 `json:"balance"`
}

// TokenBalancesByOwner lists the balances of a wallet, sorted by mint; an unknown owner or
// mint has none. Read the list with All, Pages, Page or Collect; each page costs 10
// credits.
//
// JSON-RPC method: getCompressedTokenBalancesByOwnerV2, or
// getCompressedTokenBalancesByOwner.
func (c *Client) TokenBalancesByOwner(ctx context.Context, owner types.Address, opts *TokenListingOptions) types.List[TokenBalance] {
	o := argument.Options(opts)
	fetch := func(ctx context.Context, cursor string) (*types.Page[TokenBalance], error) {
		o := o
		o.Cursor = cursor
		return c.tokenBalances(ctx, owner, o)
	}
	return paging.NewList(ctx, o.listing(c.current(opTokenBalancesByOwner), owner), fetch)
}

func (c *Client) tokenBalances(ctx context.Context, owner types.Address, o TokenListingOptions) (p *types.Page[TokenBalance], err error) {
	params := struct {
		Owner types.Address `json:"owner"`
		TokenListingOptions
	}{owner, o}
	err = c.withFallback(opTokenBalancesByOwner, func(op transport.Op) error {
		listed, slot, err := value(ctx, c, transport.Query[listedBalances]{
			Op: op, Invalid: cmp.Or(argument.Address("owner", owner), o.check()), Params: params, Check: (*listedBalances).complete,
		})
		if err == nil {
			p = listed.page(slot)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if o.Mint != "" { // the service gives a cursor after the one balance, and ignores it
		p.Cursor, p.HasMore = "", false
		return p, nil
	}
	tokenBalanceOrder.check(o.Cursor, p)
	return p, nil
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
