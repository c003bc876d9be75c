package transport

import (
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
	shared   bool                 // next is sharedTransport and there is no cookie jar, so headers need no copy
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
		t.shared = client.Jar == nil && !t.browser // a jar adds to the header
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

// A roundTrip is one request and its response. It limits the repeats that net/http makes
// by itself.
type roundTrip struct {
	*keyTransport
	repeatable bool         // whether net/http may repeat the request, once
	hasID      bool         // whether the response names its request
	budget     *budget      // pays for the repeat
	watched    *watchedBody // of the request, where next is not net/http's own; otherwise nil

	ctx   context.Context         //nolint:containedctx // of the request
	drop  context.CancelCauseFunc // cancels ctx
	timer *time.Timer             // cancels ctx after the timeout
	timed timedContext            // ctx with the deadline
	trace httptrace.ClientTrace
	body  timedBody // of the response

	mu         sync.Mutex // the hooks run in goroutines of net/http
	sent       int        // requests whose headers were written
	unanswered int        // of them, those since the last response
	reused     bool       // whether the first of those used an idle connection
}

// start starts the timeout. It returns the context of the request, with hooks that watch
// the connection. The caller's hooks in ctx still run, with the key redacted.
func (t *roundTrip) start(ctx context.Context) context.Context {
	t.ctx, t.drop = context.WithCancelCause(ctx)
	t.timer = time.AfterFunc(t.timeout, func() { t.drop(t.timedOut) })
	t.timed = timedContext{t.ctx, time.Now().Add(t.timeout)}
	ctx = &t.timed
	if theirs := httptrace.ContextClientTrace(ctx); theirs != nil {
		ctx = httptrace.WithClientTrace(untraced{ctx}, t.redacted(theirs))
	}
	t.trace = httptrace.ClientTrace{GotConn: t.gotConn, WroteHeaders: t.wroteHeaders}
	if t.layered {
		t.trace.GotFirstResponseByte = t.gotAnswer
		t.trace.Got1xxResponse = t.gotInformation
	}
	return httptrace.WithClientTrace(ctx, &t.trace)
}

func (t *roundTrip) end() {
	t.timer.Stop()
	t.drop(nil)
}

// A timedContext adds the deadline of a round trip, whose timer enforces it. It allocates
// half as much as context.WithDeadline.
type timedContext struct {
	context.Context //nolint:containedctx // it is a context itself
	deadline        time.Time
}

func (c *timedContext) Deadline() (time.Time, bool) {
	if earlier, ok := c.Context.Deadline(); ok && earlier.Before(c.deadline) {
		return earlier, true
	}
	return c.deadline, true
}

// header returns the header of a request, which a caller's Transport may modify.
func (t *keyTransport) header(f form) http.Header {
	if t.shared {
		return t.headers[f]
	}
	return t.headers[f].Clone()
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

// gotConn runs before net/http writes a request. It cancels the round trip when net/http
// repeats a request without a response: over HTTP/2 it does so without limit when a
// server refuses streams or goes away. A read may be repeated once, since idle
// connections are often closed just when a request is written to them.
func (t *roundTrip) gotConn(info httptrace.GotConnInfo) {
	if info.Reused && !t.hasID && !overHTTP2(info.Conn) {
		_ = wait.For(t.ctx, settle)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.unanswered == 0 && t.sent < maxSent:
		t.reused = info.Reused
	case t.repeatable && t.unanswered == 1 && t.reused && t.budget.take():
	default:
		t.drop(errDropped) // HTTP/2 checks the context before it writes, HTTP/1 does not
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

// requests returns the number of requests that were sent.
func (t *roundTrip) requests() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sent
}

// redacted returns the caller's hooks without the key in what they receive: header
// fields, among them the path in HTTP/2, errors, and the header of 1xx responses.
func (t *roundTrip) redacted(theirs *httptrace.ClientTrace) *httptrace.ClientTrace {
	r := *theirs
	if theirs.WroteHeaderField != nil {
		r.WroteHeaderField = func(name string, values []string) {
			hidden := make([]string, len(values))
			for i, value := range values {
				hidden[i] = t.secret.hide(value)
			}
			theirs.WroteHeaderField(name, hidden)
		}
	}
	if theirs.WroteRequest != nil {
		r.WroteRequest = func(info httptrace.WroteRequestInfo) {
			info.Err = t.secret.clean(info.Err)
			theirs.WroteRequest(info)
		}
	}
	if theirs.Got1xxResponse != nil {
		r.Got1xxResponse = func(code int, header textproto.MIMEHeader) error {
			hidden := make(textproto.MIMEHeader, len(header))
			for name, values := range header {
				for _, value := range values {
					hidden.Add(t.secret.hide(name), t.secret.hide(value))
				}
			}
			return theirs.Got1xxResponse(code, hidden)
		}
	}
	return &r
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

// reason returns the cause with which the round trip was cancelled, or err.
func (t *roundTrip) reason(err error) error {
	err = harmless(err)
	if cause := context.Cause(t.ctx); cause == t.timedOut || cause == errDropped { //nolint:errorlint // identity is meant
		return cause
	}
	var record tls.RecordHeaderError
	if errors.As(err, &record) && string(record.RecordHeader[:]) == "HTTP/" {
		return http.ErrSchemeMismatch
	}
	return err
}

// A timedBody keeps the timeout of the round trip running until it is closed.
type timedBody struct {
	io.ReadCloser
	roundTrip *roundTrip
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF { //nolint:errorlint // as an io.Reader returns it
		err = b.roundTrip.reason(err)
	}
	return n, err
}

func (b *timedBody) Close() error {
	defer b.roundTrip.end()
	return b.ReadCloser.Close()
}
