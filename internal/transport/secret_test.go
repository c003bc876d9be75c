package transport_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A Transport of the caller's sees the key, and what it says when it fails
// often quotes the URL or the header.
func TestErrorsOfACallersTransportAreCleaned(t *testing.T) {
	t.Parallel()
	cause := errors.New("cause")
	quoting := map[string]func(*http.Request) error{
		"URL": func(r *http.Request) error {
			return &url.Error{Op: "Post", URL: r.URL.String(), Err: fmt.Errorf("x: %w", cause)}
		},
		"raw key":      func(*http.Request) error { return fmt.Errorf("no access with %s: %w", key, cause) },
		"JSON":         func(*http.Request) error { return fmt.Errorf("%s: %w", spellings[4], cause) },
		"header":       func(r *http.Request) error { return fmt.Errorf("sent %v %s: %w", r.Header, r.URL, cause) },
		"cause":        func(*http.Request) error { return fmt.Errorf("x: %w", errors.Join(cause, errors.New(key))) },
		"silent cause": func(*http.Request) error { return mute{errors.Join(cause, errors.New(key))} },
		"field":        func(*http.Request) error { return &kept{cause, key} },
		"URL in a field": func(r *http.Request) error {
			return fmt.Errorf("x: %w", errors.Join(cause, &addressed{r.URL, r.Header}))
		},
		"dial": func(*http.Request) error { return &net.OpError{Op: "dial", Err: errors.Join(cause, errors.New(key))} },
	}
	for name, err := range quoting {
		for _, kind := range callers {
			t.Run(name+"/"+kind.name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s := &script{steps: []step{func(r *http.Request) (*http.Response, error) { return nil, err(r) }}}
					var log bytes.Buffer
					cfg := config(s)
					cfg.Logger = slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
					_, err := kind.call(t.Context(), cfg)
					require.ErrorIs(t, err, cause, "what it is stays known")
					requireNoKey(t, err)
					require.Equal(t, 4, strings.Count(log.String(), `"msg":"request"`))
					requireHidden(t, log.String())
					require.Equal(t, 4, s.count())
				})
			})
		}
	}
}

// An addressed error prints nothing of what it holds, but encodes it.
type addressed struct {
	URL    *url.URL
	Header http.Header
}

func (*addressed) Error() string              { return "no answer" }
func (*addressed) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "no answer") }

// A trace in the caller's context hooks in beneath the place where the key is added.
func TestTracesDoNotSeeTheKey(t *testing.T) {
	t.Parallel()
	for _, kind := range callers {
		p := listen(t, good(kind.ok))
		var seen bytes.Buffer
		connected := false
		ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
			GotConn:          func(httptrace.GotConnInfo) { connected = true },
			WroteHeaderField: func(name string, values []string) { fmt.Fprintln(&seen, name, values) },
		})
		_, err := kind.call(ctx, overTCP(t, p.url()))
		require.NoError(t, err)
		require.True(t, connected)
		require.Contains(t, seen.String(), "Accept [application/json]")
		requireHidden(t, seen.String())
	}
}

// A permanent failure stays one when its text is cleaned.
func TestCleanedErrorsKeepTheirKind(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: []step{failing(fmt.Errorf("%s: %w", key, dnsError(true)))}}
		_, err := callers[0].call(t.Context(), config(s))
		require.Error(t, err)
		require.Equal(t, 1, s.count())

		s = &script{steps: []step{failing(fmt.Errorf("%s: %w", key, refused)), answer(200, `{}`)}}
		c, err := transport.New(config(s), transport.Webhooks)
		require.NoError(t, err)
		var out struct{}
		require.NoError(t, c.Create(t.Context(), "/x", 1, &out), "nothing was sent")
		require.Equal(t, 2, s.count())
	})
}

type mute struct{ error }

func (mute) Error() string   { return "quiet" }
func (m mute) Unwrap() error { return m.error }

type kept struct {
	error
	Key string
}

func (k *kept) Unwrap() error { return k.error }

