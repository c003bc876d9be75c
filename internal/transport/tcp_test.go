package transport_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A peer is a server on a real TCP connection that plays one act per request,
// the last one again and again.
type peer struct {
	net.Listener
	acts     []act
	requests atomic.Int64
}

// An act answers a request on its connection. It reports whether the
// connection stays open.
type act func(c *net.TCPConn, r *http.Request) bool

func listen(t *testing.T, acts ...act) *peer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &peer{Listener: l, acts: acts}
	p.serve(t)
	return p
}

func (p *peer) serve(t *testing.T) {
	var open sync.WaitGroup
	conns := make(chan *net.TCPConn, 100)
	open.Go(func() {
		defer close(conns)
		for {
			c, err := p.Accept()
			if err != nil {
				return
			}
			conn, _ := c.(*net.TCPConn)
			conns <- conn
			open.Go(func() { p.talk(conn) })
		}
	})
	t.Cleanup(func() {
		_ = p.Close()
		for c := range conns {
			_ = c.Close()
		}
		open.Wait()
	})
}

func (p *peer) talk(c *net.TCPConn) {
	defer func() { _ = c.Close() }()
	in := bufio.NewReader(c)
	for {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return
		}
		n := int(p.requests.Add(1))
		if !p.acts[min(n, len(p.acts))-1](c, r) {
			return
		}
	}
}

func (p *peer) url() string { return "http://" + p.Addr().String() }

// reply writes a whole answer of our own words.
func reply(text string) act {
	return func(c *net.TCPConn, _ *http.Request) bool {
		_, _ = io.WriteString(c, text)
		return true
	}
}

func good(body string) act {
	return reply(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body))
}

// then runs a second act, which ends the connection, after the first.
func then(first act, after func(*net.TCPConn)) act {
	return func(c *net.TCPConn, r *http.Request) bool {
		first(c, r)
		after(c)
		return false
	}
}

func resetIt(c *net.TCPConn) { _ = c.SetLinger(0); _ = c.Close() }
func closeIt(c *net.TCPConn) { _ = c.Close() }

// stallIt keeps the connection open and says nothing more until the other side goes.
func stallIt(c *net.TCPConn) { _, _ = io.Copy(io.Discard, c) }

// tricklingAct sends one byte at a time, each well within any read timeout.
func tricklingAct(c *net.TCPConn, _ *http.Request) bool {
	_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
	for range 100_000 {
		if _, err := c.Write([]byte(" ")); err != nil {
			return false
		}
		time.Sleep(5 * time.Millisecond)
	}
	return false
}

const (
	head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	echo = head + "X-Echo: " + key + "\r\n"
)

type connection struct {
	name   string
	act    act
	stalls bool
}

// config reaches p. An attempt ends soon only where it is the timeout that ends
// it: elsewhere, a busy machine would look like a peer that stalls.
func (c connection) config(t *testing.T, p *peer) types.Config {
	t.Helper()
	cfg := overTCP(t, p.url())
	if c.stalls {
		cfg.HTTPClient.Timeout = 500 * time.Millisecond
	}
	return cfg
}

// Failures of the connection itself, row by row, over real TCP. The peer plays
// the act once and answers well after that.
var connections = []connection{
	{"reset while waiting", then(reply(""), resetIt), false},
	{"closed while waiting", then(reply(""), closeIt), false},
	{"closed inside the headers", then(reply(echo+"Content-Le"), closeIt), false},
	{"reset inside the body", then(reply(echo+"Content-Length: 1000\r\n\r\n{\"answer\":"), resetIt), false},
	{"short Content-Length", then(reply(echo+"Content-Length: 1000\r\n\r\n{\"answer\":"), closeIt), false},
	{"chunk cut off", then(reply(echo+"Transfer-Encoding: chunked\r\n\r\n40\r\n{\"answer\":"), closeIt), false},
	{"last chunk missing", then(reply(echo+"Transfer-Encoding: chunked\r\n\r\na\r\n{\"answer\":\r\n"), closeIt), false},
	{"answer without length stops early", then(reply(echo+"Connection: close\r\n\r\n{\"answer\":"), closeIt), false},
	{"headers stall", then(reply(echo), stallIt), true},
	{"nothing comes at all", then(reply(""), stallIt), true},
	{"body stalls", then(reply(echo+"Content-Length: 1000\r\n\r\n{"), stallIt), true},
	{"one byte at a time", tricklingAct, true},
	{"no HTTP at all", then(reply("220 "+key+" ESMTP\r\n"), closeIt), false},
	{"gzip that breaks off", then(reply(echo+"Content-Encoding: gzip\r\nConnection: close\r\n\r\n\x1f\x8b\x08\x00"), closeIt), false},
}

