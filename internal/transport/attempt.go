package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"runtime"
	"slices"
	"time"
)

// errOtherHost ends a request that something above tried to send elsewhere.
var errOtherHost = errors.New("request to another host refused: it would carry the key there")

// attempt is the innermost RoundTripper of ours, and the only one that sees
// the key: requests above it do not hold it. It has no CloseIdleConnections, so
// that one failed call does not close the connections of all the others.
//
// It also bounds the time of an attempt. http.Client.Timeout would do the same
// with two goroutines and a dozen allocations more, since it goes an old way with
// every RoundTripper that is not net/http's own.
type attempt struct {
	next         http.RoundTripper
	own          bool     // next is ours, and no cookie jar above it: nobody changes a header
	scheme, host string   // the only ones the key is sent to
	header       []string // the key, where it goes into a header
	query        string   // the key, where it goes into the query
	timeout      time.Duration
	late         error // what ends an attempt that takes longer
}

// newAttempt returns the attempt that stands for the Transport and the Timeout
// of client.
func newAttempt(client *http.Client, base *url.URL, host Host, key string) *attempt {
	a := &attempt{next: client.Transport, scheme: base.Scheme, host: base.Host, timeout: client.Timeout}
	if a.next == nil {
		a.next = sharedTransport()
		a.own = client.Jar == nil && runtime.GOOS != "js" // a jar adds to the header of the next try
	}
	if a.timeout <= 0 {
		a.timeout = defaultTimeout
	}
	a.late = fmt.Errorf("no whole answer within %v: %w", a.timeout, context.DeadlineExceeded)
	if host == Wallet {
		a.header = []string{key}
	} else {
		a.query = "api-key=" + url.QueryEscape(key)
	}
	return a
}

func (a *attempt) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Scheme != a.scheme || req.URL.Host != a.host {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		return nil, errOtherHost
	}
	ctx, cancel := context.WithTimeoutCause(withoutKeyTrace(req.Context()), a.timeout, a.late)
	resp, err := a.next.RoundTrip(a.keyed(req.WithContext(ctx)))
	if err != nil {
		err = a.reason(ctx, err) // which the call cleans: it knows all that must not show
		cancel()
		return nil, err
	}
	if resp == nil || resp.Body == nil { // a caller's Transport is wrong; net/http says so
		cancel()
		return resp, nil
	}
	resp.Request = req
	resp.Body = &timedBody{resp.Body, a, ctx, cancel}
	resp.Header.Del("Location") // net/http would parse it, and quote one that it cannot
	return resp, nil
}

// keyed returns the request with the key. It shares nothing that a Transport of
// the caller's may be careless with, or that would show the key above.
func (a *attempt) keyed(req *http.Request) *http.Request {
	u := *req.URL
	req.URL = &u
	if !a.own || a.header != nil {
		req.Header = req.Header.Clone()
	}
	if a.header != nil {
		req.Header["X-Api-Key"] = slices.Clone(a.header)
	} else {
		u.RawQuery = joinQuery(u.RawQuery, a.query)
	}
	if runtime.GOOS == "js" {
		// There net/http sends by fetch, which follows redirects unless told not to.
		req.Header["js.fetch:redirect"] = []string{"manual"}
	}
	return req
}

// withoutKeyTrace returns ctx so that a httptrace of the caller's does not get
// to see the header with the key.
func withoutKeyTrace(ctx context.Context) context.Context {
	trace := httptrace.ContextClientTrace(ctx)
	if trace == nil || trace.WroteHeaderField == nil {
		return ctx
	}
	blind := *trace
	blind.WroteHeaderField = func(name string, values []string) {
		if name != "X-Api-Key" {
			trace.WroteHeaderField(name, values)
		}
	}
	return httptrace.WithClientTrace(untraced{ctx}, &blind)
}

// An untraced context has no httptrace: one that is added is otherwise added to
// those that are there.
type untraced struct{ context.Context } //nolint:containedctx // it is a context itself

func (c untraced) Value(key any) any {
	value := c.Context.Value(key)
	if _, ok := value.(*httptrace.ClientTrace); ok {
		return nil
	}
	return value
}

// reason returns err, or that the attempt took too long where this is behind it.
func (a *attempt) reason(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause == a.late { //nolint:errorlint // this very one
		return cause
	}
	return err
}

// A timedBody is a body whose reading is part of the attempt.
type timedBody struct {
	io.ReadCloser
	attempt *attempt
	ctx     context.Context //nolint:containedctx // that of the attempt
	cancel  context.CancelFunc
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF { //nolint:errorlint // as an io.Reader returns it
		err = b.attempt.reason(b.ctx, err)
	}
	return n, err
}

func (b *timedBody) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}

func joinQuery(a, b string) string {
	if a == "" {
		return b
	}
	return a + "&" + b
}
