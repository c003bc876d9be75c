package compressed

import (
	"context"
	"fmt"
	"strings"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A selection is what selects the items of a listing. Its cursors end with a mark of it:
// the service takes a cursor as a position, and in a listing of other items it would skip
// some silently.
type selection struct {
	op      transport.Op  // of which the Go method counts
	address types.Address // the owner, delegate, mint or address asked about
	mint    types.Address
	filters []types.Filter
}

// markSign starts a mark. Cursors of the service, in base58, do not contain it.
const markSign = "~"

// mark returns what follows the sign in the cursors of the listing.
func (s selection) mark() [8]byte {
	h := fnv(2166136261)
	h.add(s.op.Method())
	h.add(string(s.address))
	h.add(string(s.mint))
	for _, f := range s.filters {
		offset, data, _ := f.Compared()
		h.add(fmt.Sprint(offset))
		h.add(string(data))
	}
	const digits = "0123456789abcdef"
	var mark [8]byte
	for i := range mark {
		mark[i] = digits[h>>(28-4*i)&15]
	}
	return mark
}

// marked returns a cursor of the service with the mark.
func (s selection) marked(cursor string) string {
	mark := s.mark()
	return cursor + markSign + string(mark[:])
}

// fnv is the hash FNV-1a of texts, which costs a listing no allocations.
type fnv uint32

// add adds a text and its end.
func (h *fnv) add(text string) {
	for i := range len(text) {
		*h = (*h ^ fnv(text[i])) * 16777619
	}
	*h *= 16777619 // as a byte of 0 does
}

// unmarked returns a cursor as the service sent it. A cursor without a mark is accepted:
// programs may have it from the service, or from an earlier version of this package.
func (s selection) unmarked(cursor string) (string, error) {
	i := strings.LastIndex(cursor, markSign)
	if i < 0 {
		return cursor, nil
	}
	position := cursor[:i]
	if s.marked(position) != cursor {
		return "", argument.Invalid("Cursor", "belongs to another listing; resume with the method, address, mint and filters of the page it came with")
	}
	return position, nil
}

// listOf returns the list of a selection. Begin starts a reading and returns the function
// that requests the page at a cursor of the service.
func listOf[T any](
	ctx context.Context, c *Client, s selection, cursor string, prefetch bool,
	begin func() func(context.Context, string) (*types.Page[T], error),
) types.List[T] {
	return paging.ListOf(ctx, s.op.String(), cursor, prefetch, func() func(context.Context, string) (*types.Page[T], error) {
		fetch := begin()
		return func(ctx context.Context, cursor string) (*types.Page[T], error) {
			position, err := s.unmarked(cursor)
			if err != nil {
				return nil, c.api.Check(s.op, err)
			}
			p, err := fetch(ctx, position)
			if err == nil && p.Cursor != "" && paging.CheckDeadEnd("", p.Cursor) == nil {
				p.Cursor = s.marked(p.Cursor)
			}
			return p, err
		}
	})
}
