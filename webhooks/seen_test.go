package webhooks_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
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

func TestConcurrentDeliveriesInDifferentOrder(t *testing.T) {
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
		require.Equal(t, 2, webhooks.Remembered(r))
		time.Sleep(webhooks.Generation + time.Second)
		require.Equal(t, 200, post(t, r, list(sig1)))
		require.Len(t, got.list(), 4)
		require.Equal(t, 1, webhooks.Remembered(r))
	})
}

// A store is a Seen that several receivers share.
type store struct {
	mu       sync.Mutex
	state    map[types.Signature]string
	calls    []string
	claim    error
	settling error
	lease    time.Duration // how long a claim holds; 0 means for ever
	claimed  map[types.Signature]time.Time
	renewal  error
}

func (s *store) Renew(_ context.Context, e *webhooks.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.claimed[e.Signature] = time.Now()
	return s.renewal
}

func (s *store) Claim(ctx context.Context, e *webhooks.Event) (bool, error) {
	signature := e.Signature
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, "claim")
	if s.claim != nil || ctx.Err() != nil {
		return false, errors.Join(s.claim, ctx.Err())
	}
	switch s.state[signature] {
	case "claimed":
		if s.lease > 0 && time.Since(s.claimed[signature]) >= s.lease {
			break
		}
		return false, fmt.Errorf("row is locked: %w", webhooks.ErrClaimed)
	case "done":
		return false, nil
	}
	if s.state == nil {
		s.state, s.claimed = map[types.Signature]string{}, map[types.Signature]time.Time{}
	}
	s.state[signature], s.claimed[signature] = "claimed", time.Now()
	return true, nil
}

func (s *store) Done(ctx context.Context, e *webhooks.Event) error {
	return s.settle(ctx, e.Signature, "done")
}

func (s *store) Release(ctx context.Context, e *webhooks.Event, _ string) error {
	return s.settle(ctx, e.Signature, "released")
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
		var log bytes.Buffer
		one, first := receiver(t, webhooks.ReceiverConfig{Seen: shared, Handle: func(context.Context, *webhooks.Event) error {
			time.Sleep(300 * ms)
			if fail {
				fail = false
				return errors.New("x")
			}
			return nil
		}})
		two, second := receiver(t, webhooks.ReceiverConfig{Seen: shared, Logger: slog.New(slog.NewTextHandler(&log, nil))})

		a := posting(t, one, list(sig1))
		time.Sleep(100 * ms)
		require.Equal(t, 503, post(t, two, list(sig1)))
		synctest.Wait()
		require.Empty(t, log.String(), "a claim of another process is not a failure")
		require.Equal(t, 500, a().status)
		a = posting(t, one, list(sig1)) // it was released
		require.Equal(t, 200, a().status)
		require.Equal(t, 200, post(t, two, list(sig1, sig2)))
		require.Equal(t, []types.Signature{sig1, sig1}, first.list())
		require.Equal(t, []types.Signature{sig2}, second.list())
	})
}

func TestErrorsOfSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		broken := &store{claim: errors.New("store is down")}
		r, got := receiver(t, webhooks.ReceiverConfig{Seen: broken, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		for range 90 { // one record a minute
			require.Equal(t, 503, post(t, r, list(sig1)))
			time.Sleep(time.Second)
		}
		require.Empty(t, got.list())
		synctest.Wait()
		require.Equal(t, 2, strings.Count(log.String(), `level=ERROR msg="store of handled events failed" call=Claim signature=`+string(sig1)+` error="store is down"`), log.String())
		require.Equal(t, 2, strings.Count(log.String(), "level="))

		log.Reset()
		time.Sleep(time.Minute)
		broken.claim, broken.settling = nil, errors.New("store went down")
		require.Equal(t, 200, post(t, r, list(sig1))) // handled is handled
		require.Len(t, got.list(), 1)
		synctest.Wait()
		require.Contains(t, log.String(), `call=Done`)
		require.Equal(t, 503, post(t, r, list(sig1)))
		broken.settling = nil
		require.Equal(t, 200, post(t, r, list(sig1)))
		require.Equal(t, "done", broken.state[sig1])
		require.Len(t, got.list(), 1, "not handled again")
	})
}

// A panickingStore panics once, in Claim or in each Done.
type panickingStore struct {
	store
	claimed bool
}

func (s *panickingStore) Claim(ctx context.Context, e *webhooks.Event) (bool, error) {
	if !s.claimed {
		s.claimed = true
		panic("no store")
	}
	return s.store.Claim(ctx, e)
}

func (s *panickingStore) Done(ctx context.Context, e *webhooks.Event) error {
	if len(s.calls) == 1 && e.Signature == sig1 {
		panic("no store")
	}
	return s.store.Done(ctx, e)
}

