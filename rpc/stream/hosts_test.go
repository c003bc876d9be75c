package stream_test

import (
	"net"
	"net/http"
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
		want string
	}{
		{types.Config{}, "beta.helius-rpc.com"},
		{types.Config{RPCURL: "https://rpc.example"}, "rpc.example"},
		{types.Config{RPCURL: "https://rpc.example", ParsedStreamsURL: "https://parsed.example/path"}, "parsed.example"},
	} {
		asked := map[string]bool{}
		row.cfg.APIKey, row.cfg.HTTPClient = "a-key", &http.Client{Transport: through{func(r *http.Request, _ http.RoundTripper) (*http.Response, error) {
			if strings.Contains(r.URL.RawQuery, "a-key") {
				asked[r.URL.Host] = true
			}
			return respond(401, ""), nil
		}, nil}}
		streams, err := stream.New(row.cfg)
		require.NoError(t, err)
		for _, err := range streams.ParsedTransactions(t.Context(), &stream.ParsedTransactionsOptions{Accounts: []types.Address{types.TokenProgram}}) {
			require.ErrorIs(t, err, types.ErrUnauthorized)
		}
		streams.Close()
		require.Equal(t, map[string]bool{row.want: true}, asked)
	}
	_, err := stream.New(types.Config{APIKey: "a-key", ParsedStreamsURL: "http://parsed.example"})
	require.EqualError(t, err, "types.Config: ParsedStreamsURL uses http for a host that is not loopback; use https: invalid argument")
}

func TestUnknownHostNamesItsURL(t *testing.T) {
	t.Parallel()
	for want, cfg := range map[string]types.Config{
		"types.Config.ParsedStreamsURL and the network":  {},
		"types.Config.ParsedStreamsURL and the network;": {RPCURL: "https://rpc.example", ParsedStreamsURL: "https://parsed.example"},
		"types.Config.RPCURL and the network":            {RPCURL: "https://rpc.example"},
	} {
		cfg.APIKey, cfg.HTTPClient = "a-key", &http.Client{Transport: through{func(*http.Request, http.RoundTripper) (*http.Response, error) {
			return nil, &net.DNSError{Err: "no such host", IsNotFound: true}
		}, nil}}
		streams, err := stream.New(cfg)
		require.NoError(t, err)
		for _, err := range streams.ParsedTransactions(t.Context(), &stream.ParsedTransactionsOptions{Accounts: []types.Address{types.TokenProgram}}) {
			require.ErrorContains(t, err, strings.TrimSuffix(want, ";"))
		}
		for _, err := range streams.Slots(t.Context(), nil) {
			require.ErrorContains(t, err, "types.Config.RPCURL and the network")
		}
		streams.Close()
	}
}
