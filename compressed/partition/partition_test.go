package partition_test

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/compressed/partition"
	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/internal/faults"
	"github.com/solwire/solwire-go/types"
)

// A third of the CPU time went into collecting small garbage.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

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
func client(t *testing.T, s *fakeapi.Service) *compressed.Client {
	t.Helper()
	c, err := compressed.New(s.Config())
	require.NoError(t, err)
	return c
}

// unsound returns an indexer whose cursors skip accounts.
func unsound(count, trees int) *faults.Indexer {
	random := rand.New(rand.NewPCG(uint64(count), uint64(trees)))
	return &faults.Indexer{Order: faults.ByLeaf, Accounts: faults.NewIndexerAccounts(random, count, trees)}
}

// inParts walks over the accounts in parts.
func inParts(t *testing.T, c *compressed.Client, o *partition.Options) (*seenAccounts, error) {
	t.Helper()
	seen := &seenAccounts{hashes: map[types.Hash]bool{}}
	for a, err := range partition.AccountsByOwner(t.Context(), c, fakeapi.Owner, o).All() {
		if err != nil {
			return seen, err
		}
		seen.add([]compressed.Account{a})
	}
	return seen, nil
}

func requireAll(t *testing.T, x *faults.Indexer, seen *seenAccounts) {
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
	for name, x := range map[string]*faults.Indexer{
		"leaves as inserted": unsound(1600, 1), "mixed leaves": mixed, "five trees": unsound(1600, 5),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen, err := inParts(t, client(t, x.Service()), nil)
			require.NoError(t, err)
			requireAll(t, x, seen)
			require.Equal(t, 257, x.Requests())
		})
	}
}

// A part that does not fit a page is split by the next byte, also page by page.
func TestPartsAreSplitWhereTheyDoNotFitAPage(t *testing.T) {
	t.Parallel()
	x := unsound(2100, 1)
	for i := range x.Accounts {
		x.Accounts[i].Data[0] %= 2
	}
	c := client(t, x.Service())
	seen, err := inParts(t, c, &partition.Options{DataSlice: &types.DataSlice{Length: 1}, PageOptions: types.PageOptions{Prefetch: true}})
	require.NoError(t, err)
	requireAll(t, x, seen)
	require.Equal(t, 1+256+2*256, x.Requests())

	seen = &seenAccounts{hashes: map[types.Hash]bool{}}
	o := &partition.Options{}
	for more := true; more; {
		page, err := partition.AccountsByOwner(t.Context(), c, fakeapi.Owner, o).Page()
		require.NoError(t, err)
		require.LessOrEqual(t, len(page.Items), 1000)
		seen.add(page.Items)
		o.Cursor, more = page.Cursor, page.HasMore
	}
	requireAll(t, x, seen)
	require.Equal(t, 2*(1+256+2*256), x.Requests(), "a page is a request")
}

func TestOnePageIsNotSplit(t *testing.T) {
	t.Parallel()
	x := unsound(999, 1)
	seen, err := inParts(t, client(t, x.Service()), nil)
	require.NoError(t, err)
	requireAll(t, x, seen)
	require.Equal(t, 1, x.Requests())
}

func TestPartThatCannotBeSplitEndsTheWalk(t *testing.T) {
	t.Parallel()
	x := unsound(1001, 1)
	for i := range x.Accounts {
		x.Accounts[i].Data = make([]byte, 200)
	}
	_, err := inParts(t, client(t, x.Service()), &partition.Options{Offset: 10})
	require.ErrorIs(t, err, types.ErrIncomplete)
	require.EqualError(t, err, "partition.AccountsByOwner of BtJ5rdXcZs8hVqK2nTyWfMgPe7UDAoLx3Ri9GQk6uHSv: a part that does not fit a page cannot be split; set another Offset, or Filters: incomplete listing")
	require.Equal(t, 129, x.Requests(), "the part of zeros is the first one at each byte")
}

