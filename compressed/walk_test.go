package compressed_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
)

func TestAllItemsAreTheListOnceInOrder(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, l listing, prefetch bool) {
		want := l.list(t)
		for _, limit := range []int{0, 77} {
			var got []string
			for hash, err := range l.all(t.Context(), client(t, service()), options{limit: limit, prefetch: prefetch}) {
				require.NoError(t, err)
				got = append(got, hash)
			}
			require.Equal(t, want, got)
		}
	})
}

func TestWalkResumedFromASavedCursorIsTheRestExactly(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, l listing, prefetch bool) {
		want := l.list(t)
		pages := len(want)/l.limit + 1 // the last one is empty
		for _, handled := range []int{1, 2, pages - 1, pages} {
			var got []string
			o := options{limit: l.limit, prefetch: prefetch}
			for p, err := range l.pages(t.Context(), client(t, service()), o) {
				require.NoError(t, err)
				got = append(got, p.hashes...)
				o.cursor = p.cursor
				if handled--; handled == 0 {
					break // a crash
				}
			}
			require.Zero(t, handled)
			if o.cursor == "" {
				require.Equal(t, want, got)
				continue
			}
			for hash, err := range l.all(t.Context(), client(t, service()), o) {
				require.NoError(t, err)
				got = append(got, hash)
			}
			require.Equal(t, want, got)
		}
	})
}

func TestLastPageMayBeFullAndFollowedByAnEmptyOne(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, l listing, prefetch bool) {
		var sizes []int
		for p, err := range l.pages(t.Context(), client(t, service()), options{limit: l.limit, prefetch: prefetch}) {
			require.NoError(t, err)
			sizes = append(sizes, len(p.hashes))
		}
		full := slices.Repeat([]int{l.limit}, len(sizes)-1)
		require.Equal(t, append(full, 0), sizes)
	})
}

func TestEmptyPageWithACursorIsNotTheEnd(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, l listing, prefetch bool) {
		s := fake.New()
		l.answer(s, "A", "a1")
		l.answer(s, "B")
		l.answer(s, "C")
		l.answer(s, "", "a2", "a3")
		var got []string
		for hash, err := range l.all(t.Context(), client(t, s), options{prefetch: prefetch}) {
			require.NoError(t, err)
			got = append(got, hash)
		}
		require.Equal(t, []string{"a1", "a2", "a3"}, got)
		require.Equal(t, l.requests(``, `,"cursor":"A"`, `,"cursor":"B"`, `,"cursor":"C"`), sent(s))
	})
}

func TestCycleOfCursorsIsAnErrorAfterThePageThatClosesIt(t *testing.T) {
	t.Parallel()
	for _, cycle := range []struct{ start, cursors string }{
		{"", "AA"},
		{"", "ABA"},
		{"", "ABCA"},
		{"", "ABCB"},
		{"A", "A"},
		{"A", "BA"},
		{"A", "BCA"},
	} {
		forEach(t, func(t *testing.T, l listing, prefetch bool) {
			s := fake.New()
			for _, cursor := range cycle.cursors {
				l.answer(s, string(cursor), string(cursor))
			}
			var got string
			var last error
			for p, err := range l.pages(t.Context(), client(t, s), options{cursor: cycle.start, prefetch: prefetch}) {
				require.NoError(t, last, "nothing follows an error")
				if last = err; err == nil {
					got += p.cursor
				} else {
					require.Nil(t, p)
				}
			}
			require.Equal(t, cycle.cursors, got)
			require.ErrorIs(t, last, types.ErrIncomplete)
			require.Len(t, s.Requests(), len(cycle.cursors))
		})
	}
}

func TestErrorComesOnceAndLast(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, l listing, prefetch bool) {
		s := fake.New()
		l.answer(s, "A", "a1", "a2")
		s.Answer(401, `{"jsonrpc":"2.0","error":{"code":-32001,"message":"Unauthorized"}}`)
		var got []string
		var last error
		for hash, err := range l.all(t.Context(), client(t, s), options{prefetch: prefetch}) {
			require.NoError(t, last)
			last = err
			got = append(got, hash)
		}
		require.Equal(t, []string{"a1", "a2", ""}, got)
		require.ErrorIs(t, last, types.ErrUnauthorized)
		require.Len(t, s.Requests(), 2)
	})
}

