package das

import (
	"context"
	"encoding/json"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var (
	opAssetsByOwner     = op("das.Client.AssetsByOwner", "getAssetsByOwner")
	opAssetsByAuthority = op("das.Client.AssetsByAuthority", "getAssetsByAuthority")
	opAssetsByCreator   = op("das.Client.AssetsByCreator", "getAssetsByCreator")
	opAssetsByGroup     = op("das.Client.AssetsByGroup", "getAssetsByGroup")
)

// AssetsByOwner lists the assets that a wallet owns: NFTs, and with ShowFungible also
// fungible tokens. The list of an unknown address is empty. Read the list with All,
// Pages, Page or Collect; each page costs 10 credits, also the empty one at the end.
//
// JSON-RPC method: getAssetsByOwner.
func (c *Client) AssetsByOwner(ctx context.Context, owner types.Address, opts *AssetsOptions) types.ListOf[AssetPage, Asset] {
	return c.assetList(ctx, opAssetsByOwner, argument.Address("owner", owner), selection{SearchFilter: SearchFilter{Owner: owner}}, opts)
}

// AssetsByAuthority lists the assets that an authority may change. The list of an unknown
// address is empty. Read the list with All, Pages, Page or Collect; each page costs 10
// credits, also the empty one at the end.
//
// JSON-RPC method: getAssetsByAuthority.
func (c *Client) AssetsByAuthority(ctx context.Context, authority types.Address, opts *AssetsOptions) types.ListOf[AssetPage, Asset] {
	invalid := argument.Address("authority", authority)
	return c.assetList(ctx, opAssetsByAuthority, invalid, selection{SearchFilter: SearchFilter{Authority: authority}}, opts)
}

// AssetsByCreator lists the assets of a creator. With HideUnverified, it lists only assets that
// the creator signed. The list of an unknown address is empty. Read the list with All, Pages,
// Page or Collect; each page costs 10 credits, also the empty one at the end.
//
// JSON-RPC method: getAssetsByCreator.
func (c *Client) AssetsByCreator(ctx context.Context, creator types.Address, opts *AssetsOptions) types.ListOf[AssetPage, Asset] {
	return c.assetList(ctx, opAssetsByCreator, argument.Address("creator", creator), selection{SearchFilter: SearchFilter{Creator: creator}}, opts)
}

// AssetsByGroup lists the assets of a group. For a collection, key is [GroupCollection]
// and value the address of the collection. The list of an unknown address is empty. Read
// the list with All, Pages, Page or Collect; each page costs 10 credits, also the empty
// one at the end.
//
// JSON-RPC method: getAssetsByGroup.
func (c *Client) AssetsByGroup(ctx context.Context, key string, value types.Address, opts *AssetsOptions) types.ListOf[AssetPage, Asset] {
	invalid := argument.Address("value", value)
	if key == "" {
		invalid = argument.Invalid("key", "is empty; use GroupCollection")
	}
	return c.assetList(ctx, opAssetsByGroup, invalid, selection{GroupKey: key, GroupValue: value}, opts)
}

// assetList returns the list of a selection. Invalid is why an argument is invalid.
func (c *Client) assetList(ctx context.Context, op transport.Op, invalid error, s selection, opts *AssetsOptions) types.ListOf[AssetPage, Asset] {
	l := listing{api: c.api, op: op, invalid: invalid, selection: s, opts: argument.Options(opts)}
	l.OnlyVerified = l.opts.HideUnverified
	list := paging.ListOf(ctx, l.start(), l.pages(), plainAssets)
	if l.opts.Concurrency > 1 {
		list.List = types.NewListOf(l.concurrent(ctx), plainAssets).List
	}
	return list
}

// start returns where the listing starts.
func (l *listing) start() paging.Listing {
	filters, _ := json.Marshal(struct { // fails for invalid arguments only, which are refused
		selection
		By        SortBy        `json:"by"`
		Direction SortDirection `json:"direction"`
	}{l.selection, l.opts.SortBy, l.opts.SortDirection})
	return paging.ListingOf(l.api, l.op, l.about(), string(filters), l.opts.PageOptions)
}

func plainAssets(p *AssetPage) *types.Page[Asset] { return &p.Page }
