package webhooks_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
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
		require.Equal(t, 3, webhooks.Remembered(r))
		time.Sleep(webhooks.Generation)
		require.Equal(t, 1, webhooks.Remembered(r))
		require.Equal(t, 200, post(t, r, list(sig1)))
		require.Len(t, got.list(), 4)
		time.Sleep(2 * webhooks.Generation) // and nothing comes in
		require.Zero(t, webhooks.Remembered(r))
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
	slots    map[types.Signature]uint64
	held     uint64
	renewal  error
}

// fail makes the claims fail with err, or succeed again.
func (s *store) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.claim = err
}

func (s *store) HoldSlot(_ context.Context, slot uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held = slot
	return s.settling
}

func (s *store) Renew(_ context.Context, signature types.Signature) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.claimed[signature] = time.Now()
	return s.renewal
}

func (s *store) SafeSlot(context.Context) (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	lowest, highest := uint64(math.MaxUint64), uint64(0)
	if s.held > 0 {
		lowest = s.held
	}
	for signature, slot := range s.slots {
		if s.state[signature] == "done" {
			highest = max(highest, slot)
		} else {
			lowest = min(lowest, slot)
		}
	}
	if lowest == math.MaxUint64 {
		return highest, s.claim
	}
	return lowest, s.claim
}

func (s *store) Claim(ctx context.Context, signature types.Signature, slot uint64) (bool, error) {
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
		s.state, s.claimed, s.slots = map[types.Signature]string{}, map[types.Signature]time.Time{}, map[types.Signature]uint64{}
	}
	s.state[signature], s.claimed[signature], s.slots[signature] = "claimed", time.Now(), slot
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
		require.Contains(t, log.String(), `level=WARN msg="delivery not acknowledged" status=503 error="another process is handling the event"`)
		require.NotContains(t, log.String(), "ERROR", "a claim of another process is no failure")
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
		require.Equal(t, 503, post(t, r, list(sig1)))
		require.Empty(t, got.list())
		synctest.Wait()
		require.Contains(t, log.String(), `error="store is down"`)

		log.Reset()
		broken.claim, broken.settling = nil, errors.New("store went down")
		require.Equal(t, 200, post(t, r, list(sig1))) // handled is handled
		require.Len(t, got.list(), 1)
		synctest.Wait()
		require.Contains(t, log.String(), `error="store went down"`)
	})
}

// A panickingStore panics once, in Claim or in each Done.
type panickingStore struct {
	store
	claimed bool
}

func (s *panickingStore) Claim(ctx context.Context, signature types.Signature, slot uint64) (bool, error) {
	if !s.claimed {
		s.claimed = true
		panic("no store")
	}
	return s.store.Claim(ctx, signature, slot)
}

func (s *panickingStore) Done(ctx context.Context, signature types.Signature) error {
	if len(s.calls) == 1 && signature == sig1 {
		panic("no store")
	}
	return s.store.Done(ctx, signature)
}

