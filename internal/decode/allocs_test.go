//go:build !race

// The race detector makes sync.Pool drop items at random.

package decode_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Allocations repeat exactly where times do not. This test is not parallel, since the
// allocations of all goroutines count.
func TestAllocationsPerItem(t *testing.T) {
	for _, l := range listings() {
		require.LessOrEqual(t, l.allocsPerItem(t), l.allocs, l.name)
	}
}
