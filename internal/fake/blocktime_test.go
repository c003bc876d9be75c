package fake_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
)

// The newest transactions of the default world have no time at first, and neither have their blocks.
func TestBlockTimeIsThatOfTheTransactionsInTheSlot(t *testing.T) {
	t.Parallel()
	require.Positive(t, checkBlockTimes(t, fake.New()))
	s := fake.New()
	now := time.Date(2026, time.March, 4, 5, 6, 7, 890_000_000, time.UTC)
	s.Clock = func() time.Time { return now }
	s.World()
	for range 10 {
		now = now.Add(1234 * time.Millisecond)
		_, err := sendSOL(s, fake.Wallet, fake.Exchange, 1)
		require.NoError(t, err)
	}
	require.Zero(t, checkBlockTimes(t, s))
}

// checkBlockTimes compares the times of listed transactions with those of their blocks, and returns
// how many are unknown.
func checkBlockTimes(t *testing.T, s *fake.Service) (unknown int) {
	t.Helper()
	type block struct{ BlockTime *int64 }
	for _, wallet := range []string{fake.Wallet, fake.Collector} {
		for _, x := range read[[]listed](t, s, "getSignaturesForAddress", `[%q]`, wallet) {
			require.Equal(t, x.BlockTime, read[*int64](t, s, "getBlockTime", `[%d]`, x.Slot))
			require.Equal(t, x.BlockTime, read[block](t, s, "getBlock", `[%d]`, x.Slot).BlockTime)
			if x.BlockTime == nil {
				unknown++
			}
		}
	}
	return unknown
}
