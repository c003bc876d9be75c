package main

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// examined returns the report of a fake and the printed text.
func examined(t *testing.T, cfg types.Config) (report *Report, printed string) {
	t.Helper()
	var out bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		// after the transactions of the fake
		time.Sleep(time.Until(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)))
		var err error
		report, err = run(t.Context(), cfg, true, &out)
		require.NoError(t, err)
	})
	return report, out.String()
}

func (r *Report) result(check string) Result {
	for _, found := range r.Results {
		if found.Check == check {
			return found
		}
	}
	return Result{}
}

func TestHealthyServicePassesAllChecks(t *testing.T) {
	t.Parallel()
	service := fake.New(nil)
	report, printed := examined(t, service.Config())
	require.True(t, report.Healthy(), printed)
	require.Len(t, report.Results, 14)
	for _, r := range report.Results {
		require.Equal(t, OK, r.State, printed)
	}
	require.LessOrEqual(t, report.Credits, uint64(maxCredits))
	for _, request := range service.Requests() {
		name, _, _ := strings.Cut(request.Operation, " ")
		require.NotContains(t, []string{"PUT", "PATCH", "DELETE"}, name, "the doctor only reads")
		require.NotEqual(t, "POST /v0/webhooks", request.Operation)
	}
}

func TestEachFaultIsNamedWithItsRemedy(t *testing.T) {
	t.Parallel()
	refused := func(code int, message string) fake.Fault {
		return fake.Fault{Status: 200, Body: fmt.Sprintf(`{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`, code, message)}
	}
	service := fake.New(nil)
	operations := map[string]string{
		"network": "getGenesisHash", "latency": "getHealth", "clock": "getBlockTime", "accounts": "getAccountInfo",
		"histories": "getTransactionsForAddress", "assets": "getAssetsByOwner", "compression": "getIndexerSlot",
		"parsed events": "POST /v1/parsed-events/transaction-history", "wallet": "GET /v1/wallet/{wallet}/balances", "webhooks": "GET /v0/webhooks",
	}
	for _, test := range []struct {
		fault fake.Fault
		state State
		says  string
	}{
		{fake.Unauthorized(), Wrong, "HELIUS_API_KEY"},
		{fake.Status(http.StatusForbidden), Refused, "larger plan"},
		{fake.Fault{Status: 403, Body: "Forbidden\r\n\x1b[31m\nby the firewall"}, Refused, "larger plan"},
		{refused(-32600, "not available on the free plan"), Refused, "larger plan"},
		{refused(-32601, "Method not found"), Absent, "host does not have it"},
		{fake.Fault{Status: 404, Body: "404 page not found"}, Absent, "host does not have it"},
		{fake.QuotaExceeded(), Wrong, "credits of the plan"},
		{fake.Fault{Status: 429, Body: `{"error":"rate limit reached; upgrade your plan"}`}, Wrong, "Config.Limiter"},
		{fake.RateLimited(time.Hour), Wrong, "Config.Limiter"},
		{fake.Fault{Status: 200, Body: "all is well"}, Wrong, "status page"},
		{fake.Fault{Status: 502, Body: "<html>\n<h1>Bad Gateway</h1></html>"}, Wrong, "status page"},
		{fake.Hang(), Wrong, "firewall"},
	} {
		service.FailShare("getSlot", 1, test.fault)
		report, printed := examined(t, service.Config())
		service.Recover()
		require.Equal(t, Wrong, report.result("key").State, printed) // every plan and host has it
		require.False(t, report.Healthy())
		for _, operation := range operations {
			service.FailShare(operation, 1, test.fault)
		}
		report, printed = examined(t, service.Config())
		require.Empty(t, service.Unused())
		service.Recover()
		for check := range operations {
			r := report.result(check)
			require.Equal(t, test.state, r.State, "%s: %v\n%s", check, test.fault, printed)
			require.Contains(t, r.Advice, test.says)
			require.Regexp(t, `^[^\pC]+$`, r.Found)
		}
		require.Equal(t, test.state != Wrong, report.Healthy())
		require.LessOrEqual(t, report.Credits, uint64(maxCredits))
	}
}

