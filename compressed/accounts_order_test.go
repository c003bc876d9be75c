package compressed_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/internal/faults"
	"github.com/solwire/solwire-go/types"
)

// unsound returns an indexer whose cursors skip accounts.
func unsound(count, trees int) *faults.Indexer {
	random := rand.New(rand.NewPCG(uint64(count), uint64(trees)))
	return &faults.Indexer{Order: faults.ByLeaf, Accounts: faults.NewIndexerAccounts(random, count, trees)}
}

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

// deadEnd returns the error that following the cursor of a page leads to.
func deadEnd[T any](p *types.Page[T]) error {
	if reason, dead := strings.CutPrefix(position(p.Cursor), "!"); dead {
		return fmt.Errorf("%s: %w", reason, types.ErrIncomplete)
	}
	return nil
}

// A walker returns the hashes of the accounts of an owner, read in one of several ways.
type walker func(t *testing.T, c *compressed.Client, o compressed.AccountsByOwnerOptions) ([]types.Hash, error)

// straight reads all pages in one reading.
func straight(t *testing.T, c *compressed.Client, o compressed.AccountsByOwnerOptions) (seen []types.Hash, err error) {
	t.Helper()
	for p, err := range c.AccountsByOwner(t.Context(), fakeapi.Owner, &o).Pages() {
		if err != nil {
			return seen, err
		}
		seen = append(seen, hashesOf(p)...)
	}
	return seen, nil
}

// pageByPage makes the list again for each page, with the cursor of the previous page.
func pageByPage(t *testing.T, c *compressed.Client, o compressed.AccountsByOwnerOptions) (seen []types.Hash, err error) {
	t.Helper()
	for more := true; more; {
		p, err := c.AccountsByOwner(t.Context(), fakeapi.Owner, &o).Page()
		if err != nil {
			return seen, err
		}
		seen = append(seen, hashesOf(p)...)
		o.Cursor, more = p.Cursor, p.HasMore
	}
	return seen, nil
}

// resumed reads two pages, and the others in one reading.
func resumed(t *testing.T, c *compressed.Client, o compressed.AccountsByOwnerOptions) (seen []types.Hash, err error) {
	t.Helper()
	for range 2 {
		p, err := c.AccountsByOwner(t.Context(), fakeapi.Owner, &o).Page()
		if err != nil {
			return seen, err
		}
		seen = append(seen, hashesOf(p)...)
		if o.Cursor = p.Cursor; !p.HasMore {
			return seen, nil
		}
	}
	rest, err := straight(t, c, o)
	return append(seen, rest...), err
}

func hashesOf(p *types.Page[compressed.Account]) (all []types.Hash) {
	for i := range p.Items {
		all = append(all, p.Items[i].Hash)
	}
	return all
}

// distinct returns the number of different hashes.
func distinct(hashes []types.Hash) int {
	set := map[types.Hash]bool{}
	for _, hash := range hashes {
		set[hash] = true
	}
	return len(set)
}

var orders = map[string]faults.Order{"by hash": faults.ByHash, "by leaf": faults.ByLeaf}

var walks = flag.Int("walks", 6, "walks for each order and limit")

// No walk loses or repeats accounts without an error. No walk of a sound listing, or of accounts
// that fit a page, ends with an error. For 600 walks of each kind:
//
//	go test ./compressed -run TestNoWalkLosesAccountsSilently -walks 600 -v
func TestNoWalkLosesAccountsSilently(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{1, 3, 7, 10, 100, 1000} {
		for name, order := range orders {
			t.Run(fmt.Sprint(name, "/", limit), func(t *testing.T) {
				t.Parallel()
				random := rand.New(rand.NewPCG(uint64(limit), uint64(order)))
				var incomplete int
				for i := range *walks {
					count := 1 + random.IntN(min(5*limit, 2*limit+1000)+2)
					if i%6 == 0 {
						count = limit * (1 + i/6%3)
					}
					x := &faults.Indexer{Order: order, Accounts: faults.NewIndexerAccounts(random, count, 1+i%5)}
					o := compressed.AccountsByOwnerOptions{PageOptions: types.PageOptions{Limit: limit, Prefetch: i%2 == 0}}
					seen, err := []walker{straight, pageByPage, resumed}[i%3](t, client(t, x.Service()), o)
					if err != nil {
						require.ErrorIs(t, err, types.ErrIncomplete)
						require.Equal(t, faults.ByLeaf, order, "walk %d of %d accounts: %v", i, count, err)
						require.Greater(t, count, 999, "one page is complete")
						incomplete++
						continue
					}
					require.Len(t, seen, count, "walk %d", i)
					require.Equal(t, count, distinct(seen), "walk %d", i)
				}
				t.Logf("%d walks: 0 lost accounts silently, %d ended with ErrIncomplete", *walks, incomplete)
			})
		}
	}
}

