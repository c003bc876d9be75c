package das

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A reading is the state of one reading of a listing.
type reading struct {
	api *transport.Client
	listing
	show    Show           // of the next request
	size    transport.Size // of the next page
	repeats *repeats[Asset]

	order idOrder // of a listing by cursor

	// Of a listing by page number:
	listed  *listedAssets   // the last response
	firstID types.Address   // of the first asset of the reading
	gapEnd  int             // there are assets before this row
	end     []types.Address // the assets at the other end of the listing
}

func newReading(api *transport.Client, l listing) *reading {
	r := &reading{api: api, listing: l, show: l.opts.Show, size: sizeOf(l.opts.Limit), order: newOrder(&l.opts)}
	if l.opts.byNumber() {
		r.size = sizeAt(l.opts.Cursor, l.opts.Limit)
	}
	return r
}

// page requests the page at a cursor.
func (r *reading) page(ctx context.Context, cursor string) (*AssetPage, error) {
	if r.opts.byNumber() {
		at, _ := placeOf(cursor, r.opts.Limit)
		page, _, err := r.numberedPage(ctx, at)
		return page, err
	}
	return r.fitting(ctx, &r.size, r.listing.next(cursor))
}

// next requests the page at a cursor, and checks that it continues the pages before it
// and that none is missing after the last one.
func (r *reading) next(ctx context.Context, cursor string) (*AssetPage, error) {
	if r.repeats == nil {
		r.repeats = &repeats[Asset]{key: func(a *Asset) string { return string(a.ID) }, begins: !r.opts.byNumber()}
		r.order.start(cursor)
	}
	if r.opts.byNumber() {
		return r.nextNumbered(ctx, cursor)
	}
	page, err := r.fitting(ctx, &r.size, r.listing.next(cursor))
	if err != nil {
		return nil, err
	}
	r.show.NativeBalance, r.show.GrandTotal = false, false // the first page has them
	if err := r.repeats.check(r.op, page.Items, false); err != nil {
		return nil, err
	}
	if err := r.order.add(r.op, page.Items); err != nil {
		return nil, err
	}
	if page.Cursor == "" {
		gap, err := r.hasGap(ctx)
		if err != nil {
			return nil, err
		}
		if gap {
			page.Cursor = paging.DeadEnd(hidden)
			page.HasMore = true
		}
	}
	return page, nil
}

// fitting requests a page by cursor or by ID. It lowers the size where the response would
// be too large.
func (r *reading) fitting(ctx context.Context, size *transport.Size, w window) (*AssetPage, error) {
	listed, err := shrinking(size, func(limit int) (*listedAssets, error) {
		w.Limit = limit
		return r.request(ctx, w)
	})
	if err != nil {
		return nil, err
	}
	page := listed.page()
	if r.opts.inRange() {
		if page.Cursor, err = highest(page.Items, func(a *Asset) types.Address { return a.ID }); err != nil {
			return nil, r.api.WithOp(r.op, err)
		}
	}
	page.HasMore = page.Cursor != ""
	return page, nil
}

func (r *reading) request(ctx context.Context, w window) (*listedAssets, error) {
	w.Options = r.show.sent()
	params := struct {
		selection
		window
	}{r.selection, w}
	return transport.Result(ctx, r.api, transport.Query[listedAssets]{
		Op: r.op, Invalid: r.check(), Params: params, Check: (*listedAssets).complete,
	})
}

// hasGap reports whether the listing has assets that the walk by cursor did not reach. A
// page from which the service removed all assets has no cursor, so it looks like the end.
// The walk is complete if it reached all assets at the other end of the listing.
func (r *reading) hasGap(ctx context.Context) (bool, error) {
	o := &r.order
	if o.unsorted {
		return false, nil
	}
	if o.sign == 0 && !o.moved && o.last != "" { // the walk started at the end; in which direction?
		size := sizeOf(maxLimit)
		page, err := r.fitting(ctx, &size, r.listing.next(""))
		if refused(err) || err == nil && len(page.Items) == 0 {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		o.sign = directionOf(page, o.last)
	}
	other := SortDirectionAscending
	if o.sign > 0 {
		other = SortDirectionDescending
	}
	gap, err := r.hasGapAt(ctx, other)
	if gap || err != nil || o.sign != 0 {
		return gap, err
	}
	return r.hasGapAt(ctx, SortDirectionDescending) // a walk of one asset does not show its direction
}

// hasGapAt is hasGap for the end of the listing that comes first in a direction.
func (r *reading) hasGapAt(ctx context.Context, d SortDirection) (bool, error) {
	size := sizeOf(maxLimit) // the service may remove all assets of a small page
	if r.size.N != r.opts.Limit {
		size = r.size // larger pages were too large
	}
	page, err := r.fitting(ctx, &size, r.listing.first(d))
	if err == nil && len(page.Items) == 0 && r.size.N != r.opts.Limit {
		size = sizeOf(maxLimit)
		page, err = r.fitting(ctx, &size, r.listing.first(d))
	}
	switch {
	case refused(err): // the check is an extra, and no reason to fail
		return false, nil
	case err != nil:
		return false, err
	case len(page.Items) > 0:
		return r.order.beyond(page.Items), nil
	case size.N < maxLimit: // a larger page was too large, so there are assets
		return true, nil
	case !r.order.moved && !r.resumed(): // probably an empty listing
		return false, nil
	case r.opts.inRange():
		return true, nil
	}
	items, err := r.firstShown(ctx, d)
	if err != nil && !refused(err) {
		return false, err
	}
	return len(items) == 0 || r.order.beyond(items), nil
}

// highest returns the highest ID, with which the next page of a range starts.
func highest[T any](items []T, id func(*T) types.Address) (string, error) {
	var top types.Address
	for i := range items {
		if id := id(&items[i]); top == "" || compare(id, top) > 0 {
			top = id
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
