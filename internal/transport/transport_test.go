package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

func TestNewRefusesWhatCannotWork(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name  string
		cfg   types.Config
		field string
	}{
		{"no key", types.Config{}, "APIKey"},
		{"key with the end of its line", types.Config{APIKey: key + "\n"}, "APIKey"},
		{"key with a space", types.Config{APIKey: "a b"}, "APIKey"},
		{"key beyond ASCII", types.Config{APIKey: "schlüssel"}, "APIKey"},
		{"negative attempts", types.Config{APIKey: key, MaxAttempts: -1}, "MaxAttempts"},
		{"no scheme", types.Config{APIKey: key, WalletURL: "api.test"}, "WalletURL"},
		{"no host", types.Config{APIKey: key, WalletURL: "https://"}, "WalletURL"},
		{"port alone", types.Config{APIKey: key, WalletURL: "https://:80"}, "WalletURL"},
		{"unparsable, with the key", types.Config{APIKey: key, WalletURL: "https://api.test:x/" + key}, "WalletURL"},
		{"another scheme", types.Config{APIKey: key, WalletURL: "ftp://api.test"}, "WalletURL"},
		{"http to another machine", types.Config{APIKey: key, WalletURL: "http://api.test"}, "WalletURL"},
		{"http to an address of the local network", types.Config{APIKey: key, WalletURL: "http://192.168.1.1"}, "WalletURL"},
		{"http to a name that begins like loopback", types.Config{APIKey: key, WalletURL: "http://127.0.0.1.test"}, "WalletURL"},
		{"query with the key", types.Config{APIKey: key, WalletURL: "https://api.test/?api-key=" + url.QueryEscape(key)}, "WalletURL"},
		{"empty query", types.Config{APIKey: key, WalletURL: "https://api.test/?"}, "WalletURL"},
		{"fragment", types.Config{APIKey: key, WalletURL: "https://api.test/#" + url.PathEscape(key)}, "WalletURL"},
		{"port beyond 65535", types.Config{APIKey: key, WalletURL: "https://api.test:99999"}, "WalletURL"},
		{"port 0", types.Config{APIKey: key, WalletURL: "https://api.test:0"}, "WalletURL"},
		{"user", types.Config{APIKey: key, WalletURL: "https://" + url.PathEscape(key) + "@api.test"}, "WalletURL"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c, err := transport.New(row.cfg, transport.Wallet)
			require.Nil(t, c)
			require.ErrorIs(t, err, types.ErrInvalid)
			require.True(t, strings.HasPrefix(err.Error(), row.field+": "), err)
			requireNoKey(t, err)
		})
	}
	_, err := transport.New(types.Config{APIKey: key, RPCURL: "rpc"}, transport.RPC)
	require.ErrorContains(t, err, "RPCURL")
	_, err = transport.New(types.Config{APIKey: key, WebhooksURL: "hooks"}, transport.Webhooks)
	require.ErrorContains(t, err, "WebhooksURL")
	for _, fine := range []string{"http://localhost:1", "http://LocalHost:65535", "http://127.0.0.1:8899/", "http://[::1]", "https://api.test/prefix/", "HTTPS://API.test"} {
		_, err := transport.New(types.Config{APIKey: key, WalletURL: fine}, transport.Wallet)
		require.NoError(t, err, fine)
	}
}

