package partition_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/compressed/partition"
	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/internal/fake/world"
	"github.com/solwire/solwire-go/types"
)

// A seenAccounts counts distinct accounts, and how often one came again.
type seenAccounts struct {
	hashes map[types.Hash]bool
	again  int
}

func (s *seenAccounts) add(list []compressed.Account) {
	for _, a := range list {
		if s.hashes[a.Hash] {
			s.again++
		}
		s.hashes[a.Hash] = true
	}
}

// client returns a Client of a fake service.
func client(t *testing.T, s *fake.Service) *compressed.Client {
	t.Helper()
	c, err := compressed.New(s.Config())
	require.NoError(t, err)
	return c
}

// unsound returns an indexer whose cursors skip accounts.
func unsound(count, trees int) *fake.Indexer {
	random := rand.New(rand.NewPCG(uint64(count), uint64(trees)))
	return &fake.Indexer{Order: world.ByLeaf, Accounts: fake.NewIndexerAccounts(random, count, trees)}
}

// inParts walks over the accounts in parts.
func inParts(t *testing.T, c *compressed.Client, o *partition.Options) (*seenAccounts, error) {
	t.Helper()
	seen := &seenAccounts{hashes: map[types.Hash]bool{}}
	for a, err := range partition.AccountsByOwner(t.Context(), c, fake.Owner, o).All() {
		if err != nil {
			return seen, err
		}
		seen.add([]compressed.Account{a})
	}
	return seen, nil
}

func requireAll(t *testing.T, x *fake.Indexer, seen *seenAccounts) {
	t.Helper()
	require.Equal(t, len(x.Accounts), len(seen.hashes)) //nolint:testifylint // prints no hashes
	require.Zero(t, seen.again)
}

func TestPartsHaveAllAccounts(t *testing.T) {
	t.Parallel()
	mixed := unsound(1600, 1)
	rand.New(rand.NewPCG(1, 1)).Shuffle(1600, func(i, j int) {
		mixed.Accounts[i].Leaf, mixed.Accounts[j].Leaf = mixed.Accounts[j].Leaf, mixed.Accounts[i].Leaf
	})
	for name, x := range map[string]*fake.Indexer{
		"leaves as inserted": unsound(1600, 1), "mixed leaves": mixed, "five trees": unsound(1600, 5),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := client(t, x.Service())
			plan, err := partition.PlanByOwner(t.Context(), c, fake.Owner, nil)
			require.NoError(t, err)
			require.Equal(t, 1, x.Requests())
			require.Equal(t, 260, plan.Requests)
			seen, err := inParts(t, c, &partition.Options{Offsets: plan.Offsets, Concurrency: len(name) % 8}) // 2, 4 and 0
			require.NoError(t, err)
			requireAll(t, x, seen)
			require.Equal(t, plan.Requests, x.Requests()-1)
		})
	}
}

func TestPartsAreSplitWhereTheyDoNotFitAPage(t *testing.T) {
	t.Parallel()
	x := unsound(2100, 1)
	for i := range x.Accounts {
		x.Accounts[i].Data[0] %= 2
	}
	seen, err := inParts(t, client(t, x.Service()), &partition.Options{Offsets: []uint64{0, 1}, DataSlice: &types.DataSlice{Length: 1}})
	require.NoError(t, err)
	requireAll(t, x, seen)
	require.Equal(t, 1+256+2*256+3, x.Requests())
}

func TestOffsetsAreChosenFromTheFirstPage(t *testing.T) {
	t.Parallel()
	x := unsound(1600, 1)
	for i := range x.Accounts { // 40 equal bytes, 4 kinds, and a random byte that some accounts lack
		a := &x.Accounts[i]
		kind := append(make([]byte, 40), byte(i%4))
		if a.Data = append(kind, a.Data[0]); i%7 == 0 {
			a.Data = kind
		}
	}
	plan, err := partition.PlanByOwner(t.Context(), client(t, x.Service()), fake.Owner, nil)
	require.NoError(t, err)
	require.Equal(t, []uint64{40, 41}, plan.Offsets)
	plan, err = partition.PlanByOwner(t.Context(), client(t, x.Service()), fake.Owner, &partition.Options{DataSlice: &types.DataSlice{}})
	require.NoError(t, err)
	require.Equal(t, []uint64{40, 41}, plan.Offsets)
	require.Equal(t, 260, plan.Requests)
}

