package transport_test

import (
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
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

// net/http repeats refused requests by itself. It must not repeat a change with a body,
// also below a Transport of the caller.
func TestChangesAreSentOnceOverHTTP2(t *testing.T) {
	t.Parallel()
	for refusal, act := range http2Refusals {
		for _, name := range []string{"create", "PUT"} {
			for _, layered := range []bool{false, true} {
				t.Run(fmt.Sprint(refusal, "/", name, "/", layered), func(t *testing.T) {
					t.Parallel()
					p := listenHTTP2(t, act)
					cfg := p.config(t, true)
					cfg.MaxAttempts = 1
					if layered {
						cfg.HTTPClient.Transport = wrapped{cfg.HTTPClient.Transport}
					}
					c := newClient(t, cfg, transport.Webhooks)
					err := callKinds[name].call(t.Context(), c)
					require.ErrorIs(t, err, types.ErrMayHaveExecuted)
					requireNoKey(t, err)
					require.EqualValues(t, 1, p.requests.Load(), "on a new connection")

					p.acts = []http2Act{act, http2Answer(hpackStatus200, http2Body), act}
					require.NoError(t, get(t.Context(), c, "/x", new(thing)))
					require.EqualValues(t, 2, p.requests.Load())
					require.Error(t, callKinds[name].call(t.Context(), c))
					require.EqualValues(t, 3, p.requests.Load(), "on a connection that was used")
				})
			}
		}
	}
}

type wrapped struct{ http.RoundTripper }

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
			cfg.HTTPClient.Timeout = 5 * time.Minute // of an attempt
			start := time.Now()
			for range 2 {
				_, err := kind.call(t.Context(), cfg)
				require.NoError(t, err)
			}
			require.Less(t, time.Since(start), cfg.HTTPClient.Timeout)
			require.GreaterOrEqual(t, p.requests.Load(), int64(3))
		})
	}
}
