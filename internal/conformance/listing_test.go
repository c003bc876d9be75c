package conformance_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// Tests that every listing passes, by cursor or by page number.

// listings runs a test for every listing, with and without prefetch, in a synctest
// bubble, which fails if a goroutine outlives the test.
func listings(t *testing.T, f func(t *testing.T, r row, prefetch bool)) {
	t.Helper()
	for _, r := range rows() {
		if r.list == nil {
			continue
		}
		for _, prefetch := range []bool{false, true} {
			t.Run(fmt.Sprint(r.golden, "/prefetch ", prefetch), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { f(t, r, prefetch) })
			})
		}
	}
}

// three returns the responses of a walk over pages of two, zero and one items.
func (l *listing) three() []answer {
	if l.untilEmpty {
		return []answer{
			{200, l.answer([]string{"a1", "a2"}, l.cursor(2), 1)},
			{200, l.answer([]string{"c1"}, l.cursor(3), 2)},
			{200, l.answer(nil, "", 3)},
		}
	}
	return []answer{
		{200, l.answer([]string{"a1", "a2"}, l.cursor(2), 1)},
		{200, l.answer(nil, l.cursor(3), 2)},
		{200, l.answer([]string{"c1"}, "", 3)},
	}
}

// cursor returns the cursor of the nth page.
func (l *listing) cursor(n int) string {
	if l.number {
		return fmt.Sprint(n)
	}
	return fmt.Sprint("cursor", n)
}

// collect joins the names of all items, and "error" for an error.
func collect(seq items) string {
	var got []string
	for item, err := range seq {
		if err != nil {
			item = "error"
		}
		for _, name := range []string{"a1", "a2", "c1", "error"} {
			if strings.Contains(item, name) {
				got = append(got, name)
			}
		}
	}
	return strings.Join(got, " ")
}

func TestWalksYieldEveryItemOnce(t *testing.T) {
	t.Parallel()
	listings(t, func(t *testing.T, r row, prefetch bool) {
		s, c := serve(t, r.list.three()...)
		walk := walk{prefetch: prefetch}
		items := r.list.items(t.Context(), c, walk)
		require.Zero(t, s.count(), "nothing is sent before the range")
		require.Equal(t, "a1 a2 c1", collect(items))
		require.Equal(t, 3, s.count())
		for i, request := range s.requests[1:] {
			require.Contains(t, request, r.list.cursor(i+2))
		}
		s.answers = append(s.answers, r.list.three()...)
		require.Equal(t, "a1 a2 c1", collect(items), "ranging twice starts over")
		require.Equal(t, 6, s.count())

		_, c = serve(t, r.list.three()...)
		var steps []step
		for p, err := range r.list.pages(t.Context(), c, walk) {
			require.NoError(t, err)
			// the last transaction, the mark of a listing
			p.cursor = regexp.MustCompile("^.*@|~.*").ReplaceAllString(p.cursor, "")
			if before, isRows := strings.CutPrefix(p.cursor, "/"); isRows { // of pages of 1000
				n, _ := strconv.Atoi(before)
				p.cursor = strconv.Itoa(n/1000 + 1)
			}
			steps = append(steps, p)
		}
		want := []step{{2, r.list.cursor(2), true}, {0, r.list.cursor(3), true}, {1, "", false}}
		if r.list.untilEmpty {
			want[1].items, want[2].items = 1, 0
		}
		require.Equal(t, want, steps)

		s, c = serve(t, r.list.three()...)
		for first, err := range r.list.pages(t.Context(), c, walk) {
			require.NoError(t, err)
			walk.cursor = first.cursor
			require.Equal(t, "c1", collect(r.list.items(t.Context(), c, walk)), "resumed")
			break
		}
		require.Contains(t, s.requests[1], r.list.cursor(2))
	})
}

func TestErrorsEndWalks(t *testing.T) {
	t.Parallel()
	listings(t, func(t *testing.T, r row, prefetch bool) {
		for failing := range 3 {
			answers := r.list.three()
			answers[failing] = answer{400, `{"error":"no"}`}
			_, c := serve(t, answers...)
			want := []string{"error", "a1 a2 error", "a1 a2 error"}[failing]
			if r.list.untilEmpty && failing == 2 {
				want = "a1 a2 c1 error"
			}
			require.Equal(t, want, collect(r.list.items(t.Context(), c, walk{prefetch: prefetch})))
			var last error
			for _, err := range r.list.pages(t.Context(), c, walk{prefetch: prefetch}) {
				require.NoError(t, last, "the error comes last")
				last = err
			}
		}
	})
}

var sentAddress = regexp.MustCompile(`[1-9A-HJ-NP-Za-km-z]{43,44}\b`)