// The listing ends at the part, also when it is resumed there.
func TestPartThatCannotBeSplitEndsTheWalk(t *testing.T) {
	t.Parallel()
	x := unsound(2100, 1)
	for i := range x.Accounts {
		x.Accounts[i].Lamports = 0
		if x.Accounts[i].Data = []byte{byte(i)}; i%2 == 0 {
			x.Accounts[i].Data[0] = 7
		}
	}
	c := client(t, x.Service())
	o := &partition.Options{Offsets: []uint64{0}}
	for range 2 {
		var last error
		for page, err := range partition.AccountsByOwner(t.Context(), c, fake.Owner, o).Pages() {
			if last = err; err == nil {
				o.Cursor = page.Cursor
				require.True(t, page.HasMore, "the listing is not complete")
			}
		}
		require.ErrorIs(t, last, types.ErrIncomplete)
		require.EqualError(t, last, "partition.AccountsByOwner of BtJ5rdXcZs8hVqK2nTyWfMgPe7UDAoLx3Ri9GQk6uHSv: a part of more than 999 accounts cannot be split; set other Offsets, or Filters: incomplete listing")
	}
}

func TestOnePageIsNotSplit(t *testing.T) {
	t.Parallel()
	x := unsound(999, 1)
	c := client(t, x.Service())
	plan, err := partition.PlanByOwner(t.Context(), c, fake.Owner, nil)
	require.NoError(t, err)
	require.Equal(t, &partition.Plan{Requests: 1}, plan)
	seen, err := inParts(t, c, nil)
	require.NoError(t, err)
	requireAll(t, x, seen)
	require.Equal(t, 2, x.Requests())
}

// The lamports of an active owner do not show whether accounts without data are missing. The
// end of the listing says so, also to a program that resumes there.
func TestChangeOfTheBalanceDuringAWalkIsNotHidden(t *testing.T) {
	t.Parallel()
	x := unsound(1600, 1)
	for i := 1500; i < 1502; i++ {
		x.Accounts[i].Data = nil
	}
	s := x.Service()
	balances := 0
	s.Intercept = func(w http.ResponseWriter, r *fake.Incoming) bool {
		if !bytes.Contains(r.Body, []byte("getCompressedBalanceByOwner")) {
			return false
		}
		balances++
		_, _ = fmt.Fprintf(w, `{"context":{"slot":1},"value":%d}`, 1000*balances)
		return true
	}
	c := client(t, s)
	o := &partition.Options{}
	accounts := 0
	for range 2 {
		var last error
		for page, err := range partition.AccountsByOwner(t.Context(), c, fake.Owner, o).Pages() {
			if last = err; err == nil {
				accounts += len(page.Items)
				o.Cursor = page.Cursor
				require.True(t, page.HasMore)
			}
		}
		require.ErrorIs(t, last, partition.ErrUnchecked)
		require.ErrorIs(t, last, types.ErrIncomplete)
		require.EqualError(t, last, "partition.AccountsByOwner of BtJ5rdXcZs8hVqK2nTyWfMgPe7UDAoLx3Ri9GQk6uHSv: the lamports of the owner changed during the listing, so accounts without data may be missing: incomplete listing")
	}
	require.Equal(t, 1598, accounts)
	require.Equal(t, 2, balances, "at the beginning and the end")
}

// The list keeps a copy of the options, and a DataSlice takes no additional requests.
func TestDataSliceIsCutFromTheDataThatTheOffsetsNeed(t *testing.T) {
	t.Parallel()
	for _, count := range []int{999, 1600} {
		x := unsound(count, 1)
		slice := &types.DataSlice{Offset: 1, Length: 2}
		list := partition.AccountsByOwner(t.Context(), client(t, x.Service()), fake.Owner, &partition.Options{DataSlice: slice})
		slice.Length = 0
		for a, err := range list.All() {
			require.NoError(t, err)
			require.Len(t, a.Data.Bytes, 2)
			number := binary.LittleEndian.Uint64(x.Accounts[a.LeafIndex].Data[2:])
			require.Equal(t, x.Accounts[number].Data[1:3], a.Data.Bytes)
		}
	}
}

