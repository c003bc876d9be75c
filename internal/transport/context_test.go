package transport_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

func TestRetryAfterBeyondTheDeadlineFailsImmediately(t *testing.T) {
	t.Parallel()
	eachProtocol(t, func(t *testing.T, kind protocol) {
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		defer cancel()
		start := time.Now()
		_, err := kind.call(ctx, config(&script{steps: []step{answer(429, `{"error":"slow down"}`, "Retry-After", "5")}}))
		require.Zero(t, time.Since(start))
		var refusal *types.APIError
		require.ErrorAs(t, err, &refusal)
		require.Equal(t, 5*time.Second, refusal.RetryAfter)
		require.NotErrorIs(t, err, context.DeadlineExceeded, "there was time left")
	})
}

func TestCancelledContextEndsACallImmediately(t *testing.T) {
	t.Parallel()
	down := answer(503, `{"error":"down"}`)
	for name, row := range map[string]struct {
		steps []step
		after time.Duration
		last  bool // whether an attempt had failed before
	}{
		"during a wait":      {[]step{down}, 200 * ms, true},
		"while sending":      {[]step{hang}, 200 * ms, false},
		"in the body":        {[]step{hangInBody}, 200 * ms, false},
		"in a later attempt": {[]step{down, hang}, 3 * time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachProtocol(t, func(t *testing.T, kind protocol) {
				why := errors.New("no longer wanted")
				if kind.name == "REST" {
					why = fmt.Errorf("%w: %s", why, key)
				}
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(row.after, func() { cancel(why) })
				start := time.Now()
				_, err := kind.call(ctx, config(&script{steps: row.steps}))
				require.Equal(t, row.after, time.Since(start))
				require.ErrorIs(t, err, context.Canceled)
				require.ErrorIs(t, err, why)
				requireNoKey(t, err)
				var refusal *types.APIError
				require.Equal(t, row.last, errors.As(err, &refusal), err)
				if row.last {
					require.Equal(t, 503, refusal.StatusCode)
					require.Equal(t, 1, strings.Count(err.Error(), "hing: "), "the operation is named once: "+err.Error())
					require.Contains(t, err.Error(), "503 Service Unavailable: down")
				}
			})
		})
	}
}

// The network may notice a deadline before the timer of the context fires.
func TestDeadlineNoticedByTheNetworkFirst(t *testing.T) {
	t.Parallel()
	eachProtocol(t, func(t *testing.T, kind protocol) {
		s := &script{steps: []step{func(*http.Request) (*http.Response, error) {
			time.Sleep(time.Second)
			return nil, &net.OpError{Op: "dial", Err: timeout{}}
		}}}
		_, err := kind.call(lateContext{t.Context(), time.Now().Add(time.Second)}, config(s))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorContains(t, err, "before that: dial: i/o timeout")
		require.Equal(t, 1, s.count())
	})
}

// A lateContext does not notice that its deadline has passed.
type lateContext struct {
	context.Context
	deadline time.Time
}

func (c lateContext) Deadline() (time.Time, bool) { return c.deadline, true }

// The error has the status of the refusal and the end of the context.
func TestContextEndsInTheBodyOfARefusal(t *testing.T) {
	t.Parallel()
	eachProtocol(t, func(t *testing.T, kind protocol) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := kind.call(ctx, config(&script{steps: []step{func(r *http.Request) (*http.Response, error) {
			resp, err := hangInBody(r)
			resp.StatusCode = http.StatusUnauthorized
			return resp, err
		}}}))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, types.ErrUnauthorized)
	})
}

// A busy program would otherwise hold a timer for each call of the last half minute.
func TestAttemptsLeaveNoTimer(t *testing.T) {
	t.Parallel()
	eachProtocol(t, func(t *testing.T, kind protocol) {
		s := &script{steps: []step{answer(503, `{}`), failing(reset), cutBody(reset), answer(200, kind.ok)}}
		_, err := kind.call(t.Context(), config(s))
		require.NoError(t, err)
		require.Len(t, s.requests, 4)
		for _, r := range s.requests {
			require.ErrorIs(t, r.Context().Err(), context.Canceled)
		}
	})
}
