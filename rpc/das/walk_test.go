package das_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
)

const owner = "7PRLRM1SzzQKnEwmdta8QeTQd94G4up6LkJwAw1UNhZw"

// walked returns the IDs that a walk yields and the error that ends it.
func walked(seq iter.Seq2[das.Asset, error]) (ids []types.Address, err error) {
	for a, err := range seq {
		if err != nil {
			return ids, err
		}
		ids = append(ids, a.ID)
	}
	return ids, nil
}

// requireSame fails unless got are all assets of w, each once, in any order: broken
// assets come at the end of their page.
func requireSame(t *testing.T, w *world, got []types.Address) {
	t.Helper()
	want := slices.Sorted(slices.Values(w.ids()))
	require.True(t, slices.Equal(want, slices.Sorted(slices.Values(got))), "%d assets, not %d", len(got), len(want))
}

func TestWalksOfAnySpeedYieldTheSame(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{0, 1, 2, 7, 32} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(10_000)
			for i := range w.assets {
				w.assets[i].broken = i%97 == 0
				w.assets[i].hidden = i%89 == 0
			}
			w.troubled = true
			got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: 250, Concurrency: workers, Prefetch: workers%2 == 0}).All())
			require.NoError(t, err)
			requireSame(t, w, got)
		})
	}
}

func TestBrokenAssetsReachTheCaller(t *testing.T) {
	t.Parallel()
	w := newWorld(5)
	w.assets[2].broken = true
	page, err := w.client(t).AssetsByOwner(t.Context(), owner, nil).Page()
	require.NoError(t, err)
	require.Len(t, page.Items, 5)
	require.Equal(t, das.Asset{ID: w.assets[2].id, Err: "Custom Error: interface not found"}, page.Items[4])
}

func TestPagesOfBrokenAssetsAreNotTheEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(100)
	for i := 40; i < 60; i++ {
		w.assets[i].broken = true
	}
	for _, o := range []das.AssetsOptions{{Limit: 5}, {Limit: 5, SortBy: das.SortByCreated}, {Limit: 5, Concurrency: 3}} {
		got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &o).All())
		require.NoError(t, err)
		requireSame(t, w, got)
	}
}

// Broken assets come last in their page, so these listings hardly show their direction.
func TestWalksOfMostlyBrokenAssetsAreComplete(t *testing.T) {
	t.Parallel()
	for _, ascending := range []bool{true, false} {
		for shown := -1; shown < 4; shown++ { // the index of the only asset that is not broken
			for limit := range 6 {
				for _, shortEnds := range []bool{true, false} {
					w := newWorld(4)
					w.ascending, w.shortEnds = ascending, shortEnds
					for i := range w.assets {
						w.assets[i].broken = i != shown
					}
					c := w.client(t)
					got, err := walked(c.AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: limit}).All())
					require.NoError(t, err)
					requireSame(t, w, got)
					if shortEnds { // a first page without a cursor shows even less
						continue
					}
					for i := range w.assets {
						rest, err := walked(c.AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: limit, Cursor: string(w.assets[i].id)}).All())
						require.NoError(t, err)
						require.Len(t, rest, map[bool]int{true: 3 - i, false: i}[ascending])
					}
				}
			}
		}
	}
}

// The first asset that the first page shows comes after the gap.
func TestGapBehindABrokenAssetIsFound(t *testing.T) {
	t.Parallel()
	w := newWorld(8)
	for i := range w.assets {
		w.assets[i].hidden = 2 <= i && i < 7
		w.assets[i].broken = i > 0
	}
	got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: 2, Cursor: string(w.assets[7].id)}).All())
	require.ErrorIs(t, err, types.ErrIncomplete)
	require.Empty(t, got)
}

func TestGapsEndWalks(t *testing.T) {
	t.Parallel()
	for name, ascending := range map[string]bool{"up": true, "down": false} {
		for _, o := range []das.AssetsOptions{{Limit: 5}, {Limit: 5, Prefetch: true}, {Limit: 5, SortDirection: das.SortDirectionAscending}, {Limit: 5, Concurrency: 2}} {
			w := newWorld(40)
			w.ascending = ascending
			for i := 5; i < 15; i++ {
				w.assets[i].hidden = true
			}
			got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &o).All())
			require.ErrorIs(t, err, types.ErrIncomplete, name)
			require.ErrorContains(t, err, "try a larger Limit")
			require.Subset(t, w.ids(), got)

			o.Limit = 30
			got, err = walked(w.client(t).AssetsByOwner(t.Context(), owner, &o).All())
			require.NoError(t, err)
			requireSame(t, w, got)
		}
	}
}

