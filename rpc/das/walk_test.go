package das_test

import (
	"errors"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
)

const owner = "7PRLRM1SzzQKnEwmdta8QeTQd94G4up6LkJwAw1UNhZw"

// keys returns the keys of the items of a walk, at most 30 000, and the error that ends it.
func keys[T any](seq iter.Seq2[T, error], key func(T) types.Address) (all []types.Address, err error) {
	for item, err := range seq {
		if err != nil {
			return all, err
		}
		if all = append(all, key(item)); len(all) == 30_000 {
			return all, errors.New("the walk does not end")
		}
	}
	return all, nil
}

// walked returns the IDs that a walk yields and the error that ends it.
func walked(seq iter.Seq2[das.Asset, error]) ([]types.Address, error) {
	return keys(seq, func(a das.Asset) types.Address { return a.ID })
}

// requireSame fails unless got are all assets of w, each once, in any order: broken
// assets come at the end of their page.
func requireSame(t *testing.T, w *world, got []types.Address, says ...any) {
	t.Helper()
	require.True(t, same(w.ids(), got), "%d assets, not %d: %v", len(got), len(w.ids()), says)
}

func same(a, b []types.Address) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// A listing reads a list of keys from a cursor on, one page or all pages. It returns the cursor
// after the last one.
type listing func(limit int, cursor string, pages int) (ids []types.Address, next string, err error)

// listings are all kinds of listings of a world.
func listings(t *testing.T, w *world) map[string]listing {
	t.Helper()
	c := w.client(t)
	assets := func(o das.AssetsOptions) listing {
		return func(limit int, cursor string, pages int) ([]types.Address, string, error) {
			o.Limit, o.Cursor = limit, cursor
			return read(c.AssetsByOwner(t.Context(), owner, &o).List, pages, func(a das.Asset) types.Address { return a.ID })
		}
	}
	return map[string]listing{
		"by ID":                assets(das.AssetsOptions{}),
		"by ID, ascending":     assets(das.AssetsOptions{SortDirection: das.SortDirectionAscending, PageOptions: types.PageOptions{Prefetch: true}}),
		"by number":            assets(das.AssetsOptions{SortBy: das.SortByCreated}),
		"by number, ascending": assets(das.AssetsOptions{SortBy: das.SortByCreated, SortDirection: das.SortDirectionAscending, PageOptions: types.PageOptions{Prefetch: true}}),
		"in a range":           assets(das.AssetsOptions{AfterID: "11111111111111111111111111111111"}),
		"accounts": func(limit int, cursor string, pages int) ([]types.Address, string, error) {
			list := c.TokenAccounts(t.Context(), das.TokenAccountsFilter{Mint: owner}, &das.TokenAccountsOptions{PageOptions: types.PageOptions{Limit: limit, Cursor: cursor}})
			return read(list, pages, func(a das.TokenAccount) types.Address { return a.Address })
		},
		"editions": func(limit int, cursor string, pages int) ([]types.Address, string, error) {
			list := c.Editions(t.Context(), owner, &das.ListingOptions{PageOptions: types.PageOptions{Limit: limit, Cursor: cursor}}).List
			return read(list, pages, func(e das.Edition) types.Address { return e.Address })
		},
		"signatures": func(limit int, cursor string, pages int) ([]types.Address, string, error) {
			list := c.Signatures(t.Context(), owner, &das.ListingOptions{PageOptions: types.PageOptions{Limit: limit, Cursor: cursor}})
			return read(list, pages, func(s das.Signature) types.Address { return types.Address(s.Signature) })
		},
	}
}

// read reads at most n pages.
func read[T any](list types.List[T], n int, key func(T) types.Address) (ids []types.Address, next string, err error) {
	for page, err := range list.Pages() {
		if err != nil {
			return ids, next, err
		}
		for _, item := range page.Items {
			ids = append(ids, key(item))
		}
		if next = page.Cursor; len(ids) > 30_000 {
			return ids, next, errors.New("the walk does not end")
		}
		if n--; n == 0 {
			return ids, next, nil
		}
	}
	return ids, next, nil
}

