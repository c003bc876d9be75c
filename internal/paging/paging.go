// Package paging iterates over listings, by page or by item.
package paging

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"reflect"

	"github.com/solwire/solwire-go/types"
)

// maxCursor limits the length of a cursor. Real ones have less than 200 bytes.
const maxCursor = 4 << 10

// CheckCursor refuses a cursor that is too long.
func CheckCursor(cursor string) error {
	if len(cursor) > maxCursor {
		return fmt.Errorf("the cursor has %d bytes", len(cursor))
	}
	return nil
}

// CheckItems refuses a list with an item that is null or empty. Named reports whether an
// item has the member that all real items have; only items without it are examined
// further.
func CheckItems[T any](items []T, named func(*T) bool) error {
	for i := range items {
		if !named(&items[i]) && reflect.ValueOf(&items[i]).Elem().IsZero() {
			return NullItem(i)
		}
	}
	return nil
}

// NullItem is the error of a list with a null at index i.
func NullItem(i int) error { return fmt.Errorf("item %d of the response is null", i) }

// List iterates over the pages of a cursor listing.
func List[T any](
	ctx context.Context,
	op string,
	start string,
	prefetch bool,
	fetch func(context.Context, string) (*types.Page[T], error),
) iter.Seq2[*types.Page[T], error] {
	return Pages(ctx, op, start, prefetch, fetch, func(p *types.Page[T]) (string, error) { return p.Cursor, p.Err })
}

// ListItems iterates over the items of pages.
func ListItems[T any](pages iter.Seq2[*types.Page[T], error]) iter.Seq2[T, error] {
	return Items(pages, func(p *types.Page[T]) []T { return p.Items })
}

// Pages iterates over the pages of a listing, starting with the one at start. Fetch
// requests the page at a position, a cursor or a page number. Next returns the position
// after a page, the zero value after the last one. An error of next means that the
// listing continues but the next page cannot be requested; it follows the page. Op
// names the listing in errors.
//
// Requests are lazy, and every range starts over. With prefetch, the next page is
// requested while the caller handles this one.
func Pages[P any, C comparable](
	ctx context.Context,
	op string,
	start C,
	prefetch bool,
	fetch func(context.Context, C) (P, error),
	next func(P) (C, error),
) iter.Seq2[P, error] {
	return func(yield func(P, error) bool) {
		var none P
		if ctx == nil {
			_, err := fetch(nil, start) //nolint:contextcheck // fetch reports the nil context
			yield(none, err)
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		var ahead *page[P] // the requested page at place, if any
		defer func() {
			cancel()
			if ahead != nil {
				<-ahead.done // no goroutine outlives the loop, also when its body panics
			}
		}()
		var (
			seed  = maphash.MakeSeed()
			seen  = map[uint64]bool{maphash.Comparable(seed, start): true} // hashes, which stay small in long walks
			place = start
			end   C
		)
		for {
			got, err := take(ctx, ahead, place, fetch)
			ahead = nil
			if err != nil {
				yield(none, err)
				return
			}
			following, err := next(got)
			if key := maphash.Comparable(seed, following); err == nil && following != end {
				if seen[key] {
					err = fmt.Errorf("%s: repeated cursor: %w", op, types.ErrIncomplete)
				}
				seen[key] = true
			}
			last := err != nil || following == end
			if prefetch && !last {
				ahead = request(ctx, following, fetch)
			}
			if !yield(got, nil) {
				return
			}
			if err != nil {
				yield(none, err)
			}
			if last {
				return
			}
			place = following
		}
	}
}

// A page is a page that was requested ahead.
type page[P any] struct {
	done  chan struct{} // closed once the other fields are set
	page  P
	err   error
	panic any // of fetch
}

// errExited is the error of a page whose fetch called runtime.Goexit.
var errExited = errors.New("runtime.Goexit was called while the page was requested")

// request requests a page in a goroutine that ends with fetch. A panic or Goexit in
// code of the caller that fetch runs, such as a Transport, is reported by take in the
// caller's goroutine.
func request[P any, C any](ctx context.Context, at C, fetch func(context.Context, C) (P, error)) *page[P] {
	p := &page[P]{done: make(chan struct{}), err: errExited}
	go func() {
		defer close(p.done)
		defer func() { p.panic = recover() }()
		p.page, p.err = fetch(ctx, at)
	}()
	return p
}

// take returns the page that was requested ahead, or requests the one at place.
func take[P any, C any](ctx context.Context, ahead *page[P], place C, fetch func(context.Context, C) (P, error)) (P, error) {
	if ahead == nil {
		return fetch(ctx, place)
	}
	<-ahead.done
	switch {
	case ahead.panic != nil:
		panic(ahead.panic) //nolint:forbidigo // the caller's own panic
	case ctx.Err() != nil: // fetch returns the error with its cause
		return fetch(ctx, place)
	}
	return ahead.page, ahead.err
}

// Items iterates over the items of all pages.
func Items[P, T any](pages iter.Seq2[P, error], items func(P) []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for page, err := range pages {
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range items(page) {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}
