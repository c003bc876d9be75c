package das

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// maxLimit is the default limit of the service and its largest.
const maxLimit = 1000

// A place is where a page starts in a listing by page number: the number depends on
// the limit.
type place struct {
	page  int // from 1
	limit int // 0 means the default
}

// placeOf returns the place that a cursor means; false when it means none.
func placeOf(cursor string, limit int) (place, bool) {
	if cursor == "" {
		return place{1, limit}, true
	}
	page, size, sized := strings.Cut(cursor, "/")
	at := place{limit: limit}
	var err error
	if at.page, err = strconv.Atoi(page); err != nil || at.page < 1 || len(cursor) > 20 {
		return place{}, false
	}
	if sized {
		if at.limit, err = strconv.Atoi(size); err != nil || at.limit < 1 {
			return place{}, false
		}
	}
	return at, true
}

// placeAfter returns the place after a number of rows with a limit of at most n. The
// limit divides the rows, since only then a page starts there. Among such limits it is
// the one with which this page and the next one are largest.
func placeAfter(rows, n int) place {
	if rows == 0 {
		return place{1, n}
	}
	best, sum := 1, 0
	for limit := min(rows, n); limit > 0; limit-- {
		if rows%limit == 0 {
			if s := limit + divisor(rows+limit, n); s > sum {
				best, sum = limit, s
			}
		}
	}
	return place{rows/best + 1, best}
}

// divisor returns the largest divisor of rows that is at most n.
func divisor(rows, n int) int {
	d := min(rows, n)
	for rows%d != 0 {
		d--
	}
	return d
}

// cursor returns the text that placeOf reads.
func (p place) cursor() string {
	return strconv.Itoa(p.page) + "/" + strconv.Itoa(p.size())
}

func (p place) size() int { return cmp.Or(p.limit, maxLimit) }

func (p place) rows() int { return (p.page - 1) * p.size() } // before the page

// checkPlace refuses a cursor of another listing.
func checkPlace(cursor string) error {
	if _, ok := placeOf(cursor, 0); !ok {
		return argument.Invalid("Cursor", "is not the Cursor of a page of this listing")
	}
	return nil
}

// A part is one page of a listing by page number, as the service sends it.
type part[T any] struct {
	items  []T
	page   int    // the number that the service says; 0 when it says none
	cursor string // of the next page; empty where the listing knows page numbers only
	slot   uint64 // of the state; 0 when the service does not say
}

// A numbered is one reading of a listing by page number.
type numbered[T any] struct {
	op      transport.Op
	size    *transport.Size // of the next page
	repeats *repeats[T]
	fetch   func(context.Context, place) (part[T], error)
}

// page requests the page at a place, with a smaller limit where the response would be too
// large, and returns it with its place. Every page that is not empty has a next one: a
// short page is not always the last.
func (n *numbered[T]) page(ctx context.Context, at place) (*types.Page[T], place, error) {
	got, err := n.fetch(ctx, at)
	for transport.SmallerMayFit(err) && at.size() > 1 {
		n.size.Halve(at.size())
		at = placeAfter(at.rows(), n.size.N)
		got, err = n.fetch(ctx, at)
	}
	if err != nil {
		return nil, at, err
	}
	n.size.Fits()
	if got.page != 0 && got.page != at.page {
		return nil, at, fmt.Errorf("%s: the service sent page %d instead of page %d: %w", n.op, got.page, at.page, types.ErrIncomplete)
	}
	if err := n.repeats.check(n.op, got.items, len(got.items) == at.size()); err != nil {
		return nil, at, err
	}
	page := &types.Page[T]{Items: got.items, Cursor: got.cursor, Slot: got.slot}
	if page.Cursor == "" && len(page.Items) > 0 {
		page.Cursor = n.after(at).cursor()
	}
	page.HasMore = page.Cursor != ""
	return page, at, nil
}

// after returns the place after the page at a place.
func (n *numbered[T]) after(at place) place {
	return placeAfter(at.rows()+at.size(), cmp.Or(n.size.N, n.size.Max))
}

// sizeOf returns the size of the first page of a reading.
func sizeOf(limit int) transport.Size {
	return transport.Size{N: limit, Max: place{limit: limit}.size()}
}

// sizeAt returns the size of the first page of a reading by page number.
func sizeAt(cursor string, limit int) transport.Size {
	size := sizeOf(limit)
	if at, ok := placeOf(cursor, limit); ok && cursor != "" {
		size.N = min(at.size(), size.Max)
	}
	return size
}

// shrinking calls fetch with half the limit, and half of that, until the response is not
// too large.
func shrinking[T any](size *transport.Size, fetch func(limit int) (*T, error)) (*T, error) {
	for {
		got, err := fetch(size.N)
		n := place{limit: size.N}.size()
		if n == 1 || !transport.SmallerMayFit(err) {
			if err == nil {
				size.Fits()
			}
			return got, err
		}
		size.Halve(n)
	}
}
