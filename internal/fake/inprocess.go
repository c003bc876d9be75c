package fake

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
)

// inProcess carries requests to a Service and answers back as the bytes that a
// network would carry, so that both sides see what they would see there.
type inProcess struct{ s *Service }

func (t inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	if err := ctx.Err(); err != nil {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, err
	}
	var sent bytes.Buffer
	if err := r.Write(&sent); err != nil { // closes the body
		return nil, err
	}
	in, err := http.ReadRequest(bufio.NewReader(&sent))
	if err != nil {
		return nil, err
	}
	switch r.URL.Scheme + "://" + r.URL.Host {
	case "https://" + rpcHost, "https://" + walletHost, "https://" + webhooksHost:
	default:
		return nil, t.s.refuse(in, r.URL.Hostname())
	}
	return exchange(t.s, in.WithContext(ctx), r)
}

// refuse notes a request to a host that is not of the service.
func (s *Service) refuse(in *http.Request, host string) error {
	body, err := io.ReadAll(in.Body)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.foreign = append(s.foreign, record(in, body))
	return &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}}
}

// exchange returns the answer of h to a request that came in, as it stands on
// the wire. Sent is the request as it was before.
func exchange(h http.Handler, in, sent *http.Request) (resp *http.Response, err error) {
	defer func() {
		p := recover()
		if aborted, _ := p.(error); errors.Is(aborted, http.ErrAbortHandler) {
			err = io.EOF // what a client sees when the connection closes early
		} else if p != nil {
			panic(p) // not ours
		}
	}()
	w := &recorder{header: http.Header{}}
	h.ServeHTTP(w, in)
	if ctx := in.Context(); ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return http.ReadResponse(bufio.NewReader(w.wire()), sent)
}

// A recorder keeps an answer. (That of net/http/httptest comes with a flag,
// which the example programs would show.)
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
	_ = w.head.Write(&out) // a buffer takes everything
	out.WriteString("\r\n")
	out.Write(w.body.Bytes())
	return &out
}
