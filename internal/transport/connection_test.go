package transport_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// connections are failures of a connection. The peer plays the act once and responds
// well after that.
var connections = []struct {
	name string
	act  act
}{
	{"reset while waiting", then(reply(""), resetIt)},
	{"closed while waiting", then(reply(""), closeIt)},
	{"closed inside the headers", then(reply(echo+"Content-Le"), closeIt)},
	{"reset inside the body", then(reply(echo+"Content-Length: 1000\r\n\r\n{\"answer\":"), resetIt)},
	{"short Content-Length", then(reply(echo+"Content-Length: 1000\r\n\r\n{\"answer\":"), closeIt)},
	{"chunk cut off", then(reply(echo+"Transfer-Encoding: chunked\r\n\r\n40\r\n{\"answer\":"), closeIt)},
	{"last chunk missing", then(reply(echo+"Transfer-Encoding: chunked\r\n\r\na\r\n{\"answer\":\r\n"), closeIt)},
	{"answer without length stops early", then(reply(echo+"Connection: close\r\n\r\n{\"answer\":"), closeIt)},
	{"no HTTP at all", then(reply("220 "+key+" ESMTP\r\n"), closeIt)},
	{"gzip that breaks off", then(reply(echo+"Content-Encoding: gzip\r\nConnection: close\r\n\r\n\x1f\x8b\x08\x00"), closeIt)},
}

func TestConnectionFailures(t *testing.T) {
	t.Parallel()
	for _, row := range connections {
		for _, kind := range protocols {
			t.Run(row.name+"/"+kind.name, func(t *testing.T) {
				t.Parallel()
				p := listen(t, row.act, good(kind.ok))
				got, err := kind.call(t.Context(), overTCP(t, p.url()))
				require.NoError(t, err)
				require.Equal(t, 7, got)
				require.EqualValues(t, 2, p.requests.Load())

				// Without retries: an error, never half a response.
				p = listen(t, row.act)
				cfg := overTCP(t, p.url())
				cfg.MaxAttempts = 1
				got, err = kind.call(t.Context(), cfg)
				require.Error(t, err)
				requireNoKey(t, err)
				require.Zero(t, got)
				require.EqualValues(t, 1, p.requests.Load())
			})
		}
		t.Run(row.name+"/create", func(t *testing.T) {
			t.Parallel()
			p := listen(t, row.act, good(`{}`))
			require.Error(t, create(t.Context(), newClient(t, overTCP(t, p.url()), transport.Webhooks), "/x", 1, new(thing)))
			require.EqualValues(t, 1, p.requests.Load())
		})
	}
}

func TestUntrustedServersAreDialledOnce(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		tls     *tls.Config
		from    string // is replaced in the URL of the server
		to      string
		trust   bool
		refused bool // the client refuses the certificate
	}{
		"unknown certificate": {new(tls.Config), "", "", false, true},
		// The certificate is for example.com and 127.0.0.1.
		"wrong name":                 {new(tls.Config), "127.0.0.1", "localhost", true, true},
		"no common TLS version":      {&tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}, "", "", false, false},
		"plain HTTP on an https URL": {nil, "http:", "https:", false, false},
	} {
		for _, kind := range protocols {
			t.Run(name+"/"+kind.name, func(t *testing.T) {
				t.Parallel()
				var dials atomic.Int64
				s := httptest.NewUnstartedServer(http.NotFoundHandler())
				s.Config.ErrorLog = log.New(io.Discard, "", 0)
				s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
					if state == http.StateNew {
						dials.Add(1)
					}
				}
				if s.TLS = row.tls; s.TLS != nil {
					s.StartTLS()
				} else {
					s.Start()
				}
				t.Cleanup(s.Close)
				cfg := overTCP(t, strings.Replace(s.URL, row.from, row.to, 1))
				if row.trust {
					cfg.HTTPClient.Transport = s.Client().Transport
				}
				_, err := kind.call(t.Context(), cfg)
				require.Error(t, err)
				var verification *tls.CertificateVerificationError
				require.Equal(t, row.refused, errors.As(err, &verification))
				require.Equal(t, s.TLS == nil, errors.Is(err, http.ErrSchemeMismatch))
				requireNoKey(t, err)
				require.EqualValues(t, 1, dials.Load())
			})
		}
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, kind := range protocols {
			other := listen(t, good(kind.ok))
			p := listen(t, reply(fmt.Sprintf("HTTP/1.1 %d Elsewhere\r\nLocation: %s/\r\nContent-Length: 0\r\n\r\n", status, other.url())))
			cfg := overTCP(t, p.url())
			// would follow
			cfg.HTTPClient.CheckRedirect = func(*http.Request, []*http.Request) error { return nil }
			_, err := kind.call(t.Context(), cfg)
			var refusal *types.APIError
			require.ErrorAs(t, err, &refusal)
			require.Equal(t, status, refusal.StatusCode)
			requireNoKey(t, err)
			require.EqualValues(t, 1, p.requests.Load())
			require.Zero(t, other.requests.Load(), "the key would go to the other host")
		}
	}
}

// A server may close an idle connection just when a request is sent on it. net/http
// then repeats reads by itself. It must not repeat creates, nor deletes, since the 404
// of the repeat would be taken for the response.
func TestIdleConnectionClosedDuringARequest(t *testing.T) {
	t.Parallel()
	for name, kind := range callKinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := listen(t, good(http2Body), then(reply(""), closeIt), good(http2Body))
			cfg := overTCP(t, p.url())
			cfg.MaxAttempts = 1
			c := newClient(t, cfg, transport.Webhooks)
			require.NoError(t, get(t.Context(), c, "/x", new(thing)))
			require.Equal(t, kind.most == 2, kind.call(t.Context(), c) == nil)
			require.Equal(t, 1+kind.most, p.requests.Load())
		})
	}
}

func TestFailuresKeepIdleConnections(t *testing.T) {
	t.Parallel()
	p := listen(t, func(c *net.TCPConn, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "bad") {
			return reply("HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\n{}")(c, r)
		}
		return good(`{}`)(c, r)
	})
	c := newClient(t, overTCP(t, p.url()), transport.Wallet)
	for range 20 {
		require.NoError(t, get(t.Context(), c, "/good", new(thing)))
		require.Error(t, get(t.Context(), c, "/bad", new(thing)))
		done, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, get(done, c, "/good", new(thing)), context.Canceled)
	}
	require.Less(t, p.dials.Load(), int64(5), "net/http gives up a connection when it writes slowly")
}
