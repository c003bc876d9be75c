package das

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/types"
)

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

	shown  int // the number of items without a Problem; the others follow them
	number int // of the page; 0 when the service does not say
}

// A source says how the pages of a listing are requested and checked. A listing ends with an
// empty page or, by cursor, with a page without one: a short page may be followed by others.
type source[T any] struct {
	id    func(*T) types.Address
	fetch func(context.Context, *paging.Walk, window) (part[T], error)

	byID          bool          // whether the first page has no number
	after, before types.Address // the range of IDs, without the bounds
	order         int           // direction of IDs in the request: 1 ascending, -1 descending, or 0
	runs          bool          // repeated items are kept: a transaction can do the same twice
}

// A state has facts about the pages so far. It is a part of the cursor, so that a resumed walk
// checks as much as an uninterrupted one.
type state struct {
	sign   int      // the direction of IDs, as far as it is known
	total  uint64   // of items in the listing, by the service; 0 when it does not say
	listed uint64   // the number of items so far
	run    int      // pages in a row that had nothing but the last item of the previous page
	full   int      // 1 if the page was as long as requested
	prints []uint64 // fingerprints of the last items
}

// maxPrints limits the fingerprints in a cursor. They make up two kilobytes.
const maxPrints = 256

func parseState(known string) (s state) {
	var prints string
	_, _ = fmt.Sscanf(known, "%d %d %d %d %d %s", &s.sign, &s.total, &s.listed, &s.run, &s.full, &prints)
	s.prints = paging.ParsePrints(prints)
	return s
}

func (s *state) text() string {
	last := s.prints[max(0, len(s.prints)-maxPrints):]
	return fmt.Sprintf("%d %d %d %d %d %s", s.sign, s.total, s.listed, s.run, s.full, paging.PrintsText(last))
}

// page requests the page at the position of a walk. It is a cursor of the service, the ID at the
// end of a page in a range, or a number of rows.
func (r *source[T]) page(ctx context.Context, w *paging.Walk) (*types.Page[T], error) {
	s := parseState(w.Known)
	w.Size.Max = sizeOf(w.Limit)
	w.Size.N = cmp.Or(w.Size.N, w.Limit)
	var p part[T]
	var err error
	if rows, ok := rowsOf(w.At); ok && !r.byID {
		p, err = r.afterRows(ctx, w, &s, rows)
	} else {
		p, err = r.atCursor(ctx, w, &s)
	}
	if err != nil {
		return nil, err
	}
	if w.At == "" && r.after+r.before == "" {
		s.total = p.Total
	}
	if s.listed += uint64(len(p.Items) + len(w.Items.Unreadable)); p.Cursor == "" && s.listed < s.total {
		p.Cursor = paging.DeadEnd(fmt.Sprintf("the service counts %d items and listed %d; try a larger Limit", s.total, s.listed))
	}
	w.Known = s.text()
	return &p.Page, nil
}

// atCursor requests a page by cursor or in a range of IDs, with a smaller limit where the
// response would be too large.
func (r *source[T]) atCursor(ctx context.Context, w *paging.Walk, s *state) (part[T], error) {
	sent := window{Cursor: w.At}
	inRange := r.after+r.before != ""
	start, end := cmp.Or(types.Address(w.At), r.after), r.before
	switch {
	case inRange && r.order < 0:
		start, end = cmp.Or(types.Address(w.At), r.before), r.after
		sent = window{After: r.after, Before: start}
	case inRange:
		sent = window{After: start, Before: r.before}
	}
	var p part[T]
	err := w.Size.Try(func(n int) (err error) {
		sent.Limit = n
		p, err = r.fetch(ctx, w, sent)
		return err
	})
	if err != nil {
		return p, err
	}
	ids := r.ids(&p)
	if !r.continues(s, start, end, ids[:p.shown]) {
		return p, w.Incomplete("a page does not continue the previous one")
	}
	for _, e := range w.Items.Unreadable {
		ids = append(ids, types.Address(e.ID))
	}
	switch {
	case inRange: // the service sends no cursor
		p.Cursor = string(furthest(ids, r.order))
		if p.Cursor != "" && !isID(types.Address(p.Cursor)) {
			return p, w.Incomplete("the ID %.60q is not an address", p.Cursor)
		}
	// probably not the last page
	case p.Cursor == "" && len(ids) >= sizeOf(sent.Limit) && (w.At == "" || isID(types.Address(w.At))):
		p.Cursor = w.Items.Last(p.shown, string(ids[max(p.shown, 1)-1]))
	}
	if p.Cursor != "" && p.Cursor == w.At {
		return p, w.Incomplete("repeated cursor")
	}
	return p, nil
}

// afterRows requests the page after a number of rows, with a smaller limit where the response
// would be too large.
func (r *source[T]) afterRows(ctx context.Context, w *paging.Walk, s *state, rows int) (part[T], error) {
	var p part[T]
	var sent window
	err := w.Size.Try(func(n int) (err error) {
		sent = windowAfter(rows, n)
		p, err = r.fetch(ctx, w, sent)
		return err
	})
	if err != nil {
		return p, err
	}
	if p.number != 0 && p.number != sent.Page {
		return p, w.Incomplete("the service sent page %d instead of page %d", p.number, sent.Page)
	}
	ids := r.ids(&p)
	n := len(ids) + len(w.Items.Unreadable)
	overlap, repeated := r.repeats(w, s, ids, p.shown, n == sizeOf(sent.Limit))
	if repeated != "" {
		return p, w.Incomplete("the service sent %.60q again, so other items may be missing", repeated)
	}
	if p.Cursor == "" && n > 0 {
		p.Cursor = rowsSign + strconv.Itoa(rows+sizeOf(sent.Limit))
	}
	p.Items = p.Items[overlap:]
	s.listed += uint64(overlap)
	return p, nil
}

func (r *source[T]) ids(p *part[T]) []types.Address {
	ids := make([]types.Address, len(p.Items))
	for i := range p.Items {
		ids[i] = r.id(&p.Items[i])
	}
	return ids
}

// sizeOf returns the number of items that a limit means.
func sizeOf(limit int) int { return cmp.Or(limit, opAssetsByOwner.Facts().Items) }

// rowsSign starts the position of a page by number. The number of rows before the page
// follows.
const rowsSign = "/"

// rowsOf returns the number of rows in a position, false if there is none.
func rowsOf(at string) (rows int, ok bool) {
	if at == "" { // the start of a listing
		return 0, true
	}
	digits, ok := strings.CutPrefix(at, rowsSign)
	rows, err := strconv.Atoi(digits)
	return rows, ok && err == nil && rows >= 0
}

// checkRows refuses a position of another listing.
func checkRows(at string) error {
	if _, ok := rowsOf(at); !ok {
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
