package paging

import (
	"context"
	"iter"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A Listing says which items a list reads, and where it starts.
type Listing struct {
	API     *transport.Client // nil for a listing whose requests are other listings
	Op      transport.Op      // its Method is in marks, its Wire in errors
	About   string            // the address or ID that it is about; empty for none
	Filters string            // other arguments that select its items, and their order
	Sized   bool              // whether a position counts pages, so that it needs the same Limit
	Part    bool              // whether it is one of several ranges: a cursor would lose the others
	types.PageOptions
}

// ListingOf returns the listing of an operation about an address or ID.
func ListingOf[A ~string](api *transport.Client, op transport.Op, about A, filters string, page types.PageOptions) Listing {
	return Listing{API: api, Op: op, About: string(about), Filters: filters, PageOptions: page}
}

// A Walk is one range over a listing, with the facts that its requests share.
type Walk struct {
	Listing

	At    string          // the position of the page to request; empty for the first page
	Known string          // facts about the items before; the request sets it for the next page
	Items transport.Items // of the request
	Size  Size            // of pages, which are smaller where responses would be too large
	Seen  Seen            // texts of items that the walk has listed
	Empty int             // pages in a row without items
	N     int             // pages so far
	Last  []uint64        // fingerprints of the items of the last page, where the listing sets them

	onItemError func(*types.ItemError) // of the listings that request the pages
}

type insideKey struct{}

// Inside returns the context for a listing that requests a page of another one, the walk w. It
// leaves its unreadable items to w, which knows the cursor to resume at.
func (w *Walk) Inside(ctx context.Context) context.Context {
	if ctx == nil { // an error of the listing
		return nil
	}
	return context.WithValue(ctx, insideKey{}, w)
}

// A Fetch requests the page at w.At. The Cursor of the page is the position of the next page,
// empty for the last page, or a DeadEnd.
type Fetch[P any] = func(ctx context.Context, w *Walk) (*P, error)

// List returns the list of a listing.
func List[T any](ctx context.Context, l Listing, fetch Fetch[types.Page[T]]) types.List[T] {
	return types.NewList(Pages(ctx, l, fetch, func(p *types.Page[T]) *types.Page[T] { return p }))
}

// ListOf is List for pages that say more than their items. Plain returns the Page in a page.
func ListOf[P, T any](ctx context.Context, l Listing, fetch Fetch[P], plain func(*P) *types.Page[T]) types.ListOf[P, T] {
	return types.NewListOf(Pages(ctx, l, fetch, plain), plain)
}

const repeatedCursor = stop + "repeated cursor"

// Pages iterates over the pages of a listing. Requests are lazy, and every range starts over
// with a new Walk. A page with unreadable items is the last one and comes with their error,
// unless the Config has an OnItemError.
//
// The first page is requested alone: only a caller that asks for the second one is known
// to want more. From then on, Prefetch requests one page ahead.
func Pages[P, T any](ctx context.Context, l Listing, fetch Fetch[P], plain func(*P) *types.Page[T]) iter.Seq2[*P, error] {
	return func(yield func(*P, error) bool) {
		ctx := ctx // each range has its own
		r := pager[P, T]{Walk{Listing: l}, fetch, plain}
		var ahead *Pending[*P] // the requested page at cursor, if any
		if l.Prefetch && ctx != nil {
			var cancel context.CancelFunc
			ctx, cancel = context.WithCancel(ctx)
			defer func() {
				cancel()
				ahead.End() // no goroutine outlives the loop, also when its body panics
			}()
		}
		var seen Seen // cursors
		for cursor, n := l.Cursor, 0; n == 0 || cursor != ""; n++ {
			var page *P
			var err error
			if ahead != nil { // waits also if ctx is cancelled: fetch changes the Walk
				page, err = ahead.Wait()
			}
			if ahead == nil || ctx.Err() != nil { // a cancelled request reports the cause
				page, err = r.page(ctx, cursor)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			next := plain(page)
			if next.HasMore && l.repeats(&seen, n, cursor, next.Cursor) {
				next.Cursor = l.cursor(repeatedCursor, "")
			}
			cursor = next.Cursor // the caller may change the page
			if len(r.Items.Unreadable) > 0 {
				if err = r.report(ctx, cursor); err != nil {
					yield(page, err)
					return
				}
			}
			ahead = nil
			if l.Prefetch && n > 0 && cursor != "" {
				ahead = Go(func() (*P, error) { return r.page(ctx, cursor) })
			}
			if !yield(page, nil) {
				return
			}
		}
	}
}

// repeats reports whether the cursor of page n, next, leads back to this page or to an earlier one.
// Only its position matters.
func (l *Listing) repeats(seen *Seen, n int, cursor, next string) bool {
	at := position(next)
	if n > 0 {
		seen.Add(position(l.Cursor))
		seen.Add(position(cursor))
	}
	return at == position(cursor) || seen.Has(at)
}

// A pager requests the pages of a Walk.
type pager[P, T any] struct {
	Walk

	fetch Fetch[P]
	plain func(*P) *types.Page[T]
}

// page returns the page at a cursor.
func (r *pager[P, T]) page(ctx context.Context, cursor string) (*P, error) {
	r.At, r.Known, r.Items = "", "", transport.Items{}
	if cursor != "" {
		var err error
		if r.At, r.Known, err = r.parse(cursor); err != nil {
			return nil, err
		}
	}
	page, err := r.fetch(ctx, &r.Walk)
	if err != nil {
		return nil, err
	}
	p := r.plain(page)
	p.HasMore = p.Cursor != ""
	if p.HasMore {
		p.Cursor = r.cursor(p.Cursor, r.Known)
	}
	r.N++
	r.Empty++
	if len(p.Items) > 0 {
		r.Empty = 0
	}
	return page, nil
}

// report gives the unreadable items of a page the cursor after it, if the listing can be resumed
// there, and hands them to OnItemError. Without one, it returns them as an error.
func (w *Walk) report(ctx context.Context, cursor string) error {
	handle := w.onItemError
	if w.API != nil {
		handle = w.API.OnItemError
	}
	if outer, inside := ctx.Value(insideKey{}).(*Walk); inside {
		outer.onItemError, handle = handle, nil
	}
	if w.Part {
		cursor = ""
	}
	for _, e := range w.Items.Unreadable {
		e.Cursor, e.More = cursor, nil
		if handle != nil {
			handle(e)
		}
	}
	if handle != nil {
		return nil
	}
	return w.Items.Err()
}
