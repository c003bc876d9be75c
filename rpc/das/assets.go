package das

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var (
	opAsset  = op("das.Client.Asset", "getAsset")
	opAssets = op("das.Client.Assets", "getAssetBatch")
)

// AssetOptions are the options of [Client.Asset] and [Client.Assets]. The zero value,
// like nil, requests the default members. Some indexers refuse options that they do not
// know, with code -32602.
type AssetOptions struct {
	ShowFungible bool `json:"showFungible,omitempty"` // sets Asset.TokenInfo
	// adds groups that the collection did not confirm
	ShowUnverifiedCollections bool `json:"showUnverifiedCollections,omitempty"`
	ShowCollectionMetadata    bool `json:"showCollectionMetadata,omitempty"` // sets Group.Metadata
	// sets Asset.InscriptionData and Asset.SPL20
	ShowInscription bool `json:"showInscription,omitempty"`
}

// Asset returns an asset. It costs 10 credits. An unknown asset fails with [types.ErrNotFound],
// and so may a burnt one.
//
// JSON-RPC method: getAsset.
func (c *Client) Asset(ctx context.Context, id types.Address, opts *AssetOptions) (*Asset, error) {
	params := struct {
		ID      types.Address `json:"id"`
		Options AssetOptions  `json:"options,omitzero"`
	}{id, *cmp.Or(opts, &AssetOptions{})}
	a, err := transport.Result(ctx, c.api, transport.Query[listedAsset]{
		Op: opAsset, Invalid: argument.Address("id", id),
		About: id, Params: params, Null: transport.NullIsNotFound,
	})
	if err != nil {
		return nil, orNotFound(err)
	}
	return a.public(), nil
}

// A listedAsset is an asset as the service sends it, with amounts that may be text. The decoder
// would copy a [Content] twice, and copies plain JSON once.
type listedAsset struct {
	Asset

	TokenInfo *listedTokenInfo `json:"token_info"` // hides TokenInfo of Asset
	Content   json.RawMessage  `json:"content"`    // hides Content of Asset
	Error     json.RawMessage  `json:"error"`      // hides Problem of Asset
}

type listedTokenInfo struct {
	TokenInfo
	RawAmount Units `json:"balance"`
	RawSupply Units `json:"supply"`
}

// Assets returns any number of assets. Result i belongs to ids[i], and is nil for an unknown ID.
// It sends one request per 1000 different IDs, or more if responses would be too large. Each
// request costs 10 credits. If requests fail, the error is a [types.BatchError] and the other
// results are valid.
//
// JSON-RPC method: getAssetBatch.
func (c *Client) Assets(
	ctx context.Context, ids []types.Address, opts *AssetOptions,
) ([]*Asset, error) {
	if err := c.api.Check(opAssets, argument.Each("ids", ids, argument.Address)); err != nil {
		return nil, err
	}
	show := *cmp.Or(opts, &AssetOptions{})
	return paging.InDistinctParts(ctx, ids, opAssets.Facts().Inputs, func(ids []types.Address, found map[types.Address]*Asset, items *transport.Items) error {
		params := struct {
			IDs     []types.Address `json:"ids"`
			Options AssetOptions    `json:"options,omitzero"`
		}{ids, show}
		list, err := transport.Result(ctx, c.api, transport.Query[[]*listedAsset]{
			Op: opAssets, About: ids, Params: params, Items: items,
		})
		if err != nil {
			return err
		}
		for _, a := range *list {
			if a != nil { // null stands for an asset that does not exist
				found[a.ID] = a.public()
			}
		}
		return nil
	})
}

// public returns the asset with its amounts. JSON members that are null become nil.
func (a *listedAsset) public() *Asset {
	if t := a.TokenInfo; t != nil {
		t.TokenInfo.RawAmount, t.TokenInfo.RawSupply = uint64(t.RawAmount), uint64(t.RawSupply)
		a.Asset.TokenInfo = &t.TokenInfo
	}
	a.Asset.Content = Content{a.Content}
	for i := range a.Grouping {
		dropNull(&a.Grouping[i].Metadata)
	}
	for _, raw := range []*json.RawMessage{
		&a.Asset.Content.RawMessage, &a.MintExtensions, &a.InscriptionData, &a.SPL20, &a.Plugins, &a.ExternalPlugins,
		&a.UnknownPlugins, &a.UnknownExternalPlugins, &a.GroupDefinition, &a.System,
	} {
		dropNull(raw)
	}
	return &a.Asset
}