// The gap is the first page, so the walk sees nothing at all.
func TestGapsAtTheStartEndWalks(t *testing.T) {
	t.Parallel()
	w := newWorld(40)
	for i := 30; i < 40; i++ {
		w.assets[i].hidden = true
	}
	got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: 5}).All())
	require.ErrorIs(t, err, types.ErrIncomplete)
	require.Empty(t, got)
}

// The only page of the walk does not show the direction, so both ends are checked.
func TestGapAfterOneAssetIsFoundInEitherDirection(t *testing.T) {
	t.Parallel()
	for _, ascending := range []bool{true, false} {
		w := newWorld(2500)
		w.ascending = ascending
		for i := 1; i < 2499; i++ {
			w.assets[i].hidden = true
		}
		got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: 1000}).All())
		require.ErrorIs(t, err, types.ErrIncomplete)
		require.Len(t, got, 1)
	}
}

func TestWalksByPageNumberCrossGaps(t *testing.T) {
	t.Parallel()
	w := newWorld(40)
	for i := 15; i < 20; i++ {
		w.assets[i].hidden = true
	}
	got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: 5, SortBy: das.SortByUpdated}).All())
	require.NoError(t, err)
	require.Equal(t, w.ids(), got)
}

func TestWalksByPageNumberCrossGapsOfManyPages(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{1, 3, 40} {
		for _, before := range []int{0, 1, 37, 110} { // assets before the gap
			w := newWorld(240)
			w.ascending = true
			for i := before; i < before+100; i++ {
				w.assets[i].hidden = true
			}
			got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: limit, SortBy: das.SortByUpdated}).All())
			require.NoError(t, err)
			require.True(t, slices.Equal(w.ids(), got), "limit %d, gap after %d: %d assets", limit, before, len(got))
		}
	}
}

// The listings that a real server showed, with runs that are longer than any page.
func TestLongRunsOfHiddenAssets(t *testing.T) {
	t.Parallel()
	for name, runs := range map[string][]int{ // shown and hidden by turns
		"150 in the middle":              {20, 150, 20},
		"1100 first":                     {0, 1100, 40},
		"1100 last":                      {40, 1100},
		"1100 in the middle":             {20, 1100, 20},
		"12 in the middle, 1100 last":    {20, 12, 20, 1100},
		"1100 first, 3000 in the middle": {0, 1100, 20, 3000, 20},
	} {
		rows := 0
		for _, n := range runs {
			rows += n
		}
		w := newWorld(rows)
		w.ascending = true
		start := 0
		for i, n := range runs {
			for j := start; j < start+n; j++ {
				w.assets[j].hidden = i%2 == 1
			}
			start += n
		}
		for _, limit := range []int{1, 10, 100} {
			for _, o := range []das.AssetsOptions{
				{SortBy: das.SortByCreated},
				{SortBy: das.SortByCreated, SortDirection: das.SortDirectionDescending},
				{},
				{SortDirection: das.SortDirectionDescending},
				{Concurrency: 2},
				{Concurrency: 8},
			} {
				o.Limit = limit
				got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &o).All())
				if o.SortBy != "" {
					require.NoError(t, err, "%s, limit %d", name, limit)
				}
				if err == nil {
					requireSame(t, w, got)
				} else {
					require.ErrorIs(t, err, types.ErrIncomplete)
				}
			}
		}
	}
}

func TestWalksByPageNumberEndWithOneMoreRequest(t *testing.T) {
	t.Parallel()
	for limit, requests := range map[int]int{0: 3, 40: 5, 100: 3, 7: 17} {
		w := newWorld(99)
		_, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: limit, SortBy: das.SortByUpdated}).All())
		require.NoError(t, err)
		require.Len(t, w.requests, requests, limit)
	}
}

