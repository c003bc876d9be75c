package fake_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// streams runs f with a client of a Service that has the default world.
func streams(t *testing.T, f func(t *testing.T, s *fake.Service, c *stream.Client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := fake.New(nil)
		c, err := stream.New(s.Config())
		require.NoError(t, err)
		defer c.Close()
		f(t, s, c)
	})
}

// transfers sends one lamport, two and so on from the wallet, one transfer each second.
func transfers(s *fake.Service, n int) (signatures []types.Signature) {
	for i := range n {
		time.Sleep(time.Second)
		signatures = append(signatures, s.Transfer(fake.WalletAddress, fake.ExchangeAddress, uint64(i+1)).Signature())
	}
	return signatures
}

func TestStreamsOfAWallet(t *testing.T) {
	t.Parallel()
	faults := map[string]func(*fake.Service){
		"none":    func(*fake.Service) {},
		"cut":     func(s *fake.Service) { go cut(s, 0) },
		"1001":    func(s *fake.Service) { go cut(s, 1001) },
		"repeats": func(s *fake.Service) { s.SetStreams(fake.Streams{Repeat: 0.5}) },
		"old history": func(s *fake.Service) {
			s.SetStreams(fake.Streams{HistoryLag: 33})
			go cut(s, 0)
		},
		"lag": func(s *fake.Service) { s.SetStreams(fake.Streams{Lag: 40}) },
		"429": func(s *fake.Service) { s.Fail(fake.Upgrade, 1, fake.RateLimited(3*time.Second)) },
		"silence": func(s *fake.Service) {
			time.AfterFunc(5*time.Second, func() { s.SetStreams(fake.Streams{Silent: true}) })
			time.AfterFunc(25*time.Second, func() { s.SetStreams(fake.Streams{}) })
		},
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			streams(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
				fault(s)
				var got []types.Signature
				sent := make(chan []types.Signature, 1)
				node, err := rpc.New(s.Config())
				require.NoError(t, err)
				since, err := node.Slot(t.Context(), nil)
				require.NoError(t, err)
				go func() { sent <- transfers(s, 30) }()
				last := uint64(0)
				for e, err := range c.Transactions(t.Context(), []types.Address{fake.WalletAddress}, &stream.TransactionsOptions{SinceSlot: since + 1}) {
					require.NoError(t, err)
					require.Greater(t, e.Slot, since)
					require.True(t, e.Late || e.Slot >= last)
					last = max(last, e.Slot)
					if got = append(got, e.Transaction.Signature); len(got) == 30 {
						break
					}
				}
				require.ElementsMatch(t, <-sent, got)
				require.NotEmpty(t, s.Requests())
			})
		})
	}
}

func cut(s *fake.Service, code int) {
	for range 30 {
		time.Sleep(time.Second)
		s.CutStreams(code)
	}
}
