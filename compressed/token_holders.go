package compressed

import (
	"cmp"
	"context"
	"hash/maphash"
	"iter"
	"slices"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

const mintTokenHolders transport.Op = "compressed.Client.MintTokenHolders getCompressedMintTokenHolders"

// TokenPoolOwner owns the token accounts that hold the tokens of all compressed
// accounts. Listings of the token accounts of a mint contain them: leave them out
// before you add the amounts of [Client.MintTokenHolders], or these count twice.
const TokenPoolOwner types.Address = "GXtd2izAiMJPwMEjfgTRH3d7k9mjn4Jq3JrWFv9gySYy"

// A TokenHolder is what one owner has of a token in compressed accounts. To add this to
// what it has in other token accounts, see [TokenPoolOwner].
type TokenHolder struct {
	Owner types.Address `json:"owner"` // the wallet

	// RawAmount is in the smallest unit of the token; 0 for some former holders.
	// Wire name: balance.
	RawAmount uint64 `json:"balance"`
}

// MintTokenHolders returns one page of the owners of a token in compressed accounts,
// the largest holders first. The page of an unknown mint is empty. It costs 10
// credits.
//
// JSON-RPC method: getCompressedMintTokenHolders.
func (c *Client) MintTokenHolders(
	ctx context.Context, mint types.Address, opts *ListingOptions,
) (*types.Page[TokenHolder], error) {
	o := opts.copied()
	params := struct {
		Mint types.Address `json:"mint"`
		ListingOptions
	}{mint, o}
	p, err := page(ctx, c, mintTokenHolders, cmp.Or(argument.Address("mint", mint), o.check()), params, func(h *TokenHolder) bool { return h.Owner != "" })
	if err != nil {
		return nil, err
	}
	tokenHolderOrder().check(mintTokenHolders, o.Cursor, p)
	return p, nil
}

// MintTokenHoldersPages iterates over the pages of [Client.MintTokenHolders], at 10
// credits each. It lists each owner once, for which it keeps a few bytes per owner in
// memory. To resume, set Cursor to that of the last handled page; a page out of order
// and a repeated cursor end the listing with [types.ErrIncomplete].
func (c *Client) MintTokenHoldersPages(
	ctx context.Context, mint types.Address, opts *ListingOptions,
) iter.Seq2[*types.Page[TokenHolder], error] {
	pages := listPages(ctx, mintTokenHolders, opts, func(ctx context.Context, o *ListingOptions) (*types.Page[TokenHolder], error) {
		return c.MintTokenHolders(ctx, mint, o)
	})
	return func(yield func(*types.Page[TokenHolder], error) bool) {
		seed := maphash.MakeSeed()
		seen := map[uint64]struct{}{} // hashes of owners, of which a token may have millions
		for page, err := range pages {
			if err == nil {
				page.Items = slices.DeleteFunc(page.Items, func(h TokenHolder) bool {
					key := maphash.String(seed, string(h.Owner))
					_, again := seen[key]
					seen[key] = struct{}{}
					return again
				})
			}
			if !yield(page, err) {
				return
			}
		}
	}
}

// AllMintTokenHolders iterates over the owners of all pages of
// [Client.MintTokenHoldersPages], at 10 credits per page. It ends with the same
// errors. An owner whose amount grows during the listing may be missed.
func (c *Client) AllMintTokenHolders(
	ctx context.Context, mint types.Address, opts *ListingOptions,
) iter.Seq2[TokenHolder, error] {
	return paging.ListItems(c.MintTokenHoldersPages(ctx, mint, opts))
}
