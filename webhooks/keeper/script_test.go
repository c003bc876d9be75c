package keeper_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
)

// A script changes the responses to some requests while it is set.
type script struct {
	http.RoundTripper
	change atomic.Pointer[change]
}

// A change returns the body of the response to a request. Get requests the body of the service,
// which is the response if the result is empty.
type change func(req *http.Request, in string, get func() string) string

func (s *script) set(c change) { s.change.Store(&c) }

func (s *script) RoundTrip(req *http.Request) (*http.Response, error) {
	c := s.change.Load()
	if c == nil || *c == nil {
		return s.RoundTripper.RoundTrip(req)
	}
	req = req.Clone(req.Context())
	req.Header.Set("Accept-Encoding", "identity")
	var in []byte
	if req.Body != nil {
		in, _ = io.ReadAll(req.Body)
		req.Body = io.NopCloser(bytes.NewReader(in))
	}
	status := http.StatusOK
	out := (*c)(req, string(in), func() string {
		resp, err := s.RoundTripper.RoundTrip(req)
		if err != nil {
			return err.Error()
		}
		status = resp.StatusCode
		body, _ := io.ReadAll(resp.Body)
		return string(body)
	})
	if out == "" {
		return s.RoundTripper.RoundTrip(req)
	}
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(out)), Request: req}, nil
}

// scripted sends the requests of s through a script.
func scripted(s *setup) *script {
	x := &script{RoundTripper: s.service.Transport()}
	s.through(x)
	return x
}
