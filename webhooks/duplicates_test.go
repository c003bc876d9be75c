package webhooks_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

func TestDuplicateWaitsForTheOutcome(t *testing.T) {
	for name, row := range map[string]struct {
		err   error
		first outcome
		again outcome
		calls int
	}{
		"handled": {nil, outcome{200, 500 * ms}, outcome{200, 400 * ms}, 1},
		"skipped": {webhooks.ErrSkip, outcome{200, 500 * ms}, outcome{200, 400 * ms}, 1},
		"failed":  {errors.New("x"), outcome{500, 500 * ms}, outcome{200, 400 * ms}, 2}, // it takes over
	} {
		synctest.Test(t, func(t *testing.T) {
			first := true
			r, got := receiver(t, webhooks.ReceiverConfig{Handle: func(context.Context, *webhooks.Event) error {
				if !first {
					return nil
				}
				first = false
				time.Sleep(500 * ms)
				return row.err
			}})
			a := posting(t, r, list(sig1))
			time.Sleep(100 * ms)
			b := posting(t, r, list(sig1))
			require.Equal(t, row.first, a(), name)
			require.Equal(t, row.again, b(), name)
			require.Len(t, got.list(), row.calls, name)
		})
	}
}

func TestDuplicateWaitsAtMostUntilItsOwnDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, got := receiver(t, webhooks.ReceiverConfig{Handle: func(context.Context, *webhooks.Event) error {
			time.Sleep(2 * time.Second)
			return nil
		}})
		a := posting(t, r, list(sig1))
		time.Sleep(500 * ms)
		b := posting(t, r, list(sig1))
		require.Equal(t, outcome{503, 900 * ms}, a())
		require.Equal(t, outcome{503, 800 * ms}, b())
		require.Len(t, got.list(), 1)
		require.Equal(t, 1, webhooks.InFlight(r))
		require.NoError(t, r.Shutdown(t.Context()))
		require.Zero(t, webhooks.InFlight(r))
	})
}

func TestTwoDeliveriesOfTheSameEventsInOtherOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, got := receiver(t, webhooks.ReceiverConfig{Handle: func(context.Context, *webhooks.Event) error {
			time.Sleep(100 * ms)
			return nil
		}})
		a := posting(t, r, list(sig1, sig2, sig1))
		b := posting(t, r, list(sig2, sig1))
		require.Equal(t, 200, a().status)
		require.Equal(t, 200, b().status)
		require.ElementsMatch(t, []types.Signature{sig1, sig2}, got.list())
	})
}

func TestEventsAreForgottenAfterTwoGenerations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, got := receiver(t, webhooks.ReceiverConfig{})
		require.Equal(t, 200, post(t, r, list(sig1)))
		time.Sleep(webhooks.Generation - time.Second)
		require.Equal(t, 200, post(t, r, list(sig1, sig2)))
		require.Len(t, got.list(), 2)
		require.Equal(t, 2, webhooks.Remembered(r))
		time.Sleep(webhooks.Generation)
		require.Equal(t, 200, post(t, r, list(sig2, sig3))) // the second is in the old generation now
		require.Len(t, got.list(), 3)
		require.Equal(t, 3, webhooks.Remembered(r))
		time.Sleep(webhooks.Generation)
		require.Equal(t, 1, webhooks.Remembered(r))
		require.Equal(t, 200, post(t, r, list(sig1)))
		require.Len(t, got.list(), 4)
		time.Sleep(2 * webhooks.Generation) // and nothing comes in
		require.Zero(t, webhooks.Remembered(r))
	})
}

// A store stands for a database that several processes share.
type store struct {
	mu       sync.Mutex
	state    map[types.Signature]string
	calls    []string
	claim    error
	settling error
}

