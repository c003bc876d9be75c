package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

func TestMaxAttempts(t *testing.T) {
	t.Parallel()
	for given, requests := range map[int]int{0: 4, 1: 1, 2: 2, 7: 7} {
		synctest.Test(t, func(t *testing.T) {
			s := &script{steps: []step{answer(500, `{}`)}}
			cfg := config(s)
			cfg.MaxAttempts = given
			require.Error(t, get(t.Context(), newClient(t, cfg, transport.Wallet), "/x", new(thing)))
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
			_, err := protocols[0].call(t.Context(), cfg)
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

// A create is retried only when the service has not executed it. The error of a change says
// whether the service may have executed it.
func TestCreateIsRetriedOnlyWhenNotExecuted(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		step              step
		retried, executed bool
	}{
		"refused connection":   {failing(refused), true, false},
		"temporary DNS error":  {failing(dnsError(false)), true, false},
		"429":                  {answer(429, `{}`), true, false},
		"200 with -32429":      {answer(200, rpcError(-32429, "rate")), true, false},
		"host does not exist":  {failing(dnsError(true)), false, false},
		"400":                  {answer(400, `{}`), false, false},
		"401":                  {answer(401, `{}`), false, false},
		"404":                  {answer(404, `{}`), false, false},
		"429, credits used up": {answer(429, quota), false, false},
		"200 with -32602":      {answer(200, rpcError(-32602, "?")), false, false},
		"reset":                {failing(reset), false, true},
		"end of stream":        {failing(io.EOF), false, true},
		"timeout":              {hang, false, true},
		"408":                  {answer(408, `{}`), false, true},
		"500":                  {answer(500, `{}`), false, true},
		"503":                  {answer(503, `{}`), false, true},
		"body reset":           {cutBody(reset), false, true},
		"empty response":       {answer(200, ``), false, true},
		"truncated response":   {answer(200, `{"a"`), false, true},
		"another shape":        {answer(200, `[[1]]`), false, true},
		"HTML page":            {htmlPage, false, true},
		"node behind":          {answer(200, rpcError(-32005, "?")), false, false},
		"slot not available":   {answer(200, rpcError(-32014, "?")), false, false},
		"slot not reached":     {answer(200, rpcError(-32016, "?")), false, false},
		// a window of 2 TiB
		"too large": {answer(200, "\x28\xb5\x2f\xfd\x00\xf8", "Content-Encoding", "zstd"), false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				send := transport.Query[int]{Op: transport.Op{Method: "test.Client.Thing", Wire: "sendThing"}, Changes: true}
				for kind, call := range map[string]func(*transport.Client) error{
					"create": func(c *transport.Client) error { return create(ctx, c, "/x", 1, new(thing)) },
					"send":   func(c *transport.Client) error { return second(transport.Result(ctx, c, send)) },
					"batch": func(c *transport.Client) error {
						return transport.Batch(ctx, c, batchOp, []transport.Query[int]{send}, 1)[0].Err
					},
				} {
					c, s := client(t, transport.Webhooks, row.step)
					err := call(c)
					require.Equal(t, row.executed, errors.Is(err, types.ErrMayHaveExecuted), "%s: %v", kind, err)
					require.Equal(t, row.retried, s.count() > 1, kind)
					require.NotContains(t, s.requests[0].Header, "Idempotency-Key", "net/http would repeat it")
				}
				c, _ := client(t, transport.Webhooks, row.step)
				for kind, err := range map[string]error{"PUT": change(ctx, c, "PUT", 1), "PATCH": change(ctx, c, "PATCH", 1), "DELETE": remove(ctx, c)} {
					// an empty response to DELETE is good
					require.Equal(t, row.executed && err != nil, errors.Is(err, types.ErrMayHaveExecuted), "%s: %v", kind, err)
				}
				for kind, err := range map[string]error{
					"GET":  get(ctx, c, "/x", new(thing)),
					"POST": change(ctx, c, "POST", 1),
					"read": second(transport.Result(ctx, c, query[int](transport.NullIsError))),
				} {
					require.Error(t, err, kind)
					require.NotErrorIs(t, err, types.ErrMayHaveExecuted, kind)
				}
			})
		})
	}
}

