package keeper_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/keeper"
)

// A running Handle has five seconds, wherever its event came from.
func TestHandleHasFiveSecondsAtAStop(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		s.start()
		ended := make(chan error, 1)
		f := func(ctx context.Context, _ *webhooks.Event) error {
			select {
			case <-time.After(4 * time.Second):
			case <-ctx.Done():
			}
			ended <- ctx.Err()
			return ctx.Err()
		}
		s.fail.Store(&f)
		open := s.pending(1)
		for s.requests("POST /v0/transactions") == 0 {
			time.Sleep(time.Second)
		}
		time.Sleep(100 * time.Millisecond) // until Handle runs
		s.stop()
		require.NoError(t, <-ended)
		require.Equal(t, open, s.handled())
		left, err := s.store.MemoryStore.Pending(t.Context(), keeper.Query{Limit: 1})
		require.NoError(t, err)
		require.Empty(t, left)
	})
}

func TestRunEndsAlthoughHandleHangs(t *testing.T) {
	in(t, func(t *testing.T, s *setup) {
		s.start()
		hung := make(chan struct{})
		defer close(hung)
		s.failing(func(*webhooks.Event) error { <-hung; return nil })
		s.pending(1)
		time.Sleep(20 * time.Second)
		stopping := time.Now()
		s.stop()
		require.LessOrEqual(t, time.Since(stopping), 7*time.Second)
	})
}
