package paging_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
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

// each runs a test with and without prefetch, in a bubble. A remaining goroutine fails the test.
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

// A Transport of the caller may panic. With prefetch, it does so in another goroutine. Not passed
// on, the panic would end the process.
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