// However all requests end, the checks take at most a minute and the announced credits.
func TestHostThatFailsIsNamedSoon(t *testing.T) {
	t.Parallel()
	for name, host := range map[string]func(*http.Request) (*http.Response, error){
		"firewall": func(r *http.Request) (*http.Response, error) { <-r.Context().Done(); return nil, r.Context().Err() },
		"DNS":      func(*http.Request) (*http.Response, error) { return nil, &net.DNSError{Err: "no such host"} },
		"HTTPS_PROXY": func(*http.Request) (*http.Response, error) {
			return nil, &net.OpError{Op: "proxyconnect", Err: os.ErrClosed}
		},
		"root certific": func(*http.Request) (*http.Response, error) { return nil, x509.UnknownAuthorityError{} },
	} {
		cfg := types.Config{APIKey: types.Key("3f1c9a52-7d04-4e6b-9b8f-1d2a60c7e5f4"), HTTPClient: &http.Client{Transport: roundTripper(host)}}
		report, printed := examined(t, cfg)
		var total int64
		for _, r := range report.Results {
			total += r.Millis
			if r.Check != "rate limits" {
				require.Equal(t, Wrong, r.State, printed)
			}
			if r.Check != "rate limits" && r.Check != "connection" {
				require.True(t, strings.Contains(r.Advice, name) || r.Check == "websocket" && strings.Contains(r.Advice, "no WebSocket"), printed)
			}
		}
		require.LessOrEqual(t, total, int64(70_000), printed)
		require.LessOrEqual(t, report.Credits, uint64(maxCredits))
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// Devnet has neither Wallet API nor Parsed Events: that is not wrong.
func TestDevnetLacksTwoAPIs(t *testing.T) {
	t.Parallel()
	cfg := fake.New(&fake.Options{Network: types.NetworkDevnet}).Config()
	report, printed := examined(t, cfg)
	require.True(t, report.Healthy(), printed)
	require.Equal(t, Absent, report.result("wallet").State)
	require.Equal(t, Absent, report.result("parsed events").State)
	require.Equal(t, OK, report.result("websocket").State, printed)
}

func TestClockAndNetworkAreCompared(t *testing.T) {
	t.Parallel()
	service := fake.New(&fake.Options{Clock: func() time.Time { return time.Now().Add(-time.Hour) }})
	report, _ := examined(t, service.Config())
	require.Equal(t, Wrong, report.result("clock").State)

	cfg := fake.New(&fake.Options{Network: types.NetworkDevnet}).Config()
	cfg.Network = types.NetworkMainnet
	report, _ = examined(t, cfg)
	require.Contains(t, report.result("network").Found, "devnet")
	require.Equal(t, Wrong, report.result("network").State)
}

func TestOutputHasNoKey(t *testing.T) {
	t.Parallel()
	const key = "3f1c9a52-7d04/4e6b+9b8f=1d2a60c7e5f4"
	service := fake.New(nil)
	service.FailShare("getAccountInfo", 1, fake.Fault{Status: 400, Body: `{"error":"what is ` + key + ` or ` + url.QueryEscape(key) + `?"}`})
	cfg := service.Config()
	cfg.APIKey = types.Key(key)
	report, printed := examined(t, cfg)
	text, err := json.Marshal(report)
	require.NoError(t, err)
	for _, secret := range []string{key, url.QueryEscape(key), url.PathEscape(key), base64.StdEncoding.EncodeToString([]byte(key)), key[8:20]} {
		require.NotContains(t, printed+string(text), secret)
	}
	require.Contains(t, printed, "3f1c…e5f4")
}

func TestInterruptEndsTheChecks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := fake.New(nil)
		service.FailShare("getIndexerSlot", 1, fake.Hang())
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(errors.New("interrupted")) })
		var out bytes.Buffer
		report, err := run(ctx, service.Config(), true, &out)
		require.EqualError(t, err, "interrupted")
		require.NotEmpty(t, report.Results)
		require.Contains(t, out.String(), "CHECK")
	})
}
