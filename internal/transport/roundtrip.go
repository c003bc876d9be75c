package transport

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"net/url"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/wait"
)

// errDropped ends an attempt whose request net/http was about to repeat.
var errDropped = errors.New("the server accepted the request and closed it without a response")

// A keyTransport adds the key to the requests of a Client, and limits their time. Only it
// knows how the key is sent.
type keyTransport struct {
	next     http.RoundTripper
	shared   bool                 // next is sharedTransport, so headers need no copy
	layered  bool                 // next is not an *http.Transport, so it may send again after a response
	browser  bool                 // net/http uses fetch, which decompresses and follows redirects
	headers  map[form]http.Header // with the key, for the Wallet API; shared
	keyQuery string               // the key as a query parameter, for the other APIs
	timeout  time.Duration
	timedOut error // the error of an attempt that exceeds timeout
	secret   *secret
}

// A form is what the header of a request depends on.
type form struct {
	body       bool // whether the request has one
	repeatable bool // whether net/http may repeat the request when an idle connection turns out to be closed
}

// newKeyTransport returns one for the Transport and the Timeout of client.
func newKeyTransport(client *http.Client, host Host, key string, s *secret) *keyTransport {
	t := &keyTransport{
		next: client.Transport, browser: runtime.GOOS == "js",
		timeout: client.Timeout, secret: s, headers: map[form]http.Header{},
	}
	header := http.Header{"Accept": {"application/json"}, "User-Agent": {userAgent}}
	std, plain := t.next.(*http.Transport)
	if t.next == nil || plain && std == nil {
		t.next = sharedTransport()
		t.shared = !t.browser
		std, plain = t.next.(*http.Transport)
	}
	t.layered = !plain
	if !t.browser && (t.layered || !std.DisableCompression) {
		header["Accept-Encoding"] = []string{decode.Codings}
	}
	if t.timeout <= 0 {
		t.timeout = defaultTimeout
	}
	t.timedOut = &timeoutError{fmt.Errorf("no complete response within %v", t.timeout)}
	if t.browser {
		header["js.fetch:redirect"] = []string{"manual"}
	}
	if host == Wallet {
		header["X-Api-Key"] = []string{key}
	} else {
		t.keyQuery = "api-key=" + url.QueryEscape(key)
	}
	for _, f := range []form{{false, false}, {false, true}, {true, false}, {true, true}} {
		h := header.Clone()
		if f.body {
			h["Content-Type"] = h["Accept"]
		}
		if f.repeatable {
			h["Idempotency-Key"] = nil // tells net/http, which does not send a nil value
		}
		t.headers[f] = h
	}
	return t
}

// A roundTrip is one attempt on the wire. It counts the requests that net/http sends for
// it, and limits them.
type roundTrip struct {
	*call
	repeatable bool         // whether net/http may repeat the request, once
	watched    *watchedBody // of the request, where the Transport is not net/http's own; otherwise nil

	ctx    context.Context //nolint:containedctx // of the request, with the timeout
	cancel context.CancelFunc
	trace  httptrace.ClientTrace

	mu         sync.Mutex // the hooks run in goroutines of net/http
	sent       int        // requests whose headers were written
	unanswered int        // of them, those since the last response
	reused     bool       // whether the first of those used an idle connection
	dropped    error      // why ctx was cancelled before net/http repeats the request
}

// send sends a copy of req with header, body and key, and hooks that watch the connection.
func (t *roundTrip) send(req *http.Request) (*http.Response, error) {
	k, ctx := t.transport, t.ctx
	if theirs := httptrace.ContextClientTrace(ctx); theirs != nil {
		// Tracing libraries record header fields, of which one is the key, or over HTTP/2
		// the path with it.
		safe := *theirs
		safe.WroteHeaderField, safe.WroteRequest, safe.Got1xxResponse = nil, nil, nil
		ctx = httptrace.WithClientTrace(untraced{ctx}, &safe)
	}
	t.trace = httptrace.ClientTrace{GotConn: t.gotConn, WroteHeaders: t.wroteHeaders}
	if k.layered {
		t.trace.GotFirstResponseByte = t.gotAnswer
		t.trace.Got1xxResponse = t.gotInformation
	}
	r := req.WithContext(httptrace.WithClientTrace(ctx, &t.trace))
	r.Header = k.headers[form{body: t.body != nil, repeatable: t.repeatable}]
	if !k.shared { // a caller's Transport may modify it
		r.Header = r.Header.Clone()
	}
	k.addKey(r)
	if t.body != nil {
		// With a bytes.Reader, net/http writes header and body in one packet.
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(t.body)), int64(len(t.body))
		if k.layered {
			t.watched = &watchedBody{Reader: bytes.NewReader(t.body)}
			r.Body = io.NopCloser(t.watched)
		}
		if t.repeatable {
			r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(t.body)), nil }
		}
	}
	resp, err := k.next.RoundTrip(r)
	switch {
	case err != nil:
		return nil, err
	case resp == nil:
		return nil, errors.New("the Transport returned neither a response nor an error")
	case resp.Body == nil:
		resp.Body = http.NoBody
	}
	return resp, nil
}

