package paging

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"strings"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/types"
)

// A Listing says which listing is paged through, and where it starts.
type Listing struct {
	Op        string    // names the listing in errors, with About
	About     string    // the address or ID that it is about; empty for none
	Selection Selection // marks the cursors of pages; the zero Selection does not
	Cursor    string    // of the first page
	Prefetch  bool      // whether to request the next page while the caller handles this one

	OnItem func(*types.ItemError) // gets the unreadable items of pages; nil ends the listing
}

// ListingOf returns the listing of a Go method about an address or ID. Filters are what else
// selects its items.
func ListingOf[A ~string](method, wire string, about A, filters, cursor string, prefetch bool) Listing {
	return Listing{Op: wire, About: string(about), Selection: Selection{method, string(about), filters}, Cursor: cursor, Prefetch: prefetch}
}

// Position returns the cursor of the first page without its mark, empty if it belongs to
// another listing.
func (l *Listing) Position() string {
	position, _ := l.Selection.Position(l.Cursor)
	return position
}

// A Fetch requests the page at a cursor of the service. An ItemError comes with a page of the
// other items.
type Fetch[P any] = func(context.Context, string) (*P, error)

// NewList returns the list of a listing whose pages are independent of each other.
func NewList[T any](ctx context.Context, l Listing, fetch Fetch[types.Page[T]]) types.List[T] {
	return ListOf(ctx, l, func() Fetch[types.Page[T]] { return fetch })
}

// ListOf is NewList for a listing with state: each reading requests its pages with the
// function that a call of begin returns.
func ListOf[T any](ctx context.Context, l Listing, begin func() Fetch[types.Page[T]]) types.List[T] {
	return types.NewList(Pages(ctx, l, begin, func(p *types.Page[T]) *types.Page[T] { return p }))
}

// deadEnd is the start of a cursor that leads to an error instead of a page.
const deadEnd = "incomplete: "

const repeatedCursor = deadEnd + "repeated cursor"

// DeadEnd returns the cursor of a page after which a listing that has more items cannot
// go on. Following it, also in another process, fails with types.ErrIncomplete and the
// reason, and requests nothing.
func DeadEnd(reason string) string { return deadEnd + reason }

// Name returns the name of a listing in errors: getAssetsByOwner of 86xC…. It leaves out
// about unless that is an address, since arguments may be invalid.
func Name(op, about string) string {
	if _, err := types.Address(about).Bytes(); err != nil {
		return op
	}
	return op + " of " + about
}

// CheckDeadEnd returns the error that a dead end leads to, nil for other cursors. The reason
// may be anything: programs take cursors from their users.
func CheckDeadEnd(op, about, cursor string) error {
	reason, dead := strings.CutPrefix(cursor, deadEnd)
	if !dead {
		return nil
	}
	return fmt.Errorf("%s: %s: %w", Name(op, about), argument.Printable(reason), types.ErrIncomplete)
}

// Pages iterates over the pages of a listing. Requests are lazy, and every range starts
// over with the function that a call of begin returns. Plain returns the Page in a page.
//
// The first page is requested alone: only a caller that asks for the second one is known
// to want more. From then on, Prefetch requests one page ahead.
func Pages[P, T any](
	ctx context.Context, l Listing, begin func() Fetch[P], plain func(*P) *types.Page[T],
) iter.Seq2[*P, error] {
	return func(yield func(*P, error) bool) {
		r := reading[P, T]{l, begin(), plain}
		if ctx == nil {
			yield(r.fetch(ctx, l.Cursor)) // request reports it
			return
		}
		ctx := ctx             // each range has its own
		var ahead *Pending[*P] // the requested page at cursor, if any
		if l.Prefetch {
			var cancel context.CancelFunc
			ctx, cancel = context.WithCancel(ctx)
			defer func() {
				cancel()
				ahead.End() // no goroutine outlives the loop, also when its body panics
			}()
		}
		var seen Seen
		for cursor, n := l.Cursor, 0; n == 0 || cursor != ""; n++ {
			var page *P
			var err error
			if ahead != nil { // waits also if ctx is cancelled: request may have state
				page, err = ahead.Wait()
			}
			if ahead == nil || ctx.Err() != nil { // a cancelled request reports the cause
				page, err = r.fetch(ctx, cursor)
			}
			if page != nil && l.report(err, plain(page).Cursor) {
				err = nil
			}
			if err != nil {
				yield(page, err)
				return
			}
			next := plain(page)
			if next.Cursor != "" && (next.Cursor == cursor || n > 0 && seen.again(l.Cursor, cursor, next.Cursor)) {
				next.Cursor = repeatedCursor
			}
			cursor = next.Cursor // the caller may change the page
			ahead = nil
			if l.Prefetch && n > 0 && cursor != "" {
				ahead = r.ahead(ctx, cursor)
			}
			if !yield(page, nil) {
				return
			}
		}
	}
}

// A reading is one range over a listing.
type reading[P, T any] struct {
	Listing

	request Fetch[P]
	plain   func(*P) *types.Page[T]
}

// fetch returns the page at a cursor.
func (r *reading[P, T]) fetch(ctx context.Context, cursor string) (*P, error) {
	if err := CheckDeadEnd(r.Op, r.About, cursor); err != nil {
		return nil, err
	}
	position, err := r.Selection.Position(cursor)
	if err != nil {
		return nil, err
	}
	page, err := r.request(ctx, position)
	if page == nil || err != nil && !errors.As(err, new(*types.ItemError)) {
		return nil, err
	}
	next := r.plain(page)
	next.Cursor = r.Selection.Marked(next.Cursor)
	return page, err
}

// report gives the unreadable items of a page the cursor after it, and hands them to
// OnItem. It reports whether the listing goes on.
func (l *Listing) report(err error, cursor string) bool {
	var item *types.ItemError
	if !errors.As(err, &item) {
		return false
	}
	for _, e := range append([]*types.ItemError{item}, item.More...) {
		e.Cursor = cursor
		if l.OnItem != nil {
			alone := *e
			alone.More = nil
			l.OnItem(&alone)
		}
	}
	return l.OnItem != nil
}

// ahead requests the page at a cursor in a goroutine.
func (r reading[P, T]) ahead(ctx context.Context, cursor string) *Pending[*P] {
	return Go(func() (*P, error) { return r.fetch(ctx, cursor) })
}

// A Seen has the cursors or the items of a walk, as hashes, which stay small in long walks.
type Seen struct {
	seed   maphash.Seed
	hashes map[uint64]struct{} // nil before the first Add
}

// Add adds a text.
func (s *Seen) Add(text string) {
	if s.hashes == nil {
		s.seed, s.hashes = maphash.MakeSeed(), make(map[uint64]struct{})
	}
	s.hashes[maphash.String(s.seed, text)] = struct{}{}
}

// Has reports whether text was added.
func (s *Seen) Has(text string) bool {
	if s.hashes == nil {
		return false
	}
	_, has := s.hashes[maphash.String(s.seed, text)]
	return has
}

// again adds two cursors in a row, and reports whether the one that follows was there before.
func (s *Seen) again(first, cursor, next string) bool {
	s.Add(first)
	s.Add(cursor)
	return s.Has(next)
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
