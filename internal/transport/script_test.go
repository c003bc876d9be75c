package transport_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

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
	n := len(s.requests)
	s.requests = append(s.requests, req)
	s.bodies = append(s.bodies, "")
	s.mu.Unlock()
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	resp, err := s.steps[min(n, len(s.steps)-1)](req)
	if req.Body != nil && !dialling(err) { // then nobody reads the body
		body, _ := io.ReadAll(req.Body)
		_ = req.Body.Close()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.bodies[n] = string(body)
	}
	return resp, err
}

// dialling reports whether err means that no connection was made. Methods
// of some errors here panic.
func dialling(err error) bool {
	defer func() { _ = recover() }()
	var operation *net.OpError
	return errors.As(err, &operation) && operation.Op == "dial"
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

// A protocol makes the same call as REST or JSON-RPC.
type protocol struct {
	name string
	ok   string // the body of a response with the value 7
	call func(ctx context.Context, cfg types.Config) (int, error)
}

var protocols = []protocol{
	{"REST", `{"answer":7}`, func(ctx context.Context, cfg types.Config) (int, error) {
		c, err := transport.New(cfg, transport.Wallet, nil)
		if err != nil {
			return 0, err
		}
		var out thing
		err = get(ctx, c, "/v1/thing", &out)
		return out.Answer, err
	}},
	{"JSON-RPC", `{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":9},"value":7}}`, func(ctx context.Context, cfg types.Config) (int, error) {
		c, err := transport.New(cfg, transport.RPC, nil)
		if err != nil {
			return 0, err
		}
		value, slot, err := getThing(ctx, c, struct{}{})
		if err == nil && slot != 9 && slot != 0 {
			err = errors.New("wrong slot " + strconv.FormatUint(slot, 10))
		}
		return value, err
	}},
}

type thing struct{ Answer int }

// eachProtocol runs f in virtual time.
func eachProtocol(t *testing.T, f func(t *testing.T, kind protocol)) {
	t.Helper()
	for _, kind := range protocols {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { f(t, kind) })
		})
	}
}

// client returns a client for a step per request, the last one again and again.
func client(t *testing.T, host transport.Host, steps ...step) (*transport.Client, *script) {
	t.Helper()
	s := &script{steps: steps}
	return newClient(t, config(s), host), s
}

func newClient(t *testing.T, cfg types.Config, host transport.Host) *transport.Client {
	t.Helper()
	c, err := transport.New(cfg, host, nil)
	require.NoError(t, err)
	return c
}

func fetch[T any](ctx context.Context, c *transport.Client, r transport.Request, out *T) error {
	got, err := transport.Fetch[T](ctx, c, r, nil)
	if err == nil && out != nil {
		*out = *got
	}
	return err
}

func op(method, path string) transport.Op {
	return transport.Op{Method: "test.Client.Thing", Wire: method + " " + path}
}

func get[T any](ctx context.Context, c *transport.Client, path string, out *T) error {
	return fetch(ctx, c, transport.Request{Op: op("GET", path)}, out)
}

func create[T any](ctx context.Context, c *transport.Client, path string, body any, out *T) error {
	return fetch(ctx, c, transport.Request{Op: op("POST", path), Body: body, Creates: true}, out)
}

// change sends a request that is idempotent.
func change(ctx context.Context, c *transport.Client, method string, body any) error {
	return fetch(ctx, c, transport.Request{Op: op(method, "/x"), Body: body}, new(thing))
}

func remove(ctx context.Context, c *transport.Client) error {
	return c.Delete(ctx, transport.Request{Op: op("DELETE", "/x")})
}

func getThing(ctx context.Context, c *transport.Client, params any) (int, uint64, error) {
	value, slot, err := transport.Value(ctx, c, transport.Query[int]{Op: transport.Op{Method: "test.Client.Thing", Wire: "getThing"}, Params: params})
	if err != nil {
		return 0, 0, err
	}
	return *value, slot, nil
}

func config(next http.RoundTripper) types.Config {
	return types.Config{APIKey: types.Key(key), HTTPClient: &http.Client{Transport: next}}
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

// callKinds are calls of each kind, with the most requests that one attempt may send.
var callKinds = map[string]struct {
	call func(context.Context, *transport.Client) error
	most int64
}{
	"GET":   {func(ctx context.Context, c *transport.Client) error { return get(ctx, c, "/x", new(thing)) }, 2},
	"POST":  {func(ctx context.Context, c *transport.Client) error { return change(ctx, c, "POST", 1) }, 2},
	"PUT":   {func(ctx context.Context, c *transport.Client) error { return change(ctx, c, "PUT", 1) }, 1},
	"PATCH": {func(ctx context.Context, c *transport.Client) error { return change(ctx, c, "PATCH", 1) }, 1},
	"JSON-RPC": {func(ctx context.Context, c *transport.Client) error {
		_, _, err := getThing(ctx, c, 1)
		return err
	}, 2},
	"DELETE": {func(ctx context.Context, c *transport.Client) error { return remove(ctx, c) }, 1},
	"create": {func(ctx context.Context, c *transport.Client) error { return create(ctx, c, "/x", 1, new(thing)) }, 1},
}
