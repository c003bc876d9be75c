package webhooks_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

// What callers hand in runs in goroutines of the receiver, where a panic that
// nobody recovers ends the process, and with it this test.

// A nilError panics when it is asked anything, as a nil pointer does that was
// returned as an error.
type nilError struct{ text string }

func (e *nilError) Error() string { return e.text }

// An askedError panics when errors.Is looks into it.
type askedError struct{}

func (askedError) Error() string   { return "asked" }
func (askedError) Is(error) bool   { panic("not comparable") }
func (askedError) Unwrap() []error { panic("not wrapped") }

func TestErrorsThatPanic(t *testing.T) {
	for name, row := range map[string]struct {
		err  error
		want string
	}{
		"of a nil pointer": {(*nilError)(nil), "nil"},
		"when it is asked": {askedError{}, "panic: not comparable"},
		"of its text":      {errors.Join(errors.New("x"), (*nilError)(nil)), "PANIC"},
	} {
		for _, queue := range []int{0, 4} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var log bytes.Buffer
					first := true
					r, got := receiver(t, webhooks.ReceiverConfig{
						Queue:  queue,
						Logger: slog.New(slog.NewTextHandler(&log, nil)),
						Handle: func(context.Context, *webhooks.Event) error {
							if first {
								first = false
								return row.err
							}
							return nil
						},
						Skipped: func(_ context.Context, _ *webhooks.Event, err error) { _ = err.Error() },
					})
					status := 500
					if queue > 0 {
						status = 200
					}
					require.Equal(t, status, post(t, r, list(sig1, sig2)))
					require.NoError(t, r.Shutdown(t.Context()))
					require.Equal(t, []types.Signature{sig1, sig2}, got.list())
					require.Contains(t, log.String(), row.want)
					require.Zero(t, webhooks.InFlight(r))
				})
			})
		}
	}
}

// A brokenLog is a handler that panics.
type brokenLog struct{ slog.Handler }

func (brokenLog) Handle(context.Context, slog.Record) error { panic("disk full") }

func TestLoggerThatPanics(t *testing.T) {
	for _, queue := range []int{0, 4} {
		synctest.Test(t, func(t *testing.T) {
			skipped := 0
			r, got := receiver(t, webhooks.ReceiverConfig{
				Queue:   queue,
				Logger:  slog.New(brokenLog{slog.NewTextHandler(new(bytes.Buffer), nil)}),
				Seen:    &store{settling: errors.New("store is down")},
				Handle:  func(context.Context, *webhooks.Event) error { panic("no") },
				Skipped: func(context.Context, *webhooks.Event, error) { skipped++; panic("neither") },
			})
			status := 500
			if queue > 0 {
				status = 200
			}
			require.Equal(t, status, post(t, r, list(sig1, sig2)))
			require.Equal(t, 401, post(t, r, list(sig1), "Authorization", "guess"))
			require.NoError(t, r.Shutdown(t.Context()))
			require.Equal(t, []types.Signature{sig1, sig2}, got.list())
			require.Equal(t, queue/2, skipped)
			require.Zero(t, webhooks.InFlight(r))
		})
	}
}

func TestWorkerSurvivesACallbackThatEndsItsGoroutine(t *testing.T) {
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
		require.Contains(t, log.String(), "goroutine")
	})
}

// A settlingStore panics when a claim ends.
type settlingStore struct{ store }

func (*settlingStore) Done(context.Context, types.Signature) error { panic("no store") }

func TestPanicOfDoneLeavesTheEventHandled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		r, got := receiver(t, webhooks.ReceiverConfig{Seen: &settlingStore{}, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		require.Equal(t, 200, post(t, r, list(sig1, sig2)))
		require.Equal(t, []types.Signature{sig1, sig2}, got.list())
		require.Contains(t, log.String(), "event not settled")
		require.Contains(t, log.String(), "panic: no store")
	})
}

func TestPanicOfClaimLeavesTheOtherEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, got := receiver(t, webhooks.ReceiverConfig{Seen: &onceStore{}})
		require.Equal(t, 500, post(t, r, list(sig1, sig2)))
		require.Equal(t, []types.Signature{sig2}, got.list())
		require.Zero(t, webhooks.InFlight(r))
	})
}

// A onceStore panics at the first claim.
type onceStore struct {
	store
	asked bool
}

func (s *onceStore) Claim(ctx context.Context, signature types.Signature) (bool, error) {
	if !s.asked {
		s.asked = true
		panic("no store")
	}
	return s.store.Claim(ctx, signature)
}
