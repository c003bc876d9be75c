package bench_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/bench"
)

// work keeps the processor busy, n times as long as for 1.
func work(n int) func() error {
	return func() error {
		for range n * 20_000 {
			spent++
		}
		return nil
	}
}

var spent int

// Not parallel: it sets the number of processors.
func TestComparisonTellsTheHalfFromTheWhole(t *testing.T) {
	for _, row := range []struct{ ours, other, want float64 }{{1, 2, 0.5}, {2, 1, 2}} {
		r := testing.Benchmark(func(b *testing.B) {
			bench.CompareBriefly(b, 1, work(int(row.ours)), work(int(row.other)))
		})
		require.InDelta(t, row.want, r.Extra["ours/other"], row.want/4, "%v", r.Extra)
		require.InDelta(t, row.want, r.Extra["cpu-ns/ours"]/r.Extra["cpu-ns/other"], row.want/4, "%v", r.Extra)
	}
}

func TestMedian(t *testing.T) {
	t.Parallel()
	require.InDelta(t, 2.0, bench.Median([]float64{100, 1, 2}), 0)
	require.InDelta(t, 2.5, bench.Median([]float64{3, 100, 1, 2}), 0)
}

func TestAllocationsAreThoseOfOneRun(t *testing.T) {
	var kept []*[1024]byte
	allocs, bytes := bench.Allocs(t, 100, func() error {
		kept = append(kept[:0], new([1024]byte), new([1024]byte), new([1024]byte))
		return nil
	})
	require.InDelta(t, 3, allocs, 0)
	require.InDelta(t, 3*1024, bytes, 200)
	require.Len(t, kept, 3)
}
