// Package paging walks listings: page by page, or item by item.
package paging

import (
	"context"
	"fmt"
	"iter"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/types"
)

// Pages walks a listing, which errors name op, from the page at start. Fetch
// reads the page at a place, a cursor or a page number. Next names the place after a page, the zero
// value where there is none; its error means that there is more, but no way to
// it, and comes after the page.
//
// Nothing is fetched before the first step, and every range starts over. With
// prefetch, the next page is asked for while the caller works on this one.
func Pages[P any, C comparable](
	ctx context.Context,
	op string,
	start C,
	prefetch bool,
	fetch func(context.Context, C) (P, error),
	next func(P) (C, error),
) iter.Seq2[P, error] {
	return func(yield func(P, error) bool) {
		if ctx == nil {
			var none P
			yield(none, argument.Invalid("ctx", "nil"))
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		var ahead chan fetched[P] // the page at place, once it is asked for
		defer func() {
			cancel()
			if ahead != nil {
				<-ahead // nothing is left running, also when the loop body panics
			}
		}()
		var (
			none  P
			end   C
			place = start
			seen  = map[C]bool{start: true} // a cycle may lead back to any page, not just to the one before
		)
		for {
			var got fetched[P]
			if ahead != nil {
				got = <-ahead
			}
			if ahead == nil || ctx.Err() != nil { // fetch says best what a done context means
				got.page, got.err = fetch(ctx, place)
			}
			ahead = nil
			if got.err != nil {
				yield(none, got.err)
				return
			}
			following, err := next(got.page)
			if err == nil && following != end && seen[following] {
				err = fmt.Errorf("%s: a page leads back to one before it: %w", op, types.ErrIncomplete)
			}
			last := err != nil || following == end
			if prefetch && !last {
				asked := make(chan fetched[P], 1)
				go func() {
					page, err := fetch(ctx, following)
					asked <- fetched[P]{page, err}
				}()
				ahead = asked
			}
			if !yield(got.page, nil) {
				return
			}
			if err != nil {
				yield(none, err)
			}
			if last {
				return
			}
			seen[following] = true
			place = following
		}
	}
}

type fetched[P any] struct {
	page P
	err  error
}

// Items walks the items of all pages.
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
