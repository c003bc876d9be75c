package compressed

import (
	"context"
	"errors"
	"slices"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/types"
)

// The cursors of a listing of accounts by owner are hashes of accounts. There are three
// kinds of indexers:
//
//   - sorted by hash, cursors mean higher hashes: pages ascend;
//   - sorted by leaf index, cursors mean the place of an account: sound as well;
//   - sorted by leaf index, cursors mean higher hashes: accounts with lower hashes are lost,
//     and others are repeated. This is how Photon 0.51 works.
//
// Pages of the first kind ascend. A first page that does not is cut after an account whose
// successor has a lower hash: an indexer of the second kind starts the next page with the
// successor, one of the third kind leaves it out. This takes no additional request, and
// the cursors carry what is known from one page to the next.
const (
	lowerNext = "-" // ends the cursor of an account whose successor has a lower hash
	byPlace   = "+" // ends a cursor of the second kind
)

// leastFirst is the smallest Limit of a first page. Fewer random hashes may ascend by
// chance; ten do so once in 10!, which is 3.6 million.
const leastFirst = 10

const unsoundCursors = "the cursors of the indexer skip accounts; leave Limit 0 if the owner has fewer than 1000, " +
	"set Filters that match fewer, or use package compressed/partition"

// splitCursor returns the cursor of the service in a cursor, and what ends it.
func splitCursor(cursor string) (hash, known string) {
	last := len(cursor) - 1
	if last < 0 || !isHash(cursor[:last]) || cursor[last:] != lowerNext && cursor[last:] != byPlace {
		return cursor, ""
	}
	return cursor[:last], cursor[last:]
}

// inOrder returns the page at o.Cursor, or what takes its place if cursors skip accounts.
// Limit is the Limit of the caller.
func (c *Client) inOrder(
	ctx context.Context, owner types.Address, o AccountsByOwnerOptions, known string, limit int, p *types.Page[Account],
) (*types.Page[Account], error) {
	switch {
	case known == "" && (o.Cursor == "" && !p.HasMore || !hashed(p, o.Cursor)): // complete, or of another kind
	case known == byPlace, wentBack(p, o.Cursor):
		if p.HasMore {
			p.Cursor += byPlace
		}
	case known == lowerNext:
		return c.rest(ctx, owner, o)
	case lastDescent(p) < 0:
		if o.Cursor == "" && 0 < limit && limit < len(p.Items) {
			p.Items = p.Items[:limit]
			p.Cursor = string(p.Items[limit-1].Hash)
		}
	case o.Cursor == "":
		p.Items = p.Items[:lastDescent(p)+1]
		p.Cursor = string(p.Items[len(p.Items)-1].Hash) + lowerNext
	default:
		incomplete(p, unsoundCursors)
	}
	return p, nil
}

// rest returns the accounts after the one with the hash o.Cursor, from a page of all
// accounts. It fails if there are too many of them for a page.
func (c *Client) rest(ctx context.Context, owner types.Address, o AccountsByOwnerOptions) (*types.Page[Account], error) {
	cursor := types.Hash(o.Cursor)
	o.Cursor, o.Limit = "", 0
	all, err := c.ownerPage(ctx, owner, o)
	if err != nil && !errors.Is(err, types.ErrTooLarge) {
		return nil, err
	}
	if err == nil && !all.HasMore {
		if i := slices.IndexFunc(all.Items, func(a Account) bool { return a.Hash == cursor }); i >= 0 {
			all.Items = all.Items[i+1:]
			return all, nil
		}
	}
	return nil, paging.CheckDeadEnd(c.current(opAccountsByOwner).Wire, string(owner), paging.DeadEnd(unsoundCursors))
}

// hashed reports whether the cursors of a page, and the one that led to it, are hashes.
func hashed(p *types.Page[Account], start string) bool {
	for i := range p.Items {
		if !isHash(string(p.Items[i].Hash)) {
			return false
		}
	}
	if n := len(p.Items); p.HasMore && (n == 0 || p.Cursor != string(p.Items[n-1].Hash)) {
		return false
	}
	return start == "" || isHash(start)
}

// lastDescent returns the place of the last account that is followed by one with a lower
// hash, -1 if there is none.
func lastDescent(p *types.Page[Account]) int {
	for i := len(p.Items) - 2; i >= 0; i-- {
		if argument.CompareBase58(p.Items[i+1].Hash, p.Items[i].Hash) < 0 {
			return i
		}
	}
	return -1
}

// wentBack reports whether a page has a hash at or below the cursor that it follows.
func wentBack(p *types.Page[Account], cursor string) bool {
	return cursor != "" && slices.ContainsFunc(p.Items, func(a Account) bool { return argument.CompareBase58(a.Hash, cursor) <= 0 })
}
