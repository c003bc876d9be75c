package webhooks_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

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

func TestFullQueueReturns503(t *testing.T) {
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

func TestWorkersRunConcurrently(t *testing.T) {
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

func TestFailedEventsOfTheQueueAreSkipped(t *testing.T) {
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
		require.EqualError(t, err, "webhooks.Receiver.Shutdown: events in the queue were not handled: context deadline exceeded")
		synctest.Wait()
		require.Len(t, skipped, 4)
		require.EqualError(t, skipped[sig1], "no")
		require.EqualError(t, skipped[sig2], "panic: oh")
		require.EqualError(t, skipped[sig3], "stopped: context canceled")
		require.ErrorContains(t, skipped[sig4], "context ")               // its own or that of Shutdown, whoever came first
		require.Equal(t, []types.Signature{sig1, sig2, sig3}, got.list()) // so the last was not tried
	})
}

func TestSkippedEventsAreNotLogged(t *testing.T) {
	for _, queue := range []int{0, 4} {
		synctest.Test(t, func(t *testing.T) {
			var log bytes.Buffer
			r, _ := receiver(t, webhooks.ReceiverConfig{
				Queue:  queue,
				Logger: slog.New(slog.NewTextHandler(&log, nil)),
				Handle: func(_ context.Context, e *webhooks.Event) error {
					if e.Signature == sig1 {
						return webhooks.ErrSkip
					}
					return errors.New("no")
				},
			})
			post(t, r, list(sig1, sig2))
			require.NoError(t, r.Shutdown(t.Context()))
			require.NotContains(t, log.String(), string(sig1))
			require.Contains(t, log.String(), `level=ERROR msg="event not handled" signature=`+string(sig2)+" error=no")
		})
	}
}

func TestWorkerSurvivesGoexit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		var skipped []types.Signature
		r, got := receiver(t, webhooks.ReceiverConfig{
			Queue:  4,
			Logger: slog.New(slog.NewTextHandler(&log, nil)),
			Handle: func(_ context.Context, e *webhooks.Event) error {
				if e.Signature == sig1 {
					runtime.Goexit()
				}
				return errors.New("no")
			},
			Skipped: func(_ context.Context, e *webhooks.Event, _ error) {
				skipped = append(skipped, e.Signature)
				runtime.Goexit()
			},
		})
		require.Equal(t, 200, post(t, r, list(sig1, sig2, sig3)))
		require.NoError(t, r.Shutdown(t.Context()))
		require.Equal(t, []types.Signature{sig1, sig2, sig3}, got.list())
		require.Equal(t, []types.Signature{sig1, sig2, sig3}, skipped)
		require.Contains(t, log.String(), "the callback called runtime.Goexit")
	})
}

// ended returns a cancelled context.
func ended(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
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
		require.EqualError(t, err, "webhooks.Receiver.Shutdown: deliveries are still being handled: context deadline exceeded")
		require.Equal(t, 503, post(t, r, list(sig2)))
		start := time.Now()
		require.NoError(t, r.Shutdown(t.Context()))
		require.Equal(t, 2*time.Second, time.Since(start))
		require.NoError(t, r.Shutdown(t.Context()))
		require.Equal(t, 503, a().status)
		require.Equal(t, []types.Signature{sig1}, got.list())
	})
}

func TestShutdownWithACancelledContext(t *testing.T) {
	for range 50 { // select chooses at random
		for _, queue := range []int{0, 4} {
			synctest.Test(t, func(t *testing.T) {
				r, _ := receiver(t, webhooks.ReceiverConfig{Queue: queue, Workers: 2})
				require.Equal(t, 200, post(t, r, list(sig1, sig2)))
				synctest.Wait()
				require.NoError(t, r.Shutdown(ended(t)))
				require.NoError(t, r.Shutdown(ended(t)))
			})
		}
	}
}

func TestShutdownEndsTheContextOfWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var queued func() error
		r, _ := receiver(t, webhooks.ReceiverConfig{Queue: 1, Handle: func(ctx context.Context, _ *webhooks.Event) error {
			queued = ctx.Err
			return nil
		}})
		require.Equal(t, 200, post(t, r, list(sig1)))
		synctest.Wait()
		require.NoError(t, queued())
		require.NoError(t, r.Shutdown(t.Context()))
		require.ErrorIs(t, queued(), context.Canceled)
	})
}

