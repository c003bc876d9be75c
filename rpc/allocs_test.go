//go:build !race

// The race detector makes sync.Pool drop items at random.

package rpc

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// This test is not parallel, since the allocations of all goroutines count.
func TestAllocationsPerItem(t *testing.T) {
	most := map[string]float64{"ProgramAccounts": 5.1, "TransactionsForAddress": 182}
	for _, l := range listings() {
		require.LessOrEqual(t, l.allocsPerItem(t), most[l.name], l.name)
	}
}
