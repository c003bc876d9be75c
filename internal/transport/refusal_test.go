package transport_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// Every shape of an error of the service, and some of proxies.
func TestRefusalsOfEveryShape(t *testing.T) {
	t.Parallel()
	const text, none = "text/plain; charset=utf-8", ""
	for _, row := range []struct {
		name, body, media string
		status            int
		want              types.APIError
	}{
		{"wallet", `{"error":"Invalid wallet address","code":400,"details":"'x' is not a valid Solana address"}`, none, 400, types.APIError{Message: "Invalid wallet address", Details: "'x' is not a valid Solana address"}},
		{"details null", `{"error":"x","details":null}`, none, 400, types.APIError{Message: "x"}},
		{"details as object", `{"error":"x","details":{"a": 1}}`, none, 400, types.APIError{Message: "x", Details: `{"a": 1}`}},
		{"JSON-RPC", `{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid params"},"id":"1"}`, none, 400, types.APIError{Code: -32602, Message: "Invalid params"}},
		{"JSON-RPC, data as object", `{"jsonrpc":"2.0","error":{"code":-32016,"message":"Minimum context slot has not been reached","data":{"contextSlot":18446744073709551615}},"id":"1"}`, none, 200, types.APIError{Code: -32016, Message: "Minimum context slot has not been reached", Details: `{"contextSlot":18446744073709551615}`}},
		{"JSON-RPC, data as text", `{"jsonrpc":"2.0","error":{"code":-32702,"message":"Response is too big","data":"Exceeded max limit of 10485760"},"id":"1"}`, none, 200, types.APIError{Code: -32702, Message: "Response is too big", Details: "Exceeded max limit of 10485760"}},
		{"code as text", `{"error":{"code":"-32602","message":"x"}}`, none, 400, types.APIError{Code: -32602, Message: "x"}},
		{"code beyond int", `{"error":{"code":1e99,"message":"x"}}`, none, 400, types.APIError{Message: "x"}},
		{"object in the manner of REST", `{"error":{"code":400,"message":"x","details":"y"}}`, none, 400, types.APIError{Code: 400, Message: "x", Details: "y"}},
		{"gateway", `{"message":"Body cannot be empty","error":"Bad Request","statusCode":400}`, none, 400, types.APIError{Message: "Body cannot be empty"}},
		{"gateway, list of messages", `{"message":["url must be a URL","type is wrong"],"error":"Bad Request","statusCode":400}`, none, 400, types.APIError{Message: "url must be a URL; type is wrong"}},
		{"message beside another error", `{"message":"m","error":"e"}`, none, 500, types.APIError{Message: "m", Details: "e"}},
		{"error alone", `{"error":"invalid path"}`, none, 400, types.APIError{Message: "invalid path"}},
		{"error as list", `{"error":["a","b"]}`, none, 400, types.APIError{Message: "a; b"}},
		{"empty object", `{}`, none, 400, types.APIError{}},
		{"list", `[1]`, none, 400, types.APIError{Message: "unreadable JSON"}},
		{"plain text", "Webhook not found\n", text, 404, types.APIError{Message: "Webhook not found"}},
		{"plain text, several lines", "a\r\nb\x1b[31m\x00c", text, 404, types.APIError{Message: "a  b [31m c"}},
		{"plain text, a page after all", "<html>x</html>", text, 404, types.APIError{Message: "text/plain instead of JSON"}},
		{"plain text, too long", strings.Repeat("x", 1025), text, 404, types.APIError{Message: "text/plain instead of JSON"}},
		{"page", "<html>x</html>", "text/html", 404, types.APIError{Message: "text/html instead of JSON"}},
		{"page without media type", "<html>x</html>", "-", 404, types.APIError{Message: "text/html instead of JSON"}},
		{"empty", "", none, 404, types.APIError{}},
		{"null", "null", none, 404, types.APIError{}},
		{"deep", strings.Repeat("[", 100_000), none, 404, types.APIError{Message: "unreadable JSON"}},
		{"long message", `{"error":"` + strings.Repeat("ü", 5000) + `"}`, none, 400, types.APIError{Message: strings.Repeat("ü", 512)}},
	} {
		for _, kind := range protocols {
			t.Run(row.name+"/"+kind.name, func(t *testing.T) {
				t.Parallel()
				headers := []string{"Retry-After", "30"} // too long to be waited for here
				if row.media != none {
					headers = append(headers, "Content-Type", strings.Trim(row.media, "-"))
				}
				s := &script{steps: []step{answer(row.status, row.body, headers...)}}
				_, err := kind.call(t.Context(), config(s))
				var got *types.APIError
				require.ErrorAs(t, err, &got)
				want := row.want
				want.Op, want.StatusCode, want.Attempts, want.RetryAfter = "GET /v1/thing", row.status, 1, 30*time.Second
				if kind.name == "JSON-RPC" {
					want.Op = "getThing"
				}
				if strings.HasSuffix(want.Message, " instead of JSON") {
					want.Details = map[string]string{
						"REST":     hostOf(types.MainnetWalletURL) + " may be another service; check WalletURL",
						"JSON-RPC": hostOf(types.MainnetRPCURL) + " may be another service; check RPCURL",
					}[kind.name] + " in types.Config, the proxy, and whether the network wants a login"
				}
				require.Equal(t, want, *got)
			})
		}
	}
}