// After every page, a resumed walk yields the others, or says that there is a gap.
func TestResumedWalksAreAsSafe(t *testing.T) {
	t.Parallel()
	for _, gap := range []bool{false, true} {
		for _, o := range []das.AssetsOptions{{Limit: 5}, {Limit: 5, SortDirection: das.SortDirectionAscending}, {Limit: 5, AfterID: "11111111111111111111111111111111"}} {
			for _, ascending := range []bool{true, false} {
				w := newWorld(40)
				w.ascending = ascending
				for i := 15; gap && i < 25; i++ {
					w.assets[i].hidden = true
				}
				c := w.client(t)
				var before []types.Address
				resumed := o
				for page, err := range c.AssetsByOwner(t.Context(), owner, &o).Pages() {
					if err != nil || !page.HasMore {
						break
					}
					for _, a := range page.Items {
						before = append(before, a.ID)
					}
					resumed.Cursor = page.Cursor
					after, err := walked(c.AssetsByOwner(t.Context(), owner, &resumed).All())
					if gap {
						require.ErrorIs(t, err, types.ErrIncomplete)
					} else {
						require.NoError(t, err)
						requireSame(t, w, append(slices.Clone(before), after...))
					}
				}
				require.Len(t, before, map[bool]int{false: 40, true: 15}[gap])
			}
		}
	}
}

func TestIgnoredCursorsEndWalks(t *testing.T) {
	t.Parallel()
	for _, o := range []das.AssetsOptions{{Limit: 10}, {Limit: 10, Prefetch: true}, {Limit: 10, SortDirection: das.SortDirectionAscending}} {
		w := newWorld(40)
		w.deaf = "cursor"
		got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &o).All())
		require.ErrorIs(t, err, types.ErrIncomplete)
		require.Len(t, got, 10, "nothing is listed twice")

		o.Cursor = string(w.assets[20].id)
		got, err = walked(w.client(t).AssetsByOwner(t.Context(), owner, &o).All())
		require.ErrorIs(t, err, types.ErrIncomplete)
		require.Empty(t, got, "the first page is not what follows the cursor")
	}
}

func TestIgnoredPageNumbersEndWalks(t *testing.T) {
	t.Parallel()
	w := newWorld(40)
	w.deaf = "page"
	c := w.client(t)
	got, err := walked(c.AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: 10, SortBy: das.SortByCreated}).All())
	require.ErrorIs(t, err, types.ErrIncomplete)
	require.Len(t, got, 10)
	accounts, err := c.TokenAccounts(t.Context(), das.TokenAccountsFilter{Mint: owner}, nil).Collect(100)
	require.ErrorIs(t, err, types.ErrIncomplete)
	require.Empty(t, accounts)
	editions, err := c.Editions(t.Context(), owner, nil).Collect(100)
	require.ErrorIs(t, err, types.ErrIncomplete)
	require.Empty(t, editions)
	signatures, err := c.Signatures(t.Context(), owner, nil).Collect(100)
	require.ErrorIs(t, err, types.ErrIncomplete)
	require.Empty(t, signatures)
}

// A listing by page number is a Transport that responds with a page of items and its
// number.
type listing [][]string

func (l listing) RoundTrip(req *http.Request) (*http.Response, error) {
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

func (l listing) client(t *testing.T) *das.Client {
	t.Helper()
	c, err := das.New(types.Config{APIKey: "a-key", HTTPClient: &http.Client{Transport: l}})
	require.NoError(t, err)
	return c
}

func TestTransactionThatTransfersTwiceDoesNotEndAWalk(t *testing.T) {
	t.Parallel()
	l := listing{{`["s","Transfer"]`}, {`["s","Transfer"]`}, {`["t","MintV1"]`}}
	got, err := l.client(t).Signatures(t.Context(), owner, &das.ListingOptions{Limit: 1}).Collect(100)
	require.NoError(t, err)
	require.Len(t, got, 3)
}

// As many assets as a page holds came before the first one while the walk read it. The
// same pages come from a service that has no order, and then others are missing.
func TestShiftedPagesEndAWalk(t *testing.T) {
	t.Parallel()
	l := listing{{`{"id":"c"}`, `{"id":"d"}`}, {`{"id":"c"}`, `{"id":"d"}`}, {`{"id":"e"}`}}
	got, err := walked(l.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: 2, SortBy: das.SortByCreated}).All())
	require.EqualError(t, err, `getAssetsByOwner: the service sent "c" again, so other items may be missing: incomplete listing`)
	require.Equal(t, []types.Address{"c", "d"}, got)
}

func TestWalksNeedAnOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(10)
	list := w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: 4, SortBy: das.SortByNone})
	_, err := walked(list.All())
	require.ErrorIs(t, err, types.ErrInvalid)
	_, err = list.Collect(1)
	require.ErrorIs(t, err, types.ErrInvalid)
	require.Empty(t, w.requests)
	page, err := list.Page()
	require.NoError(t, err)
	require.Len(t, page.Items, 4)
}

