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
var maxLimit = opAssetsByOwner.Facts().Items

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

// page requests the page at a cursor of the service, or after a number of rows.
func (r *reading[T]) page(ctx context.Context, cursor string) (*types.Page[T], error) {
	var p part[T]
	var err error
	if rows, ok := rowsOf(cursor); ok && !r.byID {
		p, err = r.afterRows(ctx, rows)
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
	var p part[T]
	err := r.size.Try(func(n int) (err error) {
		w.Limit = n
		p, err = r.fetch(ctx, w)
		return err
	})
	if err != nil {
		return p, err
	}
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

// afterRows requests the page after a number of rows, with a smaller limit where the response
// would be too large.
func (r *reading[T]) afterRows(ctx context.Context, rows int) (part[T], error) {
	var p part[T]
	var w window
	err := r.size.Try(func(n int) (err error) {
		w = windowAfter(rows, n)
		p, err = r.fetch(ctx, w)
		return err
	})
	if err != nil {
		return p, err
	}
	if p.number != 0 && p.number != w.Page {
		return p, r.incomplete("the service sent page %d instead of page %d", p.number, w.Page)
	}
	ids := r.ids(&p)
	overlap, repeated := r.repeats.check(ids, p.shown, len(ids) == sizeOf(w.Limit))
	if repeated != "" {
		return p, r.incomplete("the service sent %.60q again, so other items may be missing", repeated)
	}
	if p.Cursor == "" && len(ids) > 0 {
		p.Cursor = rowsSign + strconv.Itoa(rows+sizeOf(w.Limit))
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
	return r.api.Clean(fmt.Errorf("%s: %s: %w", paging.Name(r.name, string(r.about)), fmt.Sprintf(format, args...), types.ErrIncomplete))
}

// newSize returns the size of the pages of a listing.
func newSize(limit int) transport.Size { return transport.Size{N: limit, Max: sizeOf(limit)} }

// sizeOf returns the number of items that a limit means.
func sizeOf(limit int) int { return cmp.Or(limit, maxLimit) }

// rowsSign starts the cursor of a page by number. The number of rows before the page
// follows.
const rowsSign = "/"

// rowsOf returns the number of rows in a cursor, false if there is none.
func rowsOf(cursor string) (rows int, ok bool) {
	if cursor == "" { // the start of a listing
		return 0, true
	}
	digits, ok := strings.CutPrefix(cursor, rowsSign)
	rows, err := strconv.Atoi(digits)
	return rows, ok && err == nil && rows >= 0
}

// checkRows refuses a cursor of another listing.
func checkRows(cursor string) error {
	if _, ok := rowsOf(cursor); !ok {
		return argument.Invalid("Cursor", "is not the Cursor of a page of this listing")
	}
	return nil
}

// windowAfter returns the page after a number of rows. Its limit is the largest one up to
// n that divides the rows, since only then a page starts there.
func windowAfter(rows, n int) window {
	if rows == 0 {
		return window{Page: 1, Limit: n}
	}
	limit := min(rows, sizeOf(n))
	for rows%limit != 0 {
		limit--
	}
	return window{Page: rows/limit + 1, Limit: limit}
}
