package das

import (
	"cmp"
	"reflect"
	"strconv"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// An AssetPage is one page of a listing of assets.
type AssetPage struct {
	// Page has the assets in the order of the listing, and after them the ones that the
	// service lists but cannot show: only their ID and Err are set.
	types.Page[Asset]

	// GrandTotal is the number of assets in the whole listing. It is set with
	// Show.GrandTotal, on the first page of a reading only. The total of the service has no
	// field: it is the number of assets of a page, those included that it cannot show.
	GrandTotal uint64 `json:"grandTotal"`

	// NativeBalance is the SOL of the owner. It is set with Show.NativeBalance, on the
	// first page of a reading only.
	NativeBalance *NativeBalance `json:"nativeBalance"`
}

// A listing is what the caller asked for.
type listing struct {
	op      transport.Op
	invalid error // why an argument is invalid
	selection
	opts AssetsOptions
}

// A selection says which assets a listing holds. Each listing uses some members.
type selection struct {
	SearchFilter
	GroupKey     string        `json:"groupKey,omitempty"`
	GroupValue   types.Address `json:"groupValue,omitempty"`
	OnlyVerified bool          `json:"onlyVerified,omitempty"`
}

// check returns why the arguments are invalid.
func (l *listing) check() error {
	if l.invalid != nil {
		return l.invalid
	}
	if l.opts.OnlyVerified && l.op != opAssetsByCreator {
		return argument.Invalid("OnlyVerified", "is for AssetsByCreator only; in a search, use CreatorVerified")
	}
	return l.opts.check()
}

// A window is the part of a listing that a request asks for, on the wire.
type window struct {
	SortBy  *sorting      `json:"sortBy,omitempty"`
	Limit   int           `json:"limit,omitempty"`
	Page    int           `json:"page,omitempty"`
	Cursor  string        `json:"cursor,omitempty"`
	After   types.Address `json:"after,omitempty"`
	Before  types.Address `json:"before,omitempty"`
	Options *Show         `json:"options,omitempty"`
}

type sorting struct {
	SortBy        SortBy        `json:"sortBy"`
	SortDirection SortDirection `json:"sortDirection,omitempty"`
}

// next returns the window that starts at a cursor, in a listing by cursor or by ID.
func (l *listing) next(cursor string) window {
	o := &l.opts
	if !o.inRange() {
		return window{Cursor: cursor, SortBy: l.sorted(o.SortDirection)}
	}
	// Ascending with the highest ID as AfterID is the only way that loses nothing.
	w := window{After: o.AfterID, Before: o.BeforeID, SortBy: l.sorted(SortDirectionAscending)}
	if cursor != "" {
		w.After = types.Address(cursor)
	}
	return w
}

// first returns the window at the start of the listing in a direction.
func (l *listing) first(d SortDirection) window {
	return window{After: l.opts.AfterID, Before: l.opts.BeforeID, SortBy: l.sorted(d)}
}

// numbered returns the window at a place of a listing by page number, in a direction.
func (l *listing) numbered(at place, d SortDirection) window {
	return window{Page: at.page, Limit: at.limit, SortBy: l.sorted(d)}
}

// sorted returns the order of a request; nil means the default of the service.
func (l *listing) sorted(d SortDirection) *sorting {
	if l.opts.SortBy == "" && d == "" {
		return nil
	}
	return &sorting{cmp.Or(l.opts.SortBy, SortByID), d}
}

// A listedAssets is a page as the service sends it. In one of its documents, the list
// of searchAssets is one level deeper.
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
	if err := decode.Short(data, &in); err != nil {
		return err
	}
	*b = listedBalance(in.NativeBalance)
	b.Lamports = uint64(in.Lamports)
	return nil
}

type assetList struct {
	Items      []*listedAsset `json:"items"` // pointers, since large elements are costly to move and to guard
	Errors     []itemError    `json:"errors"`
	Page       int            `json:"page"`
	Cursor     string         `json:"cursor"`
	GrandTotal grandTotal     `json:"grand_total"`
}

// A grandTotal is a number of 64 bits, or 0 for anything else.
type grandTotal uint64

// UnmarshalJSON never fails: a total is not worth losing a page.
func (g *grandTotal) UnmarshalJSON(b []byte) error {
	n, err := strconv.ParseUint(string(b), 10, 64)
	if err != nil {
		n = 0 // ParseUint returns the maximum when the number is too large
	}
	*g = grandTotal(n)
	return nil
}

func (l *listedAssets) list() *assetList {
	if l.Assets != nil {
		return l.Assets
	}
	return &l.assetList
}

func (l *listedAssets) complete() error {
	list := l.list()
	if list.Items == nil {
		return transport.Require(false, "items")
	}
	for i, a := range list.Items {
		if a == nil || a.ID == "" && reflect.ValueOf(a).Elem().IsZero() {
			return paging.NullItem(i)
		}
	}
	return paging.CheckCursor(list.Cursor)
}

// items returns the assets and after them the broken ones.
func (l *assetList) items() []Asset {
	all := make([]Asset, 0, len(l.Items)+len(l.Errors))
	for _, a := range l.Items {
		all = append(all, *a.public())
	}
	for _, e := range l.Errors {
		all = append(all, Asset{ID: e.ID, Err: cmp.Or(e.Error, "unknown")})
	}
	return all
}

func (l *listedAssets) page() *AssetPage {
	list := l.list()
	return &AssetPage{
		Page:          types.Page[Asset]{Items: list.items(), Cursor: list.Cursor, Slot: l.Slot},
		GrandTotal:    uint64(list.GrandTotal),
		NativeBalance: (*NativeBalance)(l.NativeBalance),
	}
}