// The service has no cursors, and sends its first accounts instead of the ones after it.
func TestIgnoredCursorOfAccountsIsAnError(t *testing.T) {
	t.Parallel()
	for _, n := range []int{3, 10, 40} {
		w := newWorld(n)
		list := w.client(t).TokenAccounts(t.Context(), das.TokenAccountsFilter{Mint: owner}, &das.TokenAccountsOptions{Limit: 10, Cursor: owner})
		got, err := list.Collect(100)
		require.ErrorIs(t, err, types.ErrIncomplete)
		require.ErrorContains(t, err, "ignores cursors")
		require.Empty(t, got)
		_, err = list.Page()
		require.ErrorIs(t, err, types.ErrIncomplete)
	}
}

func TestLastAccountsAfterACursor(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{40, 100} {
		c, err := das.New(types.Config{APIKey: "a-key", HTTPClient: &http.Client{Transport: new(accountsByCursor)}})
		require.NoError(t, err)
		opts := &das.TokenAccountsOptions{Limit: limit, Cursor: "after 360"}
		got, err := c.TokenAccounts(t.Context(), das.TokenAccountsFilter{Mint: owner}, opts).Collect(1000)
		require.NoError(t, err)
		require.Len(t, got, 40)
	}
}

func TestIgnoredRangesEndWalks(t *testing.T) {
	t.Parallel()
	w := newWorld(40)
	w.deaf = "after"
	_, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: 10, Concurrency: 3}).All())
	require.ErrorIs(t, err, types.ErrIncomplete)
}

func TestListsInNoOrderAreWalkedToTheirEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(40)
	w.shuffled = true
	for _, limit := range []int{3, 10, 1000} {
		got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: limit}).All())
		require.NoError(t, err)
		requireSame(t, w, got)
	}
}

// The check for a gap is an extra: a service that refuses it does not end the walk.
func TestRefusedGapCheckIsNoError(t *testing.T) {
	t.Parallel()
	w := newWorld(12)
	w.strict = true
	got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: 5}).All())
	require.NoError(t, err)
	requireSame(t, w, got)
}

func TestFailedGapCheckIsAnError(t *testing.T) {
	t.Parallel()
	for what, message := range map[fault]string{refused: "401 Unauthorized", internal: "code -32603: Internal error"} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(3)
			w.fault = func(n int) fault {
				if n >= 3 {
					return what
				}
				return none
			}
			got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, nil).All())
			require.ErrorContains(t, err, message)
			require.Len(t, got, 3)
		})
	}
}

func TestTooLargeResponsesHalveTheLimit(t *testing.T) {
	t.Parallel()
	for _, o := range []das.AssetsOptions{{}, {SortBy: das.SortByCreated}, {Concurrency: 3}, {Limit: 300, Prefetch: true}, {Limit: 210, SortBy: das.SortByUpdated}} {
		w := newWorld(1000)
		w.maxBytes = 9000 // about 100 assets
		got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &o).All())
		require.NoError(t, err)
		requireSame(t, w, got)
	}
	w := newWorld(3)
	w.maxBytes = 100
	_, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: 4}).All())
	require.ErrorIs(t, err, types.ErrTooLarge, "one asset is too large")
}

func TestTooLargePagesByNumberAreDivided(t *testing.T) {
	t.Parallel()
	w := newWorld(1000)
	w.maxBytes = 9000
	c := w.client(t)
	accounts, err := c.TokenAccounts(t.Context(), das.TokenAccountsFilter{Mint: owner}, &das.TokenAccountsOptions{Limit: 300}).Collect(2000)
	require.NoError(t, err)
	require.Len(t, accounts, 1000)
	editions, err := c.Editions(t.Context(), owner, &das.ListingOptions{Prefetch: true}).Collect(2000)
	require.NoError(t, err)
	require.Len(t, editions, 1000)
	seen := map[types.Address]bool{}
	for _, e := range editions {
		seen[e.Address] = true
	}
	require.Len(t, seen, 1000, "each once")
	signatures, err := c.Signatures(t.Context(), owner, &das.ListingOptions{Limit: 210}).Collect(2000)
	require.NoError(t, err)
	require.Len(t, signatures, 1000)
}

// accountsByCursor is a Transport that lists 400 token accounts by cursor, up to 100 of
// them in a response.
type accountsByCursor struct{ limits []int }

