package transport_test

import (
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A wallet call costs 100 credits, and a batch the sum of its calls.
func TestCallsBeyondTheLimitOfTheMeterSendNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var requests atomic.Int64
		cfg := config(roundTripper(func(r *http.Request) (*http.Response, error) {
			requests.Add(1)
			return answer(200, `{"answer":7}`)(r)
		}))
		cfg.Meter = &types.Meter{Limit: 1050}
		c := newClient(t, cfg, transport.Wallet)
		var refused atomic.Int64
		var callers sync.WaitGroup
		for range 64 {
			callers.Go(func() {
				op := transport.Op{Method: "wallet.Client.Identity", Wire: "GET /v1/wallet/{wallet}/identity"}
				_, err := transport.Fetch[thing](t.Context(), c, transport.Request{Op: op, Path: []string{"x"}}, nil)
				if errors.Is(err, types.ErrBudget) {
					refused.Add(1)
				}
			})
		}
		callers.Wait()
		require.EqualValues(t, 10, requests.Load())
		require.EqualValues(t, 54, refused.Load())
		require.EqualValues(t, 1000, cfg.Meter.Credits())
	})
}

func TestFailedAttemptsGiveTheirCreditsBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: []step{answer(500, `{}`), answer(400, `{}`), answer(200, `{"result":7}`)}}
		cfg := config(s)
		cfg.Meter = &types.Meter{Limit: 1}
		c := newClient(t, cfg, transport.RPC)
		require.NotErrorIs(t, second(transport.Result(t.Context(), c, query[int](transport.NullIsError))), types.ErrBudget)
		require.NoError(t, second(transport.Result(t.Context(), c, query[int](transport.NullIsError))))
		err := second(transport.Result(t.Context(), c, query[int](transport.NullIsError)))
		require.EqualError(t, err, "getThing: 1 more credits would exceed the limit of 1: budget exceeded")
		require.Equal(t, 3, s.count())

		cfg.Meter = &types.Meter{Limit: 2}
		c = newClient(t, cfg, transport.RPC)
		outcomes := transport.Batch(t.Context(), c, batchOp, []transport.Query[int]{query[int](0), query[int](0), query[int](0)}, 3)
		require.ErrorIs(t, outcomes[2].Err, types.ErrBudget)
		require.Equal(t, 3, s.count(), "a batch is sent whole or not at all")
	})
}