// hide changes 20 accounts that are not on the first page.
func hide(lamports uint64, data []byte) func([]world.Compressed) {
	return func(a []world.Compressed) {
		for i := 1050; i < 1070; i++ {
			a[i].Lamports, a[i].Data = lamports, data
		}
	}
}

// Accounts without data, or too little of it, come with the first page only.
func TestAccountsWithoutDataAreInNoPart(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name     string
		change   func(accounts []world.Compressed)
		filters  []types.Filter
		complete bool
	}{
		{"on the first page, with lamports", func(a []world.Compressed) { a[5].Data, a[7].Data = nil, []byte{} }, nil, true},
		{"on the first page, without lamports", func(a []world.Compressed) { a[5].Data, a[5].Lamports = nil, 0 }, nil, false},
		{"on the first page of a smaller part", func(a []world.Compressed) {
			for i := range a {
				a[i].Data[0] = 1
			}
			a[5].Data = []byte{1}
		}, nil, true},
		{"hidden, with lamports", func(a []world.Compressed) { a[1050].Data = nil }, nil, false},
		{"hidden, without lamports", hide(0, nil), nil, false},
		{"hidden and too short, without lamports", hide(0, []byte{}), nil, false},
		{"hidden, with a filter", hide(1, []byte{1}), []types.Filter{types.Memcmp(0, []byte{1})}, false},
		{"hidden in a part that was split", func(a []world.Compressed) {
			for i := range a {
				a[i].Data[0] = 1
			}
			hide(0, []byte{1})(a)
		}, nil, false},
		{"too short for the offset, with a filter", func(a []world.Compressed) { a[5].Data = a[5].Data[:1] }, []types.Filter{types.Memcmp(0, []byte{1})}, false},
		{"all accounts", func(a []world.Compressed) {
			for i := range a {
				a[i].Data = nil
			}
		}, nil, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			x := unsound(1100, 1)
			o := &partition.Options{Offsets: []uint64{0, 1}, Filters: row.filters}
			if row.filters != nil {
				for i := range x.Accounts {
					x.Accounts[i].Data[0] = 1
				}
				o.Offsets = []uint64{1}
			}
			row.change(x.Accounts)
			seen, err := inParts(t, client(t, x.Service()), o)
			if row.complete {
				require.NoError(t, err)
				requireAll(t, x, seen)
				return
			}
			require.ErrorIs(t, err, types.ErrIncomplete)
			require.ErrorContains(t, err, "accounts without data, or with too little of it, are in no part and may be missing")
			require.Zero(t, seen.again)
		})
	}
}

// The lamports of the first page say nothing about accounts behind it that have none.
func TestAccountsWithEqualDataAreNotSplit(t *testing.T) {
	t.Parallel()
	x := unsound(1520, 1)
	for i := range x.Accounts {
		x.Accounts[i].Data, x.Accounts[i].Lamports = []byte{1, 2}, 0
		if x.Accounts[i].Leaf < 1000 {
			x.Accounts[i].Lamports = 5
		}
	}
	c := client(t, x.Service())
	plan, err := partition.PlanByOwner(t.Context(), c, fake.Owner, nil)
	require.NoError(t, err)
	require.Equal(t, &partition.Plan{Requests: 1}, plan)
	seen, err := inParts(t, c, nil)
	require.EqualError(t, err, "partition.AccountsByOwner of BtJ5rdXcZs8hVqK2nTyWfMgPe7UDAoLx3Ri9GQk6uHSv: no byte of their data tells the accounts apart; set Offsets, or Filters: incomplete listing")
	require.ErrorIs(t, err, types.ErrIncomplete)
	require.Greater(t, len(seen.hashes), 990)
	require.Equal(t, 2, x.Requests(), "one for the plan, one for the listing")
}