func TestPanicsOfSeen(t *testing.T) {
	for name, row := range map[string]struct {
		seen   webhooks.Seen
		status int
		want   []types.Signature
	}{
		"Claim": {&panickingStore{}, 500, []types.Signature{sig2}},
		"Done":  {&panickingStore{claimed: true}, 200, []types.Signature{sig1, sig2}},
	} {
		synctest.Test(t, func(t *testing.T) {
			var log bytes.Buffer
			r, got := receiver(t, webhooks.ReceiverConfig{Seen: row.seen, Logger: slog.New(slog.NewTextHandler(&log, nil))})
			require.Equal(t, row.status, post(t, r, list(sig1, sig2)))
			require.Equal(t, row.want, got.list(), name)
			require.Zero(t, webhooks.InFlight(r))
			synctest.Wait()
			require.Contains(t, log.String(), "Seen."+name+" failed")
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
		require.Contains(t, log.String(), `msg="Seen.Renew failed"`)
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

func (s *slowRenewer) Renew(ctx context.Context, _ types.Signature) error {
	s.renewing = true
	<-ctx.Done()
	time.Sleep(ms)
	s.renewing = false
	return ctx.Err()
}

func (s *slowRenewer) Done(ctx context.Context, signature types.Signature) error {
	s.overlap = s.renewing
	return s.store.Done(ctx, signature)
}

func TestClaimEndsAfterItsLastRenewal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		shared := new(slowRenewer)
		r, got := receiver(t, webhooks.ReceiverConfig{
			Seen: shared, Logger: slog.New(slog.NewTextHandler(&log, nil)),
			Handle: func(context.Context, *webhooks.Event) error {
				time.Sleep(1500 * ms)
				return nil
			},
		})
		require.Equal(t, 503, post(t, r, list(sig1)))
		require.NoError(t, r.Shutdown(t.Context()))
		require.Len(t, got.list(), 1)
		require.False(t, shared.overlap)
		require.NotContains(t, log.String(), "Seen.Renew failed", "its context ended with Handle")
	})
}

// An exclusiveStore counts calls for an event during another one for the same event.
type exclusiveStore struct {
	store
	mu    sync.Mutex
	calls map[types.Signature]int
	both  int
}

func (s *exclusiveStore) call(signature types.Signature, change int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls == nil {
		s.calls = make(map[types.Signature]int)
	}
	s.calls[signature] += change
	if s.calls[signature] > 1 {
		s.both++
	}
}

func (s *exclusiveStore) Claim(ctx context.Context, signature types.Signature, slot uint64) (bool, error) {
	s.call(signature, 1)
	defer s.call(signature, -1)
	time.Sleep(5 * ms)
	return s.store.Claim(ctx, signature, slot)
}

// After an outage of Seen, the missed event comes again together with others.
func TestSeenIsNotCalledTwiceAtATimeForAMissedEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := new(exclusiveStore)
		r, got := receiver(t, webhooks.ReceiverConfig{Seen: shared})
		deliver := func(i int) int { return post(t, r, "["+fake.TransferEvent(i, account).Enhanced+"]") }
		shared.claim = errors.New("store is down")
		require.Equal(t, 503, deliver(0))
		shared.claim = nil
		var deliveries sync.WaitGroup
		for i := range 4 {
			deliveries.Go(func() {
				time.Sleep(time.Duration(i) * ms)
				if status := deliver(3 - i); status != 200 {
					t.Error(i, status)
				}
			})
		}
		deliveries.Wait()
		require.Len(t, got.list(), 4)
		require.Zero(t, shared.both)
	})
}

// A stuckStore waits until its context ends.
type stuckStore struct{ store }

func (*stuckStore) Done(ctx context.Context, _ types.Signature) error {
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

// at returns the body of a delivery of an event of a slot.
func at(s types.Signature, slot int) string {
	return fmt.Sprintf(`{"signature":%q,"slot":%d}`, s, slot)
}

// The store fails for two events, which the service does not deliver again in time.
func TestSafeSlotDoesNotPassEventsThatSeenMissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := &store{}
		r, got := receiver(t, webhooks.ReceiverConfig{Seen: shared})
		safe := func(want uint64) {
			slot, err := shared.SafeSlot(t.Context())
			require.NoError(t, err)
			require.Equal(t, want, slot)
		}
		require.Equal(t, 200, post(t, r, at(sig1, 2000)))
		shared.claim = errors.New("store is down")
		require.Equal(t, 503, post(t, r, at(sig2, 4000)))
		require.Equal(t, 503, post(t, r, at(sig3, 3000)))
		shared.claim = nil
		require.Equal(t, 200, post(t, r, at(sig4, 9000)))
		safe(3000)
		require.Equal(t, 200, post(t, r, at(sig3, 3000)))
		safe(4000)
		require.Equal(t, 200, post(t, r, at(sig2, 4000)))
		safe(9000)
		require.Equal(t, []types.Signature{sig1, sig4, sig3, sig2}, got.list())
	})
}

// A slowStore takes long to claim one event.
type slowStore struct {
	store
	slow types.Signature
}

func (s *slowStore) Claim(ctx context.Context, signature types.Signature, slot uint64) (bool, error) {
	if signature == s.slow {
		time.Sleep(300 * ms)
	}
	return s.store.Claim(ctx, signature, slot)
}

func TestMissedEventIsOpenBeforeOthersAreDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := &slowStore{slow: sig1}
		r, _ := receiver(t, webhooks.ReceiverConfig{Seen: shared})
		miss := func(body string) {
			shared.claim = errors.New("store is down")
			require.Equal(t, 503, post(t, r, body))
			shared.claim = nil
		}
		miss(at(sig4, 1000)) // in an earlier outage
		require.Equal(t, 200, post(t, r, "["+fake.TransferEvent(0, account).Enhanced+"]"))
		require.NoError(t, shared.Done(t.Context(), sig4), "by another process")

		miss(at(sig1, 2000))
		first := posting(t, r, at(sig2, 9000))
		time.Sleep(100 * ms)
		require.Equal(t, 200, post(t, r, at(sig3, 9001)))
		slot, err := shared.SafeSlot(t.Context())
		require.NoError(t, err)
		require.Equal(t, uint64(2000), slot)
		require.Equal(t, 200, first().status)
	})
}

