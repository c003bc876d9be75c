package types

import (
	"fmt"
	"iter"
)

// A List is a listing of the service, to be read by item, by page, or into a slice:
//
//	for item, err := range list.All() { … }
//	for page, err := range list.Pages() { … }
//	page, err := list.Page()
//	items, err := list.Collect(100)
//
// Making a List requests nothing: it keeps the context and a copy of the options, and requests a
// page when it is read. Each range starts over at the Cursor of the options. If an argument is
// invalid, it ends at once with an error that matches [ErrInvalid]. A List is safe for concurrent
// use; the zero List is empty.
//
// A listing is not a snapshot: items that change while it is read may be missed or listed twice.
type List[T any] struct {
	pages iter.Seq2[*Page[T], error]
}

// NewList returns a List with these pages, such as for a stub of a client in a test. An error must
// be the last element. If it comes with a page, the List yields the page before the error.
func NewList[T any](pages iter.Seq2[*Page[T], error]) List[T] { return List[T]{pages} }

// All iterates over the items of all pages. An error is the last element, and comes
// with a zero item. To stop, use break: no further page is requested.
//
// Range over both values. With one, a failed listing looks like a shorter one with a zero item at
// its end.
func (l List[T]) All() iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		orEmpty(l.pages)(func(page *Page[T], err error) bool {
			if page != nil {
				for _, item := range page.Items {
					if !yield(item, nil) {
						return false
					}
				}
			}
			if err != nil {
				var none T
				yield(none, err)
			}
			return err == nil
		})
	}
}

// Pages iterates over the pages. To resume after a page, also in another process, set the Cursor of
// the options to its Cursor. An error is the last element, and comes with a nil page. A repeated
// cursor, or items out of order where the order is known, end the iteration with [ErrIncomplete].
// After a page with unreadable items, it ends with an [ItemError], unless [Config.OnItemError] is
// set.
//
// Range over both values: with one, a failed listing looks like a short one.
func (l List[T]) Pages() iter.Seq2[*Page[T], error] { return apart(l.pages) }

// Page requests the page at the Cursor of the options. If some items of the page are unreadable, it
// returns the page with the others, and an [ItemError].
func (l List[T]) Page() (*Page[T], error) { return first(l.pages) }

// Collect returns the first items, at most limit of them. It requests only the pages that
// it needs, and with Prefetch perhaps one more. With an error, it returns the items before
// it. A limit below 1 fails with [ErrInvalid].
func (l List[T]) Collect(limit int) ([]T, error) {
	if limit <= 0 {
		return nil, fmt.Errorf("types.List.Collect: limit %d is not positive; set the most items to return: %w", limit, ErrInvalid)
	}
	var items []T
	for item, err := range l.All() {
		if err != nil {
			return items, err
		}
		if items = append(items, item); len(items) == limit {
			break
		}
	}
	return items, nil
}

// A ListOf is a List whose pages have more than items, such as a total value. P is the type of a
// page, which embeds a Page of T. All and Collect come from the embedded List: pass it to a
// function with a parameter of List[T]. The zero ListOf is empty.
type ListOf[P, T any] struct {
	List[T]

	pages iter.Seq2[*P, error]
}

// NewListOf returns a ListOf with these pages, as [NewList] does. Plain returns the Page that a
// page embeds.
func NewListOf[P, T any](pages iter.Seq2[*P, error], plain func(*P) *Page[T]) ListOf[P, T] {
	return ListOf[P, T]{NewList(func(yield func(*Page[T], error) bool) {
		orEmpty(pages)(func(page *P, err error) bool {
			if page == nil {
				return yield(nil, err)
			}
			return yield(plain(page), err)
		})
	}), pages}
}

// Pages iterates over the pages, as [List.Pages] does.
func (l ListOf[P, T]) Pages() iter.Seq2[*P, error] { return apart(l.pages) }

// Page requests one page, as [List.Page] does.
func (l ListOf[P, T]) Page() (*P, error) { return first(l.pages) }

func orEmpty[P any](pages iter.Seq2[*P, error]) iter.Seq2[*P, error] {
	if pages == nil {
		return func(func(*P, error) bool) {}
	}
	return pages
}

// apart yields a page before the error that comes with it.
func apart[P any](pages iter.Seq2[*P, error]) iter.Seq2[*P, error] {
	return func(yield func(*P, error) bool) {
		orEmpty(pages)(func(page *P, err error) bool {
			if page != nil && err != nil {
				return yield(page, nil) && yield(nil, err)
			}
			return yield(page, err)
		})
	}
}

// first returns the first of the pages. It ranges without a for statement, which allocates
// more.
func first[P any](pages iter.Seq2[*P, error]) (*P, error) {
	got := struct {
		page *P
		err  error
	}{page: new(P)}
	orEmpty(pages)(func(page *P, err error) bool {
		got.page, got.err = page, err
		return false
	})
	return got.page, got.err
}
