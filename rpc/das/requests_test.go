package das_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
)

// A listing costs its pages, and one request that finds its end. This also holds if each page is
// read by a list of its own, or if it is resumed at its end.
func TestRequestsOfListings(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 10, 999, 1000, 2500} {
		for _, limit := range []int{0, 7, 100} {
			if limit > 0 && n > 50*limit {
				continue // many pages show no more
			}
			size := limit
			if size == 0 {
				size = 1000
			}
			requests := (n+size-1)/size + 1
			if n == 0 {
				requests = 1
			}
			w := newWorld(n)
			for name, list := range listings(t, w) {
				w.requests = nil
				ids, _, err := list(limit, "", 0)
				require.NoError(t, err, "%s of %d by %d", name, n, limit)
				requireSame(t, w, ids, name)
				require.Len(t, w.requests, requests, "%s of %d by %d", name, n, limit)

				w.requests, ids = nil, nil
				var last string
				for cursor := ""; ; {
					page, next, err := list(limit, cursor, 1)
					require.NoError(t, err, name)
					if ids = append(ids, page...); next == "" {
						break
					}
					cursor, last = next, next
				}
				requireSame(t, w, ids, name)
				require.Len(t, w.requests, requests, "%s of %d by %d, resumed", name, n, limit)

				if n > 0 {
					w.requests = nil
					ids, next, err := list(limit, last, 0)
					require.NoError(t, err, "%s of %d by %d, resumed at its end", name, n, limit)
					require.Empty(t, ids)
					require.Empty(t, next)
					require.Len(t, w.requests, 1)
				}
			}
		}
	}
}

func TestRequestsOfRanges(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 10, 2333} {
		for _, ranges := range []int{2, 16} {
			w := newWorld(n)
			ids, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Concurrency: ranges}).All())
			require.NoError(t, err)
			requireSame(t, w, ids)
			pages := 0 // with assets
			for _, p := range w.requests {
				if rows, _ := w.window(p); len(rows) > 0 {
					pages++
				}
			}
			require.Len(t, w.requests, pages+ranges, "%d in %d ranges", n, ranges)
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
		{"a place where 100 fit", 5000, 1000, 5000, 100, 50},
		{"a place where 1 fits", 5000, 1000, 5000, 1, 105},
		{"a prime limit, a place where 1 fits", 5000, 997, 5000, 1, 105},
	} {
		for _, at := range []int{7, c.assets - 2} {
			w := newWorld(c.assets)
			w.ascending = true // takes no copy for each request
			w.maxBytes = 200 + c.fit*92
			if c.place > 0 {
				w.assets[at].bytes = w.maxBytes - c.place*92 - 150
			}
			got, _, err := listings(t, w)["by number"](c.limit, "", 0)
			require.NoError(t, err, "%s, at %d", c.name, at)
			require.Len(t, got, c.assets)
			require.LessOrEqual(t, len(w.requests), c.requests, "%s, at %d", c.name, at)
			if c.place == 0 {
				break
			}
		}
	}
}

func TestTooLargeResponsesHalveTheLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(1000)
	w.maxBytes = 9000 // about 100 assets
	for _, limit := range []int{0, 210, 300} {
		for name, list := range listings(t, w) {
			ids, _, err := list(limit, "", 0)
			require.NoError(t, err, "%s by %d", name, limit)
			requireSame(t, w, ids, name, limit)
		}
	}
	got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Concurrency: 3}).All())
	require.NoError(t, err)
	requireSame(t, w, got)
	w = newWorld(3)
	w.maxBytes = 100
	_, err = walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{PageOptions: types.PageOptions{Limit: 4}}).All())
	require.ErrorIs(t, err, types.ErrTooLarge, "one asset is too large")
}

func TestLimitGrowsAgainAfterALargeAsset(t *testing.T) {
	t.Parallel()
	w := newWorld(2000)
	w.maxBytes = 20_000
	w.ascending = true
	w.assets[0].bytes = 17_000
	got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{PageOptions: types.PageOptions{Limit: 100}}).All())
	require.NoError(t, err)
	requireSame(t, w, got)
	var limits []int
	for _, p := range w.requests {
		limits = append(limits, p.limit())
	}
	require.Equal(t, []int{100, 50, 25}, limits[:3])
	require.Equal(t, []int{25, 50}, limits[9:11])
	require.Equal(t, []int{50, 100}, limits[17:19])
	require.Equal(t, 100, limits[30])
}

func TestAccountsInARange(t *testing.T) {
	t.Parallel()
	w := newWorld(30)
	w.ascending = true
	filter := das.TokenAccountsFilter{Mint: owner}
	for _, b := range [][2]int{{4, 25}, {-1, 25}, {4, 30}} {
		opts := &das.TokenAccountsOptions{PageOptions: types.PageOptions{Limit: 10}}
		if b[0] >= 0 {
			opts.AfterID = w.assets[b[0]].id
		}
		if b[1] < 30 {
			opts.BeforeID = w.assets[b[1]].id
		}
		got, err := keys(w.client(t).TokenAccounts(t.Context(), filter, opts).All(), func(a das.TokenAccount) types.Address { return a.Address })
		require.NoError(t, err)
		require.Equal(t, w.ids()[b[0]+1:b[1]], got)

		w.ascending = false
		_, err = w.client(t).TokenAccounts(t.Context(), filter, opts).Collect(100)
		require.ErrorIs(t, err, types.ErrIncomplete, "the service sends the accounts at the other end first")
		w.ascending = true
	}
	for _, opts := range []das.TokenAccountsOptions{{AfterID: "short"}, {BeforeID: "short"}, {AfterID: owner, PageOptions: types.PageOptions{Cursor: "/10"}}} {
		_, err := w.client(t).TokenAccounts(t.Context(), filter, &opts).Page()
		require.ErrorIs(t, err, types.ErrInvalid)
	}
}

// numberedPages is a Transport that responds with a page of items and its number.
type numberedPages [][]string

func (l numberedPages) RoundTrip(req *http.Request) (*http.Response, error) {
	var call struct{ Params params }
	if err := json.NewDecoder(req.Body).Decode(&call); err != nil {
		return nil, err
	}
	items := ""
	if n := call.Params.Page; n <= len(l) {
		items = strings.Join(l[n-1], ",")
	}
	return reply(fmt.Sprintf(`"result":{"page":%d,"items":[%s]}`, call.Params.Page, items)).RoundTrip(req)
}

func (l numberedPages) client(t *testing.T) *das.Client {
	t.Helper()
	c, err := das.New(types.Config{APIKey: types.Key("a-key"), HTTPClient: &http.Client{Transport: l}})
	require.NoError(t, err)
	return c
}
