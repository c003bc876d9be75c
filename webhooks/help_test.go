package webhooks_test

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

// A handled list notes the signatures that a callback was given.
type handled struct {
	mu  sync.Mutex
	all []types.Signature
}

func (h *handled) note(e *webhooks.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, e.Signature)
}

func (h *handled) list() []types.Signature {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]types.Signature(nil), h.all...)
}

// receiver returns one that calls handle, or only notes what it gets.
func receiver(t *testing.T, cfg webhooks.ReceiverConfig) (*webhooks.Receiver, *handled) {
	t.Helper()
	got := &handled{}
	if cfg.Secrets == nil {
		cfg.Secrets = []webhooks.Secret{secret}
	}
	handle := cfg.Handle
	cfg.Handle = func(ctx context.Context, e *webhooks.Event) error {
		got.note(e)
		if handle == nil {
			return nil
		}
		return handle(ctx, e)
	}
	r, err := webhooks.NewReceiver(cfg)
	require.NoError(t, err)
	return r, got
}

// delivery makes a request as the service does. Headers are names and values in
// turn and replace those of the service; an empty value removes one.
func delivery(t *testing.T, body string, headers ...string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://receiver.test/hook", strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", secret)
	for i := 1; i < len(headers); i += 2 {
		if headers[i] == "" {
			req.Header.Del(headers[i-1])
		} else {
			req.Header.Set(headers[i-1], headers[i])
		}
	}
	return req
}

// post returns the status that a delivery is answered with.
func post(t *testing.T, h http.Handler, body string, headers ...string) int {
	t.Helper()
	resp, err := fake.Handler(h).RoundTrip(delivery(t, body, headers...))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode
}

// list is the body of a delivery of several events.
func list(signatures ...types.Signature) string {
	var events []string
	for _, s := range signatures {
		events = append(events, enhanced(s))
	}
	return "[" + strings.Join(events, ",") + "]"
}

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

// serve runs a server for h without a network, for what needs connections. It
// works in a bubble.
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
