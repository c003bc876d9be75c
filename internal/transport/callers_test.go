package transport_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// What a call sends is fixed when it begins: a caller that goes on using its
// slices and maps while the call waits changes none of its tries.
func TestRequestsAreOfTheMomentOfTheCall(t *testing.T) {
	t.Parallel()
	list, query := []string{"first", "second"}, url.Values{"q": {"first"}}
	change := func(r *http.Request) (*http.Response, error) {
		list[0], query["q"][0] = "changed", "changed"
		return answer(500, `{}`)(r)
	}
	var out struct{}
	for name, call := range map[string]func(context.Context, *transport.Client) error{
		"POST": func(ctx context.Context, c *transport.Client) error { return c.Post(ctx, "/x", list, &out) },
		"PUT":  func(ctx context.Context, c *transport.Client) error { return c.Put(ctx, "/x", list, &out) },
		"GET":  func(ctx context.Context, c *transport.Client) error { return c.Get(ctx, "/x", query, &out) },
		"JSON-RPC": func(ctx context.Context, c *transport.Client) error {
			_, _, err := transport.Call[int](ctx, c, "getThing", map[string][]string{"list": list})
			return err
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			list[0], query["q"][0] = "first", "first"
			s := &script{steps: []step{change, change, answer(200, `{"value":7}`)}}
			c, err := transport.New(config(s), transport.Webhooks)
			require.NoError(t, err)
			require.NoError(t, call(t.Context(), c), name)
			require.Len(t, s.bodies, 3)
			for i, body := range s.bodies {
				require.Contains(t, body+s.requests[i].URL.RawQuery, "first", name)
				require.Equal(t, s.bodies[0], body, "the same bytes, the id of the call included")
				require.Equal(t, s.requests[0].URL, s.requests[i].URL)
			}
		})
	}
}

// A panic in what the caller gave is the caller's: it comes out as it is.
func TestPanicsOfTheCallerAreNotCaught(t *testing.T) {
	t.Parallel()
	for _, kind := range callers {
		for name, prepare := range map[string]func(*types.Config){
			"limiter": func(cfg *types.Config) {
				cfg.Limiter = &pacer{wait: func(context.Context, int) error {
					panic("mine")
				}}
			},
			"limiter, before the second try": func(cfg *types.Config) {
				cfg.Limiter = &pacer{wait: func(_ context.Context, n int) error {
					if n == 2 {
						panic("mine")
					}
					return nil
				}}
			},
			"logger": func(cfg *types.Config) { cfg.Logger = slog.New(panicking{slog.DiscardHandler}) },
		} {
			t.Run(kind.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					cfg := config(&script{steps: []step{answer(500, `{}`)}})
					prepare(&cfg)
					require.PanicsWithValue(t, "mine", func() { _, _ = kind.call(t.Context(), cfg) })
				})
			})
		}
	}
}

type panicking struct{ slog.Handler }

func (panicking) Enabled(context.Context, slog.Level) bool { return true }

func (panicking) Handle(context.Context, slog.Record) error {
	panic("mine")
}

func TestPlainHTTPIsForLoopbackOnAnyHost(t *testing.T) {
	t.Parallel()
	for host, set := range map[transport.Host]func(*types.Config, string){
		transport.RPC:      func(cfg *types.Config, url string) { cfg.RPCURL = url },
		transport.Wallet:   func(cfg *types.Config, url string) { cfg.WalletURL = url },
		transport.Webhooks: func(cfg *types.Config, url string) { cfg.WebhooksURL = url },
	} {
		cfg := types.Config{APIKey: key}
		set(&cfg, "http://api.test")
		_, err := transport.New(cfg, host)
		require.ErrorIs(t, err, types.ErrInvalid)
		set(&cfg, "http://127.0.0.1:8899")
		_, err = transport.New(cfg, host)
		require.NoError(t, err)
	}
}

// Calls that the caller gives up cost nothing either.
func TestCancelledCallsLeaveTheBudgetAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		next := hang
		s := &script{steps: []step{func(r *http.Request) (*http.Response, error) { return next(r) }}}
		c, err := transport.New(config(s), transport.Wallet)
		require.NoError(t, err)
		var out struct{}
		for range 1000 {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(ms, cancel)
			require.ErrorIs(t, c.Get(ctx, "/x", nil, &out), context.Canceled)
		}
		next = answer(500, `{}`)
		before := s.count()
		require.Error(t, c.Get(t.Context(), "/x", nil, &out))
		require.Equal(t, before+4, s.count())
	})
}

// An attempt has a timer, which ends with it: a busy program would otherwise
// hold one for each call of the last half minute.
func TestAttemptsLeaveNoTimer(t *testing.T) {
	t.Parallel()
	for _, kind := range callers {
		synctest.Test(t, func(t *testing.T) {
			s := &script{steps: []step{answer(503, `{}`), failing(reset), cutBody(reset), answer(200, kind.ok)}}
			_, err := kind.call(t.Context(), config(s))
			require.NoError(t, err)
			require.Len(t, s.requests, 4)
			for _, r := range s.requests {
				require.ErrorIs(t, r.Context().Err(), context.Canceled)
			}
		})
	}
}
