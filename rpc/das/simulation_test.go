package das_test

import (
	"errors"
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
)

var seeds = flag.Int("seeds", 120, "the number of simulated listings")

// A tally counts how walks ended. A silent one lost or repeated assets without an error.
type tally struct{ exact, incomplete, silent, requests int }

func (c *tally) add(want, got []types.Address, err error) bool {
	switch {
	case errors.Is(err, types.ErrIncomplete):
		c.incomplete++
	case err == nil && slices.Equal(slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(got))):
		c.exact++
	default:
		c.silent++
		return false
	}
	return true
}

// hide hides random runs of assets, but not the ones at both ends, since no reading can
// tell such a listing from an empty one.
func (w *world) hide(random *rand.Rand) {
	for range random.IntN(4) {
		start, length := random.IntN(len(w.assets)), 1+random.IntN([]int{10, 200, 1500}[random.IntN(3)])
		for i := start; i < min(start+length, len(w.assets)); i++ {
			w.assets[i].hidden = true
		}
	}
	w.assets[[]int{0, len(w.assets) - 1}[random.IntN(2)]].hidden = false
}

// TestHiddenAssetsAreNeverLostSilently walks listings with runs of hidden assets, from the
// start and from a saved cursor.
func TestHiddenAssetsAreNeverLostSilently(t *testing.T) {
	t.Parallel()
	counts := map[string]*tally{}
	for seed := range *seeds {
		random := rand.New(rand.NewPCG(uint64(seed), 22))
		w := newWorld(1 + random.IntN([]int{50, 500, 3000}[random.IntN(3)]))
		w.ascending = random.IntN(2) == 0
		w.hide(random)
		for i := range w.assets {
			w.assets[i].broken = random.IntN(50) == 0
		}
		o := das.AssetsOptions{
			Limit: []int{0, 1 + random.IntN(10), 1 + random.IntN(100), 1000}[random.IntN(4)], Prefetch: random.IntN(2) == 0,
			SortBy:        []das.SortBy{"", das.SortByCreated}[random.IntN(2)],
			SortDirection: []das.SortDirection{"", das.SortDirectionAscending, das.SortDirectionDescending}[random.IntN(3)],
		}
		if o.Limit > 0 && o.Limit*200 < len(w.assets) {
			o.Limit = len(w.assets) / 200 // keep the walks short
		}
		kind := "by cursor"
		switch {
		case o.SortBy != "":
			kind = "by number"
		case random.IntN(3) == 0:
			o.Concurrency, o.SortDirection, kind = 1+random.IntN(4), "", "in ranges"
		}
		c := w.client(t)
		if counts[kind] == nil {
			counts[kind], counts[kind+", resumed"] = new(tally), new(tally)
		}
		got, err := walked(c.AssetsByOwner(t.Context(), owner, &o).All())
		requests := len(w.requests)
		require.True(t, counts[kind].add(w.ids(), got, err), "seed %d: %s, %+v: %d of %d", seed, kind, o, len(got), len(w.ids()))
		counts[kind].requests += requests
		if o.Concurrency > 1 {
			continue
		}
		var before []types.Address
		resumed, stop := o, random.IntN(10)
		for page, err := range c.AssetsByOwner(t.Context(), owner, &o).Pages() {
			if err != nil || !page.HasMore {
				break
			}
			for _, a := range page.Items {
				before = append(before, a.ID)
			}
			if resumed.Cursor = page.Cursor; stop == 0 {
				break
			}
			stop--
		}
		if resumed.Cursor == "" {
			continue
		}
		got, err = walked(c.AssetsByOwner(t.Context(), owner, &resumed).All())
		ok := counts[kind+", resumed"].add(w.ids(), append(before, got...), err)
		require.True(t, ok, "seed %d: %s, %+v: %d and %d of %d", seed, kind, resumed, len(before), len(got), len(w.ids()))
	}
	for kind, count := range counts {
		t.Log(kind, fmt.Sprintf("%+v", *count))
		require.Positive(t, count.exact, kind)
		require.Zero(t, count.silent, kind)
	}
}

