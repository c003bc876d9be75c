package fakeapi

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
)

// Handler returns a transport that passes requests to h without a network, as
// the bytes that a network would carry.
func Handler(h http.Handler) http.RoundTripper { return toHandler{h} }

type toHandler struct{ h http.Handler }

func (t toHandler) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, err
	}
	var sent bytes.Buffer
	if err := r.Write(&sent); err != nil { // which closes the body
		return nil, err
	}
	in, err := http.ReadRequest(bufio.NewReader(&sent))
	if err != nil {
		return nil, err
	}
	return exchange(t.h, in.WithContext(bare{r.Context()}), r) //nolint:contextcheck // it is the context of r
}

// InProcess is [Handler] for a Service, and fails requests to other hosts.
type InProcess struct{ Service *Service }

// RoundTrip sends a request.
func (t InProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	switch r.URL.Scheme + "://" + r.URL.Host {
	case "https://" + rpcHost, "https://" + walletHost, "https://" + webhooksHost:
		return toHandler{t.Service}.RoundTrip(r)
	}
	if r.Body != nil {
		_ = r.Body.Close()
	}
	return nil, &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: r.URL.Hostname(), IsNotFound: true}}
}

// bare is a context without values: a server does not see the values of its
// client, such as a trace.
type bare struct{ context.Context } //nolint:containedctx // it is a context

func (bare) Value(any) any { return nil }

// exchange returns the answer of h to a request as a client would read it. Sent
// is the request as the client made it.
func exchange(h http.Handler, in, sent *http.Request) (*http.Response, error) {
	if isUpgrade(in) {
		return upgraded(h, in, sent)
	}
	w := &recorder{header: http.Header{}}
	if aborted(func() { h.ServeHTTP(w, in) }) {
		return nil, io.EOF // a client sees this when the connection closes early
	}
	if ctx := in.Context(); ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return http.ReadResponse(bufio.NewReader(w.wire()), sent)
}

// aborted calls f, and reports whether it closed the connection instead of answering.
func aborted(f func()) (closed bool) {
	defer func() {
		p := recover()
		err, _ := p.(error)
		if closed = errors.Is(err, http.ErrAbortHandler); p != nil && !closed {
			panic(p)
		}
	}()
	f()
	return false
}

// A recorder records an answer. The recorder of net/http/httptest registers a flag, which the
// usage of the example programs would show.
type recorder struct {
	header http.Header
	status int
	head   http.Header // the header when the status was written
	body   bytes.Buffer
}

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status, w.head = status, w.header.Clone()
	}
}

func (w *recorder) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(b)
}

func (w *recorder) wire() *bytes.Buffer {
	w.WriteHeader(http.StatusOK)
	if w.head.Get("Content-Length") == "" {
		w.head.Set("Content-Length", strconv.Itoa(w.body.Len()))
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "HTTP/1.1 %03d %s\r\n", w.status, http.StatusText(w.status))
	_ = w.head.Write(&out) // a buffer accepts everything
	out.WriteString("\r\n")
	out.Write(w.body.Bytes())
	return &out
}
