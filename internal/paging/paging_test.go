package paging_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A page has items and the cursor of the next page.
type page struct {
	items []string
	next  string
}

// A listing is a map of pages that counts and can fail.
type listing struct {
	pages   map[string]page
	fail    map[string]error
	latency time.Duration
	running atomic.Int64
	mu      sync.Mutex
	fetched []string
}

func (l *listing) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.fetched)
}

func (l *listing) fetch(ctx context.Context, cursor string) (*plain, error) {
	if ctx == nil {
		return nil, types.ErrInvalid
	}
	l.running.Add(1)
	defer l.running.Add(-1)
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("listing: %w", err)
	}
	l.mu.Lock()
	l.fetched = append(l.fetched, cursor)
	l.mu.Unlock()
	select {
	case <-time.After(l.latency):
	case <-ctx.Done():
		return nil, fmt.Errorf("listing: %w", ctx.Err())
	}
	if err := l.fail[cursor]; err != nil {
		return nil, err
	}
	if l.count() > 100 {
		return nil, errors.New("the walk does not end")
	}
	p, ok := l.pages[cursor]
	if !ok {
		return nil, fmt.Errorf("no page at %q", cursor)
	}
	return &plain{Items: p.items, Cursor: p.next}, nil
}

type plain = types.Page[string]

func (l *listing) walk(ctx context.Context, start string, prefetch bool) iter.Seq2[*plain, error] {
	return walk(ctx, start, prefetch, l.fetch).Pages()
}

func walk(ctx context.Context, start string, prefetch bool, fetch func(context.Context, string) (*plain, error)) types.List[string] {
	l := listed
	l.PageOptions = types.PageOptions{Cursor: start, Prefetch: prefetch}
	return paging.List(ctx, l, func(ctx context.Context, w *paging.Walk) (*plain, error) { return fetch(ctx, w.At) })
}

// listed is the listing of the tests.
var listed = paging.Listing{Op: transport.Op{Method: "pkg.Client.Things", Wire: "listing"}}

// collect iterates to the end, also behind an error, and returns all items and errors.
func collect(t *testing.T, pages iter.Seq2[*plain, error]) string {
	t.Helper()
	var got []string
	var last error
	for p, err := range pages {
		require.NoError(t, last, "an error comes once, and last")
		if last = err; err != nil {
			require.Nil(t, p)
			got = append(got, err.Error())
			continue
		}
		got = append(got, p.Items...)
	}
	return strings.Join(got, " ")
}

func three() *listing {
	return &listing{pages: map[string]page{
		"":  {[]string{"1", "2"}, "b"},
		"b": {[]string{"3", "4"}, "c"},
		"c": {[]string{"5"}, ""},
	}}
}

// each runs a test with and without prefetch, in a bubble that fails when a goroutine
// remains.
func each(t *testing.T, f func(t *testing.T, prefetch bool)) {
	t.Helper()
	for _, prefetch := range []bool{false, true} {
		t.Run(fmt.Sprint("prefetch ", prefetch), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { f(t, prefetch) })
		})
	}
}

func TestPagesOfAWalk(t *testing.T) {
	t.Parallel()
	const repeated = "listing: repeated cursor: incomplete listing"
	lost := paging.DeadEnd("the cursor is missing")
	for name, row := range map[string]struct {
		pages   map[string]page
		start   string
		fail    string // the cursor whose page fails
		want    string
		fetched int
	}{
		"three":                      {three().pages, "", "-", "1 2 3 4 5", 3},
		"resumed":                    {three().pages, "b", "-", "3 4 5", 2},
		"empty pages":                {map[string]page{"": {nil, "b"}, "b": {[]string{"1"}, "c"}, "c": {[]string{}, "d"}, "d": {nil, ""}}, "", "-", "1", 4},
		"failure on the first page":  {three().pages, "", "", "down", 1},
		"failure on the second page": {three().pages, "", "b", "1 2 down", 2},
		"failure on the last page":   {three().pages, "", "c", "1 2 3 4 down", 3},
		"cursor of its own page":     {map[string]page{"": {[]string{"1"}, "b"}, "b": {[]string{"2"}, "b"}}, "", "-", "1 2 " + repeated, 2},
		"cycle":                      {map[string]page{"": {[]string{"1"}, "b"}, "b": {[]string{"2"}, "c"}, "c": {[]string{"3"}, "b"}}, "", "-", "1 2 3 " + repeated, 3},
		"resumed cycle":              {map[string]page{"b": {[]string{"1"}, "c"}, "c": {[]string{"2"}, "b"}}, "b", "-", "1 2 " + repeated, 2},
		"dead end":                   {map[string]page{"": {[]string{"1"}, lost}}, "", "-", "1 listing: the cursor is missing: incomplete listing", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, prefetch bool) {
				l := &listing{pages: row.pages, fail: map[string]error{row.fail: errors.New("down")}}
				pages := l.walk(t.Context(), row.start, prefetch)
				_ = types.NewList(pages).All()
				synctest.Wait()
				require.Zero(t, l.count(), "nothing is requested before the range")
				for range 2 { // each range starts over
					require.Equal(t, row.want, collect(t, pages))
					require.Equal(t, row.fetched, l.count())
					l.fetched = nil
				}
				_, _ = walk(t.Context(), row.start, prefetch, l.fetch).Page()
				require.Equal(t, min(1, row.fetched), l.count())
			})
		})
	}
}

