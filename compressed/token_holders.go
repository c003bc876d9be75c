package compressed

import (
	"cmp"
	"context"
	"hash/maphash"
	"slices"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/types"
)

var opMintTokenHolders = inOneVersion("compressed.Client.MintTokenHolders", "getCompressedMintTokenHolders")

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

// MintTokenHolders lists the owners of a token in compressed accounts, the largest holders
// first; an unknown mint has none. Owners whose amounts change meanwhile may be missed. One
// reading lists each owner once, for a few bytes of memory per owner; a resumed listing
// may repeat owners of earlier pages. Read the list with All, Pages, Page or Collect; each
// page costs 10 credits.
//
// JSON-RPC method: getCompressedMintTokenHolders.
func (c *Client) MintTokenHolders(ctx context.Context, mint types.Address, opts *ListingOptions) types.List[TokenHolder] {
	o := argument.Options(opts)
	l := paging.Listing{
		Op: opMintTokenHolders.v2.Wire, About: string(mint), Selection: paging.Selection{opMintTokenHolders.v2.Method, string(mint)}, Cursor: o.Cursor, Prefetch: o.Prefetch,
	}
	return paging.ListOf(ctx, l, func() func(context.Context, string) (*types.Page[TokenHolder], error) {
		seed := maphash.MakeSeed()
		seen := map[uint64]struct{}{} // hashes of owners, of which a token may have millions
		return func(ctx context.Context, cursor string) (*types.Page[TokenHolder], error) {
			params := listParams{Mint: mint, Cursor: cursor, Limit: o.Limit}
			invalid := cmp.Or(argument.Address("mint", mint), argument.NotNegative("Limit", o.Limit))
			p, err := page[TokenHolder](ctx, c, opMintTokenHolders, invalid, params)
			if err != nil {
				return nil, err
			}
			tokenHolderOrder.check(cursor, p)
			p.Items = slices.DeleteFunc(p.Items, func(h TokenHolder) bool {
				key := maphash.String(seed, string(h.Owner))
				_, repeated := seen[key]
				seen[key] = struct{}{}
				return repeated
			})
			return p, nil
		}
	})
}
