package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// examined returns the report of a fake and what was printed.
func examined(t *testing.T, cfg types.Config) (report *Report, printed string) {
	t.Helper()
	var out bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))) // after the transactions of the fake
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
	for _, test := range []struct {
		check, operation string
		fault            fake.Fault
		state            State
		says             string
	}{
		{"key", "getSlot", fake.Unauthorized(), Wrong, "HELIUS_API_KEY"},
		{"wallet", "GET /v1/wallet/{wallet}/identity", fake.Status(http.StatusForbidden), Refused, "larger plan"},
		{"histories", "getTransactionsForAddress", fake.Fault{Status: 200, Body: `{"jsonrpc":"2.0","id":"1","error":{"code":-32600,"message":"getTransactionsForAddress is not available on the free plan"}}`}, Refused, "larger plan"},
		{"assets", "getAssetsByOwner", fake.QuotaExceeded(), Wrong, "credits of the plan"},
		{"assets", "getAssetsByOwner", fake.Fault{Status: 429, Body: `{"error":"rate limit reached; upgrade your plan"}`}, Wrong, "Config.Limiter"},
		{"compression", "getIndexerSlot", fake.RateLimited(time.Second), Wrong, "Config.Limiter"},
		{"parsed events", "POST /v1/parsed-events/transaction-history", fake.Hang(), Wrong, "firewall"},
		{"accounts", "getAccountInfo", fake.Fault{Status: 200, Body: `{"jsonrpc":"2.0","id":"1","error":{"code":-32601,"message":"Method not found"}}`}, Wrong, "does not have the method"},
	} {
		service := fake.New(nil)
		service.FailShare(test.operation, 1, test.fault)
		report, printed := examined(t, service.Config())
		r := report.result(test.check)
		require.Equal(t, test.state, r.State, printed)
		require.Contains(t, r.Advice, test.says)
		require.Equal(t, test.state != Wrong, report.Healthy())
		service.CheckFaults(t)
	}
}

func TestClockAndNetworkAreCompared(t *testing.T) {
	t.Parallel()
	service := fake.New(&fake.Options{Clock: func() time.Time { return time.Now().Add(-time.Hour) }})
	report, _ := examined(t, service.Config())
	require.Equal(t, Wrong, report.result("clock").State)

	service = fake.New(nil)
	service.FailShare("getGenesisHash", 1, fake.Fault{Status: 200, Body: `{"jsonrpc":"2.0","id":"2","result":"EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxkZrBkG"}`})
	report, _ = examined(t, service.Config())
	require.Contains(t, report.result("network").Found, "devnet")
	require.Equal(t, Wrong, report.result("network").State)
}

func TestOutputHasNoKey(t *testing.T) {
	t.Parallel()
	const key = "3f1c9a52-7d04/4e6b+9b8f=1d2a60c7e5f4"
	service := fake.New(nil)
	service.FailShare("getAccountInfo", 1, fake.Fault{Status: 400, Body: `{"error":"what is ` + key + ` or ` + url.QueryEscape(key) + `?"}`})
	cfg := service.Config()
	cfg.APIKey = key
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