func TestNothingIsSentBeforeRangeAndEveryRangeStartsOver(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, l listing, prefetch bool) {
		s := fake.New()
		pages := l.pages(t.Context(), client(t, s), options{cursor: "A", limit: 2, prefetch: prefetch})
		items := l.all(t.Context(), client(t, s), options{prefetch: prefetch})
		require.Empty(t, s.Requests())
		for range 2 {
			l.answer(s, "B", "a1", "a2")
			l.answer(s, "", "a3")
			var got []string
			for p, err := range pages {
				require.NoError(t, err)
				got = append(got, p.hashes...)
			}
			require.Equal(t, []string{"a1", "a2", "a3"}, got)
		}
		for range 2 {
			l.answer(s, "", "a1")
			for hash, err := range items {
				require.NoError(t, err)
				require.Equal(t, "a1", hash)
			}
		}
		require.Len(t, s.Requests(), 6)
		bodies := strings.Split(sent(s), "\n")
		for _, i := range []int{0, 2} {
			require.Contains(t, bodies[i], `"cursor":"A","limit":2`)
			require.Contains(t, bodies[i+1], `"cursor":"B","limit":2`)
		}
	})
}

func TestBreakEndsTheWalkAndWhatItAskedForAhead(t *testing.T) {
	t.Parallel()
	for _, l := range listings {
		for _, prefetch := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) { // which fails when a goroutine is left
				s := fake.New()
				l.answer(s, "A", "a1", "a2")
				s.Before = func(_ http.ResponseWriter, r *http.Request) bool {
					<-r.Context().Done() // an answer that would never come
					return true
				}
				requests := 1
				for hash, err := range l.all(t.Context(), client(t, s), options{prefetch: prefetch}) {
					require.NoError(t, err)
					require.Equal(t, "a1", hash)
					synctest.Wait()
					if prefetch {
						requests++
					}
					require.Len(t, s.Requests(), requests)
					break
				}
				require.Len(t, s.Requests(), requests)
			})
		}
	}
}

func TestDoneContextIsAnErrorNotAnEnd(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, l listing, prefetch bool) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var pages int
		var last error
		for _, err := range l.pages(ctx, client(t, service()), options{limit: 10, prefetch: prefetch}) {
			last = err
			pages++
			cancel()
		}
		require.Equal(t, 2, pages) // a page, and the error
		require.ErrorIs(t, last, context.Canceled)
	})
}

func TestOptionsChangedLaterHaveNoEffect(t *testing.T) {
	t.Parallel()
	s := service()
	data := []byte{3}
	part := &types.DataSlice{Offset: 1, Length: 8}
	filters := []compressed.Filter{compressed.Memcmp(0, data)}
	opts := &compressed.AccountsByOwnerOptions{Limit: 20, DataSlice: part, Filters: filters}
	pages := client(t, s).AccountsByOwnerPages(t.Context(), fake.Owner, opts)
	data[0] = 9
	*part = types.DataSlice{}
	*opts = compressed.AccountsByOwnerOptions{Limit: -1}
	for _, err := range pages {
		require.NoError(t, err)
		filters[0] = compressed.Memcmp(7, []byte{7}) // during the walk it is too late as well
	}
	require.Greater(t, len(s.Requests()), 5)
	for body := range strings.SplitSeq(strings.TrimSpace(sent(s)), "\n") {
		require.Contains(t, body, `"limit":20,"dataSlice":{"offset":1,"length":8},"filters":[{"memcmp":{"offset":0,"bytes":"4"}}]}}`)
	}

	s = fake.New()
	tokens := &compressed.TokenAccountsByDelegateOptions{Mint: usdc, Limit: 30}
	walk := client(t, s).TokenAccountsByDelegatePages(t.Context(), fake.Delegate, tokens)
	*tokens = compressed.TokenAccountsByDelegateOptions{Mint: types.WrappedSOL, Limit: -1}
	for _, err := range walk {
		require.NoError(t, err)
	}
	for body := range strings.SplitSeq(strings.TrimSpace(sent(s)), "\n") {
		require.Contains(t, body, `"mint":"`+usdc+`"`)
		require.Contains(t, body, `"limit":30}}`)
	}
}

func TestFiltersKeepWhatTheyMatchOnEveryPage(t *testing.T) {
	t.Parallel()
	s := service()
	opts := &compressed.AccountsByOwnerOptions{Limit: 100, Filters: []compressed.Filter{compressed.Memcmp(0, []byte{2})}}
	var filtered []string
	for a, err := range client(t, s).AllAccountsByOwner(t.Context(), fake.Owner, opts) {
		require.NoError(t, err)
		filtered = append(filtered, string(a.Hash))
	}
	var want []string
	for a, err := range client(t, s).AllAccountsByOwner(t.Context(), fake.Owner, nil) {
		require.NoError(t, err)
		if a.Data != nil && a.Data.Bytes[0] == 2 {
			want = append(want, string(a.Hash))
		}
	}
	require.Greater(t, len(want), 100)
	require.Equal(t, want, filtered)
}
