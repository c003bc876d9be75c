package das

import (
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

// cursor returns the text that placeOf reads.
func (p place) cursor() string {
	return strconv.Itoa(p.page) + "/" + strconv.Itoa(p.size())
}

func (p place) size() int {
	if p.limit == 0 {
		return maxLimit
	}
	return p.limit
}

func (p place) next() place { return place{p.page + 1, p.limit} }

// halved returns the same place with about half the limit: with the largest divisor of
// the limit, since other limits do not have a page that starts there. It returns false
// when the limit is 1.
func (p place) halved() (place, bool) {
	size := p.size()
	for half := size / 2; half > 0; half-- {
		if size%half == 0 {
			return place{(p.page-1)*(size/half) + 1, half}, true
		}
	}
	return p, false
}

// widest returns the place after a page with the largest limit that has a page there.
func (p place) widest() place {
	rows := p.page * p.size()
	for size := min(rows, maxLimit); size > p.size(); size-- {
		if rows%size == 0 {
			return place{rows/size + 1, size}
		}
	}
	return p.next()
}

// A part is one page of a listing by page number, as the service sends it.
type part[T any] struct {
	items  []T
	page   int    // the number that the service says; 0 when it says none
	cursor string // of the next page; empty where the listing knows page numbers only
	slot   uint64 // of the state; 0 when the service does not say
}

// numbered requests the page at a place, with a smaller limit where the response
// would be too large. Every page that is not empty has a next one: a short page is not
// always the last.
func numbered[T any](
	ctx context.Context, op transport.Op, at place, repeats *repeats[T], fetch func(context.Context, place) (part[T], error),
) (*types.Page[T], error) {
	got, err := fetch(ctx, at)
	for transport.SmallerMayFit(err) {
		smaller, ok := at.halved()
		if !ok {
			break
		}
		at = smaller
		got, err = fetch(ctx, at)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case got.page == 0:
		if err := repeats.check(op, got.items); err != nil {
			return nil, err
		}
	case got.page != at.page:
		return nil, fmt.Errorf("%s: the service sent page %d instead of page %d: %w", op, got.page, at.page, types.ErrIncomplete)
	}
	page := &types.Page[T]{Items: got.items, Cursor: got.cursor, Slot: got.slot}
	if page.Cursor == "" && len(page.Items) > 0 {
		page.Cursor = at.next().cursor()
	}
	page.HasMore = page.Cursor != ""
	return page, nil
}

// sizeOf returns the size of the pages of a walk by cursor.
func sizeOf(limit int) transport.Size {
	return transport.Size{N: limit, Max: place{limit: limit}.size()}
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

// A repeats notices that a listing starts over, because the service ignores the page
// number or the cursor. It is the state of one walk; nil for a single page. Pages that
// carry their number are not checked, since an item may rightly start two of them: a
// change of the listing moved it, or a transaction did the same twice.
type repeats[T any] struct {
	key   func(*T) string
	first string // the key of the first item of the walk
	known bool
}

// check fails for a page other than the first that starts as the walk did.
func (r *repeats[T]) check(op transport.Op, items []T) error {
	if r == nil || len(items) == 0 {
		return nil
	}
	key := r.key(&items[0])
	if r.known && key == r.first {
		return fmt.Errorf("%s: the service sent the first page again: %w", op, types.ErrIncomplete)
	}
	if !r.known {
		r.first, r.known = key, true
	}
	return nil
}

// checkPlace refuses a cursor of another listing.
func checkPlace(cursor string) error {
	if _, ok := placeOf(cursor, 0); !ok {
		return argument.Invalid("Cursor", "is not the Cursor of a page of this listing")
	}
	return nil
}
