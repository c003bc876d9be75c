package transport_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

func TestInvalidConfigIsRefused(t *testing.T) {
	t.Parallel()
	wallet := func(url string) types.Config { return types.Config{APIKey: types.Key(key), WalletURL: url} }
	for name, row := range map[string]struct {
		cfg   types.Config
		field string
	}{
		"no key":                       {types.Config{}, "APIKey"},
		"key with a newline":           {types.Config{APIKey: types.Key(key + "\n")}, "APIKey"},
		"key with a space":             {types.Config{APIKey: types.Key("a b")}, "APIKey"},
		"key beyond ASCII":             {types.Config{APIKey: types.Key("schlüssel")}, "APIKey"},
		"URL instead of a key":         {types.Config{APIKey: types.Key(types.MainnetRPCURL + "/?api-key=x")}, "APIKey"},
		"printed key":                  {types.Config{APIKey: types.Key("***")}, "APIKey"},
		"key in quotes":                {types.Config{APIKey: types.Key(`"x"`)}, "APIKey"},
		"key with a quote left":        {types.Config{APIKey: types.Key("x'")}, "APIKey"},
		"negative attempts":            {types.Config{APIKey: types.Key(key), MaxAttempts: -1}, "MaxAttempts"},
		"no scheme":                    {wallet("api.test"), "WalletURL"},
		"no host":                      {wallet("https://"), "WalletURL"},
		"invalid URL with the key":     {wallet("https://api.test:x/" + key), "WalletURL"},
		"another scheme":               {wallet("ftp://api.test"), "WalletURL"},
		"http to another host":         {wallet("http://api.test"), "WalletURL"},
		"http to a loopback prefix":    {wallet("http://127.0.0.1.test"), "WalletURL"},
		"query with the key":           {wallet("https://api.test/?api-key=" + url.QueryEscape(key)), "WalletURL"},
		"fragment":                     {wallet("https://api.test/#" + url.PathEscape(key)), "WalletURL"},
		"user":                         {wallet("https://" + url.PathEscape(key) + "@api.test"), "WalletURL"},
		"RPCURL of another network":    {types.Config{APIKey: types.Key(key), RPCURL: types.DevnetRPCURL}, "RPCURL"},
		"RPCURL of another Network":    {types.Config{APIKey: types.Key(key), RPCURL: types.DevnetRPCURL}, "WalletURL"},
		"http for another RPCURL":      {types.Config{APIKey: types.Key(key), RPCURL: "http://api.test"}, "RPCURL"},
		"http for another webhooks":    {types.Config{APIKey: types.Key(key), WebhooksURL: "http://api.test"}, "WebhooksURL"},
		"RPCURL that is not a URL":     {types.Config{APIKey: types.Key(key), RPCURL: "rpc"}, "RPCURL"},
		"WebhooksURL without a scheme": {types.Config{APIKey: types.Key(key), WebhooksURL: "hooks"}, "WebhooksURL"},
	} {
		host := map[string]transport.Host{"RPCURL": transport.RPC, "WebhooksURL": transport.Webhooks}[row.field]
		if row.field == "WalletURL" {
			host = transport.Wallet
		}
		c, err := transport.New(row.cfg, host, nil)
		require.Nil(t, c, name)
		require.ErrorIs(t, err, types.ErrInvalid, name)
		require.True(t, strings.HasPrefix(err.Error(), "types.Config: "+row.field+" "), err)
		requireNoKey(t, err)
	}
}

func TestValidURLs(t *testing.T) {
	t.Parallel()
	for _, base := range []string{
		"http://localhost:1", "http://LocalHost:65535", "http://127.0.0.1:8899/", "http://[::1]", "https://api.test/prefix/",
		"HTTPS://API.test", "https://api.test:", "https://[::1]:8443//",
	} {
		cfg := config(&script{steps: []step{answer(200, `{}`)}})
		cfg.RPCURL, cfg.WalletURL, cfg.WebhooksURL = base, base, base
		for _, host := range []transport.Host{transport.RPC, transport.Wallet, transport.Webhooks} {
			require.NoError(t, get(t.Context(), newClient(t, cfg, host), "/x", new(thing)), base)
		}
	}
}

