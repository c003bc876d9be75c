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
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/solwire/solwire-go/internal/decode"
)

// errDropped ends an attempt whose request net/http was about to repeat.
var errDropped = errors.New("the server accepted the request and closed it without a response")

// A wire is what all requests of a Client share. Only it knows how the key is sent.
type wire struct {
	next      http.RoundTripper
	own       bool        // next is ours and there is no cookie jar, so headers need no copy
	layered   bool        // next is not an *http.Transport, so it may send again after a response
	browser   bool        // net/http uses fetch, which decompresses and follows redirects
	header    http.Header // of every request; shared
	keyHeader []string    // the key, for the Wallet API
	keyQuery  string      // the key as a query parameter, for the other APIs
	timeout   time.Duration
	late      error // the error of an attempt that exceeds timeout
	secret    *secret
}

// newWire returns the wire for the Transport and the Timeout of client.
func newWire(client *http.Client, host Host, key string, s *secret) *wire {
	w := &wire{
		next: client.Transport, browser: runtime.GOOS == "js",
		timeout: client.Timeout, secret: s,
		header: http.Header{"Accept": {"application/json"}, "User-Agent": {userAgent}},
	}
	t, plain := w.next.(*http.Transport)
	if w.next == nil || plain && t == nil {
		w.next = sharedTransport()
		w.own = client.Jar == nil && !w.browser // a jar adds to the header
		t, plain = w.next.(*http.Transport)
	}
	w.layered = !plain
	if !w.browser && (w.layered || !t.DisableCompression) {
		w.header["Accept-Encoding"] = []string{decode.Codings}
	}
	if w.timeout <= 0 {
		w.timeout = defaultTimeout
	}
	w.late = fmt.Errorf("no complete response within %v: %w", w.timeout, context.DeadlineExceeded)
	if host == Wallet {
		w.keyHeader = []string{key}
	} else {
		w.keyQuery = "api-key=" + url.QueryEscape(key)
	}
	return w
}

// A trip is one round trip. It adds the key, enforces the timeout, and limits the
// repeats that net/http makes by itself.
type trip struct {
	*wire
	repeatable bool    // whether net/http may repeat the request, once
	hasID      bool    // whether the response names its request
	budget     *budget // pays for the repeat

	ctx   context.Context         //nolint:containedctx // of the request
	drop  context.CancelCauseFunc // cancels ctx
	timer *time.Timer             // drops the trip when it exceeds its timeout

	mu         sync.Mutex // the hooks run in goroutines of net/http
	sent       int        // requests whose headers were written
	unanswered int        // of them, those since the last response
	reused     bool       // whether the first of those used an idle connection
}

func (t *trip) RoundTrip(req *http.Request) (*http.Response, error) {
	t.ctx, t.drop = context.WithCancelCause(req.Context())
	t.timer = time.AfterFunc(t.timeout, func() { t.drop(t.late) })
	ctx := t.traced(timedContext{t.ctx, time.Now().Add(t.timeout)})
	resp, err := t.next.RoundTrip(t.keyed(req.WithContext(ctx))) //nolint:contextcheck // it is that of req
	if err == nil && resp == nil {
		err = errors.New("the Transport returned neither a response nor an error")
	}
	if err != nil {
		err = t.reason(err)
		t.end()
		return nil, err
	}
	if resp.Body == nil {
		resp.Body = http.NoBody
	}
	resp.Body = &timedBody{resp.Body, t}
	return resp, nil
}

func (t *trip) end() {
	t.timer.Stop()
	t.drop(nil)
}

// A timedContext adds the deadline of a trip, whose timer enforces it. It allocates
// half as much as context.WithDeadline.
type timedContext struct {
	context.Context //nolint:containedctx // it is a context itself
	deadline        time.Time
}

func (c timedContext) Deadline() (time.Time, bool) {
	if earlier, ok := c.Context.Deadline(); ok && earlier.Before(c.deadline) {
		return earlier, true
	}
	return c.deadline, true
}

