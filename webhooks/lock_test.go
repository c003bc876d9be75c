package webhooks_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

func TestConcurrentUpdatesLoseNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c, made := existing(t, full())
		more := addresses(t, 40)
		var wg sync.WaitGroup
		for i, a := range more {
			wg.Go(func() {
				var err error
				switch i % 4 {
				case 3:
					_, err = c.SetActive(t.Context(), made.ID, i%8 == 0)
				default:
					_, err = c.AddAddresses(t.Context(), made.ID, a)
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		w, err := c.Get(t.Context(), made.ID)
		require.NoError(t, err)
		want := []types.Address{account, another}
		for i, a := range more {
			if i%4 != 3 {
				want = append(want, a)
			}
		}
		require.ElementsMatch(t, want, w.AccountAddresses)
		require.Zero(t, webhooks.Locked(c))
		require.Equal(t, 30, strings.Count(methods(s), "GET PUT GET"), methods(s))
	})
}

// The service is down when the change is to be verified.
func TestUnverifiedChangeMayHaveBeenExecuted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c, made := existing(t, full())
		n := 0
		s.Intercept = func(w http.ResponseWriter, _ *fakeapi.Incoming) bool {
			if n++; n > 2 {
				w.WriteHeader(http.StatusBadRequest)
			}
			return n > 2
		}
		_, err := c.AddAddresses(t.Context(), made.ID, addresses(t, 1)...)
		require.ErrorIs(t, err, types.ErrMayHaveExecuted)
		require.ErrorContains(t, err, "the change was written, but not verified")
	})
}

// Another program writes after each write.
func TestOverwrittenChangeIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c, made := existing(t, full())
		other, wanted := client(t, s), addresses(t, 1)[0]
		done := make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			for {
				select {
				case <-time.After(100 * ms):
					_, _ = other.Replace(t.Context(), made.ID, full())
				case <-done:
					return
				}
			}
		})
		w, err := c.AddAddresses(t.Context(), made.ID, wanted)
		close(done)
		wg.Wait()
		require.Nil(t, w)
		require.EqualError(t, err, "PUT /v0/webhooks/{webhookID}: another program overwrote the change, or the service altered it: may have been executed")
		require.ErrorIs(t, err, types.ErrMayHaveExecuted)
	})
}

func TestWaitingForAnotherChangeEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c, made := existing(t, full())
		held := make(chan struct{})
		release := sync.OnceFunc(func() { close(held) })
		defer release()
		s.Intercept = func(http.ResponseWriter, *fakeapi.Incoming) bool {
			<-held
			return false
		}
		var wg sync.WaitGroup
		wg.Go(func() { _, _ = c.SetActive(t.Context(), made.ID, true) })
		synctest.Wait()

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		_, err := c.AddAddresses(ctx, strings.ToUpper(made.ID), another)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.EqualError(t, err, "PUT /v0/webhooks/{webhookID}: waiting for another change of the webhook: context deadline exceeded")
		require.Equal(t, time.Second, time.Since(start))

		mine := errors.New("mine")
		canceled, stop := context.WithCancelCause(t.Context())
		stop(mine)
		err = c.Delete(canceled, made.ID)
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, mine)
		require.EqualError(t, err, "DELETE /v0/webhooks/{webhookID}: waiting for another change of the webhook: context canceled: mine")

		require.Equal(t, 1, webhooks.Locked(c))
		require.Equal(t, "PATCH", methods(s))
		release()
		wg.Wait()
		require.Zero(t, webhooks.Locked(c))
	})
}
