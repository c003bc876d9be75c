package fakeapi_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
)

// send makes a request by way of the Service's own Config and returns the
// status and the body.
func send(t *testing.T, s *fakeapi.Service, method, url, sent string, headers ...string) (status int, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(sent))
	require.NoError(t, err)
	for i := 1; i < len(headers); i += 2 {
		req.Header.Set(headers[i-1], headers[i])
	}
	resp, err := s.Config().HTTPClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, int64(len(b)), resp.ContentLength)
	return resp.StatusCode, string(b)
}

// same compares JSON as text: JSONEq reads numbers as floats, and would not see
// a number that is written in another way.
func same(t *testing.T, want, got string, about ...any) {
	t.Helper()
	require.Equal(t, want, got, about...)
}

// get asks the wallet host.
func get(t *testing.T, s *fakeapi.Service, path string) (status int, body string) {
	t.Helper()
	return send(t, s, http.MethodGet, s.Config().WalletURL+path, "", "X-Api-Key", fakeapi.Key)
}

func TestKeyIsChecked(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	wallet := s.Config().WalletURL + "/v1/wallet/" + fakeapi.Wallet + "/balances"
	missing := `{"error":"API key required. Pass via ?api-key=xxx or X-Api-Key header","code":401}`
	for _, row := range []struct {
		name, url, header string
		status            int
		body              string
	}{
		{"header", wallet + "?limit=1", fakeapi.Key, 200, ""},
		{"query", wallet + "?limit=1&api-key=" + fakeapi.Key, "", 200, ""},
		{"both", wallet + "?limit=1&api-key=" + fakeapi.Key, fakeapi.Key, 200, ""},
		{"none", wallet, "", 401, missing},
		{"wrong", wallet, "wrong", 401, missing},
		{"expired", wallet, fakeapi.ExpiredKey, 401, missing},
		{"limited", wallet, fakeapi.LimitedKey, 429, `{"error":"RATE_LIMIT_EXCEEDED","code":429,"details":"Too many requests. Retry after 2 seconds."}`},
	} {
		status, body := send(t, s, http.MethodGet, row.url, "", "X-Api-Key", row.header)
		require.Equal(t, row.status, status, row.name)
		if row.body != "" {
			require.Equal(t, row.body, body, row.name)
		}
	}
}

func TestRequestsTellWhatCameIn(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, "{}")
	send(t, s, http.MethodPut, s.Config().WebhooksURL+"/v0/webhooks/a%2Fb?api-key=k&x=1&x=2", `{"a":1}`, "X-Trace", "yes")
	get(t, s, "/v1/wallet/me/balances")

	got := s.Requests()
	require.Len(t, got, 2)
	require.Equal(t, "PUT", got[0].Method)
	require.Equal(t, "webhooks.solwire.test", got[0].Host)
	require.Equal(t, "/v0/webhooks/a%2Fb", got[0].Path)
	require.Equal(t, []string{"1", "2"}, got[0].Query["x"])
	require.Equal(t, "yes", got[0].Header.Get("X-Trace"))
	same(t, `{"a":1}`, got[0].Body)
	require.Equal(t, "7", got[0].Header.Get("Content-Length"))
	require.Equal(t, "/v1/wallet/me/balances", got[1].Path)

	short := fakeapi.New()
	short.Keep = 1
	get(t, short, "/v1/wallet/me/balances")
	get(t, short, "/v1/wallet/you/balances")
	require.Len(t, short.Requests(), 1)
}

func TestOtherHostsDoNotExist(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	for _, url := range []string{"https://example.com/v1?q=secret", "http://wallet.solwire.test/", "https://wallet.solwire.test:8443/"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader("body"))
		require.NoError(t, err)
		resp, err := s.Config().HTTPClient.Do(req)
		if err == nil {
			_ = resp.Body.Close()
		}
		var dns *net.DNSError
		require.ErrorAs(t, err, &dns)
		require.True(t, dns.IsNotFound)
	}
	require.Empty(t, s.Requests())
}

// sendSOL sends lamports from one wallet to another.
func sendSOL(s *fakeapi.Service, from, to string, lamports uint64) (*world.Transaction, error) {
	return s.Make(func(b *world.Builder) {
		b.Transact(world.Transaction{Kind: "TRANSFER", Fee: 5000, FeePayer: from}, []world.Leg{{From: from, To: to, Amount: world.Text(lamports, 9)}})
	})
}
