package faults_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	data "github.com/solwire/solwire-go/internal/fakeapi/world"
	"github.com/solwire/solwire-go/types"
)

// A third of the CPU time went into collecting small garbage.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// A world is the fake behind connections that fail on demand. The connections are
// pipes, for a bubble, or TCP. Everything that a client sends is searched for the key.
type world struct {
	hunt

	service func() *fakeapi.Service // with the webhooks of this world
	plan    func(*asked) *kind      // the fault of a request; nil means none

	addr      string
	tcp       bool // or pipes
	listener  net.Listener
	transport *http.Transport
	answering sync.WaitGroup
	mu        sync.Mutex
	down      bool
	open      map[net.Conn]bool // the service's ends of the connections

	refusing atomic.Int64 // number of further dials to refuse
	handed   atomic.Int64 // requests that the clients gave to net/http
	requests atomic.Int64 // received: a few more, since net/http repeats some
	injected atomic.Int64 // requests that met a fault
	crashes  atomic.Int64
	bodies   atomic.Int64 // not closed yet
}

// An asked is a received request.
type asked struct {
	*http.Request

	body []byte
}

// place identifies the request. It is the same for each attempt.
func (a *asked) place() string {
	query := a.URL.Query()
	query.Del("api-key")
	_, params, isCall := bytes.Cut(a.body, []byte(`"method"`)) // behind the id
	if !isCall {
		params = a.body
	}
	return a.Method + a.URL.Path + "?" + query.Encode() + string(params)
}

func (a *asked) ofWebhooks() bool { return strings.HasPrefix(a.URL.Path, "/v0/") }

// inPipes returns a world for a bubble. When the test ends, nothing may be left open.
func inPipes(t *testing.T) *world {
	w := newWorld("127.0.0.1:80")
	t.Cleanup(func() {
		synctest.Wait()
		require.Zero(t, w.bodies.Load(), "bodies left open")
		w.transport.CloseIdleConnections()
		time.Sleep(time.Minute) // virtual: slow senders notice a closed connection late
		require.Zero(t, w.connections(), "connections left open")
		w.crash()
		w.requireHidden(t)
	})
	return w
}

// overTCP returns a world of real connections. When the test ends, nothing may be
// left open.
func overTCP(t *testing.T) *world {
	// A restart frees its port for a moment. Few programs listen on such an address.
	l, err := net.Listen("tcp", fmt.Sprintf("127.%d.%d.%d:0", 1+rand.IntN(250), rand.IntN(250), 1+rand.IntN(250)))
	if err != nil { // some systems lack such addresses
		l, err = net.Listen("tcp", "127.0.0.1:0")
	}
	require.NoError(t, err)
	w := newWorld(l.Addr().String())
	w.tcp = true
	w.listen(l)
	t.Cleanup(func() {
		requireSoon(t, "bodies left open", func() bool { return w.bodies.Load() == 0 })
		w.transport.CloseIdleConnections()
		requireSoon(t, "connections left open", func() bool { return w.connections() == 0 })
		w.crash()
		w.answering.Wait()
		w.requireHidden(t)
	})
	return w
}

// requireSoon waits for other goroutines. Eventually of testify would start another
// goroutine, which is counted.
func requireSoon(t *testing.T, message string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !done(); time.Sleep(time.Millisecond) {
		require.True(t, time.Now().Before(end), message)
	}
}

// reading answers reads.
var reading = sync.OnceValue(func() *fakeapi.Service {
	s := fakeapi.NewSized(50) // so that listings have few pages
	s.Keep = 1
	return s
})

// newAccount returns a service for webhooks, with an empty world.
func newAccount() *fakeapi.Service {
	w, err := data.NewBuilder("").World()
	if err != nil {
		panic(err)
	}
	s := fakeapi.NewOf(w)
	s.Keep = 1
	return s
}

func newWorld(addr string) *world {
	w := &world{service: sync.OnceValue(newAccount), addr: addr, open: map[net.Conn]bool{}}
	w.transport = &http.Transport{DialContext: w.dial, MaxIdleConnsPerHost: 1000}
	return w
}

// config returns a Config for the world, with the key that is searched for.
func (w *world) config() types.Config {
	url := "http://" + w.addr
	return types.Config{
		APIKey: types.Key(key), RPCURL: url, WalletURL: url, WebhooksURL: url,
		HTTPClient: &http.Client{Transport: w},
		Logger:     w.logger(),
	}
}

// RoundTrip counts the response bodies that are not closed yet.
func (w *world) RoundTrip(r *http.Request) (*http.Response, error) {
	w.handed.Add(1)
	resp, err := w.transport.RoundTrip(r)
	if err == nil {
		w.bodies.Add(1)
		resp.Body = &countedBody{ReadCloser: resp.Body, closed: sync.OnceFunc(func() { w.bodies.Add(-1) })}
	}
	return resp, err
}