// A Transport that retries may fail to dial after it has sent the request.
func TestCreateIsNotRetriedOnceItsBodyWasRead(t *testing.T) {
	t.Parallel()
	c, s := client(t, transport.Webhooks, func(r *http.Request) (*http.Response, error) {
		_, _ = io.Copy(io.Discard, r.Body)
		return nil, refused
	})
	require.ErrorIs(t, create(t.Context(), c, "/x", 1, new(thing)), types.ErrMayHaveExecuted)
	require.Equal(t, 1, s.count())
}

// The last attempt alone does not tell: an earlier one may have been executed.
func TestEarlierAttemptMayHaveBeenExecuted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, _ := client(t, transport.Webhooks, answer(502, `{}`), answer(401, `{}`))
		err := change(t.Context(), c, "PUT", 1)
		require.ErrorIs(t, err, types.ErrUnauthorized)
		require.ErrorIs(t, err, types.ErrMayHaveExecuted)

		c, _ = client(t, transport.Webhooks, failing(reset))
		ctx, cancel := context.WithTimeout(t.Context(), 300*ms)
		defer cancel()
		err = change(ctx, c, "PUT", 1)
		require.ErrorIs(t, err, types.ErrMayHaveExecuted)
	})
}

func second[T any](_ T, err error) error { return err }

func TestFailedAttemptLeavesNothingInTheResult(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, _ := client(t, transport.Wallet, answer(200, `{"a":1,"list":[1,2,3],"b":"cut of`), answer(200, `{"list":[4]}`))
		type result struct {
			A    int
			List []int
			B    string
		}
		var out result
		require.NoError(t, get(t.Context(), c, "/x", &out))
		require.Equal(t, result{List: []int{4}}, out)
	})
}

// A caller that changes its slices and maps during a call does not change the request.
func TestRequestIsEncodedOnce(t *testing.T) {
	t.Parallel()
	list, query := []string{"first"}, url.Values{"q": {"first"}}
	for name, call := range map[string]func(context.Context, *transport.Client) error{
		"PUT": func(ctx context.Context, c *transport.Client) error { return change(ctx, c, "PUT", list) },
		"GET": func(ctx context.Context, c *transport.Client) error {
			return fetch(ctx, c, transport.Request{Op: transport.Op{Method: "test.Client.Thing", Wire: "GET /x"}, Query: query}, new(thing))
		},
		"JSON-RPC": func(ctx context.Context, c *transport.Client) error {
			_, _, err := getThing(ctx, c, list)
			return err
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			list[0], query["q"][0] = "first", "first"
			c, s := client(t, transport.Webhooks, func(r *http.Request) (*http.Response, error) {
				list[0], query["q"][0] = "changed", "changed"
				return answer(500, `{}`)(r)
			}, answer(200, `{"value":7}`))
			require.NoError(t, call(t.Context(), c), name)
			require.Contains(t, s.bodies[1]+s.requests[1].URL.RawQuery, "first", name)
			require.Equal(t, s.bodies[0], s.bodies[1])
			require.Equal(t, s.requests[0].URL, s.requests[1].URL)
		})
	}
}

func TestLimiterIsAskedBeforeEachAttempt(t *testing.T) {
	t.Parallel()
	eachProtocol(t, func(t *testing.T, kind protocol) {
		s := &script{steps: []step{answer(500, `{}`), answer(500, `{}`), answer(200, kind.ok)}}
		cfg := config(s)
		p := &pacer{wait: func(_ context.Context, n int) error {
			require.Equal(t, n-1, s.count(), "asked before, not after")
			time.Sleep(time.Minute) // longer than an attempt may take
			return nil
		}}
		cfg.Limiter = p
		_, err := kind.call(t.Context(), cfg)
		require.NoError(t, err)
		require.Equal(t, 3, p.asked)
	})
}