// keyed returns the request with the key, on copies of its URL and header: the
// originals stay without the key, and a caller's Transport may modify the copies.
func (t *trip) keyed(req *http.Request) *http.Request {
	u := *req.URL
	req.URL = &u
	if !t.own || t.keyHeader != nil {
		req.Header = req.Header.Clone()
	}
	switch {
	case t.keyHeader != nil:
		req.Header["X-Api-Key"] = slices.Clone(t.keyHeader)
	case u.RawQuery != "":
		u.RawQuery += "&" + t.keyQuery
	default:
		u.RawQuery = t.keyQuery
	}
	if t.browser {
		req.Header["js.fetch:redirect"] = []string{"manual"}
	}
	return req
}

// traced returns ctx with hooks that watch the connection. The caller's hooks in ctx
// still run, with the key redacted.
func (t *trip) traced(ctx context.Context) context.Context {
	if theirs := httptrace.ContextClientTrace(ctx); theirs != nil {
		ctx = httptrace.WithClientTrace(untraced{ctx}, t.blind(theirs))
	}
	ours := &httptrace.ClientTrace{GotConn: t.gotConn, WroteHeaders: t.wroteHeaders}
	if t.layered {
		ours.GotFirstResponseByte = t.gotAnswer
		ours.Got1xxResponse = t.gotInformation
	}
	return httptrace.WithClientTrace(ctx, ours)
}

// gotConn runs before net/http writes a request. It cancels the trip when net/http
// repeats a request without a response: over HTTP/2 it does so without limit when a
// server refuses streams or goes away. A read may be repeated once, since idle
// connections are often closed just when a request is written to them.
func (t *trip) gotConn(info httptrace.GotConnInfo) {
	if info.Reused && !t.hasID && !overHTTP2(info.Conn) {
		_ = Sleep(t.ctx, settle)
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

func (t *trip) wroteHeaders() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sent++
	t.unanswered++
}

func (t *trip) gotAnswer() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.unanswered = 0
}

// gotInformation runs for a response with a 1xx status, after gotAnswer. The request
// still has no response.
func (t *trip) gotInformation(int, textproto.MIMEHeader) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.unanswered = max(1, t.unanswered)
	return nil
}

// requests returns the number of requests that were sent.
func (t *trip) requests() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sent
}

// blind redacts the key from what the caller's hooks receive: header fields, among
// them the path in HTTP/2, errors, and the header of 1xx responses.
func (t *trip) blind(theirs *httptrace.ClientTrace) *httptrace.ClientTrace {
	blind := *theirs
	if theirs.WroteHeaderField != nil {
		blind.WroteHeaderField = func(name string, values []string) {
			hidden := make([]string, len(values))
			for i, value := range values {
				hidden[i] = t.secret.hide(value)
			}
			theirs.WroteHeaderField(name, hidden)
		}
	}
	if theirs.WroteRequest != nil {
		blind.WroteRequest = func(info httptrace.WroteRequestInfo) {
			info.Err = t.secret.clean(info.Err)
			theirs.WroteRequest(info)
		}
	}
	if theirs.Got1xxResponse != nil {
		blind.Got1xxResponse = func(code int, header textproto.MIMEHeader) error {
			hidden := make(textproto.MIMEHeader, len(header))
			for name, values := range header {
				for _, value := range values {
					hidden.Add(t.secret.hide(name), t.secret.hide(value))
				}
			}
			return theirs.Got1xxResponse(code, hidden)
		}
	}
	return &blind
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

// reason returns the cause with which the trip was cancelled, or err.
func (t *trip) reason(err error) error {
	err = harmless(err)
	if cause := context.Cause(t.ctx); cause == t.late || cause == errDropped { //nolint:errorlint // identity is meant
		return cause
	}
	var record tls.RecordHeaderError
	if errors.As(err, &record) && string(record.RecordHeader[:]) == "HTTP/" {
		return http.ErrSchemeMismatch
	}
	return err
}

// A timedBody keeps the timeout of the trip running until it is closed.
type timedBody struct {
	io.ReadCloser
	trip *trip
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF { //nolint:errorlint // as an io.Reader returns it
		err = b.trip.reason(err)
	}
	return n, err
}

func (b *timedBody) Close() error {
	defer b.trip.end()
	return b.ReadCloser.Close()
}