func (a *accountsByCursor) RoundTrip(req *http.Request) (*http.Response, error) {
	var call struct{ Params params }
	if err := json.NewDecoder(req.Body).Decode(&call); err != nil {
		return nil, err
	}
	limit, start := call.Params.limit(), 0
	_, _ = fmt.Sscanf(call.Params.Cursor, "after %d", &start)
	if a.limits = append(a.limits, limit); limit > 100 {
		return reply(`"error":{"code":-32702,"message":"Response is too big"}`).RoundTrip(req)
	}
	end := min(start+limit, 400)
	cursor := ""
	if end < 400 {
		cursor = fmt.Sprintf(`,"cursor":"after %d"`, end)
	}
	var items []string
	for i := start; i < end; i++ {
		items = append(items, fmt.Sprintf(`{"address":"%d"}`, i))
	}
	return reply(fmt.Sprintf(`"result":{"token_accounts":[%s]%s}`, strings.Join(items, ","), cursor)).RoundTrip(req)
}

func TestSmallerLimitOfAccountsIsKept(t *testing.T) {
	t.Parallel()
	a := new(accountsByCursor)
	c, err := das.New(types.Config{APIKey: "a-key", HTTPClient: &http.Client{Transport: a}})
	require.NoError(t, err)
	got, err := c.TokenAccounts(t.Context(), das.TokenAccountsFilter{Mint: owner}, &das.TokenAccountsOptions{Limit: 400}).Collect(1000)
	require.NoError(t, err)
	require.Len(t, got, 400)
	require.Equal(t, []int{400, 200, 100, 100, 100, 100}, a.limits)
}

func TestSmallerPageStartsAtTheSameItem(t *testing.T) {
	t.Parallel()
	w := newWorld(1000)
	w.maxBytes = 9000 // about 100 assets
	page, err := w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{SortBy: das.SortByCreated, Cursor: "2/200"}).Page()
	require.NoError(t, err)
	require.Equal(t, w.ids()[200], page.Items[0].ID)
}

func TestSmallerLimitIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(300)
	w.maxBytes = 12_000
	_, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: 200}).All())
	require.NoError(t, err)
	var limits []int
	for _, p := range w.requests {
		limits = append(limits, p.limit())
	}
	require.Equal(t, []int{200, 100, 100, 100, 100, 100}, limits, "one request too large, three pages, the end and its check")
}

func TestLimitGrowsAgainAfterALargeAsset(t *testing.T) {
	t.Parallel()
	w := newWorld(2000)
	w.maxBytes = 20_000
	w.ascending = true
	w.assets[0].bytes = 17_000
	got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: 100}).All())
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

// The asset at the other end is hidden as well, and pages are small by then.
func TestGapIsFoundAfterATooLargeResponse(t *testing.T) {
	t.Parallel()
	for _, end := range []int{60, 1000} { // bytes of the assets next to the other end
		w := newWorld(40)
		w.maxBytes = 1200
		w.ascending = true
		w.assets[5].bytes = 1000
		w.assets[7].hidden = true
		w.assets[39].hidden = true
		w.assets[38].bytes, w.assets[37].bytes = end, end
		got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: 20}).All())
		require.ErrorIs(t, err, types.ErrIncomplete, end)
		require.Len(t, got, 7)
	}
}

// The walk sees one asset, which does not show the direction.
func TestGapAfterTheFirstAssetIsFoundWithTooLargeResponses(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{20, 40} { // 40 is too large
		for _, ascending := range []bool{false, true} {
			w := newWorld(60)
			w.ascending = ascending
			w.maxBytes = 1000
			for i := range w.assets {
				w.assets[i].hidden = i%59 != 0 && i != 30
			}
			w.assets[30].bytes = 1000
			got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: limit}).All())
			require.ErrorIs(t, err, types.ErrIncomplete, "%d %v", limit, ascending)
			require.Len(t, got, 1)
		}
	}
}

// The first page, which would show the direction, is hidden.
func TestGapBehindACursorIsFoundWithTooLargeResponses(t *testing.T) {
	t.Parallel()
	w := newWorld(53)
	w.maxBytes = 1300
	for i := range w.assets {
		w.assets[i].hidden = i >= 15 && i < 31 || i >= 36
	}
	first, err := w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: 30}).Page()
	require.NoError(t, err)
	_, err = walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: 30, Cursor: first.Cursor}).All())
	require.ErrorIs(t, err, types.ErrIncomplete)
}

