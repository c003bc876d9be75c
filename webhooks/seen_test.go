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
		require.Equal(t, 200, post(t, r, list(sig2, sig3))) // sig2 is in the old one now
		require.Len(t, got.list(), 3)
		require.Equal(t, 2, webhooks.Remembered(r))
		time.Sleep(webhooks.Generation + time.Second)
		require.Equal(t, 200, post(t, r, list(sig1)))
		require.Len(t, got.list(), 4)
		require.Equal(t, 1, webhooks.Remembered(r))
	})
}

func TestProcessesShareAStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := newSeen()
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
		two, second := receiver(t, webhooks.ReceiverConfig{Seen: shared.seen(), Logger: slog.New(slog.NewTextHandler(&log, nil))})

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
		broken := newSeen()
		broken.fail("Claim", "store is down")
		r, got := receiver(t, webhooks.ReceiverConfig{Seen: broken, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		for range 90 { // one record a minute
			require.Equal(t, 503, post(t, r, list(sig1)))
			time.Sleep(time.Second)
		}
		require.Empty(t, got.list())
		synctest.Wait()
		require.Equal(t, 2, strings.Count(log.String(), `level=ERROR msg="store of handled events failed" error="store is down" signature=`+string(sig1)), log.String())
		require.Equal(t, 2, strings.Count(log.String(), "level="))

		log.Reset()
		time.Sleep(time.Minute)
		broken.fail("Done", "store went down")
		first := posting(t, r, list(sig1))
		time.Sleep(3 * time.Second)
		broken.set(nil) // it was restarted
		require.Equal(t, 503, first().status)
		require.Equal(t, 200, post(t, r, list(sig1)))
		require.Equal(t, "done", broken.state())
		require.Len(t, got.list(), 1, "not handled again")
	})
}

func TestClaimHoldsAsLongAsHandleRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := newSeen()
		one, _ := receiver(t, webhooks.ReceiverConfig{Seen: shared, Handle: func(context.Context, *webhooks.Event) error {
			time.Sleep(10 * time.Second)
			return nil
		}})
		two, second := receiver(t, webhooks.ReceiverConfig{Seen: shared.seen()})
		require.Equal(t, 503, post(t, one, list(sig1))) // it continues
		time.Sleep(8600 * ms)
		require.Equal(t, 503, post(t, two, list(sig1)))
		time.Sleep(time.Second)
		require.Equal(t, 200, post(t, two, list(sig1)))
		require.Empty(t, second.list())
	})
}

func TestErrorOfRenewIsLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		broken := newSeen()
		broken.fail("Renew", "store is down")
		r, got := receiver(t, webhooks.ReceiverConfig{
			Seen: broken, Logger: slog.New(slog.NewTextHandler(&log, nil)),
			Handle: func(context.Context, *webhooks.Event) error {
				time.Sleep(1500 * ms)
				return nil
			},
		})
		require.Equal(t, 503, post(t, r, list(sig1)))
		require.NoError(t, r.Shutdown(t.Context()))
		require.Contains(t, log.String(), `msg="claim not renewed"`)
		require.Contains(t, log.String(), `error="store is down"`)
		require.Len(t, got.list(), 1)
	})
}

// The last renewal takes a moment to return when its context ends.
func TestClaimEndsAfterItsLastRenewal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		shared := newSeen()
		renewing, overlap := false, false // whether a claim ended while it was renewed
		shared.set(func(ctx context.Context, call string) error {
			switch call {
			case "Renew":
				renewing = true
				<-ctx.Done()
				time.Sleep(ms)
				renewing = false
				return ctx.Err()
			case "Done":
				overlap = renewing
			}
			return nil
		})
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
		require.False(t, overlap)
		require.NotContains(t, log.String(), "claim not renewed", "its context ended with Handle")
	})
}

func TestSeenHasADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		stuck := newSeen()
		stuck.set(func(ctx context.Context, _ string) error {
			<-ctx.Done()
			return ctx.Err()
		})
		r, got := receiver(t, webhooks.ReceiverConfig{Seen: stuck, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		require.Equal(t, outcome{503, 800 * ms}, posting(t, r, list(sig1))())
		synctest.Wait()
		require.Empty(t, got.list())
		require.Zero(t, webhooks.InFlight(r))
		require.Contains(t, log.String(), "the store is slow")
	})
}

// A watching is an Observer.
type watching struct {
	mu  sync.Mutex
	all []string
}

func (w *watching) note(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = append(w.all, fmt.Sprintf(format, args...))
}

func (w *watching) Received(events int) { w.note("received %d", events) }

func (w *watching) Refused(status int, reason error) { w.note("refused %d: %.20s", status, reason) }

func (w *watching) Ended(e *webhooks.Event, o webhooks.Outcome, err error) {
	w.note("%.2s %v %v %v", e.Signature, o, o.Final(), err)
}

func TestObserverIsToldOfEachEventOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := new(watching)
		seen := newSeen()
		r, _ := receiver(t, webhooks.ReceiverConfig{Observer: w, Seen: seen, Handle: func(_ context.Context, e *webhooks.Event) error {
			switch e.Signature {
			case sig2:
				return errors.New("no")
			case sig3:
				return webhooks.ErrSkip
			case sig4:
				time.Sleep(2 * time.Second)
			case "":
				return e.Err
			}
			return nil
		}})
		require.Equal(t, 500, post(t, r, list(sig1, sig2, sig3)))
		require.Equal(t, 200, post(t, r, list(sig1)))
		require.Equal(t, 401, post(t, r, list(sig1), "Authorization", "guess"))
		require.Equal(t, 200, post(t, r, `[{"slot":5,"meta":{}}]`))
		require.Equal(t, 503, post(t, r, list(sig4, sig1)))
		seen.fail("Claim", "store is down")
		require.Equal(t, 503, post(t, r, list(sig2)))
		time.Sleep(3 * time.Second)
		synctest.Wait()
		require.Equal(t, []string{
			"received 3", "5w handled true <nil>", "3W failed false no", "2n skipped true event skipped",
			"received 1", "5w known true <nil>", "refused 401: the Authorization he",
			"received 1", " unreadable true event: item cannot be read: the event has no transaction: invalid argument",
			"received 2", "received 1", "3W unclaimed false store is down",
			"4S handled true <nil>", "5w late false the time is over",
		}, w.all)
	})
}
