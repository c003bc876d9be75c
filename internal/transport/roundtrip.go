package transport

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
)

// A keyTransport adds the key to the requests of a Client, and limits their time. Only it
// knows how the key is sent.
type keyTransport struct {
	next     http.RoundTripper
	shared   bool   // next is sharedTransport, so headers need no copy
	browser  bool   // net/http uses fetch, which decompresses and follows redirects
	keyQuery string // the key as a query parameter, for all APIs but the Wallet API
	timeout  time.Duration
	late     error // of an attempt that exceeds timeout

	// With Config.WrapTransport, requests go through wrapped, and RoundTrip adds the key.
	wrapped http.RoundTripper // nil for none
	key     string            // for the header of the Wallet API; empty for the others
	scheme  string            // so that the key is not sent in plain text
	host    string            // only this host gets the key
	secret  *secret

	// The headers have the key of the Wallet API.
	bare   http.Header // of a request without a body
	change http.Header // of a change with a body
	read   http.Header // of a read with a body, which net/http may repeat
}

// newKeyTransport returns one for the Transport and the Timeout of client.
func newKeyTransport(client *http.Client, host Host, key string, wrap func(http.RoundTripper) http.RoundTripper) *keyTransport {
	t := &keyTransport{next: client.Transport, browser: runtime.GOOS == "js", timeout: client.Timeout}
	if t.next == nil {
		t.next, t.shared = sharedTransport(), !t.browser && wrap == nil
	}
	if t.timeout <= 0 {
		t.timeout = defaultTimeout
	}
	t.late = timeoutError(fmt.Sprintf("no complete response within %v", t.timeout))
	t.bare = http.Header{"Accept": {"application/json"}, "User-Agent": {userAgent}}
	std, plain := t.next.(*http.Transport)
	switch {
	case t.browser:
		t.bare["js.fetch:redirect"] = []string{"manual"}
	case !plain || !std.DisableCompression:
		t.bare["Accept-Encoding"] = []string{decode.Codings}
	}
	switch {
	case host != Wallet:
		t.keyQuery = "api-key=" + url.QueryEscape(key)
	case wrap == nil:
		t.bare["X-Api-Key"] = []string{key}
	default:
		t.key = key
	}
	if wrap != nil {
		t.wrapped = wrap(t)
	}
	t.change = t.bare.Clone()
	t.change["Content-Type"] = t.bare["Accept"]
	t.read = t.change.Clone()
	t.read["Idempotency-Key"] = nil // tells net/http, which does not send a nil value
	return t
}

// send sends a copy of req with header, body and key. Sent reports whether a Transport has
// begun to send the body of a change, also after an error.
//
// net/http repeats a request by itself if the server closes an idle connection or refuses an
// HTTP/2 stream. It may do so for reads only: a change has no GetBody.
func (c *call) send(ctx context.Context, req *http.Request) (resp *http.Response, sent bool, err error) {
	if c.dial != nil {
		resp, err = c.dial(ctx)
		return resp, false, err
	}
	k := c.transport
	r := req.WithContext(ctx)
	body := c.body // the next attempt of a batch has another one
	r.Header, r.ContentLength = k.bare, int64(len(body))
	var watched *watchedBody
	switch {
	case body == nil:
	case c.creates || c.changes:
		watched = &watchedBody{Reader: bytes.NewReader(body)}
		r.Header, r.Body = k.change, io.NopCloser(watched)
	default:
		r.Header = k.read
		r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
		// with a bytes.Reader, net/http writes header and body in one packet
		r.Body, _ = r.GetBody()
	}
	if !k.shared { // a caller's Transport may modify it
		r.Header = r.Header.Clone()
	}
	if k.wrapped != nil {
		resp, err = k.wrapped.RoundTrip(r)
	} else {
		k.addKey(r)
		resp, err = k.next.RoundTrip(r)
	}
	return resp, watched != nil && watched.read.Load(), err
}

// A watchedBody is the body of a change. A caller's Transport that retries may fail to dial
// after it has sent the request, and may read the body after it has failed.
type watchedBody struct {
	io.Reader
	read atomic.Bool // whether anything was read
}

func (b *watchedBody) Read(p []byte) (int, error) {
	b.read.Store(true)
	return b.Reader.Read(p)
}

// RoundTrip adds the key to a request from Config.WrapTransport and sends it. Neither the response
// nor the error has the key.
func (t *keyTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host != t.host || r.URL.Scheme != t.scheme {
		return nil, fmt.Errorf("WrapTransport changed the host or the scheme: %w", types.ErrInvalid)
	}
	keyed := r.Clone(r.Context())
	if t.key != "" {
		keyed.Header.Set("X-Api-Key", t.key)
	}
	t.addKey(keyed)
	resp, err := t.next.RoundTrip(keyed)
	if err != nil {
		return nil, t.secret.clean(err)
	}
	resp.Request = r
	if to := resp.Header.Get("Location"); to != "" { // a redirect repeats the query
		resp.Header.Set("Location", t.secret.hide(to))
	}
	return resp, nil
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

// A timeoutError is a timeout of one attempt. It does not match context.DeadlineExceeded,
// as timeouts of net and net/http do: that is for the deadline of the caller.
type timeoutError string

func (e timeoutError) Error() string        { return string(e) }
func (e timeoutError) Timeout() bool        { return true }
func (e timeoutError) Temporary() bool      { return true } // makes it a net.Error
func (e timeoutError) Is(target error) bool { return target == os.ErrDeadlineExceeded }

// reason returns the error of an attempt without the secret: that it took too long, or err.
func (c *call) reason(ctx context.Context, err error) error {
	if late, is := context.Cause(ctx).(timeoutError); is { //nolint:errorlint // identity is meant
		return late
	}
	return c.secret.clean(c.explain(err))
}
