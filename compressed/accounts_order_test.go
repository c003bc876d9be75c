package compressed_test

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/types"
)

// walked returns the number of pages or items before the end, and the error that
// ended the walk.
func walked[T any](t *testing.T, seq func(func(T, error) bool)) (n int, last error) {
	t.Helper()
	for _, err := range seq {
		require.NoError(t, last, "an error comes last")
		if last = err; err == nil {
			n++
		}
	}
	return n, last
}

// A seenAccounts counts distinct accounts, and how often one came again.
type seenAccounts struct {
	hashes map[types.Hash]bool
	again  int
}

func (s *seenAccounts) add(list []compressed.Account) {
	for _, a := range list {
		if s.hashes[a.Hash] {
			s.again++
		}
		s.hashes[a.Hash] = true
	}
}

// A walker walks over the accounts of an owner in one of several ways.
type walker func(t *testing.T, c *compressed.Client, o compressed.AccountsByOwnerOptions, seen *seenAccounts) error

func byItem(t *testing.T, c *compressed.Client, o compressed.AccountsByOwnerOptions, seen *seenAccounts) error {
	t.Helper()
	for a, err := range c.AccountsByOwner(t.Context(), fake.Owner, &o).All() {
		if err != nil {
			return err
		}
		seen.add([]compressed.Account{a})
	}
	return nil
}

func byPrefetchedPage(t *testing.T, c *compressed.Client, o compressed.AccountsByOwnerOptions, seen *seenAccounts) error {
	t.Helper()
	o.Prefetch = true
	for p, err := range c.AccountsByOwner(t.Context(), fake.Owner, &o).Pages() {
		if err != nil {
			return err
		}
		seen.add(p.Items)
	}
	return nil
}

// deadEnd returns the error that following the cursor of a page leads to.
func deadEnd[T any](p *types.Page[T]) error {
	return paging.CheckDeadEnd("getCompressedAccountsByOwnerV2", p.Cursor)
}

// bySinglePage continues by the hash of the last account, as a caller may.
func bySinglePage(t *testing.T, c *compressed.Client, o compressed.AccountsByOwnerOptions, seen *seenAccounts) error {
	t.Helper()
	for {
		p, err := c.AccountsByOwner(t.Context(), fake.Owner, &o).Page()
		require.NoError(t, err)
		seen.add(p.Items)
		if err := deadEnd(p); err != nil || !p.HasMore {
			require.Equal(t, err != nil, p.HasMore, "an incomplete listing looks complete")
			return err
		}
		o.Cursor = string(p.Items[len(p.Items)-1].Hash)
	}
}

// resumed makes a walk start over after some pages, whatever these pages said.
func resumed(walk walker, pages int) walker {
	return func(t *testing.T, c *compressed.Client, o compressed.AccountsByOwnerOptions, seen *seenAccounts) error {
		t.Helper()
		var broken error // of the page before
		for range pages {
			p, err := c.AccountsByOwner(t.Context(), fake.Owner, &o).Page()
			require.NoError(t, err)
			seen.add(p.Items)
			if !p.HasMore || len(p.Items) == 0 {
				return broken
			}
			broken = deadEnd(p)
			o.Cursor = string(p.Items[len(p.Items)-1].Hash) // which was the cursor
		}
		return walk(t, c, o, seen)
	}
}

var walks = flag.Int("walks", 15, "walks for each order and limit")