func TestRequestsGoWhereTheServiceListens(t *testing.T) {
	t.Parallel()
	s := &script{steps: []step{answer(200, `{"context":{"slot":1},"value":1}`)}}
	cfg := config(s)
	ctx := t.Context()
	var out struct{}

	rpc, err := transport.New(cfg, transport.RPC)
	require.NoError(t, err)
	_, _, err = transport.Call[int](ctx, rpc, "getThing", map[string]int{"limit": 2})
	require.NoError(t, err)
	_, _, err = transport.Call[int](ctx, rpc, "getThing", []any{"x"})
	require.NoError(t, err)
	wallet, err := transport.New(cfg, transport.Wallet)
	require.NoError(t, err)
	require.NoError(t, wallet.Get(ctx, transport.Path("v1", "a/b", "c?d", "ü"), url.Values{"q": {"x y", "+"}}, &out))
	require.NoError(t, wallet.Post(ctx, "/v1/ask", []int{1}, &out))
	webhooks, err := transport.New(cfg, transport.Webhooks)
	require.NoError(t, err)
	require.NoError(t, webhooks.Get(ctx, "/v0/x", url.Values{"a": {"1"}}, &out))
	require.NoError(t, webhooks.Create(ctx, "/v0/x", struct{}{}, &out))
	require.NoError(t, webhooks.Put(ctx, "/v0/x", struct{}{}, &out))
	require.NoError(t, webhooks.Patch(ctx, "/v0/x", struct{}{}, &out))
	require.NoError(t, webhooks.Delete(ctx, "/v0/x"))
	cfg.RPCURL = "https://own.test/deep/"
	own, err := transport.New(cfg, transport.RPC)
	require.NoError(t, err)
	_, _, err = transport.Call[int](ctx, own, "getThing", []any{})
	require.NoError(t, err)

	const escaped = `k3y%2F%2B%26%22%3C%5C%3E%25-secret`
	want := []struct{ line, header, body string }{
		{"POST https://mainnet.helius-rpc.com?api-key=" + escaped, "", `{"jsonrpc":"2.0","id":"1","method":"getThing","params":{"limit":2}}`},
		{"POST https://mainnet.helius-rpc.com?api-key=" + escaped, "", `{"jsonrpc":"2.0","id":"2","method":"getThing","params":["x"]}`},
		{"GET https://api.helius.xyz/v1/a%2Fb/c%3Fd/%C3%BC?q=x+y&q=%2B", key, ``},
		{"POST https://api.helius.xyz/v1/ask", key, `[1]`},
		{"GET https://api-mainnet.helius-rpc.com/v0/x?a=1&api-key=" + escaped, "", ``},
		{"POST https://api-mainnet.helius-rpc.com/v0/x?api-key=" + escaped, "", `{}`},
		{"PUT https://api-mainnet.helius-rpc.com/v0/x?api-key=" + escaped, "", `{}`},
		{"PATCH https://api-mainnet.helius-rpc.com/v0/x?api-key=" + escaped, "", `{}`},
		{"DELETE https://api-mainnet.helius-rpc.com/v0/x?api-key=" + escaped, "", ``},
		{"POST https://own.test/deep/?api-key=" + escaped, "", `{"jsonrpc":"2.0","id":"1","method":"getThing","params":[]}`},
	}
	require.Len(t, s.requests, len(want))
	agent := fmt.Sprintf("solwire-go/%s (%s; %s/%s)", transport.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	for i, w := range want {
		r := s.requests[i]
		require.Equal(t, w.line, r.Method+" "+r.URL.String())
		require.Equal(t, w.header, r.Header.Get("X-Api-Key"), w.line)
		require.Equal(t, w.body, s.bodies[i])
		media := ""
		if w.body != "" {
			media = "application/json"
		}
		require.Equal(t, media, r.Header.Get("Content-Type"), w.line)
		require.Equal(t, "application/json", r.Header.Get("Accept"))
		require.Equal(t, agent, r.Header.Get("User-Agent"))
	}
}

func TestOtherHostsAreRefused(t *testing.T) {
	t.Parallel()
	s := &script{steps: []step{answer(200, `{}`)}}
	c, err := transport.New(config(s), transport.Wallet)
	require.NoError(t, err)
	for _, elsewhere := range []string{
		"https://other.test/", "http://api.helius.xyz/", "https://api.helius.xyz:8443/", "https://api.helius.xyz.other.test/",
	} {
		body := &closing{Reader: strings.NewReader("x")}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, elsewhere, body)
		require.NoError(t, err)
		_, err = transport.HTTPClient(c).Do(req)
		require.ErrorContains(t, err, "another host refused", elsewhere)
		require.True(t, body.closed)
	}
	require.Zero(t, s.count())
}

type closing struct {
	io.Reader
	closed bool
}

func (c *closing) Close() error {
	c.closed = true
	return nil
}