// FuzzRefusal checks that any body with any status becomes a result or an error. The error has
// one line, the status, and not the key.
func FuzzRefusal(f *testing.F) {
	for _, body := range []string{
		`{"error":"x","code":400,"details":"y"}`, `{"error":{"code":-32602,"message":"x","data":{}}}`, `{"message":["a"],"statusCode":400}`,
		`{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":9},"value":7}}`, `{"answer":7}`, `<html>`, `null`, `[]`, ``, `"`, `{"error":`, key,
	} {
		for _, status := range []int{200, 204, 302, 400, 401, 404, 429, 500, 503} {
			f.Add(status, body, "application/json", "2")
		}
	}
	f.Fuzz(func(t *testing.T, status int, body, media, retryAfter string) {
		if status < 200 || status > 599 || strings.ContainsAny(media+retryAfter, "\r\n\x00") {
			return
		}
		for _, kind := range protocols {
			s := &script{steps: []step{answer(status, body, "Content-Type", media, "Retry-After", retryAfter)}}
			cfg := config(s)
			cfg.MaxAttempts = 1
			_, err := kind.call(t.Context(), cfg)
			if err == nil {
				require.Less(t, status, 300)
				continue
			}
			requireHidden(t, err.Error())
			var refusal *types.APIError
			if errors.As(err, &refusal) {
				require.Equal(t, status, refusal.StatusCode)
				require.LessOrEqual(t, len(refusal.Message), 1024+len(" instead of JSON"))
				require.LessOrEqual(t, len(refusal.Details), 1024)
				require.NotContains(t, refusal.Message+refusal.Details, "\n")
				require.GreaterOrEqual(t, refusal.RetryAfter, time.Duration(0))
			} else {
				require.Less(t, status, 300)
			}
		}
	})
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"":                              0,
		"0":                             0,
		"7":                             7 * time.Second,
		" 7 ":                           7 * time.Second,
		"1.5":                           1500 * ms,
		"-1":                            0,
		".":                             0,
		"NaN":                           0,
		"Fri, 02 Jan 2026 03:04:15 GMT": 10 * time.Second,
		"Fri, 02 Jan 2026 03:04:05 GMT": 0,
		"Fri, 02 Jan 2025 03:04:05 GMT": 0,
		"2026-01-02":                    0,
	} {
		require.Equal(t, want, transport.RetryAfter(http.Header{"Retry-After": {value}}, now), value)
	}
	for _, long := range []string{"9223372036", "9223372037", strings.Repeat("9", 400), "Fri, 31 Dec 9999 23:59:59 GMT"} {
		require.Greater(t, transport.RetryAfter(http.Header{"Retry-After": {long}}, now), 200*365*24*time.Hour, long)
	}
}
