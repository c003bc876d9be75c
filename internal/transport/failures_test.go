package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

const (
	ok       = "OK" // stands for a good answer of the caller's kind
	noWait   = time.Duration(0)
	quota    = `{"error":"max usage reached"}`
	rpcQuota = `{"jsonrpc":"2.0","id":"1","error":{"code":-32429,"message":"max usage reached"}}`
)

// rpcError is the JSON-RPC error of a node.
func rpcError(code int, message string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":"1","error":{"code":%d,"message":%q}}`, code, message)
}

// failures are the failures of a response or a send. The first responses come in
// order; after them the service responds well.
var failures = []struct {
	name     string
	steps    []step
	requests int           // that arrive
	least    time.Duration // waited in all
	most     time.Duration
	is       error  // that errors.Is finds; nil for any error, or none when the call succeeds
	says     string // part of the error; empty when the call succeeds
}{
	{"connection refused", []step{failing(refused)}, 2, 250 * ms, 500 * ms, nil, ""},
	{"connection reset", []step{failing(reset)}, 2, 250 * ms, 500 * ms, nil, ""},
	{"dial timeout", []step{failing(&net.OpError{Op: "dial", Err: timeout{}})}, 2, 250 * ms, 500 * ms, nil, ""},
	{"end of stream before a response", []step{failing(io.EOF)}, 2, 250 * ms, 500 * ms, nil, ""},
	{"host does not exist", []step{failing(dnsError(true))}, 1, noWait, noWait, nil, "no such host"},
	{"plain HTTP on an https URL", []step{failing(http.ErrSchemeMismatch)}, 1, noWait, noWait, http.ErrSchemeMismatch, "HTTP response to HTTPS"},
	{"TLS alert: no common version", []step{failing(&net.OpError{Op: "remote error", Err: errors.New("tls: protocol version not supported")})}, 1, noWait, noWait, nil, "protocol version"},

	{"body reset", []step{cutBody(reset)}, 2, 250 * ms, 500 * ms, nil, ""},
	{"body ends early without an HTTP error", []step{answer(200, `{"jsonrpc":"2.0","id":"1","result":{"context":{"slo`)}, 2, 250 * ms, 500 * ms, nil, ""},
	{"body ends early behind an error", []step{answer(200, `{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid params"},"id":`)}, 2, 250 * ms, 500 * ms, nil, ""},
	{"empty body", []step{answer(200, "")}, 2, 250 * ms, 500 * ms, nil, ""},
	{"HTML page with 200", []step{answer(200, "<html>maintenance</html>", "Content-Type", "text/html; charset=utf-8")}, 2, 250 * ms, 500 * ms, nil, ""},
	{"HTML page with 200, always", []step{htmlPage, htmlPage, htmlPage, htmlPage}, 4, 1750 * ms, 3500 * ms, nil, "text/html instead of JSON: "},
	{"JSON with the media type of HTML", []step{answer(200, ok, "Content-Type", "text/html")}, 1, noWait, noWait, nil, ""},

	{"408, 500 and 599", []step{answer(408, `{}`), answer(500, `{}`), answer(599, `{}`)}, 4, 1750 * ms, 3500 * ms, nil, ""},
	{"429", []step{answer(429, `{"error":"slow down"}`)}, 2, 500 * ms, 1000 * ms, nil, ""},
	{"429, always", []step{busy, busy, busy, busy}, 4, 3500 * ms, 7000 * ms, types.ErrRateLimited, "429 Too Many Requests: slow down"},
	{"503", []step{answer(503, `{}`)}, 2, 500 * ms, 1000 * ms, nil, ""},
	{"400", []step{answer(400, `{"error":"Invalid wallet address","code":400,"details":"'x' is not a valid Solana address"}`)}, 1, noWait, noWait, nil, "400 Bad Request: Invalid wallet address: 'x' is not a valid Solana address"},
	{"401", []step{answer(401, `{"error":"API key required"}`)}, 1, noWait, noWait, types.ErrUnauthorized, "401 Unauthorized: API key required"},
	{"404", []step{answer(404, `{"error":"no such wallet"}`)}, 1, noWait, noWait, types.ErrNotFound, "404 Not Found: no such"},
	{"501", []step{answer(501, `{}`)}, 1, noWait, noWait, nil, "501"},
	{"redirect", []step{answer(302, ``, "Location", "https://other.test/")}, 1, noWait, noWait, nil, "302 Found"},

	{"protocol switched", []step{answer(101, ``, "Upgrade", "websocket", "Connection", "Upgrade")}, 1, noWait, noWait, nil, "101 Switching Protocols"},

	{"credits used up, 429", []step{answer(429, quota)}, 1, noWait, noWait, types.ErrQuotaExceeded, "max usage reached"},
	{"credits used up, 429 in plain text", []step{answer(429, "max usage reached\n", "Content-Type", "text/plain")}, 1, noWait, noWait, types.ErrRateLimited, "max usage reached"},
	{"credits used up, 200", []step{answer(200, rpcQuota)}, 1, noWait, noWait, types.ErrQuotaExceeded, "max usage reached"},

	{"200 with -32429", []step{answer(200, rpcError(-32429, "rate limited"))}, 2, 500 * ms, 1000 * ms, nil, ""},
	{"200 with -32429, always", []step{answer(200, rpcError(-32429, "rate limited")), answer(200, rpcError(-32429, "rate limited")), answer(200, rpcError(-32429, "rate limited")), answer(200, rpcError(-32429, "rate limited"))}, 4, 3500 * ms, 7000 * ms, types.ErrRateLimited, "code -32429: rate limited"},
	{"-32002 with 503: unavailable", []step{answer(503, rpcError(-32002, "Service unavailable"))}, 2, 500 * ms, 1000 * ms, nil, ""},
	{"-32002 with 200: simulation failed", []step{answer(200, rpcError(-32002, "Transaction simulation failed"))}, 1, noWait, noWait, nil, "code -32002: Transaction simulation failed"},
	{"-32003 with 403: forbidden", []step{answer(403, rpcError(-32003, "Forbidden"))}, 1, noWait, noWait, nil, "403 Forbidden: code -32003"},
	{"-32003 with 200: bad signature", []step{answer(200, rpcError(-32003, "Transaction signature verification failure"))}, 1, noWait, noWait, nil, "-32003"},
	{"-32005 with 429: too many requests", []step{answer(429, rpcError(-32005, "Too many requests"))}, 2, 500 * ms, 1000 * ms, nil, ""},
	{"-32005 with 400: status decides", []step{answer(400, rpcError(-32005, "?"))}, 1, noWait, noWait, nil, "400"},
	{"-32005 with 200: node behind", []step{answer(200, rpcError(-32005, "Node is behind by 42 slots"))}, 2, 250 * ms, 500 * ms, nil, ""},
	{"-32004, -32014 and -32016 with 200: not available yet", []step{answer(200, rpcError(-32004, "?")), answer(200, rpcError(-32014, "?")), answer(200, rpcError(-32016, "?"))}, 4, 1750 * ms, 3500 * ms, nil, ""},
	{"-32603, -32604 and -32019 with 200: internal, busy, archive", []step{answer(200, rpcError(-32603, "?")), answer(200, rpcError(-32604, "?")), answer(200, rpcError(-32019, "?"))}, 4, 1750 * ms, 3500 * ms, nil, ""},
	{"-32000 with 200: internal by its message", []step{answer(200, rpcError(-32000, "Internal server error"))}, 2, 250 * ms, 500 * ms, nil, ""},
	{"-32000 with 200: behind by its message", []step{answer(200, rpcError(-32000, "Node is behind 25 slots"))}, 2, 250 * ms, 500 * ms, nil, ""},
	{"-32000 with 200: another message", []step{answer(200, rpcError(-32000, "Validation Error: Internal server error"))}, 1, noWait, noWait, nil, "-32000: Validation Error"},
	{"-32602", []step{answer(200, rpcError(-32602, "Invalid params"))}, 1, noWait, noWait, nil, "-32602: Invalid params"},

	{"429 without id", []step{answer(429, `{"jsonrpc":"2.0","error":{"code":-32005,"message":"Too many requests"}}`)}, 2, 500 * ms, 1000 * ms, nil, ""},
	{"error with another id", []step{answer(200, `{"jsonrpc":"2.0","id":99,"error":{"code":-32600,"message":"other id"}}`)}, 1, noWait, noWait, nil, "other id"},
	{"error as text with 200", []step{answer(200, `{"error":"something is off"}`)}, 1, noWait, noWait, nil, ": something is off"},
	{"REST error with 200", []step{answer(200, `{"error":"RATE_LIMIT_EXCEEDED","code":429}`)}, 2, 500 * ms, 1000 * ms, nil, ""},

	{"Retry-After 2", []step{answer(429, `{}`, "Retry-After", "2")}, 2, 2000 * ms, 2500 * ms, nil, ""},
	{"Retry-After with 200 and -32429", []step{answer(200, rpcError(-32429, "?"), "Retry-After", "3")}, 2, 3000 * ms, 3500 * ms, nil, ""},
	{"Retry-After as a date, by the Date header", []step{answer(429, `{}`, "Retry-After", "Fri, 31 Dec 1999 23:59:59 GMT", "Date", "Fri, 31 Dec 1999 23:59:50 GMT")}, 2, 9000 * ms, 9500 * ms, nil, ""},
	{"Retry-After as a date, by the local clock", []step{dated(5 * time.Second)}, 2, 4000 * ms, 5500 * ms, nil, ""},
	{"Retry-After 0", []step{answer(429, `{}`, "Retry-After", "0")}, 2, 500 * ms, 1000 * ms, nil, ""},
	{"Retry-After 20", []step{answer(429, `{}`, "Retry-After", "20")}, 2, 20 * time.Second, 20500 * ms, nil, ""},
	{"Retry-After 21", []step{answer(429, `{}`, "Retry-After", "21")}, 1, noWait, noWait, types.ErrRateLimited, "429"},
	{"Retry-After 9223372037", []step{answer(429, `{}`, "Retry-After", "9223372037")}, 1, noWait, noWait, types.ErrRateLimited, "429"},

	{"timeout while waiting", []step{hang}, 2, 30*time.Second + 250*ms, 30*time.Second + 500*ms, nil, ""},
	{"timeout in the body", []step{hangInBody}, 2, 30*time.Second + 250*ms, 30*time.Second + 500*ms, nil, ""},
	{"dial timeout, always", []step{late, late, late, late}, 4, 1750 * ms, 3500 * ms, os.ErrDeadlineExceeded, "dial: "},
	{"stalled, always", []step{hang, hang, hang, hang}, 4, 2 * time.Minute, 2*time.Minute + 3500*ms, os.ErrDeadlineExceeded, "no complete response within 30s"},
	{"stalled in the body, always", []step{hangInBody, hangInBody, hangInBody, hangInBody}, 4, 2 * time.Minute, 2*time.Minute + 3500*ms, os.ErrDeadlineExceeded, "no complete response within 30s"},

	{"body null", []step{answer(200, `null`)}, 1, noWait, noWait, nil, "the response is null"},
	{"envelope with neither result nor error", []step{answer(200, `{"jsonrpc":"2.0","id":"1"}`)}, 1, noWait, noWait, nil, "the response has no result"},
	{"result null", []step{answer(200, `{"jsonrpc":"2.0","id":"1","result":null}`)}, 1, noWait, noWait, nil, "the response is null"},
	{"value null", []step{answer(200, `{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":9},"value":null}}`)}, 1, noWait, noWait, nil, "the response is null"},
	{"wrong type in a field", []step{answer(200, `{"answer":"seven","context":{"slot":9},"value":"seven"}`)}, 1, noWait, noWait, nil, "int"},
	{"text after the JSON", []step{answer(200, `{"answer":7,"context":{"slot":9},"value":7} and more`)}, 1, noWait, noWait, nil, ": "},
	{"another id", []step{answer(200, `{"jsonrpc":"2.0","id":2,"result":{"context":{"slot":9},"value":7},"answer":7}`)}, 1, noWait, noWait, nil, ""},
	{"result without envelope", []step{answer(200, `{"context":{"slot":9},"value":7,"answer":7}`)}, 1, noWait, noWait, nil, ""},
	{"unknown members", []step{answer(200, `{"jsonrpc":"2.0","id":"1","new":[{}],"result":{"new":1,"context":{"slot":9,"apiVersion":"3.0"},"value":7},"answer":7}`)}, 1, noWait, noWait, nil, ""},
	{"response above 64 MiB", []step{endless}, 1, noWait, noWait, types.ErrTooLarge, "64 MiB"},
	{"refusal above 1 MiB", []step{answer(400, strings.Repeat("x", 2<<20))}, 1, noWait, noWait, nil, "400"},
}

