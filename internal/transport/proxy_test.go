package transport_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// refusingProxy returns the URL of a proxy that answers each CONNECT with a status line.
func refusingProxy(t *testing.T, status string) *url.URL {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = http.ReadRequest(bufio.NewReader(c))
			_, _ = io.WriteString(c, "HTTP/1.1 "+status+"\r\nContent-Length: 0\r\n\r\n")
			_ = c.Close()
		}
	}()
	return &url.URL{Scheme: "http", User: url.UserPassword("me", "pass"), Host: listener.Addr().String()}
}

func TestRefusalsOfAProxySaySo(t *testing.T) {
	t.Parallel()
	for status, says := range map[string]string{
		"302 Found":                         "the proxy refused the connection: 302 Found; check whether the proxy allows this host (HTTPS_PROXY)",
		"403 Forbidden":                     "the proxy refused the connection: 403 Forbidden; check whether the proxy allows this host (HTTPS_PROXY)",
		"407 Proxy Authentication Required": "the proxy refused the connection: 407 Proxy Authentication Required; check the user and password of the proxy (HTTPS_PROXY)",
		"407 authenticationrequired":        "the proxy refused the connection: 407 Proxy Authentication Required; check the user and password of the proxy (HTTPS_PROXY)",
		"405 Method Not Allowed":            "the proxy refused the connection: 405 Method Not Allowed; check whether the proxy allows this host (HTTPS_PROXY)",
	} {
		for _, kind := range protocols {
			shared := transport.SharedTransport().Clone()
			own := new(http.Transport)
			for name, next := range map[string]*http.Transport{"shared": shared, "own": own} {
				if next == own && status == "407 authenticationrequired" {
					continue // net/http tells these words alone
				}
				next.Proxy = http.ProxyURL(refusingProxy(t, status))
				_, err := kind.call(t.Context(), config(next))
				require.ErrorContains(t, err, "hing: "+says, name)
				require.NotContains(t, err.Error(), "attempts", "it is permanent")
				require.NotContains(t, err.Error(), "pass@")
				require.True(t, transport.Unreachable(err))
			}
		}
	}
}

// A proxy without a connection to the service sends nothing, so a create is retried.
func TestProxyWithoutAConnectionIsRetried(t *testing.T) {
	t.Parallel()
	next := transport.SharedTransport().Clone()
	next.Proxy = http.ProxyURL(refusingProxy(t, "503 Service Unavailable"))
	cfg := config(next)
	cfg.MaxAttempts = 2
	err := create(t.Context(), newClient(t, cfg, transport.Webhooks), "/x", 1, new(thing))
	require.ErrorContains(t, err, "the proxy refused the connection: 503 Service Unavailable")
	require.ErrorContains(t, err, "(2 attempts)")
	require.NotErrorIs(t, err, types.ErrMayHaveExecuted)
}

func hostOf(url string) string { return strings.TrimPrefix(url, "https://") }

func TestErrorsOfOtherHostsSayWhatToCheck(t *testing.T) {
	t.Parallel()
	const page = "in types.Config, the proxy, and whether the network wants a login"
	for name, row := range map[string]struct {
		step step
		says string
	}{
		"unknown host": {failing(dnsError(true)), "the host x.test does not exist; check %[2]s in types.Config, the proxy and the DNS"},
		"certificate":  {failing(errors.New("tls: failed to verify certificate: x509: unknown")), "check %[2]s in types.Config, the proxy and the certificates of this machine"},
		"redirect":     {answer(302, "", "Location", "https://portal.test/"), "302 Found: a redirect: %[1]s may be another service; check %[2]s " + page},
		"page":         {htmlPage, "text/html instead of JSON: %[1]s may be another service; check %[2]s " + page},
		"page as JSON": {answer(200, "<html>", "Content-Type", "application/json"), "text/html instead of JSON: %[1]s may be another service; check %[2]s " + page},
		"login page":   {answer(511, "<html>", "Content-Type", "text/html"), "text/html instead of JSON: %[1]s may be another service; check %[2]s " + page},
		"refused page": {answer(403, "<html>", "Content-Type", "text/html"), "403 Forbidden: text/html instead of JSON: %[1]s may be another service; check %[2]s " + page},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				for _, kind := range protocols {
					host, field := hostOf(types.MainnetWalletURL), "WalletURL"
					if kind.name == "JSON-RPC" {
						host, field = hostOf(types.MainnetRPCURL), "RPCURL"
					}
					_, err := kind.call(t.Context(), config(&script{steps: []step{row.step}}))
					require.ErrorContains(t, err, fmt.Sprintf(row.says+"%.0[1]s%.0[2]s", host, field))
				}
			})
		})
	}
}