// A watchedBody is the body of a request to a Transport that is not net/http's own and may
// call no hooks. It may be read after the Transport has failed.
type watchedBody struct {
	io.Reader
	read atomic.Bool // whether anything was read
}

func (b *watchedBody) Read(p []byte) (int, error) {
	b.read.Store(true)
	return b.Reader.Read(p)
}

// addKey adds the key to the URL of r, which it copies: the original stays without the key.
func (t *keyTransport) addKey(r *http.Request) {
	u := *r.URL
	r.URL = &u
	switch {
	case t.keyQuery == "":
	case u.RawQuery != "":
		u.RawQuery += "&" + t.keyQuery
	default:
		u.RawQuery = t.keyQuery
	}
}

// gotConn runs before net/http writes a request. The run asks the limiter for the first
// one, and gotConn for those that net/http sends by itself. It cancels the round trip when
// net/http repeats a request without a response: over HTTP/2 it does so without limit when a
// server refuses streams or goes away. A request that is safe to repeat may be repeated
// once, since idle connections are often closed just when a request is written to them.
func (t *roundTrip) gotConn(info httptrace.GotConnInfo) {
	if info.Reused && !t.hasID && !overHTTP2(info.Conn) {
		_ = wait.For(t.ctx, settle)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	var err error
	switch {
	case t.unanswered == 0 && t.sent < maxSent:
		t.reused = info.Reused
	case t.repeatable && t.unanswered == 1 && t.reused && t.budget.take():
	default:
		err = errDropped
	}
	if err == nil && t.sent > 0 && t.limiter != nil {
		if refused := t.waitForLimiter(t.ctx); refused != nil {
			err = fmt.Errorf("%w: %w", errDropped, refused)
		}
	}
	if err != nil {
		t.dropped = err
		t.cancel() // HTTP/2 checks the context before it writes, HTTP/1 does not
		if !overHTTP2(info.Conn) {
			_ = info.Conn.Close()
		}
	}
}

// settle is the pause before an idle HTTP/1 connection carries a request whose
// response does not name it. net/http closes an idle connection on which unsolicited
// data arrives, but needs a moment to notice: without the pause, about one in a
// hundred unsolicited responses was taken for the response to the next request.
const settle = time.Millisecond

// maxSent limits the requests of a Transport that sends again after a response, as
// for the authentication of a proxy.
const maxSent = 10

func overHTTP2(conn net.Conn) bool {
	secure, ok := conn.(interface{ ConnectionState() tls.ConnectionState })
	return ok && secure.ConnectionState().NegotiatedProtocol == "h2"
}

func (t *roundTrip) wroteHeaders() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sent++
	t.unanswered++
}

func (t *roundTrip) gotAnswer() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.unanswered = 0
}

// gotInformation runs for a response with a 1xx status, after gotAnswer. The request
// still has no response.
func (t *roundTrip) gotInformation(int, textproto.MIMEHeader) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.unanswered = max(1, t.unanswered)
	return nil
}

// An untraced context hides the httptrace of its parent, which WithClientTrace would
// otherwise compose with the new one.
type untraced struct{ context.Context } //nolint:containedctx // it is a context itself

func (c untraced) Value(key any) any {
	value := c.Context.Value(key)
	if _, ok := value.(*httptrace.ClientTrace); ok {
		return nil
	}
	return value
}

// A timeoutError is a timeout of one attempt. It does not match context.DeadlineExceeded,
// as timeouts of net and net/http do: that is for the deadline of the caller.
type timeoutError struct{ err error }

func (e *timeoutError) Error() string { return e.err.Error() }
func (e *timeoutError) Timeout() bool { return true }

// Temporary makes it a net.Error.
func (e *timeoutError) Temporary() bool { return true }

func (e *timeoutError) Is(target error) bool {
	return target == os.ErrDeadlineExceeded || target != context.DeadlineExceeded && errors.Is(e.err, target)
}

func (e *timeoutError) As(target any) bool { return errors.As(e.err, target) }

// reason returns the cause with which the round trip was cancelled, or err without the
// secret.
func (t *roundTrip) reason(err error) error {
	err = t.secret.clean(err)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dropped != nil {
		return t.dropped
	}
	if cause := context.Cause(t.ctx); cause == t.transport.timedOut { //nolint:errorlint // identity is meant
		return cause
	}
	var record tls.RecordHeaderError
	if errors.As(err, &record) && string(record.RecordHeader[:]) == "HTTP/" {
		return http.ErrSchemeMismatch
	}
	return err
}
