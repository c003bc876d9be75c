package paging

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"strings"

	"github.com/solwire/solwire-go/types"
)

// A Listing says which listing a walk pages through, and where it starts.
type Listing struct {
	Op        string    // names the listing in errors
	Selection Selection // marks the cursors of pages; the zero Selection does not
	Cursor    string    // of the first page
	Prefetch  bool      // whether to request the next page while the caller handles this one
}

// Position returns the cursor of the first page without its mark, empty if it belongs to
// another listing.
func (l Listing) Position() string {
	position, _ := l.Selection.Position(l.Cursor)
	return position
}

// A Walk is how the pages of a listing are requested. P is a pointer to a page.
type Walk[P any] struct {
	Listing

	// Begin starts a reading of the listing. It returns the function that requests
	// the page at a cursor of the service, which may check a page against those before it.
	Begin func() func(ctx context.Context, cursor string) (P, error)

	// Next is the cursor of the next page in a page; empty in the last page.
	Next func(P) *string
}

// NewList returns the list of a listing whose pages are independent of each other. Fetch
// requests the page at a cursor of the service.
func NewList[T any](ctx context.Context, l Listing, fetch func(context.Context, string) (*types.Page[T], error)) types.List[T] {
	return ListOf(ctx, l, func() func(context.Context, string) (*types.Page[T], error) { return fetch })
}

// ListOf is NewList for a listing with state: each reading requests its pages with the
// function that a call of begin returns.
func ListOf[T any](ctx context.Context, l Listing, begin func() func(context.Context, string) (*types.Page[T], error)) types.List[T] {
	w := &Walk[*types.Page[T]]{l, begin, func(p *types.Page[T]) *string { return &p.Cursor }}
	return types.NewList(func() (*types.Page[T], error) { return w.Page(ctx) }, w.Pages(ctx))
}

// deadEnd is the start of a cursor that leads to an error instead of a page.
const deadEnd = "incomplete: "

const repeatedCursor = deadEnd + "repeated cursor"

// DeadEnd returns the cursor of a page after which a listing that has more items cannot
// go on. Following it, also in another process, fails with types.ErrIncomplete and the
// reason, and requests nothing.
func DeadEnd(reason string) string { return deadEnd + reason }

// CheckDeadEnd returns the error that a dead end leads to, nil for other cursors.
func CheckDeadEnd(op, cursor string) error {
	if reason, dead := strings.CutPrefix(cursor, deadEnd); dead {
		return fmt.Errorf("%s: %s: %w", op, reason, types.ErrIncomplete)
	}
	return nil
}

// fetch returns the page at a cursor.
func (w *Walk[P]) fetch(ctx context.Context, request func(context.Context, string) (P, error), cursor string) (P, error) {
	var none P
	if err := CheckDeadEnd(w.Op, cursor); err != nil {
		return none, err
	}
	position, err := w.Selection.Position(cursor)
	if err != nil {
		return none, err
	}
	page, err := request(ctx, position)
	if err != nil {
		return none, err
	}
	next := w.Next(page)
	*next = w.Selection.Marked(*next)
	return page, nil
}

// Page requests the first page.
func (w *Walk[P]) Page(ctx context.Context) (P, error) {
	page, err := w.fetch(ctx, w.Begin(), w.Cursor)
	if err != nil {
		return page, err
	}
	if next := w.Next(page); *next == w.Cursor && w.Cursor != "" {
		*next = repeatedCursor
	}
	return page, nil
}

// Pages iterates over the pages. Requests are lazy, and every range starts over.
func (w *Walk[P]) Pages(ctx context.Context) iter.Seq2[P, error] {
	return func(yield func(P, error) bool) {
		request := w.Begin()
		if ctx == nil {
			yield(w.fetch(ctx, request, w.Cursor)) // request reports it
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		var ahead *Pending[P] // the requested page at cursor, if any
		defer func() {
			cancel()
			ahead.End() // no goroutine outlives the loop, also when its body panics
		}()
		seen := newCursors(w.Cursor)
		for cursor := w.Cursor; ; {
			var page P
			var err error
			if ahead != nil { // waits also if ctx is cancelled: request may have state
				page, err = ahead.Wait()
			}
			if ahead == nil || ctx.Err() != nil { // a cancelled request reports the cause
				page, err = w.fetch(ctx, request, cursor)
			}
			if err != nil {
				var none P
				yield(none, err)
				return
			}
			next := w.Next(page)
			seen.check(next)
			cursor = *next // the caller may change the page
			ahead = nil
			if w.Prefetch && cursor != "" {
				ahead = Go(func() (P, error) { return w.fetch(ctx, request, cursor) })
			}
			if !yield(page, nil) || cursor == "" {
				return
			}
		}
	}
}

// ItemList returns the items of the pages as a list, for All and Collect of a list that
// has pages of its own type.
func ItemList[P, T any](pages iter.Seq2[P, error], items func(P) []T) types.List[T] {
	return types.NewList(nil, func(yield func(*types.Page[T], error) bool) {
		for page, err := range pages {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(&types.Page[T]{Items: items(page)}, nil) {
				return
			}
		}
	})
}

// cursors are the cursors of a walk, as hashes, which stay small in long walks.
type cursors struct {
	seed maphash.Seed
	seen map[uint64]bool
}

func newCursors(first string) *cursors {
	c := &cursors{maphash.MakeSeed(), map[uint64]bool{}}
	c.seen[maphash.String(c.seed, first)] = true
	return c
}

// check makes a repeated cursor a dead end.
func (c *cursors) check(cursor *string) {
	if *cursor == "" {
		return
	}
	key := maphash.String(c.seed, *cursor)
	if c.seen[key] {
		*cursor = repeatedCursor
	}
	c.seen[key] = true
}

// A Pending is the result of a function that runs in a goroutine.
type Pending[P any] struct {
	done   chan struct{} // closed once the other fields are set
	result P
	err    error
	panic  any
}

var errGoexit = errors.New("runtime.Goexit was called while the page was requested")

// Go runs f in a goroutine. A panic or Goexit in it, such as one of the caller's
// Transport, reaches the caller of Wait.
func Go[P any](f func() (P, error)) *Pending[P] {
	p := &Pending[P]{done: make(chan struct{}), err: errGoexit}
	go func() {
		defer close(p.done)
		defer func() { p.panic = recover() }()
		p.result, p.err = f()
	}()
	return p
}

// Wait returns what the function returned, or panics as it did.
func (p *Pending[P]) Wait() (P, error) {
	<-p.done
	if p.panic != nil {
		panic(p.panic) //nolint:forbidigo // the caller's own panic
	}
	return p.result, p.err
}

// End waits until the function has returned, and ignores what it returned. It does nothing
// for nil.
func (p *Pending[P]) End() {
	if p != nil {
		<-p.done
	}
}
