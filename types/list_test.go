package types_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

// numbers returns a list of pages of two numbers that ends with err if it is not nil.
// Requested is the number of pages that were requested.
func numbers(last int, err error) (list types.List[int], requested *int) {
	requested = new(int)
	page := func(first int) *types.Page[int] {
		*requested++
		p := &types.Page[int]{Items: []int{first}, HasMore: first+2 <= last}
		if first+1 <= last {
			p.Items = append(p.Items, first+1)
		}
		return p
	}
	pages := func(yield func(*types.Page[int], error) bool) {
		for n := 1; n <= last; n += 2 {
			if !yield(page(n), nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
	return types.NewList(pages), requested
}

func TestAllYieldsTheItemsOfAllPages(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	list, _ := numbers(5, broken)
	var got []int
	var last error
	for n, err := range list.All() {
		got, last = append(got, n), err
	}
	require.Equal(t, []int{1, 2, 3, 4, 5, 0}, got, "a zero item comes with the error")
	require.Equal(t, broken, last)
}

func TestBreakRequestsNoFurtherPage(t *testing.T) {
	t.Parallel()
	list, requested := numbers(5, nil)
	for n, err := range list.All() {
		require.NoError(t, err)
		if n == 2 {
			break
		}
	}
	require.Equal(t, 1, *requested)
}

func TestCollectStopsAtItsLimit(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for _, row := range []struct {
		last      int
		err       error
		limit     int
		want      []int
		requested int
	}{
		{3, nil, 10, []int{1, 2, 3}, 2},
		{3, nil, 2, []int{1, 2}, 1},
		{3, broken, 3, []int{1, 2, 3}, 2}, // the error is beyond the limit
		{0, nil, 1, nil, 0},
	} {
		list, requested := numbers(row.last, row.err)
		got, err := list.Collect(row.limit)
		require.NoError(t, err)
		require.Equal(t, row.want, got)
		require.Equal(t, row.requested, *requested)
	}
	list, _ := numbers(3, broken)
	got, err := list.Collect(4)
	require.Equal(t, broken, err)
	require.Equal(t, []int{1, 2, 3}, got, "the items before the error")
}

func TestCollectRefusesALimitBelow1(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{0, -1} {
		list, requested := numbers(3, nil)
		_, err := list.Collect(limit)
		require.ErrorIs(t, err, types.ErrInvalid)
		require.Zero(t, *requested)
	}
}

func TestZeroListIsEmpty(t *testing.T) {
	t.Parallel()
	var list types.List[int]
	items, err := list.Collect(1)
	require.NoError(t, err)
	require.Empty(t, items)
	page, err := list.Page()
	require.NoError(t, err)
	require.Equal(t, &types.Page[int]{}, page)
}

// A report is a page that says more than its items.
type report struct {
	types.Page[int]
	Sum int
}

// sums is a function for lists of any kind.
func sums(list types.List[int]) (sum int, err error) {
	for n, err := range list.All() {
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

func TestListOfIsAList(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	pages := func(yield func(*report, error) bool) {
		_ = yield(&report{types.Page[int]{Items: []int{1, 2}, Cursor: "b"}, 3}, nil) && yield(nil, broken)
	}
	list := types.NewListOf(pages, func(r *report) *types.Page[int] { return &r.Page })
	page, err := list.Page()
	require.NoError(t, err)
	require.Equal(t, 3, page.Sum)
	items, err := list.Collect(2)
	require.NoError(t, err)
	require.Equal(t, []int{1, 2}, items)
	plain, err := list.List.Page()
	require.NoError(t, err)
	require.Equal(t, &types.Page[int]{Items: []int{1, 2}, Cursor: "b"}, plain)
	_, err = sums(list.List)
	require.Equal(t, broken, err)

	var none types.ListOf[report, int]
	page, err = none.Page()
	require.NoError(t, err)
	require.Zero(t, *page)
	sum, err := sums(none.List)
	require.NoError(t, err)
	require.Zero(t, sum)
	for range none.Pages() {
		require.Fail(t, "the zero list is empty")
	}
}
