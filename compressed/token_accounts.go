package compressed

import (
	"cmp"
	"context"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
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

// TokenAccountsByOwner lists the compressed token accounts that a wallet owns, sorted by mint;
// an unknown owner or mint has none. Accounts that change during the listing may be missed or
// listed twice. Read the list with All, Pages, Page or Collect; each page costs 10 credits.
//
// JSON-RPC method: getCompressedTokenAccountsByOwnerV2, or
// getCompressedTokenAccountsByOwner.
func (c *Client) TokenAccountsByOwner(ctx context.Context, owner types.Address, opts *TokenListingOptions) types.List[TokenAccount] {
	return c.tokenAccounts(ctx, opTokenAccountsByOwner, argument.Address("owner", owner), listParams{Owner: owner}, opts)
}

// TokenAccountsByDelegate lists the compressed token accounts that delegate may spend from,
// sorted by mint; an unknown delegate or mint has none. Accounts that change during the listing
// may be missed or listed twice. Read the list with All, Pages, Page or Collect; each page costs
// 10 credits.
//
// JSON-RPC method: getCompressedTokenAccountsByDelegateV2, or
// getCompressedTokenAccountsByDelegate.
func (c *Client) TokenAccountsByDelegate(ctx context.Context, delegate types.Address, opts *TokenListingOptions) types.List[TokenAccount] {
	return c.tokenAccounts(ctx, opTokenAccountsByDelegate, argument.Address("delegate", delegate), listParams{Delegate: delegate}, opts)
}

func (c *Client) tokenAccounts(ctx context.Context, op operation, invalid error, params listParams, opts *TokenListingOptions) types.List[TokenAccount] {
	o := argument.Options(opts)
	params.Mint = o.Mint
	return listing(ctx, c, op, cmp.Or(invalid, argument.Optional("Mint", o.Mint, argument.Address)), params, o.PageOptions, func(w *paging.Walk, p *types.Page[TokenAccount]) {
		inOrder(w, p, 1, func(a *TokenAccount) key { return key{0, string(a.TokenData.Mint), string(a.Account.Hash)} })
		for i := range p.Items {
			p.Items[i].Account.setTree()
		}
	})
}
