package parsedapi_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/parsedapi"
	"github.com/solwire/solwire-go/types"
)

// walked returns the signatures of a history. The walk stops after up to stop pages, and resumes
// at its cursor as another process would; 0 means never.
func walked(t *testing.T, s *service, o parsedapi.HistoryOptions, stop int) (all []types.Signature, err error) {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(stop), 2))
	for {
		left := -1
		if stop > 0 {
			left = 1 + r.IntN(stop)
		}
		more := false
		for page, err := range s.client(t).History(t.Context(), wallet, &o).Pages() {
			if err != nil {
				return all, err
			}
			for _, item := range page.Items {
				require.NotEqual(t, item.Parsed == nil, item.ParserError == nil)
				all = append(all, item.Signature)
			}
			o.Cursor, more = page.Cursor, page.HasMore
			if left--; left == 0 {
				break
			}
		}
		if !more {
			return all, nil
		}
	}
}

func requireSame(t *testing.T, want, got []types.Signature, name string) {
	t.Helper()
	slices.Sort(want)
	slices.Sort(got)
	require.True(t, slices.Equal(want, got), "%s: %d transactions instead of %d", name, len(got), len(want))
}

func TestWalksAreExact(t *testing.T) {
	t.Parallel()
	for i, stop := range []int{0, 1, 3, 20} {
		for _, ascending := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				s := newService(4000, uint64(i))
				s.faults, s.empty, s.most = 1, 3, 60
				got, err := walked(t, s, parsedapi.HistoryOptions{Ascending: ascending, PageOptions: types.PageOptions{Prefetch: i%2 == 1}}, stop)
				require.NoError(t, err)
				want := s.signatures()
				if !ascending {
					slices.Reverse(want)
				}
				require.Equal(t, want, got)
			})
		}
	}
}

// A walk over a service that repeats, reorders or does not end is exact, or it ends with an
// error after transactions that came once.
func TestTroubledWalksAreExactOrFail(t *testing.T) {
	t.Parallel()
	failures := map[string]int{}
	for seed := range uint64(20) {
		for _, trouble := range []string{"repeated page", "overlap", "backwards", "repeated token", "empty"} {
			for _, stop := range []int{0, 1, 4} {
				synctest.Test(t, func(t *testing.T) {
					s := newService(400, seed)
					s.empty, s.trouble, s.after = 1, trouble, int(seed%7)
					name := fmt.Sprint(trouble, seed, stop)
					o := parsedapi.HistoryOptions{Ascending: seed%2 == 0, PageOptions: types.PageOptions{Prefetch: seed%3 == 0}}
					if trouble == "empty" && stop > 0 {
						return // each process may read a page, and a later one may get more
					}
					got, err := walked(t, s, o, stop)
					if err == nil {
						requireSame(t, s.signatures(), got, name)
						return
					}
					failures[trouble]++
					require.ErrorIs(t, err, types.ErrIncomplete, name)
					slices.Sort(got)
					require.Len(t, slices.Compact(slices.Clone(got)), len(got), "%s: a transaction came twice", name)
				})
			}
		}
	}
	for _, trouble := range []string{"repeated page", "overlap", "backwards", "repeated token", "empty"} {
		require.Greater(t, failures[trouble], 10, trouble)
	}
}

func TestResumedWalkChecksItsFirstPage(t *testing.T) {
	t.Parallel()
	s := newService(300, 1)
	page, err := s.client(t).History(t.Context(), wallet, &parsedapi.HistoryOptions{PageOptions: types.PageOptions{Limit: 50}}).Page()
	require.NoError(t, err)
	// and the service answers with the newest, whatever the token
	s.slots = append(s.slots, 500_000_000)
	cursor := page.Cursor
	s.trouble, s.after, s.pages = "repeated page", 0, 0
	_, err = s.client(t).History(t.Context(), wallet, &parsedapi.HistoryOptions{PageOptions: types.PageOptions{Limit: 50, Cursor: cursor}}).Page()
	require.ErrorIs(t, err, types.ErrIncomplete)
}

func TestEmptyPagesAreBounded(t *testing.T) {
	t.Parallel()
	s := newService(300, 1)
	s.trouble, s.after = "empty", 1
	var cursor string
	pages := 0
	for page, err := range s.client(t).History(t.Context(), wallet, nil).Pages() {
		if err != nil {
			require.EqualError(t, err, "POST /v1/parsed-events/transaction-history of 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY: 100 empty pages in a row; "+
				"resume at the Cursor of an earlier page: incomplete listing")
			break
		}
		require.True(t, page.HasMore)
		pages, cursor = pages+1, page.Cursor
	}
	require.Equal(t, 101, pages)
	sent := len(s.requests)
	_, err := s.client(t).History(t.Context(), wallet, &parsedapi.HistoryOptions{PageOptions: types.PageOptions{Cursor: cursor}}).Page()
	require.ErrorIs(t, err, types.ErrIncomplete)
	require.Len(t, s.requests, sent)
}

func TestTokenOfTheServiceIsACursor(t *testing.T) {
	t.Parallel()
	for _, cursor := range []string{"433950192:12", "a@b", "a@b@c", "@", "1@2@"} {
		s := newService(3, 1)
		_, err := s.client(t).History(t.Context(), wallet, &parsedapi.HistoryOptions{PageOptions: types.PageOptions{Cursor: cursor}}).Page()
		require.NoError(t, err)
		require.Equal(t, cursor, s.requests[0].PaginationToken)
	}
}

// The service continues at the cursor of a listing of another address or in the opposite
// order, and skips the transactions before it.
func TestCursorOfAnotherListingIsRefused(t *testing.T) {
	t.Parallel()
	const another types.Address = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
	s := newService(300, 1)
	page, err := s.client(t).History(t.Context(), wallet, nil).Page()
	require.NoError(t, err)
	for address, o := range map[types.Address]parsedapi.HistoryOptions{
		wallet:  {PageOptions: types.PageOptions{Cursor: page.Cursor}, Ascending: true},
		another: {PageOptions: types.PageOptions{Cursor: page.Cursor}},
	} {
		_, err = s.client(t).History(t.Context(), address, &o).Page()
		require.ErrorIs(t, err, types.ErrInvalid)
		require.ErrorContains(t, err, "parsedapi.Client.History: Cursor belongs to another listing")
	}
	require.Len(t, s.requests, 1)
}

func TestBoundsAreWholeSeconds(t *testing.T) {
	t.Parallel()
	s := newService(3, 1)
	month := time.Date(2026, 10, 1, 0, 0, 0, 1, time.UTC)
	_, err := s.client(t).History(t.Context(), wallet, &parsedapi.HistoryOptions{
		Since: month, Until: time.Unix(1793491200, 0), UntilSlot: 1<<64 - 1, SinceSlot: 1<<53 + 1,
	}).Page()
	require.NoError(t, err)
	require.Equal(t, map[string]json.Number{"gte": "1790812801", "lt": "1793491200"}, s.requests[0].Time)
	require.Equal(t, map[string]json.Number{"gte": "9007199254740993", "lt": "18446744073709551615"}, s.requests[0].Slot)
}
