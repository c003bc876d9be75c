package webhooks_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

// changes are the calls that take the lock of a webhook, with the request that
// each begins with.
func changes(c *webhooks.Client) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"PUT": func(ctx context.Context) error { _, err := c.Edit(ctx, hookID, full()); return err },
		"GET": func(ctx context.Context) error {
			_, err := c.Update(ctx, hookID, func(*webhooks.Settings) error { return nil })
			return err
		},
		"PATCH":  func(ctx context.Context) error { _, err := c.SetActive(ctx, hookID, true); return err },
		"DELETE": func(ctx context.Context) error { return c.Delete(ctx, hookID) },
	}
}

func TestNilContextIsRefused(t *testing.T) {
	t.Parallel()
	s := fake.New()
	c := client(t, s)
	for method, call := range changes(c) {
		err := call(nil)
		require.ErrorIs(t, err, types.ErrInvalid, method)
		require.EqualError(t, err, method+" /v0/webhooks/"+hookID+": ctx: nil: invalid")
	}
	require.Zero(t, webhooks.Locked(c))
	require.Empty(t, s.Requests())
}

func TestNilChangeIsRefused(t *testing.T) {
	t.Parallel()
	s := fake.New()
	c := client(t, s)
	_, err := c.Update(t.Context(), hookID, nil)
	require.EqualError(t, err, "change: nil: invalid")
	require.Empty(t, s.Requests())
	require.Zero(t, webhooks.Locked(c))
}

// Nobody else is there, so nobody is waited for.
func TestEndedContextIsNoWaiting(t *testing.T) {
	t.Parallel()
	s := fake.New()
	c := client(t, s)
	for range 50 { // what is chosen at random goes wrong half the time
		for method, call := range changes(c) {
			require.EqualError(t, call(ended(t)), method+" /v0/webhooks/"+hookID+": context canceled")
		}
	}
	require.Empty(t, s.Requests())
}
