package progress

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/wallet"
)

func TestOutputIsAboveTheLineWithTheCredits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var terminal bytes.Buffer
		cfg := fake.New(nil).Config()
		cfg.Meter = new(types.Meter)
		node, err := rpc.New(cfg)
		require.NoError(t, err)
		out := &output{out: &terminal, line: &terminal}
		ctx, cancel := context.WithCancel(t.Context())
		go out.follow(ctx, cfg.Meter)
		for i := range 2 {
			_, err := node.Slot(ctx, nil)
			require.NoError(t, err)
			time.Sleep(time.Second) // the line is written once
			_, err = fmt.Fprintln(out, "item", i)
			require.NoError(t, err)
			time.Sleep(time.Second)
		}
		cancel()
		synctest.Wait()
		const empty = "\r\x1b[K"
		require.Equal(t, empty+"credits: 1"+empty+"item 0\n"+empty+"credits: 1"+empty+"credits: 2"+empty+"item 1\n"+empty+"credits: 2"+empty, terminal.String())
	})
}

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
