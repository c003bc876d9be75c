package compressed

import (
	"context"
	"errors"
	"slices"
	"strings"

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
// successor, one of the third kind leaves it out. If one response has all accounts, it is
// the rest of the listing, whatever the kind.
//
// The first request asks for 10 accounts at least, so that a page shows the order. Where the caller
// wants fewer, or the rest comes in one response, a response is several pages.
type kind string

const (
	ascending kind = ""  // sorted by hash, as far as is known
	lowerNext kind = "-" // the position is an account whose successor has a lower hash
	byPlace   kind = "+" // the second kind
)

// leastAsked is the fewest accounts of a first request. Fewer random hashes may ascend by chance;
// ten do so once in 10!, which is 3.6 million.
const leastAsked = 10

const unsoundCursors = "the cursors of the indexer skip accounts; leave Limit 0 if the owner has fewer than 1000, " +
	"set Filters that match fewer, or use package compressed/partition"

// An ownerReading requests a page of the accounts of an owner.
type ownerReading struct {
	client  *Client
	owner   types.Address
	options AccountsByOwnerOptions
	walk    *paging.Walk
}

// within divides a position in a response: the hash that the response is after, and the last
// account in it that the caller has had.
const within = "/"

// next returns the next page. The cursor also carries the kind of the position.
func (r *ownerReading) next(ctx context.Context) (*types.Page[Account], error) {
	w := r.walk
	before := kind(w.Known)
	after, had, _ := strings.Cut(w.At, within)
	p, found, err := r.response(ctx, after, before)
	if err != nil {
		return nil, err
	}
	if had != "" {
		i := slices.IndexFunc(p.Items, func(a Account) bool { return string(a.Hash) == had })
		if i < 0 {
			return nil, w.Incomplete("account %s, after which to continue, is gone", had)
		}
		p.Items = p.Items[i+1:]
	}
	w.Known = string(found)
	if limit := w.Limit; limit > 0 && limit < len(p.Items) {
		p.Items, w.Known = p.Items[:limit], string(before)
		p.Cursor = after + within + string(p.Items[limit-1].Hash)
	}
	return p, nil
}

// response returns the accounts after a hash, and the kind of the position after them.
func (r *ownerReading) response(ctx context.Context, after string, k kind) (*types.Page[Account], kind, error) {
	limit := r.walk.Limit
	if limit > 0 && after == "" {
		limit = max(limit, leastAsked)
	}
	most := r.walk.Op.Facts().Items
	if k == lowerNext && 0 < limit && limit < most {
		p, err := r.page(ctx, "", 0)
		if err != nil && !errors.Is(err, types.ErrTooLarge) {
			return nil, "", err
		}
		if err == nil && p.Cursor == "" {
			i := slices.IndexFunc(p.Items, func(a Account) bool { return string(a.Hash) == after })
			if i >= 0 {
				p.Items = p.Items[i+1:]
				return p, "", nil
			}
		}
	}
	p, err := r.page(ctx, after, limit)
	if err != nil {
		return nil, "", err
	}
	switch descent := lastDescent(p); {
	case k == ascending && (after == "" && p.Cursor == "" || !hashed(p, after)): // complete, or of another kind
	case k == byPlace, wentBack(p, after):
		return p, byPlace, nil
	case k == lowerNext:
		return nil, "", r.walk.Incomplete(unsoundCursors)
	case descent < 0:
		if asked := r.walk.Limit; after == "" && 0 < asked && asked < len(p.Items) {
			p.Items = p.Items[:asked]
			p.Cursor = string(p.Items[asked-1].Hash)
		}
	case after == "":
		p.Items = p.Items[:descent+1]
		p.Cursor = string(p.Items[descent].Hash)
		return p, lowerNext, nil
	default:
		p.Cursor = paging.DeadEnd(unsoundCursors)
	}
	return p, ascending, nil
}

// hashed reports whether the cursors of a page, and the one that led to it, are hashes.
func hashed(p *types.Page[Account], start string) bool {
	for i := range p.Items {
		if !isHash(string(p.Items[i].Hash)) {
			return false
		}
	}
	if n := len(p.Items); p.Cursor != "" && (n == 0 || p.Cursor != string(p.Items[n-1].Hash)) {
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