// A limit of 1 makes a gap of every hidden asset.
func TestWalksByPageNumberCrossGapsAfterATooLargeResponse(t *testing.T) {
	t.Parallel()
	w := newWorld(60)
	w.maxBytes = 1500
	w.ascending = true
	w.assets[3].bytes = 1200
	for i := 20; i < 24; i++ {
		w.assets[i].hidden = true
	}
	got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: 12, SortBy: das.SortByUpdated}).All())
	require.NoError(t, err)
	require.Equal(t, w.ids(), got)
}

func TestBalanceAndTotalComeWithTheFirstPage(t *testing.T) {
	t.Parallel()
	w := newWorld(10)
	n := 0
	for page, err := range w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{
		Limit: 5, Show: das.Show{NativeBalance: true, GrandTotal: true, Fungible: true},
	}).Pages() {
		require.NoError(t, err)
		if n++; n == 1 {
			require.Equal(t, uint64(7), page.NativeBalance.Lamports)
			require.Equal(t, uint64(10), page.GrandTotal)
		} else {
			require.Nil(t, page.NativeBalance)
			require.Zero(t, page.GrandTotal)
		}
		require.True(t, w.requests[n-1].Options.Fungible)
	}
	require.Equal(t, 3, n)
}

// The service hides the assets of the first page, but not the balance.
func TestBalanceComesWithAnEmptyPage(t *testing.T) {
	t.Parallel()
	w := newWorld(10)
	for i := 5; i < 10; i++ {
		w.assets[i].hidden = true
	}
	for page, err := range w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: 5, SortBy: das.SortByCreated, Show: das.Show{NativeBalance: true}}).Pages() {
		require.NoError(t, err)
		require.Empty(t, page.Items)
		require.Equal(t, uint64(7), page.NativeBalance.Lamports)
		require.True(t, page.HasMore)
		break
	}
}

// The service may send no cursor with a page that is shorter than the limit.
func TestShortPageWithoutCursorIsChecked(t *testing.T) {
	t.Parallel()
	w := newWorld(40)
	w.shortEnds = true
	got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: 7}).All())
	require.NoError(t, err)
	requireSame(t, w, got)
	w.assets[20].hidden = true
	_, err = walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: 7}).All())
	require.ErrorIs(t, err, types.ErrIncomplete)
}

// The pages at both ends of the listing are empty at this limit.
func TestGapsAreFoundBehindOtherGaps(t *testing.T) {
	t.Parallel()
	for _, ascending := range []bool{true, false} {
		w := newWorld(40)
		w.ascending = ascending
		for i := range w.assets {
			w.assets[i].hidden = i < 5 || 15 <= i && i < 25 || i >= 35
		}
		cursors := []string{"", string(w.assets[34].id), string(w.assets[25].id), string(w.assets[5].id)}
		if ascending {
			cursors = []string{"", string(w.assets[5].id), string(w.assets[14].id), string(w.assets[34].id)}
		}
		for i, cursor := range cursors {
			got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: 5, Cursor: cursor}).All())
			if i == 3 { // the end
				require.NoError(t, err)
				require.Empty(t, got)
			} else {
				require.ErrorIs(t, err, types.ErrIncomplete, i)
			}
		}
	}
}

func TestGapInTheFirstHalfOfATooLargePage(t *testing.T) {
	t.Parallel()
	w := newWorld(8)
	w.maxBytes = 240 // one asset
	w.assets[6].hidden, w.assets[7].hidden = true, true
	got, err := walked(w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{Limit: 4, SortBy: das.SortByCreated}).All())
	require.NoError(t, err)
	requireSame(t, w, got)
}

func TestAccountsInARange(t *testing.T) {
	t.Parallel()
	w := newWorld(30)
	w.ascending = true
	filter := das.TokenAccountsFilter{Mint: owner}
	for _, b := range [][2]int{{4, 25}, {-1, 25}, {4, 30}} {
		opts := &das.TokenAccountsOptions{Limit: 10}
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
	for _, opts := range []das.TokenAccountsOptions{{AfterID: "short"}, {BeforeID: "short"}, {AfterID: owner, Cursor: "2/10"}} {
		_, err := w.client(t).TokenAccounts(t.Context(), filter, &opts).Page()
		require.ErrorIs(t, err, types.ErrInvalid)
	}
}