func TestPartitionedWalkResumesAfterAnyPage(t *testing.T) {
	t.Parallel()
	x := unsound(2100, 1)
	for i := range x.Accounts {
		x.Accounts[i].Data[0] %= 2
	}
	x.Accounts[5].Data = nil // on a page of its own
	c := client(t, x.Service())
	seen := &seenAccounts{hashes: map[types.Hash]bool{}}
	cursor, pages := "", 0
	for done := false; !done; {
		o := &partition.Options{Offsets: []uint64{0, 1}, Cursor: cursor}
		for page, err := range partition.AccountsByOwner(t.Context(), c, fake.Owner, o).Pages() {
			require.NoError(t, err)
			seen.add(page.Items)
			pages++
			cursor, done = page.Cursor, !page.HasMore
			break
		}
	}
	requireAll(t, x, seen)
	require.Equal(t, 1+254+2*256, pages)
}

func TestResumedPlanCountsTheRest(t *testing.T) {
	t.Parallel()
	x := unsound(1600, 1)
	c := client(t, x.Service())
	first, err := partition.AccountsByOwner(t.Context(), c, fake.Owner, nil).Page()
	require.NoError(t, err)
	before := x.Requests()
	plan, err := partition.PlanByOwner(t.Context(), c, fake.Owner, &partition.Options{Cursor: first.Cursor})
	require.NoError(t, err)
	require.Equal(t, &partition.Plan{Offsets: plan.Offsets, Requests: 256 + 2}, plan)
	require.Equal(t, before, x.Requests())
}

func TestInvalidPartitionsAreRefused(t *testing.T) {
	t.Parallel()
	x := unsound(10, 1)
	c := client(t, x.Service())
	four := make([]types.Filter, 4)
	for i := range four {
		four[i] = types.Memcmp(0, []byte{1})
	}
	const cursor = "Cursor is not the Cursor of a page of partition.AccountsByOwner"
	for _, row := range []struct {
		o    partition.Options
		says string
	}{
		{partition.Options{Concurrency: -1}, "Concurrency -1 is negative; 0 means the default"},
		{partition.Options{Filters: slices.Concat(four, four[:1])}, "Filters has 5 filters; at most 4 leave room for one that splits"},
		{partition.Options{Filters: four, Offsets: []uint64{1, 2}}, "Offsets has 2 offsets, which with 4 filters is more than the service takes (5)"},
		{partition.Options{Offsets: []uint64{1, 1}}, "Offsets[1] is a duplicate"},
		{partition.Options{Offsets: []uint64{1 << 31}}, "Offsets[0] is beyond 2147483646"},
		{partition.Options{Cursor: "not base64"}, cursor},
		{partition.Options{Cursor: base64.RawURLEncoding.EncodeToString([]byte(`{"Next":"not base64"}`))}, cursor},
		{partition.Options{Cursor: base64.RawURLEncoding.EncodeToString([]byte(`{"Offsets":[1]}`))}, cursor},
		{partition.Options{Cursor: base64.RawURLEncoding.EncodeToString([]byte(`{"Offsets":[1],"Next":"AAA="}`))}, cursor},
		{partition.Options{Cursor: base64.RawURLEncoding.EncodeToString([]byte(`{"Offsets":[1,2,3,4,5,6],"Next":"AAA="}`))}, cursor},
	} {
		_, err := inParts(t, c, &row.o)
		require.EqualError(t, err, "partition.AccountsByOwner: "+row.says+": invalid argument")
		_, err = partition.PlanByOwner(t.Context(), c, fake.Owner, &row.o)
		require.EqualError(t, err, "partition.PlanByOwner: "+row.says+": invalid argument")
	}
	require.Zero(t, x.Requests())
}

// A counter is a Limiter that counts.
type counter struct{ calls atomic.Int64 }

func (c *counter) Wait(context.Context) error { c.calls.Add(1); return nil }

// A gauge measures how many requests are under way at once.
type gauge struct {
	http.RoundTripper
	mu        sync.Mutex
	now, most int
}

