package webhooks_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
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

// To skip an event is no failure, with a queue as without one; a failure is one
// in both.
func TestLogOfAQueueHasFailuresOnly(t *testing.T) {
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

// A callback that does not end keeps Shutdown only for a while, and the other
// events not from being told of.
func TestShutdownGivesUpAStuckQueue(t *testing.T) {
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