func TestSkippedHasItsOwnDeadline(t *testing.T) {
	for name, row := range map[string]struct {
		queue int
		takes time.Duration // of Handle, unless its context ends it
		told  []types.Signature
	}{
		"skipped late":          {0, 850 * ms, []types.Signature{sig1}},
		"its Handle is stopped": {4, 0, []types.Signature{sig1, sig2}},
		"its Handle is stuck":   {4, time.Minute, []types.Signature{sig2, sig1}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var told handled
				r, _ := receiver(t, webhooks.ReceiverConfig{
					Queue: row.queue,
					Handle: func(ctx context.Context, _ *webhooks.Event) error {
						if row.takes == 0 {
							<-ctx.Done()
						}
						time.Sleep(row.takes)
						return webhooks.ErrSkip
					},
					Skipped: func(ctx context.Context, e *webhooks.Event, _ error) {
						deadline, _ := ctx.Deadline()
						if left := time.Until(deadline); ctx.Err() != nil || left != 800*ms {
							t.Errorf("%v, %v left", ctx.Err(), left)
						}
						told.note(e)
					},
				})
				post(t, r, list(sig1, sig2))
				if synctest.Wait(); row.queue > 0 {
					require.ErrorIs(t, r.Shutdown(ended(t)), context.Canceled)
				}
				require.NoError(t, r.Shutdown(t.Context()))
				if row.takes > 0 {
					require.Equal(t, row.told, told.list())
				} else { // who comes first is not certain
					require.ElementsMatch(t, row.told, told.list())
				}
			})
		})
	}
}

func TestShutdownWaitsForTheCallbacksItCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []types.Signature
		r, _ := receiver(t, webhooks.ReceiverConfig{
			Queue: 1,
			Handle: func(ctx context.Context, _ *webhooks.Event) error {
				<-ctx.Done()
				time.Sleep(50 * ms) // to roll back
				return ctx.Err()
			},
			Skipped: func(_ context.Context, e *webhooks.Event, _ error) {
				time.Sleep(50 * ms)
				told = append(told, e.Signature)
			},
		})
		require.Equal(t, 200, post(t, r, list(sig1)))
		synctest.Wait()
		start := time.Now()
		require.ErrorIs(t, r.Shutdown(ended(t)), context.Canceled)
		require.Equal(t, 100*ms, time.Since(start))
		require.Equal(t, []types.Signature{sig1}, told)
	})
}

func TestShutdownGivesUpOnSkipped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := make(chan struct{})
		r, _ := receiver(t, webhooks.ReceiverConfig{
			Queue:   4,
			Handle:  func(context.Context, *webhooks.Event) error { <-stuck; return nil },
			Skipped: func(context.Context, *webhooks.Event, error) { <-stuck },
		})
		require.Equal(t, 200, post(t, r, list(sig1, sig2)))
		synctest.Wait()
		start := time.Now()
		require.ErrorIs(t, r.Shutdown(ended(t)), context.Canceled)
		require.Equal(t, 2*time.Second, time.Since(start))
		close(stuck)
		require.NoError(t, r.Shutdown(t.Context()))
	})
}

func TestShutdownGivesUpOnHandle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := make(chan struct{})
		var skipped handled
		r, _ := receiver(t, webhooks.ReceiverConfig{
			Queue: 10,
			Handle: func(context.Context, *webhooks.Event) error {
				<-stuck
				return nil
			},
			Skipped: func(_ context.Context, e *webhooks.Event, err error) {
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Error(err)
				}
				skipped.note(e)
			},
		})
		require.Equal(t, 200, post(t, r, list(sig1, sig2, sig3)))
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		require.ErrorIs(t, r.Shutdown(ctx), context.DeadlineExceeded)
		require.Equal(t, 3*time.Second, time.Since(start))
		require.Equal(t, []types.Signature{sig2, sig3}, skipped.list())
		close(stuck)
		require.NoError(t, r.Shutdown(t.Context()))
	})
}
