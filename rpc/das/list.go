package das

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// An AssetPage is one page of a listing of assets. To go on after it, set the Cursor of
// the options to that of the page.
type AssetPage struct {
	// Items are the assets in the order of the listing, and after them those that the
	// service lists but cannot show: only their ID and Err are set.
	Items   []Asset
	Cursor  string // where the next page starts; empty on the last page
	HasMore bool   // whether more pages may follow, also after a short or empty page
	Slot    uint64 // the slot whose state the page shows; 0 when the service does not say

	// GrandTotal is the number of assets in the whole listing. It is set with
	// Show.GrandTotal, by the Pages methods on the first page only.
	GrandTotal uint64

	// NativeBalance is the SOL of the owner. It is set with Show.NativeBalance, by the
	// Pages methods on the first page only.
	NativeBalance *NativeBalance

	// Err says why no page follows although the listing has more. It matches
	// [types.ErrIncomplete], and ends the listing after the page.
	Err error
}

// A query is a listing of assets.
type query struct {
	op     transport.Op
	err    error // why an argument is invalid
	params selection
	opts   AssetsOptions
	size   transport.Size // of pages by cursor
	again  *repetition[Asset]

	// reverse, if set, asks for the first page in this direction: the other end.
	reverse SortDirection
}

// A selection says which assets a listing holds. Each listing uses some members.
type selection struct {
	SearchFilter
	GroupKey     string        `json:"groupKey,omitempty"`
	GroupValue   types.Address `json:"groupValue,omitempty"`
	OnlyVerified bool          `json:"onlyVerified,omitempty"`
}

func (q *query) check() error {
	if q.err != nil {
		return q.err
	}
	return q.opts.check()
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

// window returns what to ask for. The page of at is for listings by page number.
func (q *query) window(at place) window {
	o := &q.opts
	w := window{Limit: at.limit, Options: o.Show.sent()}
	direction := o.SortDirection
	switch {
	case o.byNumber():
		w.Page = at.page
	case o.inRange():
		w.After, w.Before = o.After, o.Before
		if o.Cursor != "" {
			w.After = types.Address(o.Cursor)
		}
		direction = SortDirectionAscending // with After, the only one that loses nothing
	case q.reverse == "":
		w.Cursor = o.Cursor
	}
	if q.reverse != "" {
		direction = q.reverse
	}
	if o.SortBy != "" || direction != "" {
		w.SortBy = &sorting{cmp.Or(o.SortBy, SortByID), direction}
	}
	return w
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

// A grandTotal is a number, or 0 for anything else.
type grandTotal uint64

// UnmarshalJSON never fails: a total is not worth losing a page.
func (g *grandTotal) UnmarshalJSON(b []byte) error {
	n, _ := strconv.ParseUint(string(b), 10, 64)
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

// page requests one page of a listing. It lowers the size of q where the response would
// be too large.
func (c *Client) page(ctx context.Context, q *query) (*AssetPage, error) {
	if err := c.api.Check(q.op, q.check()); err != nil {
		return nil, err
	}
	if q.opts.byNumber() {
		return c.numberedAssets(ctx, q)
	}
	if q.size == (transport.Size{}) {
		q.size = sizeOf(q.opts.Limit)
	}
	listed, err := whole(&q.size, func(limit int) (*listedAssets, error) { return c.listed(ctx, q, place{limit: limit}) })
	if err != nil {
		return nil, err
	}
	page := listed.page()
	if q.opts.inRange() {
		if page.Cursor, err = highest(page.Items); err != nil {
			return nil, c.api.Named(q.op, err)
		}
	}
	page.HasMore = page.Cursor != ""
	return page, q.again.check(q.op, page.Items)
}

// numberedAssets requests the page at a page number. It sets the cursor of q to the
// place of the page, which a smaller limit changes.
func (c *Client) numberedAssets(ctx context.Context, q *query) (*AssetPage, error) {
	at, _ := placeOf(q.opts.Cursor, q.opts.Limit)
	var page *AssetPage
	numbers, err := numbered(ctx, q.op, at, q.again, func(ctx context.Context, at place) (part[Asset], error) {
		listed, err := c.listed(ctx, q, at)
		if err != nil {
			return part[Asset]{}, err
		}
		page = listed.page()
		q.opts.Cursor = at.cursor()
		return part[Asset]{items: page.Items, page: listed.list().Page}, nil
	})
	if err != nil {
		return nil, err
	}
	page.Cursor, page.HasMore = numbers.Cursor, numbers.HasMore
	return page, nil
}

func (l *listedAssets) page() *AssetPage {
	list := l.list()
	return &AssetPage{
		Items: list.items(), Cursor: list.Cursor, Slot: l.Slot, GrandTotal: uint64(list.GrandTotal),
		NativeBalance: (*NativeBalance)(l.NativeBalance),
	}
}

func (c *Client) listed(ctx context.Context, q *query, at place) (*listedAssets, error) {
	params := struct {
		selection
		window
	}{q.params, q.window(at)}
	return transport.Result(ctx, c.api, transport.Query[listedAssets]{
		Op: q.op, Params: params, Check: (*listedAssets).complete,
	})
}

// highest returns the highest ID, with which the next page of a range starts.
func highest(items []Asset) (string, error) {
	var top types.Address
	for i := range items {
		if top == "" || compare(items[i].ID, top) > 0 {
			top = items[i].ID
		}
	}
	if top != "" && !isID(top) {
		return "", fmt.Errorf("the ID %.60q is not an address: %w", top, types.ErrIncomplete)
	}
	return string(top), nil
}

// refused reports whether the service refused the parameters of a request, which is no
// reason to end a listing if the request was only an extra check. All other errors are:
// without the check, a gap would look like the end.
func refused(err error) bool {
	var refusal *types.APIError
	if !errors.As(err, &refusal) {
		return false
	}
	switch refusal.Code {
	case -32602:
		return true
	case -32000: // the code of all errors of the indexer
		return strings.HasPrefix(refusal.Message, "Pagination ") || strings.HasPrefix(refusal.Message, "Validation Error")
	}
	return refusal.StatusCode == http.StatusBadRequest
}