func TestConnectionRows(t *testing.T) {
	t.Parallel()
	for _, row := range connections {
		for _, kind := range callers {
			t.Run(row.name+"/"+kind.name, func(t *testing.T) {
				t.Parallel()
				p := listen(t, row.act, good(kind.ok))
				got, err := kind.call(t.Context(), row.config(t, p))
				require.NoError(t, err)
				require.Equal(t, 7, got)
				require.EqualValues(t, 2, p.requests.Load())

				// The same without another try: an error, never half an answer.
				p = listen(t, row.act)
				cfg := row.config(t, p)
				cfg.MaxAttempts = 1
				got, err = kind.call(t.Context(), cfg)
				require.Error(t, err)
				requireNoKey(t, err)
				require.Zero(t, got)
				require.EqualValues(t, 1, p.requests.Load())
			})
		}
	}
}

// overTCP reaches url through connections of its own.
func overTCP(t *testing.T, url string) types.Config {
	t.Helper()
	next, _ := http.DefaultTransport.(*http.Transport)
	next = next.Clone()
	next.Proxy = nil
	t.Cleanup(next.CloseIdleConnections)
	return watched(t, types.Config{
		APIKey: key, RPCURL: url, WalletURL: url, WebhooksURL: url,
		HTTPClient: &http.Client{Transport: next, Timeout: time.Minute},
	})
}

func TestRefusedConnectionIsTriedAgain(t *testing.T) {
	t.Parallel()
	for _, kind := range callers {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			p := listen(t, good(kind.ok))
			require.NoError(t, p.Close()) // the port is known now, and nobody listens
			cfg := overTCP(t, p.url())
			cfg.Limiter = &pacer{wait: func(_ context.Context, n int) error {
				if n == 2 {
					again, err := net.Listen("tcp", p.Addr().String())
					if err != nil {
						return err
					}
					back := &peer{Listener: again, acts: p.acts}
					back.serve(t)
				}
				return nil
			}}
			got, err := kind.call(t.Context(), cfg)
			require.NoError(t, err)
			require.Equal(t, 7, got)
		})
	}
}

func TestUntrustedServersAreAskedOnce(t *testing.T) {
	t.Parallel()
	silent := log.New(io.Discard, "", 0)
	secure := func(t *testing.T, conf *tls.Config) (*httptest.Server, *atomic.Int64) {
		var dials atomic.Int64
		s := httptest.NewUnstartedServer(http.NotFoundHandler())
		s.Config.ErrorLog = silent
		s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				dials.Add(1)
			}
		}
		s.TLS = conf
		s.StartTLS()
		t.Cleanup(s.Close)
		return s, &dials
	}
	for _, kind := range callers {
		t.Run("unknown certificate/"+kind.name, func(t *testing.T) {
			t.Parallel()
			s, dials := secure(t, nil)
			_, err := kind.call(t.Context(), overTCP(t, s.URL))
			var bad *tls.CertificateVerificationError
			require.ErrorAs(t, err, &bad)
			requireNoKey(t, err)
			require.EqualValues(t, 1, dials.Load())
		})
		t.Run("wrong name/"+kind.name, func(t *testing.T) {
			t.Parallel()
			s, dials := secure(t, nil)
			cfg := overTCP(t, strings.Replace(s.URL, "127.0.0.1", "localhost", 1))
			cfg.HTTPClient.Transport = s.Client().Transport // trusts the certificate, which is for example.com and 127.0.0.1
			_, err := kind.call(t.Context(), cfg)
			var bad *tls.CertificateVerificationError
			require.ErrorAs(t, err, &bad)
			require.EqualValues(t, 1, dials.Load())
		})
		t.Run("no common TLS version/"+kind.name, func(t *testing.T) {
			t.Parallel()
			s, dials := secure(t, &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11})
			_, err := kind.call(t.Context(), overTCP(t, s.URL))
			require.Error(t, err)
			requireNoKey(t, err)
			require.EqualValues(t, 1, dials.Load())
		})
		t.Run("plain HTTP on an https URL/"+kind.name, func(t *testing.T) {
			t.Parallel()
			var dials atomic.Int64
			s := httptest.NewUnstartedServer(http.NotFoundHandler())
			s.Config.ErrorLog = silent
			s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
				if state == http.StateNew {
					dials.Add(1)
				}
			}
			s.Start()
			t.Cleanup(s.Close)
			_, err := kind.call(t.Context(), overTCP(t, strings.Replace(s.URL, "http:", "https:", 1)))
			require.ErrorIs(t, err, http.ErrSchemeMismatch)
			require.EqualValues(t, 1, dials.Load())
		})
	}
}