func (g *gauge) RoundTrip(r *http.Request) (*http.Response, error) {
	g.mu.Lock()
	g.now++
	g.most = max(g.most, g.now)
	g.mu.Unlock()
	defer func() { g.mu.Lock(); g.now--; g.mu.Unlock() }()
	return g.RoundTripper.RoundTrip(r)
}

func TestParallelPartsPassTheLimiter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		x := unsound(1600, 1)
		cfg := x.Service().Config()
		inner := cfg.HTTPClient.Transport
		slow := transport(func(r *http.Request) (*http.Response, error) {
			time.Sleep(time.Millisecond) // until all parts have sent their requests
			return inner.RoundTrip(r)
		})
		limiter, gauge := new(counter), &gauge{RoundTripper: slow}
		cfg.Limiter, cfg.HTTPClient = limiter, &http.Client{Transport: gauge}
		c, err := compressed.New(cfg)
		require.NoError(t, err)
		seen, err := inParts(t, c, &partition.Options{Concurrency: 5})
		require.NoError(t, err)
		requireAll(t, x, seen)
		require.EqualValues(t, 260, limiter.calls.Load())
		require.Equal(t, 5, gauge.most)
	})
}

// A bubble fails if a goroutine is left.
func TestPartitionedWalkLeavesNoGoroutine(t *testing.T) {
	t.Parallel()
	for _, stop := range []int{1, 2, 30} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			n := 0
			for _, err := range partition.AccountsByOwner(ctx, client(t, unsound(1600, 1).Service()), fake.Owner, &partition.Options{Concurrency: 4}).Pages() {
				if n++; n == stop {
					break
				}
				require.NoError(t, err)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var last error
		for _, err := range partition.AccountsByOwner(ctx, client(t, unsound(1600, 1).Service()), fake.Owner, &partition.Options{Concurrency: 4}).Pages() {
			cancel()
			last = err
		}
		require.ErrorIs(t, last, context.Canceled)
	})
}

func TestPanicOfATransportReachesTheLoop(t *testing.T) {
	t.Parallel()
	x := unsound(1600, 1)
	cfg := x.Service().Config()
	inner := cfg.HTTPClient.Transport
	cfg.HTTPClient = &http.Client{Transport: transport(func(r *http.Request) (*http.Response, error) {
		if x.Requests() == 3 {
			panic("no more")
		}
		return inner.RoundTrip(r)
	})}
	c, err := compressed.New(cfg)
	require.NoError(t, err)
	require.PanicsWithValue(t, "no more", func() { _, _ = inParts(t, c, &partition.Options{Concurrency: 1}) })
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestFailedPartEndsTheWalkBeforeIt(t *testing.T) {
	t.Parallel()
	x := unsound(1600, 1)
	s := x.Service()
	s.Intercept = func(w http.ResponseWriter, _ *fake.Incoming) bool {
		failed := x.Requests() == 11
		if failed {
			w.WriteHeader(http.StatusUnauthorized)
		}
		return failed
	}
	pages := 0
	var last error
	for _, err := range partition.AccountsByOwner(t.Context(), client(t, s), fake.Owner, nil).Pages() {
		if last = err; err == nil {
			pages++
		}
	}
	require.ErrorIs(t, last, types.ErrUnauthorized)
	require.Equal(t, 1+8, pages, "the first page and 8 parts; one request was for the balance")
}

// The other parts would be thrown away, at 10 credits each.
func TestOnePageOfAPartitionRequestsOnePart(t *testing.T) {
	t.Parallel()
	x := unsound(1600, 1)
	c := client(t, x.Service())
	first, err := partition.AccountsByOwner(t.Context(), c, fake.Owner, nil).Page()
	require.NoError(t, err)
	before := x.Requests()
	_, err = partition.AccountsByOwner(t.Context(), c, fake.Owner, &partition.Options{Concurrency: 8, Cursor: first.Cursor}).Page()
	require.NoError(t, err)
	require.Equal(t, 1, x.Requests()-before)
}