func TestPanicsOfSeen(t *testing.T) {
	for name, row := range map[string]struct {
		seen   webhooks.Seen
		status int
		want   []types.Signature
	}{
		"Claim": {&panickingStore{}, 503, []types.Signature{sig2}},
		"Done":  {&panickingStore{claimed: true}, 200, []types.Signature{sig1, sig2}},
	} {
		synctest.Test(t, func(t *testing.T) {
			var log bytes.Buffer
			r, got := receiver(t, webhooks.ReceiverConfig{Seen: row.seen, Logger: slog.New(slog.NewTextHandler(&log, nil))})
			require.Equal(t, row.status, post(t, r, list(sig1, sig2)))
			require.Equal(t, row.want, got.list(), name)
			require.Zero(t, webhooks.InFlight(r))
			synctest.Wait()
			require.Contains(t, log.String(), "call="+name)
			require.Contains(t, log.String(), "panic: no store")
			require.NoError(t, r.Shutdown(t.Context()))
		})
	}
}

func TestSeenRecordsALateSuccess(t *testing.T) {
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

func TestClaimHoldsAsLongAsHandleRuns(t *testing.T) {
	for name, handle := range map[string]func(t *testing.T, r *webhooks.Receiver){
		"delivery": func(t *testing.T, r *webhooks.Receiver) {
			t.Helper()
			require.Equal(t, 503, post(t, r, list(sig1))) // it continues
		},
		"backfill": func(t *testing.T, r *webhooks.Receiver) {
			t.Helper()
			report, err := client(t, fake.New()).Backfill(t.Context(), webhooks.BackfillConfig{
				Receiver: r, SinceSlot: 1, Raw: rawOf(signed(sig1, 2)),
				Settings: webhooks.Settings{Type: webhooks.TypeRaw, AccountAddresses: []types.Address{account}},
			})
			require.NoError(t, err)
			require.Equal(t, 1, report.Handled)
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			shared := &store{lease: 2 * time.Second}
			one, _ := receiver(t, webhooks.ReceiverConfig{Seen: shared, Handle: func(context.Context, *webhooks.Event) error {
				time.Sleep(10 * time.Second)
				return nil
			}})
			two, second := receiver(t, webhooks.ReceiverConfig{Seen: shared})
			go handle(t, one)
			time.Sleep(9500 * ms)
			require.Equal(t, 503, post(t, two, list(sig1)), name)
			time.Sleep(time.Second)
			require.Equal(t, 200, post(t, two, list(sig1)), name)
			require.Empty(t, second.list(), name)
		})
	}
}

func TestErrorOfRenewIsLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		r, got := receiver(t, webhooks.ReceiverConfig{
			Seen: &store{renewal: errors.New("store is down")}, Logger: slog.New(slog.NewTextHandler(&log, nil)),
			Handle: func(context.Context, *webhooks.Event) error {
				time.Sleep(1500 * ms)
				return nil
			},
		})
		require.Equal(t, 503, post(t, r, list(sig1)))
		require.NoError(t, r.Shutdown(t.Context()))
		require.Contains(t, log.String(), `call=Renew`)
		require.Contains(t, log.String(), `error="store is down"`)
		require.Len(t, got.list(), 1)
	})
}

// A slowRenewer takes a moment to return when its context ends.
type slowRenewer struct {
	store
	renewing bool
	overlap  bool // whether a claim ended while it was renewed
}

func (s *slowRenewer) Renew(ctx context.Context, _ *webhooks.Event) error {
	s.renewing = true
	<-ctx.Done()
	time.Sleep(ms)
	s.renewing = false
	return ctx.Err()
}

func (s *slowRenewer) Done(ctx context.Context, e *webhooks.Event) error {
	s.overlap = s.renewing
	return s.store.Done(ctx, e)
}

func TestClaimEndsAfterItsLastRenewal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		shared := new(slowRenewer)
		r, got := receiver(t, webhooks.ReceiverConfig{
			Seen: shared, Logger: slog.New(slog.NewTextHandler(&log, nil)),
			Handle: func(context.Context, *webhooks.Event) error {
				time.Sleep(700 * ms)
				return nil
			},
		})
		require.Equal(t, 200, post(t, r, list(sig1)))
		require.NoError(t, r.Shutdown(t.Context()))
		require.Len(t, got.list(), 1)
		require.False(t, shared.overlap)
		require.NotContains(t, log.String(), "call=Renew", "its context ended with Handle")
	})
}

// A stuckStore waits until its context ends.
type stuckStore struct{ store }

func (*stuckStore) Done(ctx context.Context, _ *webhooks.Event) error {
	<-ctx.Done()
	return ctx.Err()
}

func TestSeenHasADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := receiver(t, webhooks.ReceiverConfig{Seen: &stuckStore{}})
		require.Equal(t, outcome{200, 800 * ms}, posting(t, r, list(sig1))())
		require.Zero(t, webhooks.InFlight(r))
	})
}