func TestRedirectsCarryTheKeyNowhere(t *testing.T) {
	t.Parallel()
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, kind := range callers {
			t.Run(fmt.Sprint(status, "/", kind.name), func(t *testing.T) {
				t.Parallel()
				other := listen(t, good(kind.ok))
				p := listen(t, reply(fmt.Sprintf("HTTP/1.1 %d Elsewhere\r\nLocation: %s/\r\nContent-Length: 0\r\n\r\n", status, other.url())))
				cfg := overTCP(t, p.url())
				cfg.HTTPClient.CheckRedirect = func(*http.Request, []*http.Request) error { return nil } // would follow
				_, err := kind.call(t.Context(), cfg)
				var refusal *types.APIError
				require.ErrorAs(t, err, &refusal)
				require.Equal(t, status, refusal.StatusCode)
				requireNoKey(t, err)
				require.EqualValues(t, 1, p.requests.Load())
				require.Zero(t, other.requests.Load())
			})
		}
	}
}

func TestGzipBombEndsAtTheCap(t *testing.T) {
	t.Parallel()
	var bomb bytes.Buffer
	zip := gzip.NewWriter(&bomb)
	_, err := io.Copy(zip, io.LimitReader(spaces{}, 128<<20))
	require.NoError(t, err)
	require.NoError(t, zip.Close())
	for _, kind := range callers {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			p := listen(t, reply(fmt.Sprintf(head+"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", bomb.Len(), bomb.Bytes())))
			cfg := overTCP(t, p.url())
			_, err := kind.call(t.Context(), cfg)
			require.ErrorIs(t, err, types.ErrTooLarge)
			require.EqualValues(t, 1, p.requests.Load())
		})
	}
}

// The body of a 101 is the connection itself, which no context and no timeout ends.
func TestSwitchedProtocolHoldsNoCallUp(t *testing.T) {
	t.Parallel()
	for _, kind := range callers {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			p := listen(t, then(reply("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"), stallIt))
			_, err := kind.call(t.Context(), overTCP(t, p.url()))
			require.ErrorContains(t, err, "101 Switching Protocols")
			require.EqualValues(t, 1, p.requests.Load())
		})
	}
}

// A server may close an idle connection in the moment in which a request is
// sent on it. Net/http repeats what may be repeated by itself; a create it must
// not, and a delete only as a further try, or a 404 would be taken for the answer.
func TestIdleConnectionClosedUnderARequest(t *testing.T) {
	t.Parallel()
	type thing struct{ Answer int }
	for name, call := range map[string]func(context.Context, *transport.Client) error{
		"GET":   func(ctx context.Context, c *transport.Client) error { return c.Get(ctx, "/v0/x", nil, new(thing)) },
		"POST":  func(ctx context.Context, c *transport.Client) error { return c.Post(ctx, "/v0/x", 1, new(thing)) },
		"PUT":   func(ctx context.Context, c *transport.Client) error { return c.Put(ctx, "/v0/x", 1, new(thing)) },
		"PATCH": func(ctx context.Context, c *transport.Client) error { return c.Patch(ctx, "/v0/x", 1, new(thing)) },
		"JSON-RPC": func(ctx context.Context, c *transport.Client) error {
			_, _, err := transport.Call[int](ctx, c, "getThing", 1)
			return err
		},
		"DELETE": func(ctx context.Context, c *transport.Client) error { return c.Delete(ctx, "/v0/x") },
		"create": func(ctx context.Context, c *transport.Client) error { return c.Create(ctx, "/v0/x", 1, new(thing)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := listen(t,
				good(`{"answer":7}`),
				then(reply(""), closeIt), // the second request on the connection is read, and never answered
				good(`{"answer":7,"value":7}`),
			)
			cfg := overTCP(t, p.url())
			cfg.MaxAttempts = 1
			c, err := transport.New(cfg, transport.Webhooks)
			require.NoError(t, err)
			require.NoError(t, c.Get(t.Context(), "/v0/x", nil, new(thing)))
			if err = call(t.Context(), c); name == "create" || name == "DELETE" {
				require.Error(t, err)
				require.EqualValues(t, 2, p.requests.Load(), "the server had read it")
				return
			}
			require.NoError(t, err, "within one attempt")
			require.EqualValues(t, 3, p.requests.Load())
		})
	}
}

func TestCreateIsNotRepeatedOverTCP(t *testing.T) {
	t.Parallel()
	for _, row := range connections {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			p := listen(t, row.act, good(`{}`))
			c, err := transport.New(row.config(t, p), transport.Webhooks)
			require.NoError(t, err)
			var out struct{}
			require.Error(t, c.Create(t.Context(), "/v0/x", 1, &out))
			require.EqualValues(t, 1, p.requests.Load())
		})
	}
}

