package types_test

import (
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/meter"
	"github.com/solwire/solwire-go/types"
)

// A gateway may round an unknown total to the maximum.
func TestEstimateOfTheLargestTotal(t *testing.T) {
	t.Parallel()
	require.EqualValues(t, 20, types.Estimate("getTransactionsForAddress", 100))
	require.EqualValues(t, 30, types.Estimate("getTransactionsForAddress", 101))
	require.Greater(t, types.Estimate("getTransactionsForAddress", math.MaxUint64), uint64(1)<<60)
}

func TestMeterAddsUpByOperation(t *testing.T) {
	t.Parallel()
	var m types.Meter
	require.Zero(t, m.Credits())
	require.Empty(t, m.Spent())
	var callers sync.WaitGroup
	for range 100 {
		callers.Go(func() {
			meter.Add(&m, "getSlot", 1, 0)
			meter.Add(&m, "getProgramAccounts", 10, 0)
			meter.Add(&m, "getHealth", 1, 0)
		})
	}
	callers.Wait()
	require.Equal(t, uint64(1200), m.Credits())
	require.Equal(t, []types.Spent{
		{Op: "getProgramAccounts", Responses: 100, Credits: 1000},
		{Op: "getHealth", Responses: 100, Credits: 100},
		{Op: "getSlot", Responses: 100, Credits: 100},
	}, m.Spent())
	require.Equal(t, "1200 credits: getProgramAccounts 1000, getHealth 100, getSlot 100", m.String())
}