// Of any walks, from the start and resumed, none loses an account without an error, and
// none of a sound listing ends with an error. For 600 walks of each kind:
//
//	go test ./compressed -run TestNoWalkLosesAccountsSilently -walks 600 -v
func TestNoWalkLosesAccountsSilently(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{1, 3, 7, 10, 100, 1000} {
		for name, order := range map[string]fake.IndexerOrder{"by hash": fake.IndexerByHash, "by leaf": fake.IndexerByLeaf, "by place": fake.IndexerByPlace} {
			t.Run(fmt.Sprint(name, "/", limit), func(t *testing.T) {
				t.Parallel()
				random := rand.New(rand.NewPCG(uint64(limit), uint64(order)))
				var incomplete int
				for i := range *walks {
					count := 1 + random.IntN(min(5*limit, 2*limit+1000)+2)
					if i%10 == 0 {
						count = limit * (1 + i/10%3)
					}
					x := &fake.Indexer{Order: order, Accounts: fake.NewIndexerAccounts(random, count, 1+i%5)}
					walk := []walker{byItem, byPrefetchedPage, bySinglePage}[i%3]
					if i%2 == 1 {
						walk = resumed(walk, 1+random.IntN(3))
					}
					seen := &seenAccounts{hashes: map[types.Hash]bool{}}
					err := walk(t, client(t, x.Service()), compressed.AccountsByOwnerOptions{Limit: limit}, seen)
					if err != nil {
						require.ErrorIs(t, err, types.ErrIncomplete)
						require.Equal(t, fake.IndexerByLeaf, order, "walk %d of %d accounts: %v", i, count, err)
						require.Greater(t, count, min(limit, 999), "one page is complete")
						incomplete++
						continue
					}
					require.Len(t, seen.hashes, count, "walk %d of %d accounts lost some", i, count)
					require.Zero(t, seen.again, "walk %d of %d accounts", i, count)
				}
				t.Logf("%d walks: 0 lost accounts silently, %d ended with ErrIncomplete", *walks, incomplete)
			})
		}
	}
}

// The simulation loses as many accounts as a running indexer (Photon 0.51 on
// PostgreSQL) whose cursors were followed through 3500 accounts: it returned 1203 to
// 1791 of them, with up to 1660 repeats.
func TestFollowingUnsoundCursorsLosesAccounts(t *testing.T) {
	t.Parallel()
	for trees := 1; trees <= 5; trees += 4 {
		random := rand.New(rand.NewPCG(3500, uint64(trees)))
		x := &fake.Indexer{Order: fake.IndexerByLeaf, Accounts: fake.NewIndexerAccounts(random, 3500, trees)}
		seen := &seenAccounts{hashes: map[types.Hash]bool{}}
		err := resumed(byItem, 100)(t, client(t, x.Service()), compressed.AccountsByOwnerOptions{}, seen)
		require.ErrorIs(t, err, types.ErrIncomplete)
		require.Greater(t, len(seen.hashes), 1000)
		require.Less(t, len(seen.hashes), 2000)
		require.Positive(t, seen.again)
	}
}

// listed requests one page of an owner with some accounts.
func listed(t *testing.T, x *fake.Indexer, o compressed.AccountsByOwnerOptions) *types.Page[compressed.Account] {
	t.Helper()
	p, err := client(t, x.Service()).AccountsByOwner(t.Context(), fake.Owner, &o).Page()
	require.NoError(t, err)
	return p
}

func TestSoundListingsNeedFewMoreRequests(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		order        fake.IndexerOrder
		count, limit int
		requests     int // for a single page
		walk         int // for all pages
	}{
		{fake.IndexerByHash, 11, 0, 1, 1},    // the whole listing
		{fake.IndexerByHash, 1500, 0, 1, 3},  // 1000 in the order of their hashes, and a check at the end
		{fake.IndexerByHash, 24, 12, 1, 4},   // with an empty page at the end
		{fake.IndexerByHash, 23, 11, 2, 5},   // too few to tell: one more
		{fake.IndexerByPlace, 1500, 0, 2, 3}, // once per walk
		{fake.IndexerByPlace, 23, 11, 2, 4},  // out of the order of the hashes
		{fake.IndexerByLeaf, 999, 0, 1, 1},   // the whole listing
		{fake.IndexerByLeaf, 11, 11, 3, 3},   // complete, in spite of a cursor
	} {
		random := rand.New(rand.NewPCG(1, 2))
		x := &fake.Indexer{Order: row.order, Accounts: fake.NewIndexerAccounts(random, row.count, 1)}
		p := listed(t, x, compressed.AccountsByOwnerOptions{Limit: row.limit})
		require.NoError(t, deadEnd(p), row)
		require.Equal(t, row.requests, x.Requests(), row)
		n, err := walked(t, client(t, x.Service()).AccountsByOwner(t.Context(), fake.Owner, &compressed.AccountsByOwnerOptions{Limit: row.limit}).All())
		require.NoError(t, err)
		require.Equal(t, row.count, n)
		require.Equal(t, row.requests+row.walk, x.Requests(), row)
	}
}