// One failed call must not close the idle connections of the others.
func TestFailuresLeaveThePoolAlone(t *testing.T) {
	t.Parallel()
	var dials atomic.Int64
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "bad") {
			w.WriteHeader(http.StatusBadRequest)
		}
		_, _ = io.WriteString(w, `{}`)
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			dials.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	c, err := transport.New(overTCP(t, s.URL), transport.Wallet)
	require.NoError(t, err)
	var out struct{}
	for range 20 {
		require.NoError(t, c.Get(t.Context(), "/good", nil, &out))
		require.Error(t, c.Get(t.Context(), "/bad", nil, &out))
		done, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, c.Get(done, "/good", nil, &out), context.Canceled)
	}
	require.EqualValues(t, 1, dials.Load())
}

// A dead HTTP/2 connection would swallow every call until the kernel gives it
// up, which takes minutes. Pings notice it.
func TestSilentHTTP2ConnectionIsReplaced(t *testing.T) {
	t.Parallel()
	for _, kind := range callers {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			outliveSilence(t, kind)
		})
	}
}

func outliveSilence(t *testing.T, kind caller) {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 2 {
			w.WriteHeader(http.StatusHTTPVersionNotSupported)
		}
		_, _ = io.WriteString(w, kind.ok)
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	between := newProxy(t, s.Listener.Addr().String())

	next := transport.SharedTransport().Clone()
	require.Equal(t, 15*time.Second, next.HTTP2.SendPingTimeout)
	require.Equal(t, 15*time.Second, next.HTTP2.PingTimeout)
	require.Equal(t, 1<<20, next.HTTP2.MaxReadFrameSize)
	require.EqualValues(t, 1<<20, next.MaxResponseHeaderBytes)
	next.HTTP2.SendPingTimeout, next.HTTP2.PingTimeout = 100*time.Millisecond, 100*time.Millisecond
	trusting, _ := s.Client().Transport.(*http.Transport)
	next.TLSClientConfig = trusting.TLSClientConfig.Clone()
	next.TLSClientConfig.NextProtos = nil
	t.Cleanup(next.CloseIdleConnections)
	cfg := types.Config{
		APIKey: key, WalletURL: "https://" + between.Addr().String(), RPCURL: "https://" + between.Addr().String(),
		HTTPClient: &http.Client{Transport: next, Timeout: 10 * time.Second},
	}
	_, err := kind.call(t.Context(), cfg)
	require.NoError(t, err)
	between.silence()
	start := time.Now()
	got, err := kind.call(t.Context(), cfg)
	require.NoError(t, err, "on a connection of its own")
	require.Equal(t, 7, got)
	require.Less(t, time.Since(start), 8*time.Second)
	require.EqualValues(t, 2, between.conns.Load())
}

// A proxy passes bytes on until it is silenced: then its connections stay open
// and nothing comes through, as when a machine between vanishes. New ones work.
type proxy struct {
	net.Listener
	conns atomic.Int64
	mu    sync.Mutex
	mute  []*atomic.Bool
}

func newProxy(t *testing.T, target string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &proxy{Listener: l}
	var open sync.WaitGroup
	ends := make(chan net.Conn, 100)
	open.Go(func() {
		defer close(ends)
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			p.conns.Add(1)
			out, err := net.Dial("tcp", target)
			if err != nil {
				_ = in.Close()
				continue
			}
			ends <- in
			ends <- out
			mute := new(atomic.Bool)
			p.mu.Lock()
			p.mute = append(p.mute, mute)
			p.mu.Unlock()
			open.Go(func() { pass(in, out, mute) })
			open.Go(func() { pass(out, in, mute) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		for c := range ends {
			_ = c.Close()
		}
		open.Wait()
	})
	return p
}

func pass(to io.Writer, from io.Reader, mute *atomic.Bool) {
	buf := make([]byte, 4096)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		if mute.Load() {
			continue
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}

func (p *proxy) silence() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.mute {
		m.Store(true)
	}
}

func TestCancelledCallEndsOverTCP(t *testing.T) {
	t.Parallel()
	for _, kind := range callers {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			arrived := make(chan struct{}, 1)
			p := listen(t, func(c *net.TCPConn, _ *http.Request) bool {
				arrived <- struct{}{}
				stallIt(c)
				return false
			})
			cfg := overTCP(t, p.url())
			why := errors.New("the user went away")
			ctx, cancel := context.WithCancelCause(t.Context())
			go func() {
				<-arrived
				cancel(why)
			}()
			_, err := kind.call(ctx, cfg)
			require.ErrorIs(t, err, context.Canceled)
			require.ErrorIs(t, err, why)
			requireNoKey(t, err)
			require.EqualValues(t, 1, p.requests.Load())
		})
	}
}