// With ten wallets, the error says which.
func TestDeadEndNamesWhatTheListingIsAbout(t *testing.T) {
	t.Parallel()
	const wallet = "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"
	for about, want := range map[string]string{wallet: "listing of " + wallet + ": why: incomplete listing", "no address": "listing: why: incomplete listing"} {
		l := listed
		l.About = about
		list := paging.List(t.Context(), l, func(context.Context, *paging.Walk) (*plain, error) { return &plain{Cursor: paging.DeadEnd("why")}, nil })
		page, err := list.Page()
		require.NoError(t, err)
		for _, last := range list.Pages() {
			err = last
		}
		require.EqualError(t, err, want)
		l.Cursor = page.Cursor
		_, err = paging.List[string](t.Context(), l, nil).Page()
		require.EqualError(t, err, want, "also in another process")
	}
}

// A cursor has the position, the known facts, the page size and a mark of the listing.
func TestCursorBelongsToItsListing(t *testing.T) {
	t.Parallel()
	fetch := func(_ context.Context, w *paging.Walk) (*plain, error) {
		page := &plain{Items: []string{w.At, w.Known}, Cursor: "next"}
		w.Known = "state"
		return page, nil
	}
	l := listed
	l.About, l.Filters, l.Limit = "owner", "filters", 7
	first, err := paging.List(t.Context(), l, fetch).Page()
	require.NoError(t, err)
	require.Regexp(t, "^next~state~7~[0-9a-f]{8}$", first.Cursor)
	read := func(l paging.Listing, cursor string) ([]string, error) {
		l.Cursor = cursor
		page, err := paging.List(t.Context(), l, fetch).Page()
		if err != nil {
			return nil, err
		}
		return page.Items, nil
	}
	items, err := read(l, first.Cursor)
	require.NoError(t, err)
	require.Equal(t, []string{"next", "state"}, items)
	items, err = read(l, "of the service")
	require.NoError(t, err)
	require.Equal(t, []string{"of the service", ""}, items)

	for _, damaged := range []string{first.Cursor[:len(first.Cursor)-1], first.Cursor + "\n", "!stopped", "a~b"} {
		_, err = read(l, damaged)
		require.EqualError(t, err, "pkg.Client.Things: Cursor is damaged; store the Cursor of a page as it is: invalid argument")
	}
	for _, other := range []paging.Listing{{Op: l.Op, About: "other", Filters: l.Filters}, {Op: l.Op, About: l.About}, {About: l.About, Filters: l.Filters}} {
		_, err = read(other, first.Cursor)
		require.ErrorIs(t, err, types.ErrInvalid)
		require.ErrorContains(t, err, "Cursor belongs to another listing; resume with the method, arguments, filters and Limit of the page it came with")
	}
	l.Limit = 8
	_, err = read(l, first.Cursor)
	require.NoError(t, err)
	l.Sized = true
	_, err = read(l, first.Cursor)
	require.ErrorContains(t, err, "Limit of the page it came with")
}