func TestRepeatedCursorsEndWalks(t *testing.T) {
	t.Parallel()
	listings(t, func(t *testing.T, r row, prefetch bool) {
		answers := r.list.three()[:2]
		answers = append(answers, answers...)
		if r.list.number {
			answers[1] = answer{200, r.list.answer([]string{"a1"}, "2", 1)} // another page
		} else {
			answers[1] = answer{200, r.list.answer(nil, r.list.cursor(2), 2)}
		}
		s, c := serve(t, answers...)
		err := last(r.list.pages(t.Context(), c, walk{prefetch: prefetch}))
		require.ErrorIs(t, err, types.ErrIncomplete)
		name, _, _ := strings.Cut(err.Error(), ": ")
		wire, about, named := strings.Cut(name, " of ")
		require.Equal(t, r.wire, wire)
		require.Equal(t, sentAddress.MatchString(s.requests[0]), named, "with ten wallets, the error says which: %v", err)
		require.Contains(t, s.requests[0], about)
		require.LessOrEqual(t, s.count(), 3)
	})
}

func TestCancelledWalksEndWithAnError(t *testing.T) {
	t.Parallel()
	listings(t, func(t *testing.T, r row, prefetch bool) {
		for after := range 3 {
			s, c := serve(t, r.list.three()...)
			ctx, cancel := context.WithCancel(t.Context())
			if after == 0 {
				cancel()
			}
			n := 0
			var last error
			for _, err := range r.list.pages(ctx, c, walk{prefetch: prefetch}) {
				if last = err; err != nil {
					break
				}
				if n++; n == after {
					synctest.Wait() // until a prefetch has returned
					cancel()
				}
			}
			require.ErrorIs(t, last, context.Canceled)
			require.Equal(t, after, n)
			require.LessOrEqual(t, s.count(), after+1)
			cancel()
		}
	})
}

// One item of another shape leaves the others of its page, and the listing can be resumed.
func TestUnreadableItemLeavesTheOthers(t *testing.T) {
	t.Parallel()
	listings(t, func(t *testing.T, r row, prefetch bool) {
		whole := r.list.answer([]string{"a1", "a2"}, r.list.cursor(2), 1)
		start := strings.Index(whole, "[") + 1
		s, c := serve(t, answer{200, whole[:start] + "7," + whole[start:]})
		n := 0
		var last error
		for _, err := range r.list.items(t.Context(), c, walk{prefetch: prefetch}) {
			if last = err; err == nil {
				n++
			}
		}
		require.Equal(t, 2, n)
		require.Equal(t, 1, s.count())
		var item *types.ItemError
		require.ErrorAs(t, last, &item)
		require.Equal(t, "7", string(item.JSON))
		require.NotEmpty(t, item.Cursor)
		require.Regexp(t, "^"+r.wire+"( of \\S+)?: item cannot be read: ", last.Error())
	})
}

// A null or empty item would otherwise reach the caller as a zero value.
func TestBadPagesEndWalks(t *testing.T) {
	t.Parallel()
	listings(t, func(t *testing.T, r row, prefetch bool) {
		whole := r.list.answer([]string{"a1"}, "", 1)
		start, end := strings.Index(whole, "["), strings.LastIndex(whole, "]")
		for _, body := range []string{whole[:start+1] + "null" + whole[end:], whole[:start+1] + "{}" + whole[end:]} {
			_, c := serve(t, answer{200, body})
			err := last(r.list.items(t.Context(), c, walk{prefetch: prefetch}))
			require.Error(t, err)
			require.Regexp(t, "^"+r.wire+"( of \\S+)?: item cannot be read: (item 0 of the response is null|(\\w+): (the|item 0 of the) response has no \\w+)$", err.Error())
		}
	})
}

// A panic of the caller's Transport during a prefetch must not kill the process.
func TestPanicsDuringAPrefetchReachTheLoop(t *testing.T) {
	t.Parallel()
	listings(t, func(t *testing.T, r row, prefetch bool) {
		s, c := serve(t, r.list.three()...)
		s.answers[1].status = 0 // panics
		var last error
		require.PanicsWithValue(t, "no status", func() {
			for _, err := range r.list.pages(t.Context(), c, walk{prefetch: prefetch}) {
				last = errors.Join(last, err)
			}
		})
		require.NoError(t, last)
	})
}

// Every listing of every client ends with the error that fake.Incomplete promises, after one
// incomplete response as after many.
func TestIncompleteFaultEndsEveryListing(t *testing.T) {
	t.Parallel()
	for name, method := range methods() {
		if !returnsList(method) || !isPaged(method) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := fake.New(nil)
			c := connect(t, s.Config())
			args := valids(method, mint)
			list := pagesOf(c.open(t.Context(), name, args[:len(args)-1], func(reflect.Value) {}))
			s.Fail("", 1, fake.Incomplete())
			require.ErrorIs(t, last(list), types.ErrIncomplete)
			s.FailShare(s.Requests()[0].Operation, 1, fake.Incomplete())
			require.ErrorIs(t, last(list), types.ErrIncomplete)
		})
	}
}
