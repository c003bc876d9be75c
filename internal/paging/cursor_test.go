package paging_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/types"
)

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
