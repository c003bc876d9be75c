package transport_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// key needs escaping wherever it could be quoted. Its other spellings are
// written by hand: percent-encoded twice over, JSON with and without HTML escapes.
const key = `k3y/+&"<\>%-secret`

var spellings = []string{
	key,
	`k3y%2F%2B%26%22%3C%5C%3E%25-secret`,
	`k3y%2f%2b%26%22%3c%5c%3e%25-secret`,
	`k3y%2F+&%22%3C%5C%3E%25-secret`,
	`k3y/+\u0026\"\u003c\\\u003e%-secret`,
	`k3y/+&\"<\\>%-secret`,
	`k3y\/+&\"<\\>%-secret`,
}

// requireNoKey looks for the key in every way in which an error can be printed.
func requireNoKey(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	encoded, _ := json.Marshal(err)
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "err", err)
	requireHidden(t, fmt.Sprintf("%v\n%+v\n%#v\n%q\n%s\n%s", err, err, err, err, encoded, log.String()))
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		requireNoKey(t, e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, cause := range e.Unwrap() {
			requireNoKey(t, cause)
		}
	}
}

func requireHidden(t *testing.T, text string) {
	t.Helper()
	for _, s := range spellings {
		require.NotContains(t, text, s, "the key shows")
	}
}

// A script is a RoundTripper that plays one step per request, the last one again and again.
type script struct {
	mu       sync.Mutex
	steps    []step
	requests []*http.Request
	bodies   []string
}

type step func(*http.Request) (*http.Response, error)

func (s *script) RoundTrip(req *http.Request) (*http.Response, error) {
	s.mu.Lock()
	n := min(len(s.requests), len(s.steps)-1)
	s.requests = append(s.requests, req)
	var body []byte
	if req.Body != nil {
		body, _ = io.ReadAll(req.Body)
		_ = req.Body.Close()
	}
	s.bodies = append(s.bodies, string(body))
	s.mu.Unlock()
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	return s.steps[n](req)
}

func (s *script) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

// answer is a step: status, body, and headers in pairs.
func answer(status int, body string, headers ...string) step {
	return func(req *http.Request) (*http.Response, error) {
		resp := &http.Response{
			StatusCode:    status,
			Status:        fmt.Sprint(status, " ", http.StatusText(status)),
			Header:        http.Header{"Content-Type": {"application/json"}},
			Body:          io.NopCloser(strings.NewReader(body)),
			ContentLength: int64(len(body)),
			Request:       req,
		}
		for i := 0; i+1 < len(headers); i += 2 {
			resp.Header.Set(headers[i], headers[i+1])
		}
		return resp, nil
	}
}

func failing(err error) step {
	return func(*http.Request) (*http.Response, error) { return nil, err }
}

// A caller makes the same call in both of the service's languages.
type caller struct {
	name string
	ok   string // the body of an answer that brings 7
	call func(ctx context.Context, cfg types.Config) (int, error)
}

var callers = []caller{
	{"REST", `{"answer":7}`, func(ctx context.Context, cfg types.Config) (int, error) {
		c, err := transport.New(cfg, transport.Wallet)
		if err != nil {
			return 0, err
		}
		var out struct {
			Answer int `json:"answer"`
		}
		err = c.Get(ctx, "/v1/thing", nil, &out)
		return out.Answer, err
	}},
	{"JSON-RPC", `{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":9},"value":7}}`, func(ctx context.Context, cfg types.Config) (int, error) {
		c, err := transport.New(cfg, transport.RPC)
		if err != nil {
			return 0, err
		}
		value, slot, err := transport.Call[int](ctx, c, "getThing", struct{}{})
		if err == nil && slot != 9 && slot != 0 {
			err = errors.New("wrong slot " + strconv.FormatUint(slot, 10))
		}
		return value, err
	}},
}

// config reaches s, whatever the host.
func config(s http.RoundTripper) types.Config {
	return types.Config{APIKey: key, HTTPClient: &http.Client{Transport: s}}
}

// A pacer is a Limiter that counts and may refuse.
type pacer struct {
	mu    sync.Mutex
	asked int
	wait  func(ctx context.Context, n int) error
}

func (p *pacer) Wait(ctx context.Context) error {
	p.mu.Lock()
	p.asked++
	n := p.asked
	p.mu.Unlock()
	if p.wait == nil {
		return nil
	}
	return p.wait(ctx, n)
}
