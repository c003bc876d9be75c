package compressed

import (
	"cmp"
	"context"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/types"
)

var opTokenBalancesByOwner = inVersions("compressed.Client.TokenBalancesByOwner", "getCompressedTokenBalancesByOwnerV2", "getCompressedTokenBalancesByOwner")

// A TokenBalance is an owner's balance of one token, in all compressed token accounts.
type TokenBalance struct {
	Mint types.Address `json:"mint"` // the token; [types.WrappedSOL] for wrapped SOL

	// RawAmount is in the smallest unit of the token. It may be 0. Wire name: balance.
	RawAmount uint64 `json:"balance" required:"true"`
}

// TokenBalancesByOwner lists the balances of a wallet, sorted by mint; an unknown owner or
// mint has none. Read the list with All, Pages, Page or Collect; each page costs 10
// credits.
//
// JSON-RPC method: getCompressedTokenBalancesByOwnerV2, or
// getCompressedTokenBalancesByOwner.
func (c *Client) TokenBalancesByOwner(ctx context.Context, owner types.Address, opts *TokenListingOptions) types.List[TokenBalance] {
	o := argument.Options(opts)
	invalid := cmp.Or(argument.Address("owner", owner), argument.Optional("Mint", o.Mint, argument.Address))
	params := listParams{Owner: owner, Mint: o.Mint}
	return listing(ctx, c, opTokenBalancesByOwner, invalid, params, o.PageOptions, func(w *paging.Walk, p *types.Page[TokenBalance]) {
		if o.Mint != "" { // the service gives a cursor after the one balance, and ignores it
			p.Cursor = ""
		}
		inOrder(w, p, 1, func(b *TokenBalance) key { return key{0, string(b.Mint), ""} })
	})
}
