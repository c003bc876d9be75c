package compressed

import (
	"context"
	"slices"

	"github.com/solwire/solwire-go/types"
)

// An ownerOrder finds out whether following the cursors of a listing of accounts by
// owner reaches all accounts. A cursor is the hash of the last account of a page. There
// are three kinds of indexers:
//
//   - sorted by hash, cursors mean higher hashes: pages ascend;
//   - sorted by leaf index, cursors mean the place of an account: sound as well;
//   - sorted by leaf index, cursors mean higher hashes: the accounts with lower hashes
//     that are not on the page are lost, and others are repeated. This is how Photon
//     0.51 works.
//
// Pages alone do not always tell these apart, so the order asks for more.
type ownerOrder struct {
	byHash  bool // whether pages are sorted by hash
	byPlace bool // whether cursors mean places

	early types.Hash // in the first page, for checkEnd; empty if that page is not known
}

// minSorted is how many ascending hashes count as sorted by hash: fewer may be in order
// by chance. Twelve are once in 12!, which is 479 million.
const minSorted = 12

// A prober requests pages of the same listing.
type prober struct {
	client  *Client
	owner   types.Address
	options AccountsByOwnerOptions
}

// at returns the largest page at a cursor, without the data of accounts.
func (p *prober) at(ctx context.Context, cursor types.Hash) (*types.Page[Account], error) {
	o := p.options
	o.Cursor, o.Limit, o.DataSlice = string(cursor), 0, &types.DataSlice{}
	return p.client.ownerPage(ctx, p.owner, o)
}

// check makes the page one after which the listing cannot continue if following its
// cursor, or the one that led to it, would skip accounts. A page of all accounts gets no
// cursor.
func (l *ownerOrder) check(ctx context.Context, page *types.Page[Account], p *prober) error {
	start := p.options.Cursor
	if l.byPlace || start == "" && !page.HasMore || !hashed(page, start) {
		return nil
	}
	if wentBack(page, types.Hash(start)) {
		l.byPlace = true
		return nil
	}
	sample := page // which is not in the order of the hashes
	if firstDescent(page) < 0 {
		l.byHash = l.byHash || len(page.Items) >= minSorted
		if l.byHash && start == "" {
			l.early = early(page)
		}
		if l.byHash {
			return l.checkEnd(ctx, page, p)
		}
		first, err := p.at(ctx, "")
		if err != nil {
			return err
		}
		if firstDescent(first) < 0 {
			l.byHash = true
			l.early = early(first)
			return l.checkEnd(ctx, page, p)
		}
		sample = first
	}
	high := sample.Items[firstDescent(sample)].Hash // a lower hash follows
	after, err := p.at(ctx, high)
	if err != nil {
		return err
	}
	if wentBack(after, high) {
		l.byPlace = true
		return nil
	}
	complete, err := p.hasAll(ctx, page)
	if err != nil {
		return err
	}
	if complete {
		page.Cursor, page.HasMore = "", false
		return nil
	}
	incomplete(page, unsoundCursors)
	return nil
}

// early returns a hash in a first page that a page of the largest size goes beyond by half,
// or the first hash. Accounts with lower hashes do not show on the page after it.
func early(first *types.Page[Account]) types.Hash {
	if len(first.Items) == 0 {
		return ""
	}
	return first.Items[max(0, len(first.Items)-maxLimit/2)].Hash
}

// checkEnd checks the last page of a walk that took its listing for sorted by hash because
// its pages ascend, which the first accounts may do by leaf index too: a page from an early
// account on has to ascend as well.
func (l *ownerOrder) checkEnd(ctx context.Context, page *types.Page[Account], p *prober) error {
	if page.HasMore || l.early == "" {
		return nil
	}
	after, err := p.at(ctx, l.early)
	if err != nil {
		return err
	}
	if firstDescent(after) >= 0 || wentBack(after, l.early) {
		incomplete(page, unsoundCursors)
	}
	return nil
}

const unsoundCursors = "the cursors of the indexer skip accounts; use PartitionedAccountsByOwner, or filters that match fewer than 1000 accounts"

// hashed reports whether the cursors of a page, and the one that led to it, are
// hashes.
func hashed(page *types.Page[Account], start string) bool {
	for i := range page.Items {
		if !isHash(string(page.Items[i].Hash)) {
			return false
		}
	}
	if n := len(page.Items); page.HasMore && (n == 0 || page.Cursor != string(page.Items[n-1].Hash)) {
		return false
	}
	return start == "" || isHash(start)
}

// firstDescent returns the place of the first account that is followed by one with a lower
// hash, -1 if there is none.
func firstDescent(page *types.Page[Account]) int {
	for i := 1; i < len(page.Items); i++ {
		if compareBase58(string(page.Items[i].Hash), string(page.Items[i-1].Hash)) < 0 {
			return i - 1
		}
	}
	return -1
}

// wentBack reports whether page contains a hash at or below the cursor it followed.
func wentBack(page *types.Page[Account], cursor types.Hash) bool {
	for i := range page.Items {
		if cursor != "" && compareBase58(string(page.Items[i].Hash), string(cursor)) <= 0 {
			return true
		}
	}
	return false
}

// hasAll reports whether a page has all accounts although it has a cursor. A full page of
// the largest size does not tell: accounts with lower hashes than its own may be on no
// other page.
func (p *prober) hasAll(ctx context.Context, page *types.Page[Account]) (bool, error) {
	all, err := p.at(ctx, "")
	if err != nil || all.HasMore {
		return false, err
	}
	known := map[types.Hash]bool{}
	for i := range page.Items {
		known[page.Items[i].Hash] = true
	}
	return !slices.ContainsFunc(all.Items, func(a Account) bool { return !known[a.Hash] }), nil
}