// Faulty services never lose items silently: a page shows the fault.
func TestFaultyServices(t *testing.T) {
	t.Parallel()
	circle := func(page, pages int) int {
		if page <= pages {
			return page
		}
		first := min(2, pages)
		return first + (page-first)%(pages-first+1)
	}
	for name, fault := range map[string]func(*world){
		"no fault":               func(*world) {},
		"no order":               func(w *world) { w.unordered = true },
		"the last page for ever": func(w *world) { w.served = func(page, pages int) int { return min(page, pages) } },
		"a circle":               func(w *world) { w.served = circle },
		"each page twice":        func(w *world) { w.served = func(page, _ int) int { return (page + 1) / 2 } },
		"ignored cursors":        func(w *world) { w.deaf = "cursor" },
		"ignored numbers":        func(w *world) { w.deaf = "page" },
		"ignored ranges":         func(w *world) { w.deaf = "after" },
		"no cursors":             func(w *world) { w.deaf, w.cursorless = "cursor", true },
	} {
		exact := 0
		for seed := range 8 {
			random := rand.New(rand.NewPCG(uint64(seed), 23))
			w := newWorld(1 + random.IntN([]int{5, 500}[random.IntN(2)]))
			w.ascending = random.IntN(2) == 0
			fault(w)
			limit := 1 + random.IntN(60)
			for kind, list := range listings(t, w) {
				ids, _, err := list(limit, "", 0)
				if err == nil {
					exact++
					requireSame(t, w, ids, name, kind, limit)
				} else {
					require.ErrorIs(t, err, types.ErrIncomplete, "%s: %s", name, kind)
					slices.Sort(ids)
					require.Len(t, slices.Compact(slices.Clone(ids)), len(ids), "%s: %s: an item came twice", name, kind)
				}
			}
		}
		require.Positive(t, exact, name)
		if name == "no fault" {
			require.Equal(t, 8*8, exact)
		}
	}
}

// The reference server joins tables: it merges the rows of an asset within a page.
func TestAssetsWithSeveralRowsAreListedOnce(t *testing.T) {
	t.Parallel()
	for seed := range 20 {
		random := rand.New(rand.NewPCG(uint64(seed), 33))
		w := newWorld(300)
		for i := range w.assets {
			w.assets[i].rows = 1 + random.IntN(3)
		}
		for name, list := range listings(t, w) {
			if strings.HasPrefix(name, "by number") {
				ids, _, err := list(10+seed, "", 0)
				require.NoError(t, err)
				requireSame(t, w, ids, name)
			}
		}
	}
}

// New assets before the first one move the last assets of a page to the next page.
func TestAssetsThatMoveToTheNextPageAreListedOnce(t *testing.T) {
	t.Parallel()
	pages := numberedPages{{`{"id":"b"}`, `{"id":"c"}`, `{"id":"d"}`}, {`{"id":"c"}`, `{"id":"d"}`, `{"id":"e"}`}, {`{"id":"f"}`}}
	got, err := walked(pages.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{PageOptions: types.PageOptions{Limit: 3}, SortBy: das.SortByCreated}).All())
	require.NoError(t, err)
	require.Equal(t, []types.Address{"b", "c", "d", "e", "f"}, got)
}

func TestRepeatedAssetsEndAWalk(t *testing.T) {
	t.Parallel()
	for _, pages := range []numberedPages{
		{{`{"id":"c"}`, `{"id":"d"}`}, {`{"id":"c"}`, `{"id":"d"}`}, {`{"id":"e"}`}},
		{{`{"id":"c"}`, `{"id":"d"}`}, {`{"id":"e"}`, `{"id":"c"}`}},
		{{`{"id":"c"}`, `{"id":"d"}`}, {`{"id":"c"}`, `{"id":"e"}`}},
	} {
		got, err := walked(pages.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{PageOptions: types.PageOptions{Limit: 2}, SortBy: das.SortByCreated}).All())
		require.EqualError(t, err, `getAssetsByOwner of 7PRLRM1SzzQKnEwmdta8QeTQd94G4up6LkJwAw1UNhZw: the service sent "c" again, so other items may be missing: incomplete listing`)
		require.Equal(t, []types.Address{"c", "d"}, got)
	}
}

func TestWalksOfAnySpeedYieldTheSame(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{0, 2, 32} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(5000)
			for i := range w.assets {
				w.assets[i].broken = i%97 == 0
				w.assets[i].hidden = i%89 == 0
			}
			w.troubled = true
			got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{PageOptions: types.PageOptions{Limit: 250, Prefetch: workers == 0}, Concurrency: workers}).All())
			require.NoError(t, err)
			requireSame(t, w, got)
		})
	}
}

// A page from which the service removed all assets looks like the end. Only the total tells.
func TestHiddenPagesEndAListing(t *testing.T) {
	t.Parallel()
	w := newWorld(40)
	for i := 15; i < 25; i++ {
		w.assets[i].hidden = true
	}
	c := w.client(t)
	for _, o := range []das.AssetsOptions{{PageOptions: types.PageOptions{Limit: 5}}, {PageOptions: types.PageOptions{Limit: 5}, SortBy: das.SortByCreated}} {
		got, err := walked(c.AssetsByOwner(t.Context(), owner, &o).All())
		require.NoError(t, err)
		require.Len(t, got, 15)

		o.ShowGrandTotal = true
		got, err = walked(c.AssetsByOwner(t.Context(), owner, &o).All())
		require.ErrorIs(t, err, types.ErrIncomplete)
		require.ErrorContains(t, err, "the service counts 40 items and listed 15")
		require.Len(t, got, 15)

		o.Limit, o.ShowGrandTotal = 30, false
		got, err = walked(c.AssetsByOwner(t.Context(), owner, &o).All())
		require.NoError(t, err)
		requireSame(t, w, got)
	}
}