// A sound listing costs its pages, and at most one request to learn that it ended, also
// when each page is requested alone.
func TestRequestsOfAListing(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		count, limit   int
		byHash, byLeaf int // requests; below 0 ends with ErrIncomplete
	}{
		{0, 0, 1, 1},
		{1, 1, 1, 1},
		{10, 0, 1, 1},
		{10, 10, 2, 2},
		{12, 5, 3, 4},
		{150, 100, 2, 3},
		{999, 0, 1, 1},
		{1000, 0, 2, -1},
		{2500, 0, 3, -1},
		{2500, 100, 26, -2},
	} {
		for order, want := range map[faults.Order]int{faults.ByHash: row.byHash, faults.ByLeaf: row.byLeaf} {
			for _, walk := range []walker{straight, pageByPage} {
				x := &faults.Indexer{Order: order, Accounts: faults.NewIndexerAccounts(rand.New(rand.NewPCG(1, 2)), row.count, 1)}
				seen, err := walk(t, client(t, x.Service()), compressed.AccountsByOwnerOptions{PageOptions: types.PageOptions{Limit: row.limit}})
				if want < 0 {
					require.ErrorIs(t, err, types.ErrIncomplete)
					want = -want
				} else {
					require.NoError(t, err)
					require.Equal(t, row.count, distinct(seen))
				}
				require.Equal(t, want, x.Requests(), "order %d of %v", order, row)
				if row.byLeaf < 0 && order == faults.ByLeaf {
					want = -want
				}
			}
		}
	}
}

func TestPagesHaveAtMostLimitAccounts(t *testing.T) {
	t.Parallel()
	for _, order := range orders {
		x := &faults.Indexer{Order: order, Accounts: faults.NewIndexerAccounts(rand.New(rand.NewPCG(1, 2)), 30, 1)}
		for _, limit := range []int{1, 3, 5, 10} {
			o := compressed.AccountsByOwnerOptions{PageOptions: types.PageOptions{Limit: limit}}
			for p, err := range client(t, x.Service()).AccountsByOwner(t.Context(), fakeapi.Owner, &o).Pages() {
				require.NoError(t, err)
				require.LessOrEqual(t, len(p.Items), limit)
			}
		}
	}
}

func TestLimitDoesNotMakeAListingIncomplete(t *testing.T) {
	t.Parallel()
	x := unsound(150, 1)
	c := client(t, x.Service())
	o := compressed.AccountsByOwnerOptions{PageOptions: types.PageOptions{Limit: 100}, Filters: []types.Filter{types.Memcmp(0, []byte{7})}}
	for _, filtered := range []bool{true, false} {
		if filtered {
			for i := range x.Accounts {
				x.Accounts[i].Data[0] = 7
			}
		} else {
			o.Filters = nil
		}
		seen, err := straight(t, c, o)
		require.NoError(t, err)
		require.Len(t, seen, 150)
		require.Equal(t, 150, distinct(seen))
	}
}

// Of 3500 accounts, following the cursors of a running indexer (Photon 0.51 on PostgreSQL)
// returned 1203 to 1791, with up to 1660 repeats. Only the first page is valid.
func TestUnsoundListingEndsAfterItsFirstPage(t *testing.T) {
	t.Parallel()
	c := client(t, unsound(3500, 5).Service())
	for _, limit := range []int{0, 3, 10, 999} {
		for _, walk := range []walker{straight, pageByPage, resumed} {
			seen, err := walk(t, c, compressed.AccountsByOwnerOptions{PageOptions: types.PageOptions{Limit: limit}})
			require.ErrorIs(t, err, types.ErrIncomplete)
			require.EqualError(t, err, "getCompressedAccountsByOwnerV2 of BtJ5rdXcZs8hVqK2nTyWfMgPe7UDAoLx3Ri9GQk6uHSv: the cursors of the indexer skip accounts; leave Limit 0 if the owner has "+
				"fewer than 1000, set Filters that match fewer, or use package compressed/partition: incomplete listing")
			require.Len(t, seen, distinct(seen))
			require.LessOrEqual(t, len(seen), 1000)
		}
	}
}

// If the request for the remaining accounts fails, so does the page, unless they are too
// many for a response.
func TestFailedRestFailsThePage(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]error{
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32702,"message":"Response is too big"}}`: types.ErrIncomplete,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"invalid value"}}`:       compressed.ErrRefused,
	} {
		s := fakeapi.New()
		s.Answer(200, `{"context":{"slot":1},"value":{"items":[{"hash":"`+usdc+`"},{"hash":"`+anAccount+`"}],"cursor":"`+anAccount+`"}}`)
		s.Answer(200, body)
		s.Answer(200, `{"context":{"slot":1},"value":{"items":[],"cursor":null}}`)
		n, err := walked(t, client(t, s).AccountsByOwner(t.Context(), fakeapi.Owner, &compressed.AccountsByOwnerOptions{PageOptions: types.PageOptions{Limit: 2}}).All())
		require.ErrorIs(t, err, want)
		require.Equal(t, errors.Is(want, types.ErrIncomplete), n == 2)
	}
}

func TestCursorsThatAreNotHashesAreNotJudged(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, `{"context":{"slot":1},"value":{"items":[{"hash":"`+usdc+`"},{"hash":"`+anAccount+`"}],"cursor":"another form-"}}`)
	s.Answer(200, `{"context":{"slot":1},"value":{"items":[],"cursor":null}}`)
	n, err := walked(t, client(t, s).AccountsByOwner(t.Context(), fakeapi.Owner, nil).All())
	require.NoError(t, err)
	require.Equal(t, 2, n)
	require.Contains(t, bodies(s)[1], `"cursor":"another form-"`)
}