// numberedLists returns the keys of the items of all listings by page number.
func numberedLists(t *testing.T, w *world, limit int) map[string]func() ([]types.Address, error) {
	t.Helper()
	c := w.client(t)
	opts := &das.ListingOptions{Limit: limit}
	return map[string]func() ([]types.Address, error){
		"assets": func() ([]types.Address, error) {
			return walked(c.AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: limit, SortBy: das.SortByCreated}).All())
		},
		"accounts": func() ([]types.Address, error) {
			list := c.TokenAccounts(t.Context(), das.TokenAccountsFilter{Mint: owner}, &das.TokenAccountsOptions{Limit: limit})
			return keys(list.All(), func(a das.TokenAccount) types.Address { return a.Address })
		},
		"editions": func() ([]types.Address, error) {
			return keys(c.Editions(t.Context(), owner, opts).All(), func(e das.Edition) types.Address { return e.Address })
		},
		"signatures": func() ([]types.Address, error) {
			return keys(c.Signatures(t.Context(), owner, opts).All(), func(s das.Signature) types.Address { return types.Address(s.Signature) })
		},
	}
}

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

// TestPagesByNumberAreNeverLostSilently walks the listings of a service that has no order,
// sends its last page for ever, or pages in a circle.
func TestPagesByNumberAreNeverLostSilently(t *testing.T) {
	t.Parallel()
	last := func(page, pages int) int { return min(page, pages) }
	circle := func(start int) func(page, pages int) int {
		return func(page, pages int) int {
			if page <= pages {
				return page
			}
			first := min(start, pages)
			return first + (page-first)%(pages-first+1)
		}
	}
	for name, fault := range map[string]func(*world){
		"no fault":  func(*world) {},
		"no order":  func(w *world) { w.unordered = true },
		"last page": func(w *world) { w.served = last },
		"circle":    func(w *world) { w.served = circle(2) },
		"short":     func(w *world) { w.served = func(page, _ int) int { return (page + 1) / 2 } },
	} {
		counts := map[string]*tally{}
		for seed := range *seeds / 6 {
			random := rand.New(rand.NewPCG(uint64(seed), 23))
			w := newWorld(1 + random.IntN([]int{5, 500}[random.IntN(2)]))
			fault(w)
			limit := 2 + random.IntN(60) // with 1, a page that comes twice may be a transaction that did the same twice
			for kind, walk := range numberedLists(t, w, limit) {
				if counts[kind] == nil {
					counts[kind] = new(tally)
				}
				got, err := walk()
				require.True(t, counts[kind].add(w.ids(), got, err), "%s of %s: %d of %d with limit %d: %v", kind, name, len(got), len(w.assets), limit, err)
			}
		}
		for kind, count := range counts {
			t.Log(name, kind, fmt.Sprintf("%+v", *count))
		}
	}
}

// TestNumberedLimitsGrowAgain counts the requests of walks in which pages are too large:
// everywhere, or at one place.
func TestNumberedLimitsGrowAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name               string
		assets, limit, fit int // fit is the number of assets that fit in a response
		place              int // the number that fits at one place; 0 means no such place
		requests           int
	}{
		{"limit 997 where 600 fit", 5000, 997, 600, 0, 16},
		{"limit 499 where 300 fit", 5000, 499, 300, 0, 30},
		{"a place where 100 fit", 20_000, 1000, 5000, 100, 70},
		{"a place where 1 fits", 20_000, 1000, 5000, 1, 130},
		{"a prime limit, a place where 1 fits", 20_000, 997, 5000, 1, 130},
	} {
		for _, at := range []int{7, 5555, 19_998} {
			w := newWorld(c.assets)
			w.maxBytes = 200 + c.fit*92
			if c.place > 0 {
				w.assets[at].bytes = w.maxBytes - c.place*92 - 150
			}
			for kind, walk := range numberedLists(t, w, c.limit) {
				if kind != "assets" && c.place > 0 {
					continue // the others have no size
				}
				w.requests = nil
				got, err := walk()
				require.NoError(t, err, "%s, %s at %d", c.name, kind, at)
				require.Len(t, got, c.assets)
				require.LessOrEqual(t, len(w.requests), c.requests, "%s, %s at %d", c.name, kind, at)
			}
			if c.place == 0 {
				break
			}
		}
	}
}
