package webhooks_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

// ended returns a context that is over.
func ended(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

func TestShutdownWithAnEndedContextReportsOnlyWhatIsLeft(t *testing.T) {
	for range 50 { // what is chosen at random goes wrong half the time
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

// Skipped can still write an event down, though the time for it is over.
func TestSkippedHasTimeOfItsOwn(t *testing.T) {
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

func TestShutdownWaitsForTheEventInHandBeforeItGivesUp(t *testing.T) {
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

func TestShutdownIsNotHeldUpBySkipped(t *testing.T) {
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