func TestKeyIsAddedBeneathNetHTTP(t *testing.T) {
	t.Parallel()
	for _, kind := range callers {
		s := &script{steps: []step{answer(200, kind.ok)}}
		cfg := config(s)
		jar := &urls{}
		cfg.HTTPClient.Jar = jar
		_, err := kind.call(t.Context(), cfg)
		require.NoError(t, err)
		require.NotEmpty(t, jar.all)
		requireHidden(t, strings.Join(jar.all, " "))
	}
}

// urls is a cookie jar that notes the URLs it is asked about: those that net/http sees.
type urls struct{ all []string }

func (u *urls) SetCookies(*url.URL, []*http.Cookie) {}
func (u *urls) Cookies(v *url.URL) []*http.Cookie {
	u.all = append(u.all, v.String())
	return nil
}

// The loop of retries and net/http see the request that an answer names.
func TestAnswersNameTheRequestWithoutTheKey(t *testing.T) {
	t.Parallel()
	for host, address := range map[transport.Host]string{transport.RPC: types.MainnetRPCURL, transport.Wallet: types.MainnetWalletURL} {
		s := &script{steps: []step{answer(200, `{}`)}}
		c, err := transport.New(config(s), host)
		require.NoError(t, err)
		resp, err := transport.HTTPClient(c).Get(address)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		sent := s.requests[0]
		require.Contains(t, fmt.Sprint(sent.URL, sent.Header), "k3y")
		require.NotContains(t, fmt.Sprint(resp.Request.URL, resp.Request.Header), "k3y")
	}
}

func TestUnusualSpellingsOfAURLAreTheSameHost(t *testing.T) {
	t.Parallel()
	for _, spelling := range []string{"https://API.test", "HTTPS://api.test:", "https://api.test:443/", "https://[::1]:8443//"} {
		s := &script{steps: []step{answer(200, `{}`)}}
		cfg := config(s)
		cfg.WalletURL = spelling
		c, err := transport.New(cfg, transport.Wallet)
		require.NoError(t, err)
		var out struct{}
		require.NoError(t, c.Get(t.Context(), "/x", nil, &out), spelling)
	}
}

// The network may notice a deadline before the context's own timer fires.
func TestDeadlineNoticedByTheNetworkIsTheContexts(t *testing.T) {
	t.Parallel()
	for _, kind := range callers {
		synctest.Test(t, func(t *testing.T) {
			s := &script{steps: []step{func(*http.Request) (*http.Response, error) {
				time.Sleep(time.Second)
				return nil, &net.OpError{Op: "dial", Err: timeout{}}
			}}}
			_, err := kind.call(lateContext{t.Context(), time.Now().Add(time.Second)}, config(s))
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.ErrorContains(t, err, "before that: dial: i/o timeout")
			require.Equal(t, 1, s.count())
		})
	}
}

// A lateContext does not notice that its deadline has passed.
type lateContext struct {
	context.Context
	deadline time.Time
}

func (c lateContext) Deadline() (time.Time, bool) { return c.deadline, true }

// What a refusal says is known even if the context cuts its body short, and so
// is that the context ended.
func TestContextThatCutsARefusalShort(t *testing.T) {
	t.Parallel()
	for _, kind := range callers {
		synctest.Test(t, func(t *testing.T) {
			s := &script{steps: []step{func(r *http.Request) (*http.Response, error) {
				resp, err := hangInBody(r)
				resp.StatusCode = http.StatusUnauthorized
				return resp, err
			}}}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, err := kind.call(ctx, config(s))
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.ErrorIs(t, err, types.ErrUnauthorized)
		})
	}
}

func TestNilContextIsRefused(t *testing.T) {
	t.Parallel()
	for _, kind := range callers {
		s := &script{steps: []step{answer(200, kind.ok)}}
		_, err := kind.call(nil, config(s))
		require.ErrorIs(t, err, types.ErrInvalid)
		require.ErrorContains(t, err, "ctx")
		require.Zero(t, s.count())
	}
}

func TestClientNotMadeByNewIsRefused(t *testing.T) {
	t.Parallel()
	var c *transport.Client
	require.ErrorIs(t, c.Get(t.Context(), "/x", nil, nil), types.ErrInvalid)
	require.ErrorIs(t, c.Delete(t.Context(), "/x"), types.ErrInvalid)
	_, _, err := transport.Call[int](t.Context(), c, "getThing", 0)
	require.ErrorIs(t, err, types.ErrInvalid)
}

