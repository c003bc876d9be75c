package types_test

import (
	"errors"
	"iter"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

// numbers counts up to last, then yields err if it is not nil. Requested is the number
// of elements that the loop requested.
func numbers(last int, err error) (seq iter.Seq2[int, error], requested *int) {
	requested = new(int)
	return func(yield func(int, error) bool) {
		for n := 1; n <= last; n++ {
			*requested++
			if !yield(n, nil) {
				return
			}
		}
		if *requested++; err != nil {
			yield(0, err)
		}
	}, requested
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
		{3, nil, 10, []int{1, 2, 3}, 4},
		{3, nil, 3, []int{1, 2, 3}, 3},
		{3, nil, 2, []int{1, 2}, 2},
		{3, broken, 3, []int{1, 2, 3}, 3}, // the error is beyond the limit
		{0, nil, 1, nil, 1},
	} {
		seq, requested := numbers(row.last, row.err)
		got, err := types.Collect(seq, row.limit)
		require.NoError(t, err)
		require.Equal(t, row.want, got)
		require.Equal(t, row.requested, *requested)
	}
	seq, _ := numbers(3, broken)
	got, err := types.Collect(seq, 4)
	require.Equal(t, broken, err)
	require.Nil(t, got)
}

func TestCollectRefusesALimitBelow1(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{0, -1} {
		seq, requested := numbers(3, nil)
		got, err := types.Collect(seq, limit)
		require.ErrorIs(t, err, types.ErrInvalid)
		require.ErrorContains(t, err, "is not positive; set the most items to return")
		require.Nil(t, got)
		require.Zero(t, *requested)
	}
}