// onlyRPC are the rows without meaning for REST.
var onlyRPC = map[string]bool{
	"envelope with neither result nor error": true, "result null": true, "value null": true,
}

func TestFailures(t *testing.T) {
	t.Parallel()
	for _, row := range failures {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			eachProtocol(t, func(t *testing.T, kind protocol) {
				if kind.name == "REST" && onlyRPC[row.name] {
					return
				}
				s := &script{}
				for _, each := range append(row.steps, answer(200, ok)) {
					s.steps = append(s.steps, speaking(kind.ok, each))
				}
				start := time.Now()
				got, err := kind.call(t.Context(), watched(t, config(s)))
				waited := time.Since(start)
				require.Equal(t, row.requests, s.count())
				require.GreaterOrEqual(t, waited, row.least)
				require.LessOrEqual(t, waited, row.most)
				requireNoKey(t, err)
				if row.says == "" {
					require.NoError(t, err)
					require.Equal(t, 7, got)
					return
				}
				require.ErrorContains(t, err, row.says)
				var ofHTTPClient *url.Error
				require.NotErrorAs(t, err, &ofHTTPClient, "it has the URL")
				require.True(t, strings.HasPrefix(err.Error(), map[string]string{"REST": "GET /v1/thing: ", "JSON-RPC": "getThing: "}[kind.name]), err)
				require.Equal(t, 1, strings.Count(err.Error(), "hing: "), "the operation is named once")
				if row.requests > 1 {
					require.True(t, strings.HasSuffix(err.Error(), fmt.Sprintf(" (%d attempts)", row.requests)), err)
				}
				if row.is != nil {
					require.ErrorIs(t, err, row.is)
				}
				require.NotErrorIs(t, err, context.DeadlineExceeded, "the caller has set no deadline")
				if row.is == os.ErrDeadlineExceeded { //nolint:errorlint // the row
					var timeout net.Error
					require.ErrorAs(t, err, &timeout)
					require.True(t, timeout.Timeout())
				}
				var refusal *types.APIError
				if errors.As(err, &refusal) {
					require.Equal(t, row.requests, refusal.Attempts)
					require.Equal(t, strings.HasPrefix(row.name, "Retry-After"), refusal.RetryAfter > 0)
				}
			})
		})
	}
}