func TestRequestsOnTheWire(t *testing.T) {
	t.Parallel()
	s := &script{steps: []step{answer(200, `{"context":{"slot":1},"value":1}`)}}
	cfg, ctx := config(s), t.Context()
	var out struct{}
	rpc, wallet, webhooks := newClient(t, cfg, transport.RPC), newClient(t, cfg, transport.Wallet), newClient(t, cfg, transport.Webhooks)
	_, _, err := getThing(ctx, rpc, map[string]int{"limit": 2})
	require.NoError(t, err)
	_, _, err = getThing(ctx, rpc, []any{"x"})
	require.NoError(t, err)
	require.NoError(t, fetch(ctx, wallet, transport.Request{
		Op: transport.Op{Method: "test.Client.Thing", Wire: "GET /v1/{a}/{b}/{c}"}, Path: []string{"a/b", "c?d", "ü"}, Query: url.Values{"q": {"x y", "+"}},
	}, &out))
	require.NoError(t, change(ctx, wallet, "POST", []int{1}))
	require.NoError(t, fetch(ctx, webhooks, transport.Request{Op: transport.Op{Method: "test.Client.Thing", Wire: "GET /x"}, Query: url.Values{"a": {"1"}}}, &out))
	require.NoError(t, create(ctx, webhooks, "/x", struct{}{}, &out))
	require.NoError(t, change(ctx, webhooks, "PUT", struct{}{}))
	require.NoError(t, remove(ctx, webhooks))
	cfg.RPCURL = "https://own.test/deep/"
	_, _, err = getThing(ctx, newClient(t, cfg, transport.RPC), []any{})
	require.NoError(t, err)

	const escaped = `k3y%2F%2B%26%22%3C%5C%3E%25-secret`
	want := []struct{ line, header, body string }{
		{"POST " + types.MainnetRPCURL + "?api-key=" + escaped, "", `{"jsonrpc":"2.0","id":"1","method":"getThing","params":{"limit":2}}`},
		{"POST " + types.MainnetRPCURL + "?api-key=" + escaped, "", `{"jsonrpc":"2.0","id":"1","method":"getThing","params":["x"]}`},
		{"GET " + types.MainnetWalletURL + "/v1/a%2Fb/c%3Fd/%C3%BC?q=x+y&q=%2B", key, ``},
		{"POST " + types.MainnetWalletURL + "/x", key, `[1]`},
		{"GET " + types.MainnetWebhooksURL + "/x?a=1&api-key=" + escaped, "", ``},
		{"POST " + types.MainnetWebhooksURL + "/x?api-key=" + escaped, "", `{}`},
		{"PUT " + types.MainnetWebhooksURL + "/x?api-key=" + escaped, "", `{}`},
		{"DELETE " + types.MainnetWebhooksURL + "/x?api-key=" + escaped, "", ``},
		{"POST https://own.test/deep/?api-key=" + escaped, "", `{"jsonrpc":"2.0","id":"1","method":"getThing","params":[]}`},
	}
	require.Len(t, s.requests, len(want))
	agent := fmt.Sprintf("solwire-go/%s (%s; %s/%s)", transport.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	for i, w := range want {
		r := s.requests[i]
		require.Equal(t, w.line, r.Method+" "+r.URL.String())
		require.Equal(t, w.header, r.Header.Get("X-Api-Key"), w.line)
		require.Equal(t, w.body, s.bodies[i])
		require.Equal(t, w.body != "", r.Header.Get("Content-Type") == "application/json", w.line)
		require.Equal(t, "application/json", r.Header.Get("Accept"))
		require.Equal(t, agent, r.Header.Get("User-Agent"))
		require.Empty(t, r.Header.Get("Referer"))
	}
}

func TestNilArgumentsAreRefused(t *testing.T) {
	t.Parallel()
	for name, kind := range callKinds {
		c, s := client(t, transport.Wallet, answer(200, `{}`))
		err := kind.call(nil, c)
		require.ErrorIs(t, err, types.ErrInvalid, name)
		require.ErrorContains(t, err, "ctx is nil")
		require.ErrorIs(t, kind.call(t.Context(), nil), types.ErrInvalid, "a client that New did not make")
		done, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, kind.call(done, c), context.Canceled)
		require.Zero(t, s.count())
	}
}

func TestSharedTransport(t *testing.T) {
	t.Parallel()
	shared := transport.SharedTransport()
	require.Same(t, shared, transport.SharedTransport())
	require.NotSame(t, http.DefaultTransport, shared)
	require.Equal(t, 100, shared.MaxIdleConnsPerHost)
	require.Equal(t, 100, shared.MaxIdleConns)
	require.EqualValues(t, 1<<20, shared.MaxResponseHeaderBytes)
	require.Equal(t, http.HTTP2Config{MaxReadFrameSize: 1 << 20, SendPingTimeout: 15 * time.Second, PingTimeout: 15 * time.Second}, *shared.HTTP2)
}

func TestNilTransportIsTheSharedOne(t *testing.T) {
	t.Parallel()
	cfg := config(nil)
	cfg.WalletURL = listen(t, good(`{}`)).url()
	require.NoError(t, get(t.Context(), newClient(t, cfg, transport.Wallet), "/x", new(thing)))
	transport.SharedTransport().CloseIdleConnections()
}

func TestCallersHTTPClientIsNotChanged(t *testing.T) {
	t.Parallel()
	cfg := config(&script{steps: []step{answer(200, `{}`)}})
	before := *cfg.HTTPClient
	require.NoError(t, get(t.Context(), newClient(t, cfg, transport.Wallet), "/x", new(thing)))
	require.Equal(t, before, *cfg.HTTPClient)
}

// A key that is passed as an argument is not printed either.
func TestArgumentErrorsHideTheKey(t *testing.T) {
	t.Parallel()
	c, _ := client(t, transport.RPC, failing(refused))
	require.EqualError(t, c.Check(transport.Op{Method: "test.Client.Thing", Wire: "getThing"}, nil, types.ErrInvalid), "test.Client.Thing: invalid argument")
	for _, spelling := range spellings {
		err := c.Check(transport.Op{Method: "test.Client.Thing", Wire: "getThing"}, nil, fmt.Errorf("id %s is not a UUID: %w", spelling, types.ErrInvalid))
		require.ErrorIs(t, err, types.ErrInvalid)
		requireNoKey(t, err)
	}
}
