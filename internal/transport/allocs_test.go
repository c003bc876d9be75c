//go:build !race

// The race detector makes sync.Pool drop what it is given, at random.

package transport_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/bench"
)

// Allocations repeat exactly where times do not, so these are what a change
// must not make worse. They are not parallel: all goroutines count.

func TestAllocationsPerItem(t *testing.T) {
	for _, l := range listings() {
		require.LessOrEqual(t, l.allocsPerItem(t), l.allocs, l.name)
	}
}

func TestAllocationsOfASmallCall(t *testing.T) {
	ours, _ := callPage(t, bench.Serve(t, bench.CompressedAccounts(0)))
	allocs, _ := bench.Allocs(t, 200, ours)
	require.LessOrEqual(t, allocs, 90.0)
}

func TestAPageTakesLittleMemoryBesidesItsItems(t *testing.T) {
	require.LessOrEqual(t, pageOverDecode(t), 1.10)
}