// More assets are hidden than a page has, but all others are listed.
func TestHiddenAssetsAtTheEndAreNoError(t *testing.T) {
	t.Parallel()
	w := newWorld(1140)
	w.ascending = true
	for i := 40; i < 1140; i++ {
		w.assets[i].hidden = true
	}
	for _, o := range []das.AssetsOptions{{}, {SortBy: das.SortByCreated}, {Concurrency: 2}, {Concurrency: 8}, {PageOptions: types.PageOptions{Cursor: string(w.assets[39].id)}}} {
		got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &o).All())
		require.NoError(t, err)
		if o.Cursor == "" {
			requireSame(t, w, got)
		} else {
			require.Empty(t, got)
		}
	}
}

// Two nodes with different defaults answer by turns.
func TestAnotherDirectionEndsAWalk(t *testing.T) {
	t.Parallel()
	w := newWorld(100)
	n := 0
	w.fault = func(int) fault {
		if n++; n == 3 {
			w.ascending = true
			w.assets = slices.Delete(w.assets, 85, 86) // so that no cursor comes again
		}
		return none
	}
	_, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{PageOptions: types.PageOptions{Limit: 10}}).All())
	require.ErrorIs(t, err, types.ErrIncomplete)
}

// The service sends no cursor with a short page, or with any page of a full length.
func TestPagesWithoutCursor(t *testing.T) {
	t.Parallel()
	w := newWorld(40)
	w.shortEnds = true
	got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{PageOptions: types.PageOptions{Limit: 7}}).All())
	require.NoError(t, err)
	requireSame(t, w, got)
	require.Len(t, w.requests, 6)

	w = newWorld(40)
	w.cursorless = true
	got, err = walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{PageOptions: types.PageOptions{Limit: 7}}).All())
	require.NoError(t, err)
	requireSame(t, w, got)
}

func TestBalanceAndTotalComeWithTheFirstPage(t *testing.T) {
	t.Parallel()
	w := newWorld(10)
	opts := &das.AssetsOptions{PageOptions: types.PageOptions{Limit: 5}, ShowNativeBalance: true, ShowGrandTotal: true, ShowFungible: true}
	n := 0
	for page, err := range w.client(t).AssetsByOwner(t.Context(), owner, opts).Pages() {
		require.NoError(t, err)
		if n++; n == 1 {
			require.Equal(t, uint64(7), page.NativeBalance.Lamports)
			require.Equal(t, uint64(10), page.Total)
		} else {
			require.Nil(t, page.NativeBalance)
			require.Zero(t, page.Total)
		}
		require.True(t, w.requests[n-1].Options.Fungible)
	}
	require.Equal(t, 3, n)
}

func TestBrokenAssetsReachTheCaller(t *testing.T) {
	t.Parallel()
	w := newWorld(5)
	w.assets[2].broken = true
	page, err := w.client(t).AssetsByOwner(t.Context(), owner, nil).Page()
	require.NoError(t, err)
	require.Len(t, page.Items, 5)
	require.Equal(t, das.Asset{ID: w.assets[2].id, Problem: "Custom Error: interface not found"}, page.Items[4])
}

func TestPagesOfBrokenAssetsAreNotTheEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(100)
	for i := 40; i < 60; i++ {
		w.assets[i].broken = true
	}
	for _, o := range []das.AssetsOptions{{PageOptions: types.PageOptions{Limit: 5}}, {PageOptions: types.PageOptions{Limit: 5}, SortBy: das.SortByCreated}, {PageOptions: types.PageOptions{Limit: 5}, Concurrency: 3}} {
		got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &o).All())
		require.NoError(t, err)
		requireSame(t, w, got)
	}
}

func TestTransactionThatTransfersTwiceDoesNotEndAWalk(t *testing.T) {
	t.Parallel()
	l := numberedPages{{`["s","Transfer"]`}, {`["s","Transfer"]`}, {`["t","MintV1"]`}}
	got, err := l.client(t).Signatures(t.Context(), owner, &das.ListingOptions{PageOptions: types.PageOptions{Limit: 1}}).Collect(100)
	require.NoError(t, err)
	require.Len(t, got, 3)
	l = numberedPages{{`["a","MintV1"]`, `["s","Transfer"]`}, {`["s","Transfer"]`, `["s","Transfer"]`}, {`["t","Burn"]`}}
	got, err = l.client(t).Signatures(t.Context(), owner, &das.ListingOptions{PageOptions: types.PageOptions{Limit: 2}}).Collect(100)
	require.NoError(t, err)
	require.Len(t, got, 5)

	w := newWorld(3) // whose last page comes for ever
	w.served = func(page, pages int) int { return min(page, pages) }
	for _, name := range []string{"signatures", "by number"} {
		_, _, err = listings(t, w)[name](1, "", 0)
		require.ErrorIs(t, err, types.ErrIncomplete)
	}
}

func TestListsInNoOrderAreWalkedToTheirEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(40)
	w.shuffled = true
	for _, limit := range []int{3, 10, 1000} {
		got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{PageOptions: types.PageOptions{Limit: limit}}).All())
		require.NoError(t, err)
		requireSame(t, w, got)
	}
}
