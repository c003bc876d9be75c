package compressed

import (
	"context"
	"errors"
	"slices"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/types"
)

// The cursor of a listing of accounts by owner is the hash of the last account. An indexer that
// sorts by hash continues after it. Photon 0.51 sorts by leaf index, but also continues with the
// higher hashes: it skips accounts with lower hashes, and repeats others. If the hashes of a page
// do not ascend, the indexer does this.
//
// If one response has all accounts, the pages are parts of that response. Otherwise the listing
// ends after the page whose hashes do not ascend.

// leastAsked is the smallest limit of a first request. The random hashes of ten accounts ascend by
// chance once in 10!, which is 3.6 million; fewer do so more often.
const leastAsked = 10

// whole in Walk.Known means: not sorted by hash, and one response has all accounts.
const whole = "whole"

const unsoundCursors = "the cursors of the indexer skip accounts; leave Limit 0 if the owner has fewer than 1000, " +
	"set Filters that match fewer, or use package compressed/partition"

// An ownerReading requests a page of the accounts of an owner.
type ownerReading struct {
	client  *Client
	owner   types.Address
	options AccountsByOwnerOptions
	walk    *paging.Walk
}

// next returns the next page.
func (r *ownerReading) next(ctx context.Context) (*types.Page[Account], error) {
	w := r.walk
	if w.Known == whole {
		return r.rest(ctx)
	}
	limit := w.Limit
	if limit > 0 && w.At == "" {
		limit = max(limit, leastAsked)
	}
	unsound := false
	p, err := r.page(ctx, w.At, limit)
	switch {
	case err != nil:
		return nil, err
	case ascends(p, w.At):
	case w.At == "" && p.Cursor == "":
		w.Known = whole
	case w.At == "" && 0 < limit && limit < w.Op.Facts().Items:
		rest, err := r.rest(ctx)
		if unsound = errors.Is(err, types.ErrIncomplete); !unsound {
			return rest, err
		}
	default:
		unsound = true
	}
	r.cut(p)
	if unsound {
		p.Cursor = paging.DeadEnd(unsoundCursors)
	}
	return p, nil
}

// rest requests all accounts in one response, and returns the next page of them.
func (r *ownerReading) rest(ctx context.Context) (*types.Page[Account], error) {
	w := r.walk
	p, err := r.page(ctx, "", 0)
	switch {
	case errors.Is(err, types.ErrTooLarge), err == nil && p.Cursor != "":
		return nil, w.Incomplete(unsoundCursors)
	case err != nil:
		return nil, err
	case w.At != "":
		i := slices.IndexFunc(p.Items, func(a Account) bool { return string(a.Hash) == w.At })
		if i < 0 {
			return nil, w.Incomplete("account %s, after which to continue, is gone", w.At)
		}
		p.Items = p.Items[i+1:]
	}
	w.Known = whole
	r.cut(p)
	return p, nil
}

// cut shortens a page to the Limit of the caller.
func (r *ownerReading) cut(p *types.Page[Account]) {
	if limit := r.walk.Limit; 0 < limit && limit < len(p.Items) {
		p.Items = p.Items[:limit]
		p.Cursor = string(p.Items[limit-1].Hash)
	}
}

// ascends reports whether the hashes of a page ascend from a cursor. It is true for hashes and
// cursors of another form.
func ascends(p *types.Page[Account], after string) bool {
	if n := len(p.Items); n == 0 || !isHash(string(p.Items[0].Hash)) || after != "" && !isHash(after) || p.Cursor != "" && p.Cursor != string(p.Items[n-1].Hash) {
		return true
	}
	before := types.Hash(after)
	for i := range p.Items {
		hash := p.Items[i].Hash
		if before != "" && argument.CompareBase58(hash, before) <= 0 {
			return false
		}
		before = hash
	}
	return true
}

// isHash reports whether text may be 32 bytes in base58.
func isHash(text string) bool { return 32 <= len(text) && len(text) <= 44 }