func TestLimiterErrorEndsTheCall(t *testing.T) {
	t.Parallel()
	full := errors.New("would exceed the deadline")
	for refuseAt := 1; refuseAt <= 2; refuseAt++ {
		synctest.Test(t, func(t *testing.T) {
			s := &script{steps: []step{answer(500, `{"error":"down"}`)}}
			cfg := config(s)
			cfg.Limiter = &pacer{wait: func(_ context.Context, n int) error {
				return map[int]error{refuseAt: full}[n]
			}}
			_, err := protocols[0].call(t.Context(), cfg)
			require.ErrorIs(t, err, full)
			require.Equal(t, refuseAt-1, s.count())
			require.Equal(t, refuseAt == 2, strings.Contains(err.Error(), "before that: 500 Internal Server Error: down"), err)
		})
	}
}

func TestBudgetLimitsRetries(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"GET", "JSON-RPC"} {
		call := callKinds[name].call
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				next := answer(500, `{}`)
				c, s := client(t, transport.Wallet, func(r *http.Request) (*http.Response, error) { return next(r) })
				// run makes n calls and returns the number of requests.
				run := func(n int, reply step) int {
					next = reply
					before := s.count()
					for range n {
						_ = call(t.Context(), c)
					}
					return s.count() - before
				}
				down, up := answer(500, `{}`), answer(200, `{"value":7}`)
				require.Equal(t, 1100, run(1000, down), "500 tokens pay for 100 retries")
				run(5, up)
				require.Equal(t, 2, run(1, down), "five successes pay for one retry")
				run(2000, up)
				require.Equal(t, 1100, run(1000, answer(503, `{}`)), "the budget has a maximum")
			})
		})
	}
}

// Failures that are not retried cost nothing.
func TestFinalFailuresLeaveTheBudgetAlone(t *testing.T) {
	t.Parallel()
	for name, final := range map[string]step{"404": answer(404, `{}`), "cancelled": hang} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c, s := client(t, transport.Wallet, slices.Repeat([]step{final}, 1000)...)
				for range 1000 {
					ctx, cancel := context.WithCancel(t.Context())
					time.AfterFunc(ms, cancel)
					require.Error(t, get(ctx, c, "/x", new(thing)))
				}
				require.Equal(t, 1000, s.count())
				require.EqualValues(t, 500, transport.Tokens(c))
			})
		})
	}
}

// Errors of the caller's code may wrap errors of another call.
func TestErrorsOfTheCallerThatWrapAnAPIError(t *testing.T) {
	t.Parallel()
	refusal := fmt.Errorf("mine: %w", &types.APIError{Op: "other", StatusCode: http.StatusNotFound})
	for name, cfg := range map[string]types.Config{
		"limiter":   config(&script{}),
		"transport": config(&script{steps: []step{failing(refusal)}}),
	} {
		if name == "limiter" {
			cfg.Limiter = &pacer{wait: func(context.Context, int) error { return refusal }}
		}
		cfg.MaxAttempts = 1
		_, err := protocols[0].call(t.Context(), cfg)
		require.ErrorIs(t, err, types.ErrNotFound)
		require.True(t, strings.HasPrefix(err.Error(), "GET /v1/thing: mine: other: 404"), err)
	}
}

// A panic of the caller's code reaches the caller. It leaves no timer and no context behind.
func TestPanicsOfTheCallerAreNotCaught(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(*types.Config){
		"limiter": func(cfg *types.Config) {
			cfg.Limiter = &pacer{wait: func(context.Context, int) error { panic("mine") }}
		},
		"logger":    func(cfg *types.Config) { cfg.Logger = slog.New(panicking{slog.DiscardHandler}) },
		"Transport": func(*types.Config) {},
	} {
		eachProtocol(t, func(t *testing.T, kind protocol) {
			sent := &http.Request{}
			cfg := config(&script{steps: []step{func(r *http.Request) (*http.Response, error) {
				if sent = r; name == "Transport" {
					panic("mine")
				}
				return answer(500, `{}`)(r)
			}}})
			prepare(&cfg)
			require.PanicsWithValue(t, "mine", func() { _, _ = kind.call(t.Context(), cfg) }, name)
			if name == "Transport" {
				require.ErrorIs(t, sent.Context().Err(), context.Canceled)
			}
		})
	}
}

type panicking struct{ slog.Handler }

func (panicking) Enabled(context.Context, slog.Level) bool { return true }

func (panicking) Handle(context.Context, slog.Record) error {
	panic("mine")
}
