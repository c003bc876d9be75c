//go:build !race

// The race detector makes sync.Pool drop items at random.

package das

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// This test is not parallel, since the allocations of all goroutines count.
func TestAllocationsPerAsset(t *testing.T) {
	require.LessOrEqual(t, allocsPerAsset(t, assetPage(1000)), 28.0)
}
