package webhooks_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

func TestSkippedEventIsNotDeliveredAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var skipped []string
		r, got := receiver(t, webhooks.ReceiverConfig{
			Handle: func(context.Context, *webhooks.Event) error {
				return fmt.Errorf("no such account: %w", webhooks.ErrSkip)
			},
			Skipped: func(_ context.Context, e *webhooks.Event, err error) {
				skipped = append(skipped, string(e.Signature)+" "+err.Error())
			},
		})
		require.Equal(t, 200, post(t, r, list(sig1)))
		require.Equal(t, 200, post(t, r, list(sig1)))
		require.Len(t, got.list(), 1)
		require.Equal(t, []string{string(sig1) + " no such account: event skipped"}, skipped)

		r, _ = receiver(t, webhooks.ReceiverConfig{Handle: func(context.Context, *webhooks.Event) error { return webhooks.ErrSkip }})
		require.Equal(t, 200, post(t, r, list(sig1))) // without a hook too
	})
}

func TestOldEventsAreSkipped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var reasons []string
		r, got := receiver(t, webhooks.ReceiverConfig{
			MaxAge:  time.Minute,
			Skipped: func(_ context.Context, _ *webhooks.Event, err error) { reasons = append(reasons, err.Error()) },
		})
		event := func(s types.Signature, age time.Duration) string {
			return fmt.Sprintf(`{"signature":%q,"timestamp":%d}`, s, time.Now().Add(-age).Unix())
		}
		require.Equal(t, 200, post(t, r, event(sig1, 59*time.Second)))
		require.Equal(t, 200, post(t, r, event(sig2, 61*time.Second)))
		require.Equal(t, 200, post(t, r, event(sig3, -time.Hour)))
		require.Equal(t, 200, post(t, r, list(sig4))) // without a time
		require.Equal(t, []types.Signature{sig1, sig3}, got.list())
		require.Equal(t, []string{"event is older than MaxAge", "event is older than MaxAge"}, reasons)
	})
}

func TestSkippedHearsOfNoEventThatWasHandled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var skipped handled
		shared := &store{}
		r, got := receiver(t, webhooks.ReceiverConfig{
			MaxAge: time.Minute, Seen: shared,
			Skipped: func(_ context.Context, e *webhooks.Event, _ error) { skipped.note(e) },
		})
		body := fmt.Sprintf(`{"signature":%q,"timestamp":%d}`, sig1, time.Now().Unix())
		require.Equal(t, 200, post(t, r, body))
		time.Sleep(2 * time.Minute)
		require.Equal(t, 200, post(t, r, body)) // too old by now, and a duplicate
		require.Equal(t, []types.Signature{sig1}, got.list())
		require.Empty(t, skipped.list())

		require.Equal(t, 200, post(t, r, list(sig2)))
		require.Equal(t, 200, post(t, r, list(sig2)))
		require.Equal(t, []types.Signature{sig2}, skipped.list())
		require.Equal(t, "done", shared.state[sig2])
	})
}
