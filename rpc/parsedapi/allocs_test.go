//go:build !race

// The race detector makes sync.Pool drop items at random.

package parsedapi

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// This test is not parallel, since the allocations of all goroutines count.
func TestAllocationsPerTransaction(t *testing.T) {
	require.LessOrEqual(t, allocsPerResult(t, resultsPage(100)), 353.0)
}