type countedBody struct {
	io.ReadCloser

	closed func()
}

func (b *countedBody) Close() error {
	b.closed()
	return b.ReadCloser.Close()
}

// dial reaches the world only. Other hosts do not exist, and are recorded.
func (w *world) dial(ctx context.Context, _, addr string) (net.Conn, error) {
	if addr != w.addr {
		w.foreign(addr)
		return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: addr, IsNotFound: true}}
	}
	if w.refusing.Add(-1) >= 0 {
		return nil, refused()
	}
	w.refusing.Store(0)
	if w.tcp {
		var d net.Dialer
		return d.DialContext(ctx, "tcp", addr)
	}
	ours, theirs := net.Pipe()
	if !w.accept(theirs) { //nolint:contextcheck // the service has its own
		return nil, refused()
	}
	return ours, nil
}

// listen accepts connections of a listener until it is closed.
func (w *world) listen(l net.Listener) {
	w.listener = l
	w.answering.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			w.accept(c)
		}
	})
}

// accept answers the requests of a connection, unless the service is down.
func (w *world) accept(c net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.down {
		_ = c.Close()
		return false
	}
	w.open[c] = true
	w.answering.Go(func() {
		w.talk(c)
		_ = c.Close()
		w.mu.Lock()
		delete(w.open, c)
		w.mu.Unlock()
	})
	return true
}

func (w *world) talk(c net.Conn) {
	in := bufio.NewReader(c)
	for {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		w.requests.Add(1)
		w.received(r, body)
		request := &asked{r, body}
		var k *kind
		if w.plan != nil {
			k = w.plan(request)
		}
		if k == nil {
			_, err = c.Write(w.answer(request))
			if err != nil {
				return
			}
			continue
		}
		w.injected.Add(1)
		var good []byte
		if !k.has(unacted) {
			good = w.answer(request)
		}
		if !k.act(w, c, good) {
			return
		}
	}
}

// answers caches responses by place. All services have the same data, and making a
// response takes longer than the rest of a test.
var answers sync.Map

// said is a response without its JSON-RPC id.
type said struct{ head, before, after string }

const noID = `"id":"none"`

// answer returns the response of the fake as bytes on the wire.
func (w *world) answer(a *asked) []byte {
	start, _, isRPC := bytes.Cut(a.body, []byte(`,"method"`))
	var s said
	if known, ok := answers.Load(a.place()); ok {
		s, _ = known.(said)
	} else {
		s = w.ask(a, isRPC)
		if !a.ofWebhooks() { // they change
			answers.Store(a.place(), s)
		}
	}
	if isRPC {
		_, id, _ := bytes.Cut(start, []byte(`"id":`))
		s.before += `"id":` + string(id)
	}
	return fmt.Appendf(nil, "%sContent-Length: %d\r\n\r\n%s%s", s.head, len(s.before)+len(s.after), s.before, s.after)
}

// ask sends a request to the fake with a key that the fake accepts.
func (w *world) ask(a *asked, isRPC bool) said {
	r := a.Clone(context.Background())
	body := a.body
	if isRPC {
		_, params, _ := bytes.Cut(a.body, []byte(`,"method"`))
		body = append([]byte(`{"jsonrpc":"2.0",`+noID+`,"method"`), params...)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	query := r.URL.Query()
	if query.Get("api-key") == key {
		query.Set("api-key", fakeapi.Key)
		r.URL.RawQuery = query.Encode()
	}
	if r.Header.Get("X-Api-Key") == key {
		r.Header.Set("X-Api-Key", fakeapi.Key)
	}
	rec := httptest.NewRecorder()
	service := reading
	if a.ofWebhooks() {
		service = w.service
	}
	service().ServeHTTP(rec, r)
	var head bytes.Buffer
	fmt.Fprintf(&head, "HTTP/1.1 %d Some Words\r\n", rec.Code)
	_ = rec.Header().Write(&head)
	before, after, _ := strings.Cut(rec.Body.String(), noID)
	return said{head.String(), before, after}
}

func (w *world) connections() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.open)
}

// crash closes the listener and every connection.
func (w *world) crash() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.crashes.Add(1)
	w.down = true
	if w.tcp {
		_ = w.listener.Close()
	}
	for c := range w.open {
		_ = c.Close()
	}
}

// rise accepts connections again, at the same address.
func (w *world) rise() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down = false
	for end := time.Now().Add(10 * time.Second); w.tcp; time.Sleep(time.Millisecond) {
		l, err := net.Listen("tcp", w.addr)
		if err == nil {
			w.listen(l)
			return
		}
		if time.Now().After(end) {
			w.note("no port: %v", err)
			return
		}
	}
}

func refused() error { return &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED} }
