package transport_test

import (
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
)

// http2Refusals are the ways in which a server can drop a request.
var http2Refusals = map[string]http2Act{
	"PROTOCOL_ERROR":    http2Reset(codeProtocolError),
	"INTERNAL_ERROR":    http2Reset(2),
	"REFUSED_STREAM":    http2Reset(7),
	"CANCEL":            http2Reset(8),
	"ENHANCE_YOUR_CALM": http2Reset(0xb),
	"HTTP_1_1_REQUIRED": http2Reset(0xd),
	"GOAWAY":            http2GoAway(0, 0),
	"GOAWAY with error": http2GoAway(0, codeProtocolError),
	"GOAWAY beyond it":  http2GoAway(1<<31-1, 0),
	"closed":            func(io.Writer, uint32) bool { return false },
	"reset after 103": func(w io.Writer, stream uint32) bool {
		writeFrame(w, frameHeaders, flagEndHeaders, stream, hpackStatus103)
		return http2Reset(7)(w, stream)
	},
}

// net/http repeats refused requests by itself, without a limit. An attempt must be one
// request, or two for a read on a reused connection.
func TestHTTP2RefusalsAreNotRepeatedWithinAnAttempt(t *testing.T) {
	t.Parallel()
	for refusal, act := range http2Refusals {
		for name, kind := range callKinds {
			t.Run(refusal+"/"+name, func(t *testing.T) {
				t.Parallel()
				p := listenHTTP2(t, act)
				cfg := p.config(t, name == "GET" || name == "create")
				cfg.MaxAttempts = 1
				c := newClient(t, cfg, transport.Webhooks)
				err := kind.call(t.Context(), c)
				require.Error(t, err)
				requireNoKey(t, err)
				require.EqualValues(t, 1, p.requests.Load(), "the connection was new")

				p.acts = []http2Act{act, http2Answer(hpackStatus200, http2Body), act}
				require.NoError(t, get(t.Context(), c, "/x", new(thing)))
				require.EqualValues(t, 2, p.requests.Load())
				require.Error(t, kind.call(t.Context(), c))
				require.GreaterOrEqual(t, p.requests.Load(), int64(3))
				require.LessOrEqual(t, p.requests.Load(), 2+kind.most)
			})
		}
	}
}

func TestHTTP2AttemptsAreCounted(t *testing.T) {
	t.Parallel()
	for name, act := range http2Refusals {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := listenHTTP2(t, act)
			asked := &pacer{}
			cfg := p.config(t, false)
			cfg.MaxAttempts, cfg.Limiter = 2, asked
			c := newClient(t, cfg, transport.Webhooks)
			require.ErrorContains(t, get(t.Context(), c, "/x", new(thing)), "2 attempts")
			require.GreaterOrEqual(t, int64(asked.asked), p.requests.Load(), "the limiter is asked for each request")
			require.LessOrEqual(t, asked.asked, 4)
			before := asked.asked
			require.Error(t, create(t.Context(), c, "/x", 1, new(thing)))
			require.Equal(t, before+1, asked.asked, "a create has one attempt")
		})
	}
}

// A Transport around an http.Transport may send again after a response. The 103 before
// a refusal does not count as one.
func TestHTTP2RefusalsBelowAWrappedTransport(t *testing.T) {
	t.Parallel()
	for refusal, act := range http2Refusals {
		for name, kind := range callKinds {
			t.Run(refusal+"/"+name, func(t *testing.T) {
				t.Parallel()
				p := listenHTTP2(t, act)
				cfg := p.config(t, false)
				cfg.HTTPClient.Transport, cfg.MaxAttempts = wrapped{cfg.HTTPClient.Transport}, 1
				require.Error(t, kind.call(t.Context(), newClient(t, cfg, transport.Webhooks)))
				require.EqualValues(t, 1, p.requests.Load())
			})
		}
	}
}

type wrapped struct{ http.RoundTripper }

// A read on a connection that the server closes is repeated within the attempt, and
// the budget pays for it.
func TestHTTP2RepeatOfAReadCostsBudget(t *testing.T) {
	t.Parallel()
	good := http2Answer(hpackStatus200, http2Body)
	p := listenHTTP2(t, good, http2GoAway(0, 0), good, http2GoAway(0, 0), good)
	cfg := p.config(t, true)
	cfg.MaxAttempts = 1
	c := newClient(t, cfg, transport.Webhooks)
	for range 3 {
		require.NoError(t, get(t.Context(), c, "/x", new(thing)))
	}
	require.EqualValues(t, 5, p.requests.Load())
	require.EqualValues(t, 500-2*5+2, transport.Tokens(c))
}

// A dropped delete may have been executed. It is retried, and the 404 of the retry
// means success.
func TestHTTP2DroppedDeleteSucceeds(t *testing.T) {
	t.Parallel()
	p := listenHTTP2(t, http2Reset(codeProtocolError), http2Answer(hpackStatus404, `{"error":"not found"}`))
	require.NoError(t, remove(t.Context(), newClient(t, p.config(t, false), transport.Webhooks)))
	require.EqualValues(t, 2, p.requests.Load())
}

// Without pings, every call on a silent connection would time out.
func TestHTTP2SilentConnectionIsReplaced(t *testing.T) {
	t.Parallel()
	for _, kind := range protocols {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			good := http2Answer(hpackStatus200, kind.ok)
			p := listenHTTP2(t, good, silent, good)
			cfg := p.config(t, true)
			next, _ := cfg.HTTPClient.Transport.(*http.Transport)
			next.HTTP2.SendPingTimeout, next.HTTP2.PingTimeout = 100*ms, time.Second
			start := time.Now()
			for range 2 {
				_, err := kind.call(t.Context(), cfg)
				require.NoError(t, err)
			}
			require.Less(t, time.Since(start), 8*time.Second, "the timeout of an attempt is 10 s")
			require.GreaterOrEqual(t, p.requests.Load(), int64(3))
		})
	}
}