func TestSharedTransportIsMadeForOneHostAndManyCallers(t *testing.T) {
	t.Parallel()
	shared := transport.SharedTransport()
	require.Same(t, shared, transport.SharedTransport())
	require.Equal(t, 100, shared.MaxIdleConnsPerHost)
	require.Equal(t, 100, shared.MaxIdleConns)
	require.EqualValues(t, 1<<20, shared.MaxResponseHeaderBytes)
	require.NotSame(t, http.DefaultTransport, shared)
}

// A careless Transport changes the request it is given.
func TestCarelessTransportDoesNoLastingHarm(t *testing.T) {
	t.Parallel()
	for _, kind := range callers {
		synctest.Test(t, func(t *testing.T) {
			s := &script{steps: []step{func(r *http.Request) (*http.Response, error) {
				if key := r.Header["X-Api-Key"]; key != nil {
					key[0] = "[redacted]"
				}
				r.URL.Host = "other.test"
				r.Header.Set("Accept", "text/html")
				r.Header.Del("X-Api-Key")
				for _, values := range r.Header {
					for i := range values {
						values[i] = "[redacted]"
					}
				}
				return answer(503, ``)(r)
			}, func(r *http.Request) (*http.Response, error) {
				require.NotEqual(t, "other.test", r.URL.Host)
				require.Equal(t, "application/json", r.Header.Get("Accept"))
				require.Contains(t, r.Header.Get("User-Agent"), "solwire-go/")
				require.NotContains(t, fmt.Sprint(r.Header, r.URL), "redacted")
				return answer(200, kind.ok)(r)
			}}}
			_, err := kind.call(t.Context(), config(s))
			require.NoError(t, err)
		})
	}
}

func TestCallersClientIsNotChanged(t *testing.T) {
	t.Parallel()
	s := &script{steps: []step{answer(200, `{}`)}}
	client := &http.Client{Transport: s}
	c, err := transport.New(types.Config{APIKey: key, HTTPClient: client}, transport.Wallet)
	require.NoError(t, err)
	var out struct{}
	require.NoError(t, c.Get(t.Context(), "/x", nil, &out))
	require.Same(t, s, client.Transport)
	require.Nil(t, client.CheckRedirect)
	require.ErrorIs(t, transport.HTTPClient(c).CheckRedirect(nil, nil), http.ErrUseLastResponse, "its copy follows no redirect")
	require.Zero(t, client.Timeout)
}

func TestMaxAttempts(t *testing.T) {
	t.Parallel()
	for given, requests := range map[int]int{0: 4, 1: 1, 2: 2, 7: 7} {
		synctest.Test(t, func(t *testing.T) {
			s := &script{steps: []step{answer(500, `{}`)}}
			cfg := config(s)
			cfg.MaxAttempts = given
			_, err := callers[0].call(t.Context(), cfg)
			require.Error(t, err)
			require.Equal(t, requests, s.count())
		})
	}
}

func TestWaitsDoubleUpToTwentySeconds(t *testing.T) {
	t.Parallel()
	for status, first := range map[int]time.Duration{500: 500 * ms, 503: time.Second, 429: time.Second} {
		synctest.Test(t, func(t *testing.T) {
			var at []time.Time
			s := &script{steps: []step{func(r *http.Request) (*http.Response, error) {
				at = append(at, time.Now())
				return answer(status, `{}`)(r)
			}}}
			cfg := config(s)
			cfg.MaxAttempts = 9
			_, err := callers[0].call(t.Context(), cfg)
			require.Error(t, err)
			longest, different := first, false
			for i := 1; i < len(at); i++ {
				waited := at[i].Sub(at[i-1])
				require.GreaterOrEqual(t, waited, longest/2)
				require.LessOrEqual(t, waited, longest)
				different = different || waited != longest
				longest = min(2*longest, 20*time.Second)
			}
			require.True(t, different, "half of a wait is random")
		})
	}
}

