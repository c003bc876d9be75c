package das

import (
	"context"
	"encoding/json"
	"iter"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var (
	opAssetsByOwner     = transport.Op{Method: "das.Client.AssetsByOwner", Wire: "getAssetsByOwner"}
	opAssetsByAuthority = transport.Op{Method: "das.Client.AssetsByAuthority", Wire: "getAssetsByAuthority"}
	opAssetsByCreator   = transport.Op{Method: "das.Client.AssetsByCreator", Wire: "getAssetsByCreator"}
	opAssetsByGroup     = transport.Op{Method: "das.Client.AssetsByGroup", Wire: "getAssetsByGroup"}
)

// AssetsByOwner lists the assets that a wallet owns: NFTs, and with Show.Fungible also
// fungible tokens. The list of an unknown address is empty. Read the list with All, Pages,
// Page or Collect; each page costs 10 credits.
//
// JSON-RPC method: getAssetsByOwner.
func (c *Client) AssetsByOwner(ctx context.Context, owner types.Address, opts *AssetsOptions) AssetList {
	return c.assetList(ctx, opAssetsByOwner, argument.Address("owner", owner), selection{SearchFilter: SearchFilter{Owner: owner}}, opts)
}

// AssetsByAuthority lists the assets that an authority may change. The list of an unknown
// address is empty. Read the list with All, Pages, Page or Collect; each page costs 10
// credits.
//
// JSON-RPC method: getAssetsByAuthority.
func (c *Client) AssetsByAuthority(ctx context.Context, authority types.Address, opts *AssetsOptions) AssetList {
	invalid := argument.Address("authority", authority)
	return c.assetList(ctx, opAssetsByAuthority, invalid, selection{SearchFilter: SearchFilter{Authority: authority}}, opts)
}

// AssetsByCreator lists the assets of a creator, with OnlyVerified only the ones that it
// signed. The list of an unknown address is empty. Read the list with All, Pages, Page or
// Collect; each page costs 10 credits.
//
// JSON-RPC method: getAssetsByCreator.
func (c *Client) AssetsByCreator(ctx context.Context, creator types.Address, opts *AssetsOptions) AssetList {
	return c.assetList(ctx, opAssetsByCreator, argument.Address("creator", creator), selection{SearchFilter: SearchFilter{Creator: creator}}, opts)
}

// AssetsByGroup lists the assets of a group. For a collection, key is [GroupCollection]
// and value the address of the collection. The list of an unknown address is empty. Read
// the list with All, Pages, Page or Collect; each page costs 10 credits.
//
// JSON-RPC method: getAssetsByGroup.
func (c *Client) AssetsByGroup(ctx context.Context, key string, value types.Address, opts *AssetsOptions) AssetList {
	invalid := argument.Address("value", value)
	if key == "" {
		invalid = argument.Invalid("key", "is empty; use GroupCollection")
	}
	return c.assetList(ctx, opAssetsByGroup, invalid, selection{GroupKey: key, GroupValue: value}, opts)
}

// assetList returns the list of a selection. Invalid is why an argument is invalid.
func (c *Client) assetList(ctx context.Context, op transport.Op, invalid error, s selection, opts *AssetsOptions) AssetList {
	l := listing{op: op, invalid: invalid, selection: s}
	if opts != nil {
		l.opts = *opts
	}
	if op == opAssetsByCreator {
		l.OnlyVerified = l.opts.OnlyVerified
	}
	filters, _ := json.Marshal(l.selection) // fails for invalid arguments only, which are refused
	order := string(l.opts.SortBy) + " " + string(l.opts.SortDirection)
	start := paging.Listing{Op: op.Wire, Selection: paging.Selection{op.Method, string(filters), order}, Cursor: l.opts.Cursor, Prefetch: l.opts.Prefetch}
	l.opts.Cursor = start.Position()
	r := reader{ctx, c.api, l, start}
	list := NewAssetList(r.page, r.pages())
	if l.opts.Concurrency > 1 {
		list.concurrent = r.concurrent
	}
	return list
}

// An AssetList is a [types.List] of assets whose pages have more than items. It is made
// by [Client.AssetsByOwner], [Client.AssetsByGroup], [Client.AssetsByCreator],
// [Client.AssetsByAuthority] and [Client.SearchAssets]. The zero list is empty.
type AssetList struct {
	page       func() (*AssetPage, error)
	pages      iter.Seq2[*AssetPage, error]
	concurrent iter.Seq2[*AssetPage, error] // the pages for All and Collect with Concurrency
}

// NewAssetList returns an AssetList with these pages; page requests only the first one. It
// is for stubs of the methods that list assets in the tests of programs.
func NewAssetList(page func() (*AssetPage, error), pages iter.Seq2[*AssetPage, error]) AssetList {
	return AssetList{page: page, pages: pages}
}

// All iterates over the assets of all pages, at 10 credits a page. With Concurrency, they
// come in no particular order. An error is the last element. It matches
// [types.ErrIncomplete] if assets are missing (see the package comment).
//
// Range over both values: with one, a failed listing looks like a short one, and the loop
// also runs with the zero item of the error.
func (l AssetList) All() iter.Seq2[Asset, error] { return l.list().All() }

// Pages iterates over the pages, at 10 credits each. To resume after a page, set the
// Cursor of the options to its Cursor. An error is the last element. It matches
// [types.ErrIncomplete] if assets are missing (see the package comment).
func (l AssetList) Pages() iter.Seq2[*AssetPage, error] {
	if l.pages == nil {
		return func(func(*AssetPage, error) bool) {}
	}
	return l.pages
}

// Page requests one page: the one at the Cursor of the options. A page without items can
// be in the middle of the listing (see the package comment).
func (l AssetList) Page() (*AssetPage, error) {
	if l.page == nil {
		return &AssetPage{}, nil
	}
	return l.page()
}

// Collect returns the first assets, at most limit of them. It requests only the pages
// that it needs. With an error, it returns no assets.
func (l AssetList) Collect(limit int) ([]Asset, error) { return l.list().Collect(limit) }

func (l AssetList) list() types.List[Asset] {
	pages := l.Pages()
	if l.concurrent != nil {
		pages = l.concurrent
	}
	return types.NewListOf(pages, plainAssets).List
}

// A reader requests the pages of an AssetList.
type reader struct {
	ctx     context.Context //nolint:containedctx // a list keeps it, as an iterator does
	api     *transport.Client
	listing listing
	start   paging.Listing
}

func (r reader) pages() iter.Seq2[*AssetPage, error] {
	if r.listing.opts.SortBy == SortByNone && r.listing.invalid == nil {
		r.listing.invalid = argument.Invalid(`SortBy "none"`, "has pages that overlap, so Page alone accepts it; use SortByID")
	}
	return r.walk(func() func(context.Context, string) (*AssetPage, error) { return newReading(r.api, r.listing).next })
}

func (r reader) page() (*AssetPage, error) {
	for page, err := range r.walk(func() func(context.Context, string) (*AssetPage, error) { return newReading(r.api, r.listing).page }) {
		return page, err
	}
	return nil, nil //nolint:nilnil // a walk has a page or an error
}

func (r reader) walk(begin func() func(context.Context, string) (*AssetPage, error)) iter.Seq2[*AssetPage, error] {
	return paging.Pages(r.ctx, r.start, begin, plainAssets)
}

func plainAssets(p *AssetPage) *types.Page[Asset] { return &p.Page }
