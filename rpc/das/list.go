package das

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// An AssetPage is one page of a listing of assets.
type AssetPage struct {
	// Page has the assets in the order of the listing. Assets with a Problem follow. Total is
	// set with ShowGrandTotal, on the first page of a loop only.
	types.Page[Asset]

	// NativeBalance is the SOL of the owner. It is set with ShowNativeBalance, on the
	// first page of a loop only.
	NativeBalance *NativeBalance `json:"nativeBalance"`
}

// A listing is the request of the caller.
type listing struct {
	api     *transport.Client
	op      transport.Op
	invalid error // why an argument is invalid
	selection
	opts AssetsOptions
	part bool // whether it is one of the ranges of a concurrent walk
}

// A selection says which assets a listing has. Each method sets some members.
type selection struct {
	SearchFilter
	GroupKey     string        `json:"groupKey,omitempty"`
	GroupValue   types.Address `json:"groupValue,omitempty"`
	OnlyVerified bool          `json:"onlyVerified,omitempty"`
}

// about returns the address that errors name, empty if a search has none.
func (s *selection) about() types.Address {
	return cmp.Or(s.GroupValue, s.Owner, s.Creator, s.Authority, s.Delegate, s.Tree)
}

// check returns why the arguments are invalid.
func (l *listing) check() error {
	if l.invalid != nil {
		return l.invalid
	}
	if l.opts.HideUnverified && l.op != opAssetsByCreator {
		return argument.Invalid("HideUnverified", "is for AssetsByCreator only; in a search, use CreatorVerified")
	}
	return l.opts.check(l.part)
}

// pages returns how to request the pages of the listing.
func (l listing) pages() paging.Fetch[AssetPage] {
	return func(ctx context.Context, w *paging.Walk) (*AssetPage, error) {
		l, show := l, l.opts.shown()
		if l.opts.byNumber() {
			l.invalid = cmp.Or(l.invalid, checkRows(w.At))
		}
		if w.N > 0 {
			show.ShowNativeBalance, show.ShowGrandTotal = false, false // the first page has them
		}
		var got *listedAssets
		r := &source[Asset]{
			id:   func(a *Asset) types.Address { return a.ID },
			byID: !l.opts.byNumber(), after: l.opts.AfterID, before: l.opts.BeforeID, order: l.direction(),
			fetch: func(ctx context.Context, w *paging.Walk, sent window) (p part[Asset], err error) {
				if got, err = l.request(ctx, &w.Items, sent, show); err != nil {
					return p, err
				}
				list := got.list()
				if sent.Page > 0 {
					list.Cursor = ""
				}
				total, err := strconv.ParseUint(string(list.GrandTotal), 10, 64)
				if err != nil || !show.ShowGrandTotal { // a page without a total is better than none
					total = 0
				}
				page := types.Page[Asset]{Items: list.items(), Cursor: list.Cursor, Slot: got.Slot, Total: total}
				return part[Asset]{page, len(list.Items), list.Page}, nil
			},
		}
		page, err := r.page(ctx, w)
		if err != nil {
			return nil, err
		}
		return &AssetPage{*page, (*NativeBalance)(got.NativeBalance)}, nil
	}
}

// direction returns the direction of IDs that requests ask for: 1 for ascending, -1 for
// descending, 0 for the default of the service.
func (l *listing) direction() int {
	switch {
	case l.opts.byNumber():
		return 0
	case l.opts.SortDirection == SortDirectionDescending:
		return -1
	case l.opts.inRange() || l.opts.SortDirection == SortDirectionAscending:
		return 1
	}
	return 0
}

type sorting struct {
	SortBy        SortBy        `json:"sortBy"`
	SortDirection SortDirection `json:"sortDirection,omitempty"`
}

func (l *listing) request(ctx context.Context, items *transport.Items, w window, show shown) (*listedAssets, error) {
	sorted := sorting{l.opts.SortBy, l.opts.SortDirection}
	if l.opts.inRange() && sorted.SortDirection == "" {
		sorted.SortDirection = SortDirectionAscending
	}
	if sorted != (sorting{}) {
		sorted.SortBy = cmp.Or(sorted.SortBy, SortByID)
	}
	params := struct {
		selection
		SortBy sorting `json:"sortBy,omitzero"`
		window
		Options shown `json:"options,omitzero"`
	}{l.selection, sorted, w, show}
	return transport.Result(ctx, l.api, transport.Query[listedAssets]{
		Op: l.op, Invalid: l.check(), About: l.about(), Params: params, Check: (*listedAssets).complete, Items: items,
	})
}

// A listedAssets is a page as the service sends it. By one of its documents, searchAssets has
// the list in Assets.
type listedAssets struct {
	assetList
	Assets        *assetList     `json:"assets"`
	NativeBalance *listedBalance `json:"nativeBalance"`
	Slot          uint64         `json:"last_indexed_slot"`
}

// A listedBalance is a NativeBalance whose amount may be text.
type listedBalance NativeBalance

func (b *listedBalance) UnmarshalJSON(data []byte) error {
	var in struct {
		NativeBalance
		Lamports Units `json:"lamports"`
	}
	if err := decode.Value(data, &in); err != nil {
		return err
	}
	*b = listedBalance(in.NativeBalance)
	b.Lamports = uint64(in.Lamports)
	return nil
}

type assetList struct {
	// pointers, since large elements are costly to move and to guard
	Items      []*listedAsset  `json:"items" required:"assets"`
	Errors     []itemError     `json:"errors"`
	Page       int             `json:"page"`
	Cursor     string          `json:"cursor"`
	GrandTotal json.RawMessage `json:"grand_total"`
}

func (l *listedAssets) list() *assetList {
	if l.Assets != nil {
		return l.Assets
	}
	return &l.assetList
}

func (l *listedAssets) complete() error { return paging.CheckItems(&l.list().Items) }

// items returns the assets and after them the broken ones.
func (l *assetList) items() []Asset {
	all := make([]Asset, 0, len(l.Items)+len(l.Errors))
	for _, a := range l.Items {
		all = append(all, *a.public())
	}
	for _, e := range l.Errors {
		all = append(all, Asset{ID: e.ID, Problem: cmp.Or(e.Error, "unknown")})
	}
	return all
}