// Slots go one way, and indexes within a slot go either. A resumed walk checks the same.
func TestOrderOfTransactions(t *testing.T) {
	t.Parallel()
	type places = []paging.Place
	for name, row := range map[string]struct {
		pages     []places
		ascending bool
		shared    bool
		good      bool
	}{
		"descending":                {[]places{{{9, 2, ""}, {9, 1, ""}, {8, 5, ""}}, {{8, 4, ""}, {7, 9, ""}}}, false, false, true},
		"ascending within slots":    {[]places{{{9, 1, ""}, {9, 2, ""}, {8, 4, ""}}, {{8, 5, ""}, {7, 9, ""}}}, false, false, true},
		"ascending":                 {[]places{{{7, 9, ""}, {8, 4, ""}}, {{8, 5, ""}, {9, 1, ""}}}, true, false, true},
		"unknown":                   {[]places{{{9, 0, ""}, {0, 0, ""}, {9, 0, ""}}, {{0, 3, ""}, {8, 0, ""}}}, false, false, true},
		"slots against the order":   {[]places{{{9, 1, ""}}, {{10, 1, ""}}}, false, false, false},
		"both ways within a slot":   {[]places{{{9, 1, ""}, {9, 3, ""}}, {{9, 2, ""}}}, false, false, false},
		"repeated":                  {[]places{{{9, 1, ""}}, {{9, 1, ""}}}, false, false, false},
		"repeated by a transfer":    {[]places{{{9, 1, ""}}, {{9, 1, ""}, {9, 2, ""}}}, false, true, true},
		"slots against ascending":   {[]places{{{9, 1, ""}, {8, 1, ""}}}, true, false, false},
		"one slot, once each":       {[]places{{{9, 0, "a"}, {0, 0, "b"}}, {{9, 0, "c"}}}, false, true, true},
		"repeated without an index": {[]places{{{9, 0, "a"}}, {{9, 0, "a"}}}, false, true, false},
		"unknown between the pages": {[]places{{{9, 1, ""}, {0, 0, ""}}, {{10, 1, ""}}}, false, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, n := listed, 0
			fetch := func(_ context.Context, w *paging.Walk) (*plain, error) {
				n, _ = strconv.Atoi(w.At)
				page := row.pages[n]
				p := &plain{Items: make([]string, len(page))}
				if n+1 < len(row.pages) {
					p.Cursor = strconv.Itoa(n + 1)
				}
				return p, w.InOrder(len(page), func(i int) paging.Place { return page[i] }, row.ascending, row.shared)
			}
			var straight, resumed error
			_, straight = paging.List(t.Context(), l, fetch).Collect(100)
			for more := true; more && resumed == nil; {
				var page *plain
				if page, resumed = paging.List(t.Context(), l, fetch).Page(); resumed == nil {
					l.Cursor, more = page.Cursor, page.HasMore
				}
			}
			for _, err := range []error{straight, resumed} {
				if row.good {
					require.NoError(t, err)
				} else {
					require.ErrorIs(t, err, types.ErrIncomplete)
				}
			}
		})
	}
}

func TestPrintsSurviveACursor(t *testing.T) {
	t.Parallel()
	prints := []uint64{paging.Print(""), paging.Print("a"), 0, 1<<48 - 1}
	require.Equal(t, prints, paging.ParsePrints(paging.PrintsText(prints)))
	require.Empty(t, paging.ParsePrints("damaged!"))
}

// A program that requests pages one by one must not get the same page for ever.
func TestPageThatLeadsToItselfLeadsToAnError(t *testing.T) {
	t.Parallel()
	l := &listing{pages: map[string]page{"b": {[]string{"1"}, "b"}}}
	p, err := walk(t.Context(), "b", false, l.fetch).Page()
	require.NoError(t, err)
	_, err = walk(t.Context(), p.Cursor, false, l.fetch).Page()
	require.ErrorIs(t, err, types.ErrIncomplete)
}

func TestEachReadingHasItsOwnState(t *testing.T) {
	t.Parallel()
	pages := paging.List(t.Context(), listed, func(ctx context.Context, w *paging.Walk) (*plain, error) {
		require.False(t, w.Seen.Has(w.At))
		w.Seen.Add(w.At)
		return three().fetch(ctx, w.At)
	}).Pages()
	require.Equal(t, collect(t, pages), collect(t, pages))
}

func TestCancelledContextIsAnError(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, prefetch bool) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.Equal(t, "listing: context canceled", collect(t, three().walk(ctx, "", prefetch)))

		for stopAfter := range 2 { // the last page needs nothing more
			ctx, cancel := context.WithCancel(t.Context())
			l, n := three(), 0
			var last error
			for _, err := range l.walk(ctx, "", prefetch) {
				if last = err; err != nil {
					break
				}
				synctest.Wait() // a prefetch is over
				time.Sleep(time.Second)
				if n == stopAfter {
					cancel()
				}
				n++
			}
			require.ErrorIs(t, last, context.Canceled)
			require.ErrorContains(t, last, "listing: ")
			require.Equal(t, stopAfter+1, n, "not even a page that was prefetched")
			cancel()
		}
	})
}

func TestNilContextIsAnError(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, prefetch bool) {
		for p, err := range three().walk(nil, "", prefetch) { //nolint:staticcheck // nil is the case
			require.Nil(t, p)
			require.ErrorIs(t, err, types.ErrInvalid)
		}
	})
}

func TestBreakLeavesNoGoroutine(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, prefetch bool) {
		for stop := 1; stop <= 5; stop++ {
			l := three()
			l.latency = time.Hour
			n := 0
			var left time.Time
			for _, err := range walk(t.Context(), "", prefetch, l.fetch).All() {
				require.NoError(t, err)
				n++
				if n == stop {
					synctest.Wait() // until a prefetch is on its way
					left = time.Now()
					break
				}
			}
			require.Zero(t, time.Since(left), "nothing is waited for")
			require.Zero(t, l.running.Load(), "when the loop is left, so is the prefetch")
		}
	})
}

