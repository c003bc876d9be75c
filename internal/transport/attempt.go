package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"time"
)

// errOtherHost ends a request that something above tried to send elsewhere.
var errOtherHost = errors.New("request to another host refused: it would carry the key there")

// attempt is the innermost RoundTripper of ours, and the only one that sees
// the key: requests above it and the errors it returns do not hold it. It has
// no CloseIdleConnections, so that one failed call does not close the
// connections of all the others.
//
// It also bounds the time of an attempt. http.Client.Timeout would do the same
// with two goroutines and a dozen allocations more, since it goes an old way with
// every RoundTripper that is not net/http's own.
type attempt struct {
	next         http.RoundTripper
	scheme, host string   // the only ones the key is sent to
	header       []string // the key, where it goes into a header
	query        string   // the key, where it goes into the query
	secret       *secret
	timeout      time.Duration
	late         error // what ends an attempt that takes longer
}

// newAttempt returns the attempt that stands for the Transport and the Timeout
// of client.
func newAttempt(client *http.Client, base *url.URL, host Host, s *secret) *attempt {
	a := &attempt{next: client.Transport, scheme: base.Scheme, host: base.Host, secret: s, timeout: client.Timeout}
	if a.next == nil {
		a.next = sharedTransport()
	}
	if a.timeout <= 0 {
		a.timeout = defaultTimeout
	}
	a.late = fmt.Errorf("no whole answer within %v: %w", a.timeout, context.DeadlineExceeded)
	if host == Wallet {
		a.header = []string{s.key}
	} else {
		a.query = "api-key=" + url.QueryEscape(s.key)
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
	ctx, cancel := context.WithTimeoutCause(req.Context(), a.timeout, a.late)
	keyed := req.WithContext(ctx)
	if a.header != nil {
		keyed.Header = maps.Clone(req.Header)
		keyed.Header["X-Api-Key"] = a.header
	} else {
		u := *req.URL
		u.RawQuery = joinQuery(u.RawQuery, a.query)
		keyed.URL = &u
	}
	resp, err := a.next.RoundTrip(keyed)
	if err != nil {
		err = a.secret.clean(a.reason(ctx, err))
		cancel()
		return nil, err
	}
	if resp == nil || resp.Body == nil { // a caller's Transport is wrong; net/http says so
		cancel()
		return resp, nil
	}
	resp.Request = req
	resp.Body = &timedBody{resp.Body, a, ctx, cancel}
	return resp, nil
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
