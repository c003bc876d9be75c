package progress

import (
	"context"
	"flag"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/wallet"
)

var hours = flag.Int("hours", 1, "the hours that the demo runs; 168 are a week")

// The amounts once grew until the wallet was empty.
func TestDemoRunsForHours(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, owner := range []types.Address{fake.WalletAddress, fake.CollectorAddress} {
			s := fake.New(&fake.Options{Seed: 1})
			wallets, err := wallet.New(s.Config())
			require.NoError(t, err)
			worth := func() float64 {
				page, err := wallets.Balances(t.Context(), owner, nil).Page()
				require.NoError(t, err)
				return page.TotalUSDValue.InexactFloat64()
			}
			before := worth()
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(*hours)*time.Hour)
			Demo(ctx, s, owner, time.Second) // panics with an empty wallet
			cancel()
			require.InDelta(t, before, worth(), 40) // one step of the demo
		}
	})
}
