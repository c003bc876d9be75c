package das

import (
	"context"
	"iter"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

const (
	assetsByOwner     transport.Op = "das.Client.AssetsByOwner getAssetsByOwner"
	assetsByAuthority transport.Op = "das.Client.AssetsByAuthority getAssetsByAuthority"
	assetsByCreator   transport.Op = "das.Client.AssetsByCreator getAssetsByCreator"
	assetsByGroup     transport.Op = "das.Client.AssetsByGroup getAssetsByGroup"
)

// listing returns the query of a listing by one address.
func listing(op transport.Op, name string, a types.Address, params selection, opts *AssetsOptions) query {
	q := query{op: op, err: argument.Address(name, a), params: params, opts: opts.copied()}
	switch {
	case op == assetsByCreator:
		q.params.OnlyVerified = q.opts.OnlyVerified
	case q.opts.OnlyVerified && q.err == nil:
		q.err = argument.Invalid("OnlyVerified", "is for AssetsByCreator only")
	}
	return q
}

func byOwner(owner types.Address, opts *AssetsOptions) query {
	return listing(assetsByOwner, "owner", owner, selection{SearchFilter: SearchFilter{Owner: owner}}, opts)
}

func byAuthority(authority types.Address, opts *AssetsOptions) query {
	return listing(assetsByAuthority, "authority", authority, selection{SearchFilter: SearchFilter{Authority: authority}}, opts)
}

func byCreator(creator types.Address, opts *AssetsOptions) query {
	return listing(assetsByCreator, "creator", creator, selection{SearchFilter: SearchFilter{Creator: creator}}, opts)
}

func byGroup(key string, value types.Address, opts *AssetsOptions) query {
	q := listing(assetsByGroup, "value", value, selection{GroupKey: key, GroupValue: value}, opts)
	if key == "" {
		q.err = argument.Invalid("key", "is empty; use GroupCollection")
	}
	return q
}

// AssetsByOwner returns one page of the assets that a wallet owns: NFTs, and with
// Show.Fungible also fungible tokens. It costs 10 credits. The page of an unknown
// address is empty.
//
// JSON-RPC method: getAssetsByOwner.
func (c *Client) AssetsByOwner(
	ctx context.Context, owner types.Address, opts *AssetsOptions,
) (*AssetPage, error) {
	q := byOwner(owner, opts)
	return c.page(ctx, &q)
}

// AssetsByOwnerPages iterates over the pages of [Client.AssetsByOwner], at 10 credits
// each. To resume, set Cursor to that of the last handled page. A gap ends the listing
// with [types.ErrIncomplete] (see the package comment).
func (c *Client) AssetsByOwnerPages(
	ctx context.Context, owner types.Address, opts *AssetsOptions,
) iter.Seq2[*AssetPage, error] {
	return c.pages(ctx, byOwner(owner, opts))
}

// AllAssetsByOwner iterates over the assets of all pages of
// [Client.AssetsByOwnerPages], at 10 credits per page. It ends with the same errors.
// Assets that change during the listing may be missed.
func (c *Client) AllAssetsByOwner(
	ctx context.Context, owner types.Address, opts *AssetsOptions,
) iter.Seq2[Asset, error] {
	return c.all(ctx, byOwner(owner, opts))
}

// AssetsByAuthority returns one page of the assets that an authority may change. It
// costs 10 credits. The page of an unknown address is empty.
//
// JSON-RPC method: getAssetsByAuthority.
func (c *Client) AssetsByAuthority(
	ctx context.Context, authority types.Address, opts *AssetsOptions,
) (*AssetPage, error) {
	q := byAuthority(authority, opts)
	return c.page(ctx, &q)
}

// AssetsByAuthorityPages iterates over the pages of [Client.AssetsByAuthority], at 10 credits
// each. To resume, set Cursor to that of the last handled page. A gap ends the listing
// with [types.ErrIncomplete] (see the package comment).
func (c *Client) AssetsByAuthorityPages(
	ctx context.Context, authority types.Address, opts *AssetsOptions,
) iter.Seq2[*AssetPage, error] {
	return c.pages(ctx, byAuthority(authority, opts))
}

// AllAssetsByAuthority iterates over the assets of all pages of
// [Client.AssetsByAuthorityPages], at 10 credits per page. It ends with the same errors.
// Assets that change during the listing may be missed.
func (c *Client) AllAssetsByAuthority(
	ctx context.Context, authority types.Address, opts *AssetsOptions,
) iter.Seq2[Asset, error] {
	return c.all(ctx, byAuthority(authority, opts))
}

// AssetsByCreator returns one page of the assets of a creator, with OnlyVerified only
// those that it signed. It costs 10 credits. The page of an unknown address is empty.
//
// JSON-RPC method: getAssetsByCreator.
func (c *Client) AssetsByCreator(
	ctx context.Context, creator types.Address, opts *AssetsOptions,
) (*AssetPage, error) {
	q := byCreator(creator, opts)
	return c.page(ctx, &q)
}

// AssetsByCreatorPages iterates over the pages of [Client.AssetsByCreator], at 10 credits
// each. To resume, set Cursor to that of the last handled page. A gap ends the listing
// with [types.ErrIncomplete] (see the package comment).
func (c *Client) AssetsByCreatorPages(
	ctx context.Context, creator types.Address, opts *AssetsOptions,
) iter.Seq2[*AssetPage, error] {
	return c.pages(ctx, byCreator(creator, opts))
}

// AllAssetsByCreator iterates over the assets of all pages of
// [Client.AssetsByCreatorPages], at 10 credits per page. It ends with the same errors.
// Assets that change during the listing may be missed.
func (c *Client) AllAssetsByCreator(
	ctx context.Context, creator types.Address, opts *AssetsOptions,
) iter.Seq2[Asset, error] {
	return c.all(ctx, byCreator(creator, opts))
}

// AssetsByGroup returns one page of the assets of a group. For a collection, key is
// [GroupCollection] and value the address of the collection. It costs 10 credits, and
// the page of an unknown address is empty.
//
// JSON-RPC method: getAssetsByGroup.
func (c *Client) AssetsByGroup(
	ctx context.Context, key string, value types.Address, opts *AssetsOptions,
) (*AssetPage, error) {
	q := byGroup(key, value, opts)
	return c.page(ctx, &q)
}

// AssetsByGroupPages iterates over the pages of [Client.AssetsByGroup], at 10 credits
// each. To resume, set Cursor to that of the last handled page. A gap ends the listing
// with [types.ErrIncomplete] (see the package comment).
func (c *Client) AssetsByGroupPages(
	ctx context.Context, key string, value types.Address, opts *AssetsOptions,
) iter.Seq2[*AssetPage, error] {
	return c.pages(ctx, byGroup(key, value, opts))
}

// AllAssetsByGroup iterates over the assets of all pages of
// [Client.AssetsByGroupPages], at 10 credits per page. It ends with the same errors.
// Assets that change during the listing may be missed.
func (c *Client) AllAssetsByGroup(
	ctx context.Context, key string, value types.Address, opts *AssetsOptions,
) iter.Seq2[Asset, error] {
	return c.all(ctx, byGroup(key, value, opts))
}
