package compressed_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
)

func TestLeafIndexOrderEndsAWalkInsteadOfLosingAccounts(t *testing.T) {
	t.Parallel()
	for limit, handed := range map[int]int{
		0:   1,
		500: 1,
		10:  2, // the first page happens to end with its largest hash, so the second repeats none of it
	} {
		for _, prefetch := range []bool{false, true} {
			s := fake.New()
			s.LeafIndexOrder = true
			c := client(t, s)
			opts := &compressed.AccountsByOwnerOptions{Limit: limit, Prefetch: prefetch}
			pages := c.AccountsByOwnerPages(t.Context(), fake.Owner, opts)
			for range 2 { // what one walk saw is not held against the next
				var complete int
				var last error
				for page, err := range pages {
					require.NoError(t, last, "nothing follows an error")
					if last = err; err == nil {
						complete++
					} else {
						require.Nil(t, page)
					}
				}
				require.ErrorIs(t, last, types.ErrIncomplete)
				require.ErrorContains(t, last, "getCompressedAccountsByOwner: page at ")
				require.ErrorContains(t, last, "use filters")
				require.Equal(t, handed, complete)
			}
			require.Len(t, s.Requests(), 2*(handed+1))

			var accounts int
			var last error
			for _, err := range c.AllAccountsByOwner(t.Context(), fake.Owner, opts) {
				if last = err; err == nil {
					accounts++
				}
			}
			require.ErrorIs(t, last, types.ErrIncomplete)
			require.Positive(t, accounts)
		}
	}
}

func TestShortLastPageTellsOfLeafIndexOrder(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ accounts, limit int }{{1116, 0}, {20, 10}, {40, 10}, {54, 10}, {300, 4}} {
		for _, byLeaf := range []bool{false, true} {
			s := fake.NewSized(row.accounts)
			s.LeafIndexOrder = byLeaf
			opts := &compressed.AccountsByOwnerOptions{Limit: row.limit}
			var found int
			var last error
			for _, err := range client(t, s).AllAccountsByOwner(t.Context(), fake.Owner, opts) {
				if last = err; err == nil {
					found++
				}
			}
			if byLeaf {
				require.ErrorIs(t, last, types.ErrIncomplete, row)
			} else {
				require.NoError(t, last, row)
				require.Equal(t, row.accounts, found)
			}
		}
	}
}

func TestOnePageIsCompleteInAnyOrder(t *testing.T) {
	t.Parallel()
	s := fake.NewSized(900)
	s.LeafIndexOrder = true
	var accounts int
	for _, err := range client(t, s).AllAccountsByOwner(t.Context(), fake.Owner, nil) {
		require.NoError(t, err)
		accounts++
	}
	require.Equal(t, 900, accounts)
}

func TestOrderOfLeafIndexesAcrossPages(t *testing.T) {
	t.Parallel()
	const (
		low      = "0 1 2 3 4 5 6 7 8 9"
		same     = "5 5 5 5 5 5 5 5 5 5"
		high     = "9 10 11 12 13 14 15 16 17 18"
		unsorted = "0 1 2 3 4 5 6 7 9 8"
		nine     = "0 1 2 3 4 5 6 7 8"
		four     = "1 3 4 8"
	)
	for _, row := range []struct {
		name   string
		pages  []string
		handed int // pages before the error; all of them when there is none
	}{
		{"starts below the end of the page before", []string{low, low}, 1},
		{"ends below the end of the page before", []string{high, low}, 1},
		{"one leaf too low", []string{high, "17 18 19 20 21 22 23 24 25 26"}, 1},
		{"goes on where the page before ended", []string{low, high, "18 19 20 21 22 23 24 25 26 27"}, 3},
		{"leaves of several trees", []string{same, same, same}, 3},
		{"only the first in order", []string{low, unsorted, unsorted}, 3},
		{"only the second in order", []string{unsorted, low}, 2},
		{"one page in another order", []string{low, unsorted, low, low, low}, 5},
		{"in another order at first", []string{unsorted, low, high, low}, 4},
		{"a short last page", []string{high, nine}, 1},
		{"a last page of one", []string{low, high, "17"}, 2},
		{"two short pages", []string{nine, nine}, 1},
		{"too few to tell", []string{"0 1 2 3 4 5 6 7", "0 1 2"}, 2},
		{"small pages", []string{four, four, four, four, four}, 4},
		{"small pages, and the drop at once", []string{four, "7 8 9 10", "11 12 13 14", "15 16 17 18", "19 20 21 22"}, 4},
		{"pages of one", []string{"9", "8", "7", "6", "5", "4", "3", "2", "1", "0", "9", "8", "7", "6"}, 14},
		{"leaves that many trees have", []string{"0 0 0 0 0 0 1 1 1 1", "0 0 0 1", "0 0 1 1"}, 3},
		{"an empty page between", []string{low, "", low}, 2},
		{"at the end", []string{low, low + " 10 11 12"}, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := fake.New()
			for i, leaves := range row.pages {
				var items []string
				for leaf := range strings.FieldsSeq(leaves) {
					items = append(items, `{"leafIndex":`+leaf+`}`)
				}
				cursor := fmt.Sprint(i)
				if i == len(row.pages)-1 {
					cursor = ""
				}
				s.Answer(200, `{"context":{"slot":1},"value":{"items":[`+strings.Join(items, ",")+`],"cursor":"`+cursor+`"}}`)
			}
			var handed int
			var last error
			for _, err := range client(t, s).AccountsByOwnerPages(t.Context(), fake.Owner, nil) {
				if last = err; err == nil {
					handed++
				}
			}
			require.Equal(t, row.handed, handed)
			if handed == len(row.pages) {
				require.NoError(t, last)
			} else {
				require.ErrorIs(t, last, types.ErrIncomplete)
			}
		})
	}
}