// What makes something new is repeated only where the service has not acted.
func TestCreateIsRepeatedOnlyWhenNothingHappened(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name     string
		step     step
		requests int
	}{
		{"refused connection", failing(refused), 2},
		{"temporary DNS error", failing(dnsError(false)), 2},
		{"429", answer(429, `{}`), 2},
		{"host does not exist", failing(dnsError(true)), 1},
		{"429, quota used up", answer(429, quota), 1},
		{"reset", failing(reset), 1},
		{"end of stream", failing(io.EOF), 1},
		{"timeout", hang, 1},
		{"408", answer(408, `{}`), 1},
		{"500", answer(500, `{}`), 1},
		{"503", answer(503, `{}`), 1},
		{"504", answer(504, `{}`), 1},
		{"body reset", cutBody(reset), 1},
		{"empty answer", answer(200, ``), 1},
		{"answer breaks off", answer(200, `{"a"`), 1},
		{"page", page, 1},
		{"node behind", answer(200, rpcError(-32005, "?")), 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &script{steps: []step{row.step, answer(200, `{}`)}}
				c, err := transport.New(config(s), transport.Webhooks)
				require.NoError(t, err)
				var out struct{}
				err = c.Create(t.Context(), "/v0/x", struct{}{}, &out)
				require.Equal(t, row.requests, s.count())
				require.Equal(t, row.requests == 2, err == nil, err)
				_, repeatable := s.requests[0].Header["Idempotency-Key"]
				require.False(t, repeatable, "net/http would repeat it")
			})
		})
	}
}

func TestDeleteNeedsNoAnswer(t *testing.T) {
	t.Parallel()
	for _, done := range []step{answer(200, ``), answer(204, ``), answer(200, "\n"), answer(200, `{"message":"Webhook deleted successfully"}`), answer(200, `{}`)} {
		s := &script{steps: []step{done}}
		c, err := transport.New(config(s), transport.Webhooks)
		require.NoError(t, err)
		require.NoError(t, c.Delete(t.Context(), "/v0/x"))
		require.Equal(t, 1, s.count())
	}
}

// That nothing is due does not make a refusal a success.
func TestDeleteIsNotDoneByAnyAnswer(t *testing.T) {
	t.Parallel()
	for body, says := range map[string]string{
		`{"error":{"code":-32602,"message":"no"}}`:         "200 OK: code -32602: no",
		`{"message":"Webhook not found","statusCode":404}`: "200 OK: code 404: Webhook not found",
		`{"jsonrpc":"2.0","id":"1"}`:                       "answer has no result",
		`max usage reached`:                                "200 OK: max usage reached",
		`<html>log in</html>`:                              "200 OK: text/html instead of JSON",
		`{"message":"Webhook del`:                          "answer breaks off",
		`[1]`:                                              "DELETE /v0/x: ",
	} {
		media := "text/plain"
		if body[0] == '<' {
			media = "text/html"
		}
		cfg := config(&script{steps: []step{answer(200, body, "Content-Type", media)}})
		cfg.MaxAttempts = 1
		c, err := transport.New(cfg, transport.Webhooks)
		require.NoError(t, err)
		require.ErrorContains(t, c.Delete(t.Context(), "/v0/x"), says, body)
	}
}

func TestFailedTryLeavesNothingInTheResult(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: []step{answer(200, `{"a":1,"list":[1,2,3],"b":"cut of`), answer(200, `{"list":[4]}`)}}
		c, err := transport.New(config(s), transport.Wallet)
		require.NoError(t, err)
		var out struct {
			A    int
			List []int
			B    string
		}
		require.NoError(t, c.Get(t.Context(), "/x", nil, &out))
		require.Zero(t, out.A)
		require.Equal(t, []int{4}, out.List)
		require.Empty(t, out.B)
	})
}