func (s *store) Claim(ctx context.Context, signature types.Signature) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, "claim")
	if s.claim != nil || ctx.Err() != nil {
		return false, errors.Join(s.claim, ctx.Err())
	}
	switch s.state[signature] {
	case "claimed":
		return false, errors.New("claimed by another process")
	case "done":
		return false, nil
	}
	if s.state == nil {
		s.state = map[types.Signature]string{}
	}
	s.state[signature] = "claimed"
	return true, nil
}

func (s *store) Done(ctx context.Context, signature types.Signature) error {
	return s.settle(ctx, signature, "done")
}

func (s *store) Release(ctx context.Context, signature types.Signature) error {
	return s.settle(ctx, signature, "released")
}

func (s *store) settle(ctx context.Context, signature types.Signature, state string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, state)
	if s.settling != nil || ctx.Err() != nil {
		return errors.Join(s.settling, ctx.Err())
	}
	s.state[signature] = state
	return nil
}

func TestProcessesShareAStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := &store{}
		fail := true
		one, first := receiver(t, webhooks.ReceiverConfig{Seen: shared, Handle: func(context.Context, *webhooks.Event) error {
			time.Sleep(300 * ms)
			if fail {
				fail = false
				return errors.New("x")
			}
			return nil
		}})
		two, second := receiver(t, webhooks.ReceiverConfig{Seen: shared})

		a := posting(t, one, list(sig1))
		time.Sleep(100 * ms)
		require.Equal(t, 503, post(t, two, list(sig1))) // in flight at the other
		require.Equal(t, 500, a().status)
		a = posting(t, one, list(sig1)) // it was released
		require.Equal(t, 200, a().status)
		require.Equal(t, 200, post(t, two, list(sig1, sig2)))
		require.Equal(t, []types.Signature{sig1, sig1}, first.list())
		require.Equal(t, []types.Signature{sig2}, second.list())
	})
}

func TestStoreThatCannotTell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		broken := &store{claim: errors.New("store is down")}
		r, got := receiver(t, webhooks.ReceiverConfig{Seen: broken, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		require.Equal(t, 503, post(t, r, list(sig1)))
		require.Empty(t, got.list())
		require.Contains(t, log.String(), `error="store is down"`)

		log.Reset()
		broken.claim, broken.settling = nil, errors.New("store went down")
		require.Equal(t, 200, post(t, r, list(sig1))) // handled is handled
		require.Len(t, got.list(), 1)
		require.Contains(t, log.String(), `error="store went down"`)
	})
}

// A panickingStore fails as code of a caller may.
type panickingStore struct{ store }

func (*panickingStore) Claim(context.Context, types.Signature) (bool, error) { panic("no store") }

func TestPanicOfTheStoreDoesNotEndTheProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		r, got := receiver(t, webhooks.ReceiverConfig{Seen: &panickingStore{}, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		require.Equal(t, 500, post(t, r, list(sig1)))
		require.Empty(t, got.list())
		require.Zero(t, webhooks.InFlight(r))
		require.Contains(t, log.String(), "panic: no store")
		require.NoError(t, r.Shutdown(t.Context()))
	})
}

// The context of the delivery is over when a slow callback is done, but the
// store must still hear of it.
func TestStoreHearsOfALateSuccess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := &store{}
		r, _ := receiver(t, webhooks.ReceiverConfig{Seen: shared, Handle: func(context.Context, *webhooks.Event) error {
			time.Sleep(time.Minute)
			return nil
		}})
		require.Equal(t, 503, post(t, r, list(sig1)))
		require.NoError(t, r.Shutdown(t.Context()))
		require.Equal(t, "done", shared.state[sig1])
	})
}

// A stuckStore does not end before its context does.
type stuckStore struct{ store }

func (*stuckStore) Done(ctx context.Context, _ types.Signature) error {
	<-ctx.Done()
	return ctx.Err()
}

func TestStoreHasADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := receiver(t, webhooks.ReceiverConfig{Seen: &stuckStore{}})
		require.Equal(t, outcome{200, 800 * ms}, posting(t, r, list(sig1))())
		require.Zero(t, webhooks.InFlight(r))
	})
}
