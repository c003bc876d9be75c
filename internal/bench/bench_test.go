package bench_test

import (
	"flag"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/bench"
)

// Not parallel: it sets the number of processors.
func TestComparisonTellsTheHalfFromTheWhole(t *testing.T) {
	before := flag.Lookup("test.benchtime").Value.String()
	require.NoError(t, flag.Set("test.benchtime", "20x")) // the time of the rows is not real
	defer func() { require.NoError(t, flag.Set("test.benchtime", before)) }()
	for _, row := range []struct {
		ours, other time.Duration
		want        float64
	}{
		{time.Millisecond, 2 * time.Millisecond, 0.5},
		{30 * time.Millisecond, 10 * time.Millisecond, 3},
	} {
		var now time.Duration
		spend := func(d time.Duration) func() error {
			return func() error {
				now += d
				return nil
			}
		}
		r := testing.Benchmark(func(b *testing.B) {
			bench.CompareBy(b, func() time.Duration { return now }, spend(row.ours), spend(row.other))
		})
		require.InDelta(t, row.want, r.Extra["ours/other"], 1e-9)
		require.InDelta(t, float64(row.ours), r.Extra["cpu-ns/ours"], 1e-9)
		require.InDelta(t, float64(row.other), r.Extra["cpu-ns/other"], 1e-9)
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