func TestMissedEventIsOpenBeforeAnEventInFlightIsDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := &store{}
		r, _ := receiver(t, webhooks.ReceiverConfig{Seen: shared, Handle: func(context.Context, *webhooks.Event) error {
			time.Sleep(300 * ms)
			return nil
		}})
		first := posting(t, r, at(sig1, 9000))
		time.Sleep(100 * ms)
		shared.fail(errors.New("store is down"))
		require.Equal(t, 503, post(t, r, at(sig2, 2000)))
		shared.fail(nil)
		require.Equal(t, 200, first().status)
		slot, err := shared.SafeSlot(t.Context())
		require.NoError(t, err)
		require.Equal(t, uint64(2000), slot)
	})
}

// Two events are missed by one process, and the first one is delivered to another.
func TestMissedEventsAreOpenWhenAnotherProcessHandlesOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := &store{}
		one, _ := receiver(t, webhooks.ReceiverConfig{Seen: shared})
		two, _ := receiver(t, webhooks.ReceiverConfig{Seen: shared})
		safe := func(want uint64) {
			slot, err := shared.SafeSlot(t.Context())
			require.NoError(t, err)
			require.Equal(t, want, slot)
		}
		miss := func(body string) {
			shared.claim = errors.New("store is down")
			require.Equal(t, 503, post(t, one, body))
			shared.claim = nil
		}
		miss(at(sig1, 2000))
		miss(at(sig2, 3000))
		require.Equal(t, 200, post(t, one, at(sig3, 9000)))
		safe(2000)
		require.Equal(t, 200, post(t, two, at(sig1, 2000)))
		safe(3000)
		require.Equal(t, 200, post(t, two, at(sig2, 3000)))
		safe(9000)

		miss(at(sig4, 5000)) // in a later outage
		require.Equal(t, 200, post(t, one, "["+fake.TransferEvent(0, account).Enhanced+"]"))
		safe(5000)
	})
}

func TestSafeSlotDoesNotPassAMissedEventWithoutDeliveries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := &store{claim: errors.New("store is down")}
		one, _ := receiver(t, webhooks.ReceiverConfig{Seen: shared})
		two, _ := receiver(t, webhooks.ReceiverConfig{Seen: shared})
		require.Equal(t, 503, post(t, one, at(sig1, 2000)))
		shared.claim = nil
		require.Equal(t, 200, post(t, two, at(sig2, 9000)))
		slot, err := one.SafeSlot(t.Context())
		require.NoError(t, err)
		require.Equal(t, uint64(1500), slot)
	})
}

func TestSafeSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := receiver(t, webhooks.ReceiverConfig{})
		_, err := r.SafeSlot(t.Context())
		require.EqualError(t, err, "webhooks.Receiver.SafeSlot: Seen keeps no slots; set ReceiverConfig.Seen to a SlotKeeper: invalid argument")

		shared, fail := &store{}, true
		r, _ = receiver(t, webhooks.ReceiverConfig{Seen: shared, Handle: func(_ context.Context, e *webhooks.Event) error {
			if e.Signature == sig2 && fail {
				return errors.New("no")
			}
			return nil
		}})
		safe := func(want uint64) {
			slot, err := r.SafeSlot(t.Context())
			require.NoError(t, err)
			require.Equal(t, want, slot)
		}
		safe(0)
		require.Equal(t, 200, post(t, r, at(sig1, 400)))
		safe(0)
		require.Equal(t, 500, post(t, r, at(sig2, 2000)))
		require.Equal(t, 200, post(t, r, at(sig3, 3000)))
		safe(1500)
		fail = false
		require.Equal(t, 200, post(t, r, at(sig2, 2000)))
		safe(1500) // is held until a backfill
		shared.held = 0
		safe(2500)
		shared.settling = errors.New("store is read-only")
		_, err = r.SafeSlot(t.Context())
		require.EqualError(t, err, "webhooks.Receiver.SafeSlot: store is read-only")
		shared.claim = errors.New("store is down")
		_, err = r.SafeSlot(t.Context())
		require.EqualError(t, err, "webhooks.Receiver.SafeSlot: store is down")
	})
}