const ms = time.Millisecond

var (
	refused  = &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	reset    = &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	late     = failing(&net.OpError{Op: "dial", Err: context.DeadlineExceeded})
	htmlPage = answer(200, "<html></html>", "Content-Type", "text/html")
	busy     = answer(429, `{"error":"slow down"}`)
)

func dnsError(notFound bool) error {
	return &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "x.test", IsNotFound: notFound, IsTemporary: !notFound}}
}

type timeout struct{}

func (timeout) Error() string   { return "i/o timeout" }
func (timeout) Timeout() bool   { return true }
func (timeout) Temporary() bool { return true }

// speaking replaces the body ok by a body of the protocol.
func speaking(body string, s step) step {
	return func(req *http.Request) (*http.Response, error) {
		resp, err := s(req)
		if err == nil && resp.ContentLength == int64(len(ok)) {
			resp.Body, resp.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
		}
		return resp, err
	}
}

// cutBody starts a response that ends with err.
func cutBody(err error) step {
	return func(req *http.Request) (*http.Response, error) {
		resp, _ := answer(200, "")(req)
		resp.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"answer":7,"jsonrpc":"2.0",`), failingReader{err}))
		resp.ContentLength = 4096
		return resp, nil
	}
}

type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) { return 0, r.err }

// dated refuses with a date after the clock of the bubble.
func dated(in time.Duration) step {
	return func(req *http.Request) (*http.Response, error) {
		return answer(429, `{}`, "Retry-After", time.Now().Add(in).UTC().Format(http.TimeFormat))(req)
	}
}

func hang(req *http.Request) (*http.Response, error) {
	<-req.Context().Done()
	return nil, req.Context().Err()
}

// hangInBody sends one byte and then nothing.
func hangInBody(req *http.Request) (*http.Response, error) {
	resp, _ := answer(200, "")(req)
	resp.ContentLength = -1
	resp.Body = io.NopCloser(io.MultiReader(strings.NewReader("{"), stalled{req.Context()}))
	return resp, nil
}

type stalled struct{ ctx context.Context }

func (s stalled) Read([]byte) (int, error) {
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}

// endless sends one byte more than the limit.
func endless(req *http.Request) (*http.Response, error) {
	resp, _ := answer(200, "")(req)
	resp.ContentLength = -1
	resp.Body = io.NopCloser(io.LimitReader(spaces{}, 64<<20+1))
	return resp, nil
}

type spaces struct{}

func (spaces) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}
