package webhooks_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

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
			time.Sleep(850 * ms) // beyond the deadline of the body, which was read long before
			return nil
		}})
		server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if err := req.Context().Err(); err != nil {
				t.Error(err)
			}
			r.ServeHTTP(w, req)
		}))
		for _, s := range []types.Signature{sig1, sig2, sig3} {
			resp, err := server.client.Do(delivery(t, list(s)))
			require.NoError(t, err)
			_, err = io.Copy(io.Discard, resp.Body)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, 200, resp.StatusCode)
			time.Sleep(30 * time.Second)
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
		_, err := server.client.Do(delivery(t, list(sig1)).WithContext(ctx))
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
