package compressed

import (
	"context"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/types"
)

var opMintTokenHolders = inOneVersion("compressed.Client.MintTokenHolders", "getCompressedMintTokenHolders")

// TokenPoolOwner owns the ordinary token accounts that back all compressed tokens. Skip these
// accounts when you add a mint's token accounts to the amounts of [Client.MintTokenHolders].
// Otherwise the tokens count twice.
const TokenPoolOwner types.Address = "GXtd2izAiMJPwMEjfgTRH3d7k9mjn4Jq3JrWFv9gySYy"

// A TokenHolder is an owner of a token, with the amount in compressed accounts. To add the
// amount in other token accounts, see [TokenPoolOwner].
type TokenHolder struct {
	Owner types.Address `json:"owner"` // the wallet

	// RawAmount is in the smallest unit of the token; 0 for some former holders.
	// Wire name: balance.
	RawAmount uint64 `json:"balance" required:"true"`
}

// MintTokenHolders lists the holders of a compressed token, the largest first; an unknown mint
// has none. Owners whose amounts change during the listing may be missed or listed twice. Read
// the list with All, Pages, Page or Collect; each page costs 10 credits.
//
// JSON-RPC method: getCompressedMintTokenHolders.
func (c *Client) MintTokenHolders(ctx context.Context, mint types.Address, opts *ListingOptions) types.List[TokenHolder] {
	o := argument.Options(opts)
	params := listParams{Mint: mint}
	return listing(ctx, c, opMintTokenHolders, argument.Address("mint", mint), params, o.PageOptions, func(w *paging.Walk, p *types.Page[TokenHolder]) {
		inOrder(w, p, -1, func(h *TokenHolder) key { return key{h.RawAmount, string(h.Owner), ""} })
	})
}