// Leaves whose hashes ascend, but for two neighbors or after the first thousand, look sorted
// by hash, and cursors then skip some.
func TestAlmostSortedListingsLoseNothingSilently(t *testing.T) {
	t.Parallel()
	var incomplete int
	for _, count := range []int{1001, 1100, 3000} {
		for _, sorted := range []int{1000, count} {
			for _, swapped := range []int{0, count / 2, count - 2} {
				for _, limit := range []int{10, 100, 1000} {
					accounts := fake.NewIndexerAccounts(rand.New(rand.NewPCG(uint64(count), uint64(limit))), count, 1)
					slices.SortFunc(accounts[:sorted], func(a, b fake.IndexerAccount) int { return bytes.Compare(a.Hash[:], b.Hash[:]) })
					accounts[swapped], accounts[swapped+1] = accounts[swapped+1], accounts[swapped]
					for i := range accounts {
						accounts[i].Leaf = uint64(i)
					}
					x := &fake.Indexer{Order: fake.IndexerByLeaf, Accounts: accounts}
					n, err := walked(t, client(t, x.Service()).AccountsByOwner(t.Context(), fake.Owner, &compressed.AccountsByOwnerOptions{Limit: limit}).All())
					if err == nil {
						require.Equal(t, count, n, "of %d sorted ones, %d swapped, limit %d", sorted, swapped, limit)
						continue
					}
					require.ErrorIs(t, err, types.ErrIncomplete)
					incomplete++
				}
			}
		}
	}
	t.Logf("54 walks: 0 lost accounts silently, %d ended with ErrIncomplete", incomplete)
}

// The last account, with the lowest hash of all, is on no page after any cursor. Like
// most accounts, it has no lamports that would be missing from a balance.
func TestHiddenAccountIsMissed(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{2, 999, 1000} {
		accounts := fake.NewIndexerAccounts(rand.New(rand.NewPCG(1, 2)), limit+1, 1)
		accounts[limit].Hash, accounts[limit].Lamports = [32]byte{0, 1}, 0
		if limit == 2 {
			accounts[0].Hash, accounts[1].Hash = [32]byte{3}, [32]byte{2}
		}
		x := &fake.Indexer{Order: fake.IndexerByLeaf, Accounts: accounts}
		p := listed(t, x, compressed.AccountsByOwnerOptions{Limit: limit})
		require.ErrorIs(t, deadEnd(p), types.ErrIncomplete, limit)
		require.EqualError(t, deadEnd(p), "getCompressedAccountsByOwnerV2: the cursors of the indexer skip accounts; "+
			"use PartitionedAccountsByOwner, or filters that match fewer than 1000 accounts: incomplete listing")
		require.Len(t, p.Items, limit)
	}
}

func TestFiltersAndVersion1AreKeptByFurtherRequests(t *testing.T) {
	t.Parallel()
	x := &fake.Indexer{Order: fake.IndexerByLeaf, Version1: true, Accounts: fake.NewIndexerAccounts(rand.New(rand.NewPCG(5, 6)), 3000, 3)}
	var matching int
	for _, a := range x.Accounts {
		if a.Data[0] == 7 {
			matching++
		}
	}
	filters := []types.Filter{types.Memcmp(0, []byte{7})}
	p := listed(t, x, compressed.AccountsByOwnerOptions{Limit: matching, Filters: filters})
	require.NoError(t, deadEnd(p))
	require.False(t, p.HasMore)
	require.Len(t, p.Items, matching)
	p = listed(t, x, compressed.AccountsByOwnerOptions{Limit: matching - 1, Filters: filters})
	require.ErrorIs(t, deadEnd(p), types.ErrIncomplete)
}

// If a further request fails, the page was not checked, and fails too.
func TestFailedCheckFailsThePage(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Answer(200, `{"context":{"slot":1},"value":{"items":[{"hash":"`+anAccount+`"}],"cursor":"`+anAccount+`"}}`)
	s.Answer(401, `{"error":"Unauthorized"}`)
	p, err := client(t, s).AccountsByOwner(t.Context(), fake.Owner, nil).Page()
	require.ErrorIs(t, err, types.ErrUnauthorized)
	require.Nil(t, p)
}

func TestCursorsThatAreNotHashesAreNotJudged(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Answer(200, `{"context":{"slot":1},"value":{"items":[{"hash":"`+usdc+`"},{"hash":"`+anAccount+`"}],"cursor":"another form"}}`)
	p, err := client(t, s).AccountsByOwner(t.Context(), fake.Owner, nil).Page()
	require.NoError(t, err)
	require.NoError(t, deadEnd(p))
	require.Len(t, s.Requests(), 1)
}
