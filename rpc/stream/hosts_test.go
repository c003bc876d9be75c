package stream_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
)

func TestParsedStreamsHaveTheirOwnHost(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		cfg  types.Config
		host string
	}{
		{types.Config{}, strings.TrimPrefix(types.MainnetParsedStreamsURL, "https://")},
		{types.Config{RPCURL: "https://rpc.example"}, "rpc.example"},
		{types.Config{RPCURL: "https://rpc.example", ParsedStreamsURL: "https://parsed.example/path"}, "parsed.example"},
	} {
		asked := map[string]bool{}
		row.cfg.APIKey, row.cfg.HTTPClient = types.Key("a-key"), &http.Client{Transport: through{func(r *http.Request, _ http.RoundTripper) (*http.Response, error) {
			asked[r.URL.Host] = strings.Contains(r.URL.RawQuery, "a-key") && strings.HasPrefix(r.UserAgent(), "solwire-go/")
			return nil, &net.DNSError{Err: "no such host", IsNotFound: true}
		}, nil}}
		streams, err := stream.New(row.cfg)
		require.NoError(t, err)
		for _, err := range streams.ParsedTransactions(t.Context(), &stream.ParsedTransactionsOptions{Accounts: []types.Address{types.TokenProgram}}) {
			require.ErrorContains(t, err, "does not exist; check ")
			require.ErrorContains(t, err, "types.Config.ParsedStreamsURL: ")
		}
		require.Equal(t, map[string]bool{row.host: true}, asked)
		streams.Close()
	}
	_, err := stream.New(types.Config{APIKey: types.Key("a-key"), ParsedStreamsURL: "http://parsed.example"})
	require.EqualError(t, err, "types.Config: ParsedStreamsURL uses http for a host that is not loopback; use https: invalid argument")
}

func TestRefusalOfAProxyEndsAStream(t *testing.T) {
	t.Parallel()
	for status, text := range map[int]string{
		http.StatusForbidden:         "the proxy refused the connection: 403 Forbidden; check whether the proxy allows this host",
		http.StatusProxyAuthRequired: "the proxy refused the connection: 407 Proxy Authentication Required; check the user and password of the proxy",
	} {
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodConnect {
				w.WriteHeader(status)
			}
		}))
		t.Cleanup(proxy.Close)
		address, err := url.Parse(proxy.URL)
		require.NoError(t, err)
		transport := &http.Transport{Proxy: http.ProxyURL(address)}
		t.Cleanup(transport.CloseIdleConnections)
		streams, err := stream.New(types.Config{APIKey: types.Key("a-key"), RPCURL: "https://rpc.example", HTTPClient: &http.Client{Transport: transport}})
		require.NoError(t, err)
		events := 0
		for _, err := range streams.Slots(t.Context()) {
			events++
			require.ErrorContains(t, err, text)
			require.NotContains(t, err.Error(), "a-key")
		}
		require.Equal(t, 1, events)
		streams.Close()
	}
}
