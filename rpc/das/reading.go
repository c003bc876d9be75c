package das

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// maxLimit is the default limit of the service and its largest.
const maxLimit = 1000

// A window is the part of a listing that a request asks for, on the wire.
type window struct {
	Limit  int           `json:"limit,omitempty"`
	Page   int           `json:"page,omitempty"`
	Cursor string        `json:"cursor,omitempty"`
	After  types.Address `json:"after,omitempty"`
	Before types.Address `json:"before,omitempty"`
}

// A part is a page as the service sends it.
type part[T any] struct {
	types.Page[T]

	shown  int // the number of items that are not broken; the others follow them
	number int // of the page; 0 when the service does not say
}

// A reading is one reading of a listing. It requests a page at a time and checks that the
// page continues the previous ones. A listing ends with an empty page or, by cursor, with
// a page without one: a short page may be followed by others.
type reading[T any] struct {
	api   *transport.Client
	name  string        // of the listing, in errors
	about types.Address // which errors name
	id    func(*T) types.Address
	fetch func(context.Context, window) (part[T], error)

	byID          bool          // whether the first page has no number
	after, before types.Address // the range of IDs, which both bounds are excluded from
	size          transport.Size

	order   order
	repeats repeats
	total   uint64 // the number of items of the whole listing, as the service counts them; 0 when it does not say
	listed  uint64 // the number of items so far
}

// page requests the page at a cursor of the service, or at a place.
func (r *reading[T]) page(ctx context.Context, cursor string) (*types.Page[T], error) {
	var p part[T]
	var err error
	if at, ok := placeOf(cursor, r.size.N); ok && !r.byID {
		p, err = r.atPlace(ctx, at)
	} else {
		p, err = r.atCursor(ctx, cursor)
	}
	if err != nil {
		return nil, err
	}
	if cursor == "" && r.after+r.before == "" {
		r.total = p.Total
	}
	if r.listed += uint64(len(p.Items)); p.Cursor == "" && r.listed < r.total {
		p.Cursor = paging.DeadEnd(fmt.Sprintf("the service counts %d items and listed %d; try a larger Limit", r.total, r.listed))
	}
	p.HasMore = p.Cursor != ""
	return &p.Page, nil
}

// atCursor requests a page by cursor or in a range of IDs, with a smaller limit where the
// response would be too large.
func (r *reading[T]) atCursor(ctx context.Context, cursor string) (part[T], error) {
	w := window{Cursor: cursor}
	inRange := r.after+r.before != ""
	if inRange {
		w = window{After: cmp.Or(types.Address(cursor), r.after), Before: r.before}
	}
	w.Limit = r.size.N
	p, err := r.fetch(ctx, w)
	for n := sizeOf(w.Limit); n > 1 && transport.SmallerMayFit(err); n = w.Limit {
		r.size.Halve(n)
		w.Limit = r.size.N
		p, err = r.fetch(ctx, w)
	}
	if err != nil {
		return p, err
	}
	r.size.Fits()
	ids := r.ids(&p)
	if !r.order.continues(cmp.Or(types.Address(cursor), r.after), r.before, ids[:p.shown]) {
		return p, r.incomplete("a page does not continue the previous one")
	}
	switch {
	case inRange: // the service sends no cursor
		p.Cursor = string(highest(ids))
		if p.Cursor != "" && !isID(types.Address(p.Cursor)) {
			return p, r.incomplete("the ID %.60q is not an address", p.Cursor)
		}
	case p.Cursor == "" && len(ids) >= sizeOf(w.Limit) && (cursor == "" || isID(types.Address(cursor))): // probably not the last page
		p.Cursor = string(ids[max(p.shown, 1)-1])
	}
	if p.Cursor != "" && p.Cursor == cursor {
		return p, r.incomplete("repeated cursor")
	}
	return p, nil
}

// atPlace requests the page at a place, with a smaller limit where the response would be
// too large.
func (r *reading[T]) atPlace(ctx context.Context, at place) (part[T], error) {
	p, err := r.fetch(ctx, window{Page: at.page, Limit: at.limit})
	for transport.SmallerMayFit(err) && sizeOf(at.limit) > 1 {
		r.size.Halve(sizeOf(at.limit))
		at = placeAfter(at.rows(), r.size.N)
		p, err = r.fetch(ctx, window{Page: at.page, Limit: at.limit})
	}
	if err != nil {
		return p, err
	}
	r.size.Fits()
	if p.number != 0 && p.number != at.page {
		return p, r.incomplete("the service sent page %d instead of page %d", p.number, at.page)
	}
	ids := r.ids(&p)
	overlap, repeated := r.repeats.check(ids, p.shown, len(ids) == sizeOf(at.limit))
	if repeated != "" {
		return p, r.incomplete("the service sent %.60q again, so other items may be missing", repeated)
	}
	if p.Cursor == "" && len(ids) > 0 {
		p.Cursor = placeAfter(at.rows()+sizeOf(at.limit), sizeOf(r.size.N)).cursor()
	}
	p.Items = p.Items[overlap:]
	r.listed += uint64(overlap)
	return p, nil
}

func (r *reading[T]) ids(p *part[T]) []types.Address {
	ids := make([]types.Address, len(p.Items))
	for i := range p.Items {
		ids[i] = r.id(&p.Items[i])
	}
	return ids
}

func (r *reading[T]) incomplete(format string, args ...any) error {
	return r.api.Clean(fmt.Errorf("%s: "+format+": %w", append(append([]any{paging.Name(r.name, string(r.about))}, args...), types.ErrIncomplete)...))
}

// newSize returns the size of the pages of a listing.
func newSize(limit int) transport.Size { return transport.Size{N: limit, Max: sizeOf(limit)} }

// sizeOf returns the number of items that a limit means.
func sizeOf(limit int) int { return cmp.Or(limit, maxLimit) }

// A place is where a page starts in a listing by page number.
type place struct {
	page  int // from 1
	limit int // 0 means the default
}

// placeOf returns the place in a cursor, false if there is none. The start of a listing is
// a place, too.
func placeOf(cursor string, limit int) (at place, ok bool) {
	if cursor == "" {
		return place{1, limit}, true
	}
	page, size, _ := strings.Cut(cursor, "/")
	var errPage, errSize error
	at.page, errPage = strconv.Atoi(page)
	at.limit, errSize = strconv.Atoi(size)
	return at, errPage == nil && errSize == nil && at.page > 0 && at.limit > 0 && len(cursor) <= 20
}

// checkPlace refuses a cursor of another listing.
func checkPlace(cursor string) error {
	if _, ok := placeOf(cursor, 0); !ok {
		return argument.Invalid("Cursor", "is not the Cursor of a page of this listing")
	}
	return nil
}

// placeAfter returns the place after a number of rows. Its limit is the largest one up to
// n that divides the rows, since only then a page starts there.
func placeAfter(rows, n int) place {
	if rows == 0 {
		return place{1, n}
	}
	limit := min(rows, n)
	for rows%limit != 0 {
		limit--
	}
	return place{rows/limit + 1, limit}
}

// cursor returns the text that placeOf reads.
func (p place) cursor() string { return strconv.Itoa(p.page) + "/" + strconv.Itoa(p.limit) }

func (p place) rows() int { return (p.page - 1) * sizeOf(p.limit) } // before the page