func TestPanicInTheLoopLeavesNoGoroutine(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, prefetch bool) {
		l := three()
		l.latency = time.Hour
		require.PanicsWithValue(t, "mine", func() {
			for _, err := range l.walk(t.Context(), "", prefetch) {
				require.NoError(t, err)
				synctest.Wait() // until a prefetch is on its way
				panic("mine")
			}
		})
		require.Zero(t, l.running.Load())
	})
}

// A Transport of the caller may panic. With prefetch, that is in another goroutine,
// where it would end the process.
func TestPanicInFetchReachesTheLoop(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, prefetch bool) {
		l := three()
		fetch := func(ctx context.Context, cursor string) (*plain, error) {
			if cursor == "b" {
				panic("mine")
			}
			return l.fetch(ctx, cursor)
		}
		n := 0
		require.PanicsWithValue(t, "mine", func() {
			for _, err := range walk(t.Context(), "", prefetch, fetch).Pages() {
				require.NoError(t, err)
				n++
			}
		})
		require.Equal(t, 1, n)
	})
}

func TestCheckItems(t *testing.T) {
	t.Parallel()
	type item struct{ ID, Name string }
	require.NoError(t, paging.CheckItems(&[]item{}))
	require.NoError(t, paging.CheckItems(&[]item{{"1", ""}, {"", "without an ID, but there"}}))
	require.EqualError(t, paging.CheckItems(&[]item{{"1", ""}, {}}), "item 1 of the response is null")
	require.EqualError(t, paging.CheckItems(&[]string{"1", ""}), "item 1 of the response is null")
}

func TestPrefetchIsOnePageAhead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := three()
		l.latency = 20 * time.Millisecond
		var ahead []int
		n := 0
		start := time.Now()
		for _, err := range l.walk(t.Context(), "", true) {
			require.NoError(t, err)
			n++
			time.Sleep(10 * time.Millisecond)
			ahead = append(ahead, l.count()-n)
		}
		require.Equal(t, []int{0, 1, 0}, ahead, "who breaks after the first page pays for one")
		require.Equal(t, 80*time.Millisecond, time.Since(start), "20 ms a page, and the work on the first and the last one")

		l = three()
		l.latency = 20 * time.Millisecond
		start = time.Now()
		for _, err := range l.walk(t.Context(), "", false) {
			require.NoError(t, err)
			time.Sleep(10 * time.Millisecond)
		}
		require.Equal(t, 90*time.Millisecond, time.Since(start))
	})
}

// FuzzCursors takes any sequence of cursors: a walk gets each page at most once and ends.
func FuzzCursors(f *testing.F) {
	f.Add([]byte{1, 2, 3, 0}, false)
	f.Add([]byte{1, 1}, true)
	f.Add([]byte{1, 2, 1}, true)
	f.Add([]byte{}, false)
	f.Fuzz(func(t *testing.T, leads []byte, prefetch bool) {
		follow := func(cursor string) string { // the cursor in the page at a cursor
			at, _ := strconv.Atoi(cursor)
			if at >= len(leads) || leads[at] == 0 {
				return ""
			}
			return strconv.Itoa(int(leads[at]))
		}
		var fetched []string
		fetch := func(_ context.Context, cursor string) (*plain, error) {
			if fetched = append(fetched, cursor); len(fetched) > 256 {
				return nil, errors.New("the walk does not end")
			}
			return &plain{Items: []string{cursor}, Cursor: follow(cursor)}, nil
		}

		// The same without the package: until the end or a repeated page.
		var want []string
		cycle := false
		for cursor := ""; !cycle; {
			want = append(want, cursor)
			if cursor = follow(cursor); cursor == "" {
				break
			}
			cycle = slices.Contains(want, cursor)
		}

		var got []string
		var last error
		for p, err := range walk(t.Context(), "", prefetch, fetch).Pages() {
			if last = err; err == nil {
				got = append(got, p.Items...)
			}
		}
		require.Equal(t, want, got)
		require.Equal(t, want, fetched)
		require.Equal(t, cycle, errors.Is(last, types.ErrIncomplete))
	})
}

// A request of a reading may change its state, so two of them never run at once.
func TestCancelledWalkWaitsForItsPrefetch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		running, most := 0, 0
		fetch := func(ctx context.Context, cursor string) (*plain, error) {
			running++
			most = max(most, running)
			time.Sleep(time.Second) // also when ctx is cancelled
			running--
			return &plain{Items: []string{cursor}, Cursor: cursor + "x"}, ctx.Err()
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var last error
		for _, err := range walk(ctx, "", true, fetch).Pages() {
			last = err
			synctest.Wait() // until the prefetch is on its way
			cancel()
		}
		require.ErrorIs(t, last, context.Canceled)
		require.Equal(t, 1, most)
	})
}