// A member named error inside the things asked for is theirs.
func TestErrorsOfItemsAreNoErrors(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"data":[{"error":"InstructionError"}]}`, `{"error":null,"data":[{"error":null}]}`, `{"data":[{"note":"\"error\""}],"error":""}`} {
		s := &script{steps: []step{answer(200, body)}}
		c, err := transport.New(config(s), transport.Wallet)
		require.NoError(t, err)
		var out struct{ Data []struct{ Error string } }
		require.NoError(t, c.Get(t.Context(), "/x", nil, &out), body)
		require.Len(t, out.Data, 1)
	}
	s := &script{steps: []step{answer(200, `[{"error":"unknown"}]`)}}
	c, err := transport.New(config(s), transport.Wallet)
	require.NoError(t, err)
	var out []struct{ Error string }
	require.NoError(t, c.Get(t.Context(), "/x", nil, &out))
}

func TestDeadlineIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	for _, kind := range callers {
		synctest.Test(t, func(t *testing.T) {
			s := &script{steps: []step{answer(429, `{"error":"slow down"}`, "Retry-After", "5")}}
			ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
			defer cancel()
			start := time.Now()
			_, err := kind.call(ctx, config(s))
			require.Zero(t, time.Since(start))
			var refusal *types.APIError
			require.ErrorAs(t, err, &refusal)
			require.Equal(t, 5*time.Second, refusal.RetryAfter)
			require.NotErrorIs(t, err, context.DeadlineExceeded, "there was time left")
		})
	}
}

func TestContextEndsACallAtOnce(t *testing.T) {
	t.Parallel()
	for _, kind := range callers {
		for name, row := range map[string]struct {
			step step
			last bool // whether a failure came before
		}{
			"during a wait":  {answer(503, `{"error":"down"}`), true},
			"while sending":  {hang, false},
			"in the body":    {hangInBody, false},
			"in a later try": {nil, true},
		} {
			t.Run(kind.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s := &script{steps: []step{row.step}}
					end := 200 * ms
					if row.step == nil {
						s.steps = []step{answer(503, `{"error":"down"}`), hang}
						end = 3 * time.Second
					}
					why := errors.New("no longer wanted")
					ctx, cancel := context.WithCancelCause(t.Context())
					time.AfterFunc(end, func() { cancel(why) })
					start := time.Now()
					_, err := kind.call(ctx, config(s))
					require.Equal(t, end, time.Since(start), "not later than the context")
					require.ErrorIs(t, err, context.Canceled)
					require.ErrorIs(t, err, why)
					var refusal *types.APIError
					require.Equal(t, row.last, errors.As(err, &refusal), err)
					if row.last {
						require.Equal(t, 503, refusal.StatusCode)
						require.Equal(t, 1, strings.Count(err.Error(), "hing: "), "the operation is named once: "+err.Error())
						require.Contains(t, err.Error(), "503 Service Unavailable: down")
					}
				})
			})
		}
	}
}

func TestDoneContextSendsNothing(t *testing.T) {
	t.Parallel()
	for _, kind := range callers {
		s := &script{steps: []step{answer(200, kind.ok)}}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := kind.call(ctx, config(s))
		require.ErrorIs(t, err, context.Canceled)
		require.Zero(t, s.count())
	}
}

func TestLimiterIsAskedBeforeEachTry(t *testing.T) {
	t.Parallel()
	for _, kind := range callers {
		synctest.Test(t, func(t *testing.T) {
			s := &script{steps: []step{answer(500, `{}`), answer(500, `{}`), answer(200, kind.ok)}}
			cfg := config(s)
			p := &pacer{wait: func(_ context.Context, n int) error {
				require.Equal(t, n-1, s.count(), "asked before, not after")
				time.Sleep(time.Minute) // longer than an attempt may take
				return nil
			}}
			cfg.Limiter = p
			got, err := kind.call(t.Context(), cfg)
			require.NoError(t, err)
			require.Equal(t, 7, got)
			require.Equal(t, 3, p.asked)
		})
	}
}

func TestLimiterMayEndACall(t *testing.T) {
	t.Parallel()
	full := errors.New("would exceed the deadline")
	for refuseAt := 1; refuseAt <= 2; refuseAt++ {
		synctest.Test(t, func(t *testing.T) {
			s := &script{steps: []step{answer(500, `{"error":"down"}`)}}
			cfg := config(s)
			cfg.Limiter = &pacer{wait: func(_ context.Context, n int) error {
				if n == refuseAt {
					return full
				}
				return nil
			}}
			_, err := callers[0].call(t.Context(), cfg)
			require.ErrorIs(t, err, full)
			require.Equal(t, refuseAt-1, s.count())
			require.Equal(t, refuseAt == 2, strings.Contains(err.Error(), "before that: 500 Internal Server Error: down"), err)
		})
	}
}

// In an outage the budget runs dry, and calls are no longer multiplied.
func TestBudgetBoundsRetries(t *testing.T) {
	t.Parallel()
	for name, call := range map[string]func(context.Context, *transport.Client) error{
		"REST": func(ctx context.Context, c *transport.Client) error { return c.Get(ctx, "/x", nil, new(struct{})) },
		"JSON-RPC": func(ctx context.Context, c *transport.Client) error {
			_, _, err := transport.Call[int](ctx, c, "getThing", 0)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				down := true
				s := &script{steps: []step{func(r *http.Request) (*http.Response, error) {
					if down {
						return answer(500, `{}`)(r)
					}
					return answer(200, `{"value":7}`)(r)
				}}}
				c, err := transport.New(config(s), transport.Wallet)
				require.NoError(t, err)
				for range 1000 {
					require.Error(t, call(t.Context(), c))
				}
				require.Equal(t, 1100, s.count(), "500 tokens pay 100 retries")

				down = false // each success brings one token back, five pay a retry
				for range 5 {
					require.NoError(t, call(t.Context(), c))
				}
				down = true
				before := s.count()
				require.Error(t, call(t.Context(), c))
				require.Equal(t, before+2, s.count())

				down = false
				for range 2000 {
					require.NoError(t, call(t.Context(), c))
				}
				down = true
				before = s.count()
				for range 1000 {
					require.Error(t, call(t.Context(), c))
				}
				require.Equal(t, before+1100, s.count(), "the budget is full again, and not fuller")
			})
		})
	}
}

// Anything that cannot be retried costs nothing.
func TestFinalRefusalsLeaveTheBudgetAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		status := 404
		s := &script{steps: []step{func(r *http.Request) (*http.Response, error) { return answer(status, `{}`)(r) }}}
		c, err := transport.New(config(s), transport.Wallet)
		require.NoError(t, err)
		var out struct{}
		for range 1000 {
			require.Error(t, c.Get(t.Context(), "/x", nil, &out))
		}
		status = 500
		before := s.count()
		require.Error(t, c.Get(t.Context(), "/x", nil, &out))
		require.Equal(t, before+4, s.count())
	})
}

func TestIDsCountUpAcrossGoroutines(t *testing.T) {
	t.Parallel()
	s := &script{steps: []step{answer(200, `{"value":1}`)}}
	c, err := transport.New(config(s), transport.RPC)
	require.NoError(t, err)
	done := make(chan error)
	for range 50 {
		go func() {
			_, _, err := transport.Call[int](context.Background(), c, "getThing", struct{}{})
			done <- err
		}()
	}
	for range 50 {
		require.NoError(t, <-done)
	}
	seen := map[string]bool{}
	for _, body := range s.bodies {
		id, _, _ := strings.Cut(strings.TrimPrefix(body, `{"jsonrpc":"2.0","id":"`), `"`)
		seen[id] = true
	}
	for i := 1; i <= 50; i++ {
		require.True(t, seen[strconv.Itoa(i)], i)
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"":                               0,
		"0":                              0,
		"7":                              7 * time.Second,
		" 7 ":                            7 * time.Second,
		"1.5":                            1500 * ms,
		".5":                             500 * ms,
		"1e3":                            0,
		"-1":                             0,
		"+1":                             0,
		"1.2.3":                          0,
		".":                              0,
		"0x10":                           0,
		"NaN":                            0,
		"Fri, 02 Jan 2026 03:04:15 GMT":  10 * time.Second,
		"Friday, 02-Jan-26 03:04:15 GMT": 10 * time.Second,
		"Fri, 02 Jan 2026 03:04:05 GMT":  0,
		"Fri, 02 Jan 2025 03:04:05 GMT":  0,
		"2026-01-02":                     0,
	} {
		require.Equal(t, want, transport.RetryAfter(http.Header{"Retry-After": {value}}, now), value)
	}
	for _, long := range []string{"9223372036", "9223372037", strings.Repeat("9", 400), "Fri, 31 Dec 9999 23:59:59 GMT"} {
		require.Greater(t, transport.RetryAfter(http.Header{"Retry-After": {long}}, now), 200*365*24*time.Hour, long)
	}
}
