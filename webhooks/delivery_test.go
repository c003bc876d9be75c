package webhooks_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

func TestHandleHasADeadline(t *testing.T) {
	for body, want := range map[string]outcome{list(sig1): {500, 800 * ms}, list(sig1, sig2): {503, 800 * ms}} {
		synctest.Test(t, func(t *testing.T) {
			r, got := receiver(t, webhooks.ReceiverConfig{Handle: func(ctx context.Context, _ *webhooks.Event) error {
				<-ctx.Done()
				return ctx.Err()
			}})
			require.Equal(t, want, posting(t, r, body)())
			require.Len(t, got.list(), 1, "no time is left for the second event")
		})
	}
}

func TestSlowHandleIsCalledOnce(t *testing.T) {
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

// serve runs a server for h without a network.
func serve(t *testing.T, h http.Handler) *pipes {
	t.Helper()
	l := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
	server := &http.Server{Handler: h}
	done := make(chan struct{})
	go func() {
		_ = server.Serve(l)
		close(done)
	}()
	transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return l.dial(), nil }}
	l.client = &http.Client{Transport: transport}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		require.NoError(t, server.Shutdown(context.Background())) // unlike Close, waits for the connections
		<-done
	})
	return l
}

// pipes is a listener without a network.
type pipes struct {
	client  *http.Client
	dialled int
	conns   chan net.Conn
	once    sync.Once
	closed  chan struct{}
}

func (l *pipes) dial() net.Conn {
	l.dialled++
	here, there := net.Pipe()
	l.conns <- there
	return here
}

func (l *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipes) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func TestSlowBodyTimesOut(t *testing.T) {
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

func TestClosedConnectionDoesNotCancelHandle(t *testing.T) {
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

func TestHandleGetsTheValuesOfTheRequestContext(t *testing.T) {
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

func TestFailedEventIsHandledWhenRedelivered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fails := map[types.Signature]int{sig2: 2}
		r, got := receiver(t, webhooks.ReceiverConfig{Handle: func(_ context.Context, e *webhooks.Event) error {
			if fails[e.Signature] > 0 {
				fails[e.Signature]--
				return errors.New("database is down")
			}
			return nil
		}})
		body := list(sig1, sig2, sig3)
		require.Equal(t, 500, post(t, r, body))
		require.Equal(t, 500, post(t, r, body))
		require.Equal(t, 200, post(t, r, body))
		require.Equal(t, 200, post(t, r, body))
		// one failure does not hold up the others
		require.Equal(t, []types.Signature{sig1, sig2, sig3, sig2, sig2}, got.list())
		require.Zero(t, webhooks.InFlight(r))
	})
}

func TestSkippedEventIsAcknowledged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		shared := newSeen()
		r, got := receiver(t, webhooks.ReceiverConfig{
			Seen: shared, Logger: slog.New(slog.NewTextHandler(&log, nil)),
			Handle: func(context.Context, *webhooks.Event) error {
				return fmt.Errorf("no such account: %w", webhooks.ErrSkip)
			},
		})
		require.Equal(t, 200, post(t, r, list(sig1)))
		require.Equal(t, 200, post(t, r, list(sig1)))
		require.Len(t, got.list(), 1)
		require.Equal(t, "done", shared.state())
		synctest.Wait()
		require.Contains(t, log.String(), `level=WARN msg="event skipped" error="no such account: event skipped" signature=`+string(sig1))
	})
}

// An incompatible change of the service must not empty the stream in silence.
func TestUndecodableEventIsDoneAfterHandle(t *testing.T) {
	for name, body := range flawed() {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				shared, fail := newSeen(), true
				r, got := receiver(t, webhooks.ReceiverConfig{Seen: shared, Handle: func(_ context.Context, e *webhooks.Event) error {
					if e.Err != nil && string(e.JSON) != body {
						t.Error(string(e.JSON))
					}
					if e.Err != nil && fail {
						return e.Err
					}
					return nil
				}})
				require.Equal(t, 500, post(t, r, "["+body+","+event(sig2)+"]"))
				require.Equal(t, "open", shared.state())
				fail = false
				require.Equal(t, 200, post(t, r, body))
				require.Equal(t, 200, post(t, r, body))
				require.Equal(t, []types.Signature{sig1, sig2, sig1}, got.list())
				require.Equal(t, "done", shared.state())
			})
		})
	}
}

// The service is known to deliver raw entries without a transaction. Another delivery would have
// the same entry.
func TestEntryWithoutATransactionIsAcknowledged(t *testing.T) {
	for _, fails := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var odd []*webhooks.Event
			r, got := receiver(t, webhooks.ReceiverConfig{Handle: func(_ context.Context, e *webhooks.Event) error {
				if e.Err != nil {
					odd = append(odd, e)
				}
				if fails {
					return e.Err
				}
				return nil
			}})
			const entry = `{"blockTime":1735689600,"slot":312000000,"meta":{"err":null}}`
			require.Equal(t, 200, post(t, r, `[`+entry+`,{"signature":7},`+event(sig1)+`]`))
			require.Equal(t, []types.Signature{"", "", sig1}, got.list())
			require.Equal(t, webhooks.KindRaw, odd[0].Kind)
			require.Equal(t, uint64(312000000), odd[0].Slot)
			require.Equal(t, entry, string(odd[0].JSON))
			require.EqualError(t, odd[0].Err, "event: item cannot be read: the event has no transaction: invalid argument")
		})
	}
}

// Handle ignores its context: later events have their turn when it returns.
func TestHungHandleIsNotRenewedForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared, hung := newSeen(), make(chan struct{})
		end := sync.OnceFunc(func() { close(hung) })
		defer end()
		one, _ := receiver(t, webhooks.ReceiverConfig{Seen: shared, Handle: func(context.Context, *webhooks.Event) error {
			<-hung
			return errors.New("no")
		}})
		two, second := receiver(t, webhooks.ReceiverConfig{Seen: shared.seen()})
		require.Equal(t, 503, post(t, one, list(sig1)))
		time.Sleep(59 * time.Second)
		require.Equal(t, 503, post(t, two, list(sig1)))
		time.Sleep(5 * time.Second)
		require.Equal(t, 200, post(t, two, list(sig1)))
		require.Equal(t, []types.Signature{sig1}, second.list())
		end()
		require.NoError(t, one.Shutdown(t.Context()))
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
		require.EqualError(t, err, "webhooks.Receiver.Shutdown: deliveries are still being handled: context deadline exceeded")
		require.Equal(t, 503, post(t, r, list(sig2)))
		start := time.Now()
		require.NoError(t, r.Shutdown(t.Context()))
		require.InDelta(t, 2*time.Second, time.Since(start), float64(10*ms))
		require.NoError(t, r.Shutdown(t.Context()))
		require.Equal(t, 503, a().status)
		require.Equal(t, []types.Signature{sig1}, got.list())
	})
}
