package webhooks_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

// An outcome is the answer to a delivery and when it came.
type outcome struct {
	status int
	after  time.Duration
}

// posting delivers in the background and returns what gives the outcome.
func posting(t *testing.T, h http.Handler, body string) func() outcome {
	t.Helper()
	var o outcome
	var wg sync.WaitGroup
	wg.Go(func() {
		start := time.Now()
		o = outcome{post(t, h, body), time.Since(start)}
	})
	return func() outcome {
		wg.Wait()
		return o
	}
}

const ms = time.Millisecond

func TestCallbackHasADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, got := receiver(t, webhooks.ReceiverConfig{Handle: func(ctx context.Context, _ *webhooks.Event) error {
			<-ctx.Done()
			return ctx.Err()
		}})
		require.Equal(t, outcome{503, 800 * ms}, posting(t, r, list(sig1, sig2))())
		require.Len(t, got.list(), 1) // there was no time for the second
	})
}

func TestFailureAtTheDeadlineIsAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := receiver(t, webhooks.ReceiverConfig{Handle: func(ctx context.Context, _ *webhooks.Event) error {
			<-ctx.Done()
			return ctx.Err()
		}})
		require.Equal(t, outcome{500, 800 * ms}, posting(t, r, list(sig1))())
	})
}

// A callback that ignores its deadline keeps neither the service waiting nor
// the event from being handled once.
func TestSlowCallbackIsAnsweredInTimeAndHandledOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, got := receiver(t, webhooks.ReceiverConfig{Handle: func(context.Context, *webhooks.Event) error {
			time.Sleep(2500 * ms)
			return nil
		}})
		require.Equal(t, outcome{503, 900 * ms}, posting(t, r, list(sig1))())
		time.Sleep(1000 * ms)
		require.Equal(t, outcome{200, 600 * ms}, posting(t, r, list(sig1))()) // waits for the outcome
		require.Equal(t, outcome{200, 0}, posting(t, r, list(sig1))())
		require.Len(t, got.list(), 1)
	})
}

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
		time.Sleep(2 * webhooks.Generation)
		require.Zero(t, webhooks.Remembered(r))
		require.Equal(t, 200, post(t, r, list(sig1)))
		require.Len(t, got.list(), 4)
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

func TestSlowBodyIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, got := receiver(t, webhooks.ReceiverConfig{})
		server := serve(t, r)
		for secret, status := range map[string]int{secret: 408, "wrong": 401} {
			conn := server.dial()
			start := time.Now()
			var wg sync.WaitGroup
			wg.Go(func() { // a byte now and then, for ever
				_, err := fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: %s\r\nContent-Length: 1000\r\n\r\n", secret)
				for ; err == nil; _, err = io.WriteString(conn, " ") {
					time.Sleep(70 * ms)
				}
			})
			resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
			require.NoError(t, err)
			require.Equal(t, 800*ms, time.Since(start))
			require.Equal(t, status, resp.StatusCode)
			require.NoError(t, resp.Body.Close())
			require.NoError(t, conn.Close())
			wg.Wait()
		}
		require.Empty(t, got.list())
	})
}

func TestConnectionServesManyDeliveries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, got := receiver(t, webhooks.ReceiverConfig{Handle: func(context.Context, *webhooks.Event) error {
			time.Sleep(700 * ms)
			return nil
		}})
		server := serve(t, r)
		for _, s := range []types.Signature{sig1, sig2, sig3} {
			resp, err := server.client.Do(delivery(t, list(s)))
			require.NoError(t, err)
			_, err = io.Copy(io.Discard, resp.Body)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, 200, resp.StatusCode)
			time.Sleep(30 * time.Second) // the deadline of the body is not that of the connection
		}
		require.Len(t, got.list(), 3)
		require.Equal(t, 1, server.dialled)
	})
}

func TestServiceThatHangsUpDoesNotStopTheCallback(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan error, 1)
		r, _ := receiver(t, webhooks.ReceiverConfig{Handle: func(ctx context.Context, _ *webhooks.Event) error {
			time.Sleep(500 * ms)
			ended <- ctx.Err()
			return nil
		}})
		server := serve(t, r)
		ctx, cancel := context.WithTimeout(t.Context(), 100*ms)
		defer cancel()
		_, err := server.client.Do(delivery(t, list(sig1)).WithContext(ctx)) //nolint:bodyclose // there is none
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NoError(t, <-ended)
		require.Equal(t, outcome{200, 0}, posting(t, r, list(sig1))())
	})
}

func TestCallbackSeesTheValuesOfTheRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type key struct{}
		var seen any
		r, _ := receiver(t, webhooks.ReceiverConfig{Handle: func(ctx context.Context, _ *webhooks.Event) error {
			seen = ctx.Value(key{})
			return nil
		}})
		traced := http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			r.ServeHTTP(w, req.WithContext(context.WithValue(req.Context(), key{}, "span")))
		})
		require.Equal(t, 200, post(t, traced, list(sig1)))
		require.Equal(t, "span", seen)
	})
}

func TestShutdownWaitsForCallbacks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, got := receiver(t, webhooks.ReceiverConfig{Handle: func(context.Context, *webhooks.Event) error {
			time.Sleep(3 * time.Second)
			return nil
		}})
		a := posting(t, r, list(sig1))
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := r.Shutdown(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.EqualError(t, err, "deliveries are still being handled: context deadline exceeded")
		require.Equal(t, 503, post(t, r, list(sig2)))
		start := time.Now()
		require.NoError(t, r.Shutdown(t.Context()))
		require.Equal(t, 2*time.Second, time.Since(start))
		require.NoError(t, r.Shutdown(t.Context()))
		require.Equal(t, 503, a().status)
		require.Equal(t, []types.Signature{sig1}, got.list())
	})
}

func TestQueueAnswersAtOnceAndKeepsTheOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, got := receiver(t, webhooks.ReceiverConfig{Queue: 10, Handle: func(ctx context.Context, _ *webhooks.Event) error {
			time.Sleep(time.Minute)
			return ctx.Err()
		}})
		require.Equal(t, outcome{200, 0}, posting(t, r, list(sig1, sig2, sig3))())
		require.Equal(t, outcome{200, 0}, posting(t, r, list(sig2))()) // a duplicate of what waits
		synctest.Wait()
		require.Len(t, got.list(), 1)
		start := time.Now()
		require.NoError(t, r.Shutdown(t.Context()))
		require.Equal(t, 3*time.Minute, time.Since(start))
		require.Equal(t, []types.Signature{sig1, sig2, sig3}, got.list())
		require.Equal(t, 503, post(t, r, list(sig4)))
	})
}

func TestFullQueueSaysBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		free := make(chan struct{})
		r, got := receiver(t, webhooks.ReceiverConfig{Queue: 1, Handle: func(context.Context, *webhooks.Event) error {
			<-free
			return nil
		}})
		require.Equal(t, 200, post(t, r, list(sig1)))
		synctest.Wait() // it is being handled, and the queue empty
		require.Equal(t, 503, post(t, r, list(sig2, sig3)))
		require.Equal(t, 503, post(t, r, list(sig2, sig3))) // only the third lacks room
		free <- struct{}{}
		synctest.Wait()
		require.Equal(t, 200, post(t, r, list(sig2, sig3)))
		close(free)
		require.NoError(t, r.Shutdown(t.Context()))
		require.Equal(t, []types.Signature{sig1, sig2, sig3}, got.list())
	})
}

func TestWorkersRunAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, got := receiver(t, webhooks.ReceiverConfig{Queue: 4, Workers: 4, Handle: func(context.Context, *webhooks.Event) error {
			time.Sleep(time.Minute)
			return nil
		}})
		require.Equal(t, 200, post(t, r, list(sig1, sig2, sig3, sig4)))
		start := time.Now()
		require.NoError(t, r.Shutdown(t.Context()))
		require.Equal(t, time.Minute, time.Since(start))
		require.Len(t, got.list(), 4)
	})
}

func TestWhatTheQueueCannotHandleIsSkipped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		skipped := map[types.Signature]error{}
		r, got := receiver(t, webhooks.ReceiverConfig{
			Queue: 10,
			Handle: func(ctx context.Context, e *webhooks.Event) error {
				switch e.Signature {
				case sig1:
					return errors.New("no")
				case sig2:
					panic("oh")
				}
				<-ctx.Done()
				return fmt.Errorf("stopped: %w", ctx.Err())
			},
			Skipped: func(_ context.Context, e *webhooks.Event, err error) {
				mu.Lock()
				defer mu.Unlock()
				skipped[e.Signature] = err
			},
		})
		require.Equal(t, 200, post(t, r, list(sig1, sig2, sig3, sig4)))
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := r.Shutdown(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.EqualError(t, err, "events of the queue are not handled: context deadline exceeded")
		synctest.Wait()
		require.Len(t, skipped, 4)
		require.EqualError(t, skipped[sig1], "no")
		require.EqualError(t, skipped[sig2], "panic: oh")
		require.EqualError(t, skipped[sig3], "stopped: context canceled")
		require.ErrorContains(t, skipped[sig4], "context ")               // its own or that of Shutdown, whoever came first
		require.Equal(t, []types.Signature{sig1, sig2, sig3}, got.list()) // so the last was not tried
	})
}
