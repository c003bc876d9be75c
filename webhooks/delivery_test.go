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
		require.NoError(t, server.Shutdown(context.Background())) // waits for the connections, Close does not
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
		require.Equal(t, []types.Signature{sig1, sig2, sig3, sig2, sig2}, got.list()) // one failure does not hold up the others
		require.Zero(t, webhooks.InFlight(r))
	})
}

func TestSkippedEventIsAcknowledged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var skipped []string
		r, got := receiver(t, webhooks.ReceiverConfig{
			Handle: func(context.Context, *webhooks.Event) error {
				return fmt.Errorf("no such account: %w", webhooks.ErrSkip)
			},
			Skipped: func(_ context.Context, e *webhooks.Event, err error) {
				skipped = append(skipped, string(e.Signature)+" "+err.Error())
			},
		})
		require.Equal(t, 200, post(t, r, list(sig1)))
		require.Equal(t, 200, post(t, r, list(sig1)))
		require.Len(t, got.list(), 1)
		require.Equal(t, []string{string(sig1) + " no such account: event skipped"}, skipped)

		r, _ = receiver(t, webhooks.ReceiverConfig{Handle: func(context.Context, *webhooks.Event) error { return webhooks.ErrSkip }})
		require.Equal(t, 200, post(t, r, list(sig1))) // without a hook too
	})
}

func TestOldEventsAreSkipped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var reasons []string
		r, got := receiver(t, webhooks.ReceiverConfig{
			MaxAge:  time.Minute,
			Skipped: func(_ context.Context, _ *webhooks.Event, err error) { reasons = append(reasons, err.Error()) },
		})
		event := func(s types.Signature, age time.Duration) string {
			return fmt.Sprintf(`{"signature":%q,"timestamp":%d}`, s, time.Now().Add(-age).Unix())
		}
		require.Equal(t, 200, post(t, r, event(sig1, 59*time.Second)))
		require.Equal(t, 200, post(t, r, event(sig2, 61*time.Second)))
		require.Equal(t, 200, post(t, r, event(sig3, -time.Hour)))
		require.Equal(t, 200, post(t, r, list(sig4))) // without a time
		require.Equal(t, []types.Signature{sig1, sig3}, got.list())
		require.Equal(t, []string{"event is older than MaxAge", "event has no block time to compare with MaxAge"}, reasons)
	})
}

func TestSkippedIsNotCalledForHandledEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var skipped handled
		shared := &store{}
		r, got := receiver(t, webhooks.ReceiverConfig{
			MaxAge: time.Minute, Seen: shared,
			Skipped: func(_ context.Context, e *webhooks.Event, _ error) { skipped.note(e) },
		})
		body := fmt.Sprintf(`{"signature":%q,"timestamp":%d}`, sig1, time.Now().Unix())
		require.Equal(t, 200, post(t, r, body))
		time.Sleep(2 * time.Minute)
		require.Equal(t, 200, post(t, r, body)) // too old by now, and a duplicate
		require.Equal(t, []types.Signature{sig1}, got.list())
		require.Empty(t, skipped.list())

		require.Equal(t, 200, post(t, r, list(sig2)))
		require.Equal(t, 200, post(t, r, list(sig2)))
		require.Equal(t, []types.Signature{sig2}, skipped.list())
		require.Equal(t, "done", shared.state[sig2])
	})
}

func TestUndecodableEventIsSkipped(t *testing.T) {
	for name, body := range flawed() {
		for _, queue := range []int{0, 4} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var skipped []string
					var log bytes.Buffer
					r, got := receiver(t, webhooks.ReceiverConfig{
						Queue:  queue,
						Logger: slog.New(slog.NewTextHandler(&log, nil)),
						Skipped: func(_ context.Context, e *webhooks.Event, err error) {
							if !errors.Is(err, e.Err) {
								t.Error(err)
							}
							skipped = append(skipped, string(e.JSON))
						},
					})
					require.Equal(t, 200, post(t, r, "["+body+","+event(sig2)+"]"))
					require.Equal(t, 200, post(t, r, body))
					require.NoError(t, r.Shutdown(t.Context()))
					require.Equal(t, []types.Signature{sig2}, got.list())
					require.Equal(t, []string{body}, skipped)
					require.Contains(t, log.String(), "event not decoded")
				})
			})
		}
	}
}