// The service may echo what it was asked with.
func TestEchoedKeysAreHidden(t *testing.T) {
	t.Parallel()
	for _, kind := range callers {
		for i, echo := range spellings {
			for name, s := range map[string]step{
				"REST error":      answer(401, `{"error":"bad key `+escaped(echo)+`","details":"`+escaped(echo)+`"}`),
				"JSON-RPC error":  answer(200, `{"error":{"code":-32000,"message":"`+escaped(echo)+`","data":{"key":"`+escaped(echo)+`"}}}`),
				"text":            answer(400, "bad key "+echo, "Content-Type", "text/plain"),
				"media type":      answer(400, "x", "Content-Type", echo+"/x"),
				"gateway":         answer(400, `{"message":["`+escaped(echo)+`"],"error":"Bad Request","statusCode":400}`),
				"beyond the cut":  answer(400, strings.Repeat("x", 1024-len(echo)/2)+echo, "Content-Type", "text/plain"),
				"wrong type":      answer(200, `{"answer":"`+escaped(echo)+`","value":"`+escaped(echo)+`"}`),
				"status line":     status(echo),
				"id":              answer(200, `{"jsonrpc":"2.0","id":"`+escaped(echo)+`","result":{"value":7},"answer":"seven"}`),
				"Location":        answer(302, "", "Location", "https://other.test/%zz?api-key="+echo),
				"broken off body": cutBody(errors.New(echo)),
			} {
				t.Run(fmt.Sprint(kind.name, "/", name, "/", i), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) {
						var log bytes.Buffer
						cfg := config(&script{steps: []step{s}})
						cfg.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
						_, err := kind.call(t.Context(), cfg)
						require.Error(t, err)
						requireNoKey(t, err)
						requireHidden(t, log.String())
						require.NotContains(t, err.Error(), "k3y", "nor the start of it")
					})
				})
			}
		}
	}
}

// escaped returns text as it stands in a JSON text whose reader shall see text.
func escaped(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text)
}

func status(line string) step {
	return func(r *http.Request) (*http.Response, error) {
		resp, _ := answer(200, "<html>")(r)
		resp.Status = "200 " + line
		return resp, nil
	}
}

func TestLogHasOneRecordPerTry(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		cfg := config(&script{steps: []step{answer(503, `{"error":"down"}`), failing(io.EOF), answer(200, `{"answer":7}`)}})
		cfg.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{
			Level: slog.LevelDebug,
			ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
				if a.Key == slog.TimeKey || a.Key == "duration" || a.Key == "wait" {
					return slog.Attr{Key: a.Key, Value: slog.StringValue("T")}
				}
				return a
			},
		}))
		_, err := callers[0].call(t.Context(), cfg)
		require.NoError(t, err)
		require.Equal(t, `time=T level=DEBUG msg=request op="GET /v1/thing" attempt=1 duration=T status=503 error="GET /v1/thing: 503 Service Unavailable: down" wait=T
time=T level=DEBUG msg=request op="GET /v1/thing" attempt=2 duration=T error=EOF wait=T
time=T level=DEBUG msg=request op="GET /v1/thing" attempt=3 duration=T status=200 bytes=12
`, log.String())
	})
}

// A handler that finds the span of a call in the context finds it for each try.
func TestRecordsHaveTheContextOfTheCall(t *testing.T) {
	t.Parallel()
	for _, kind := range callers {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				n := 0
				cfg := config(&script{steps: []step{answer(503, ``), failing(io.EOF), answer(200, kind.ok)}})
				cfg.Logger = slog.New(spans{slog.DiscardHandler})
				_, err := kind.call(context.WithValue(t.Context(), spans{}, &n), cfg)
				require.NoError(t, err)
				require.Equal(t, 3, n)
			})
		})
	}
}

// spans counts records in what it finds in their context.
type spans struct{ slog.Handler }

func (spans) Enabled(context.Context, slog.Level) bool { return true }

func (spans) Handle(ctx context.Context, _ slog.Record) error {
	if n, ok := ctx.Value(spans{}).(*int); ok {
		*n++
	}
	return nil
}

func TestLoggerAboveDebugGetsNothing(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	cfg := config(&script{steps: []step{answer(404, `{}`)}})
	cfg.Logger = slog.New(slog.NewTextHandler(&log, nil))
	_, err := callers[0].call(context.Background(), cfg)
	require.ErrorIs(t, err, types.ErrNotFound)
	require.Empty(t, log.String())
}