func TestDataSliceIsCutFromTheDataThatTheOffsetNeeds(t *testing.T) {
	t.Parallel()
	for _, count := range []int{999, 1600} {
		x := unsound(count, 1)
		slice := &types.DataSlice{Offset: 1, Length: 2}
		list := partition.AccountsByOwner(t.Context(), client(t, x.Service()), fakeapi.Owner, &partition.Options{DataSlice: slice})
		slice.Length = 0
		for a, err := range list.All() {
			require.NoError(t, err)
			require.Len(t, a.Data.Bytes, 2)
			number := binary.LittleEndian.Uint64(x.Accounts[a.LeafIndex].Data[2:])
			require.Equal(t, x.Accounts[number].Data[1:3], a.Data.Bytes)
		}
	}
}

// The account without data comes with the page that shows it. Others may be missing.
func TestAccountsInNoPartMakeTheListingIncomplete(t *testing.T) {
	t.Parallel()
	x := unsound(1600, 1)
	x.Accounts[5].Data, x.Accounts[7].Data = nil, []byte{}
	seen, err := inParts(t, client(t, x.Service()), nil)
	require.ErrorIs(t, err, types.ErrIncomplete)
	require.ErrorContains(t, err, "accounts without data, or with too little of it, are in no part and may be missing")
	requireAll(t, x, seen)
}

// The cursor of an unreadable account resumes the partition, not the listing of a part.
func TestCursorOfAnUnreadableAccountResumesThePartition(t *testing.T) {
	t.Parallel()
	const page = `{"context":{"slot":1},"value":{"items":[{"hash":"4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R","lamports":"7"}],"cursor":"4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R"}}`
	const rest = `{"context":{"slot":1},"value":{"items":[],"cursor":null}}`
	for _, handled := range []bool{true, false} {
		s := fakeapi.New()
		s.Answer(200, page)
		s.Answer(200, rest)
		cfg := s.Config()
		var got *types.ItemError
		if handled {
			cfg.OnItemError = func(e *types.ItemError) { got = e }
		}
		c, err := compressed.New(cfg)
		require.NoError(t, err)
		first, err := partition.AccountsByOwner(t.Context(), c, fakeapi.Owner, nil).Page()
		require.Equal(t, handled, err == nil)
		if !handled {
			require.ErrorAs(t, err, &got)
		}
		require.Equal(t, "lamports", got.Path)
		require.Equal(t, first.Cursor, got.Cursor)
		_, err = partition.AccountsByOwner(t.Context(), c, fakeapi.Owner, &partition.Options{PageOptions: types.PageOptions{Cursor: got.Cursor}}).Page()
		require.NoError(t, err)
		require.Contains(t, s.Requests()[1].Body, "memcmp", "the first part")
	}
}

func TestInvalidPartitionsAreRefused(t *testing.T) {
	t.Parallel()
	x := unsound(10, 1)
	c := client(t, x.Service())
	five := slices.Repeat([]types.Filter{types.Memcmp(0, []byte{1})}, 5)
	const cursor = "Cursor is not the Cursor of a page of partition.AccountsByOwner"
	for _, row := range []struct {
		o    partition.Options
		says string
	}{
		{partition.Options{PageOptions: types.PageOptions{Limit: -1}}, "Limit -1 is negative; 0 means the default"},
		{partition.Options{Filters: five}, "Filters has 5 filters; at most 4 leave room for one that splits"},
		{partition.Options{Offset: 1 << 31}, "Offset is beyond 2147483518"},
		{partition.Options{PageOptions: types.PageOptions{Cursor: "not a part"}}, cursor},
		{partition.Options{PageOptions: types.PageOptions{Cursor: "part xx"}}, cursor},
	} {
		_, err := inParts(t, c, &row.o)
		require.EqualError(t, err, "partition.AccountsByOwner: "+row.says+": invalid argument")
	}
	require.Zero(t, x.Requests())
}
