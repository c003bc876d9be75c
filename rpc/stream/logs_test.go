package stream_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

func TestLogsOfAnAddressAreFilled(t *testing.T) {
	for name, refused := range map[string]fake.Fault{
		"filled":                 {},
		"filled without a plan":  {Status: 403, Code: -32600, Message: "getTransactionsForAddress is not available on the free plan"},
		"filled by another node": {Code: -32601, Message: "Method not found"},
	} {
		t.Run(name, func(t *testing.T) {
			with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
				if refused != (fake.Fault{}) {
					s.FailFrom("getTransactionsForAddress", 1, refused)
					s.CheckFaults(t)
				}
				var want, got []types.Signature
				ended := make(chan struct{})
				go func() {
					defer close(ended)
					every(20, func() { want = append(want, pay(s).Signature()) })
				}()
				cutting(s)
				gaps := 0
				for _, e := range first(t, 20, c.Logs(t.Context(), fake.WalletAddress, nil)) {
					require.NotEmpty(t, e.Logs)
					require.Nil(t, e.TransactionError)
					if e.Gap != nil {
						require.True(t, e.Gap.Filled)
						gaps++
					}
					got = append(got, e.Signature)
				}
				<-ended
				require.Equal(t, want, got)
				require.LessOrEqual(t, gaps, 1)
			})
		})
	}
}

func TestAllLogsAreFilledFromBlocksIfAskedFor(t *testing.T) {
	with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
		for _, fill := range []bool{false, true} {
			go every(30, func() { pay(s) })
			cutting(s)
			n := 0
			for _, e := range all(t, c.AllLogs(within(t, 100*time.Second), &stream.AllLogsOptions{FillFromBlocks: fill})) {
				n++
				require.True(t, e.Gap == nil || e.Gap.Filled == fill)
			}
			if fill {
				require.Equal(t, 30, n)
			} else {
				require.Greater(t, n, 25)
			}
		}
	})
}

// Many transactions a second, without getTransactionsForAddress.
func TestLogsOfABusyAddressCatchUp(t *testing.T) {
	with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
		const perSecond, seconds = 60, 90
		for _, at := range []time.Duration{10 * time.Second, 25 * time.Second} { // cuts of 10 s
			time.AfterFunc(at, func() { s.FailFrom(fake.Upgrade, 1, fake.Status(503)); s.CutStreams(0) })
			time.AfterFunc(at+10*time.Second, s.Recover)
		}
		var last time.Time
		go func() {
			for range perSecond * seconds {
				pay(s)
				last = time.Now()
				time.Sleep(time.Second / perSecond)
			}
		}()
		first(t, perSecond*seconds, c.Logs(t.Context(), fake.WalletAddress, nil))
		synctest.Wait()
		require.Less(t, time.Since(last), 5*time.Second)
	}, func(body string) string {
		time.Sleep(60 * time.Millisecond)
		if strings.Contains(body, "getTransactionsForAddress") {
			return `{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":null}`
		}
		return ""
	})
}
