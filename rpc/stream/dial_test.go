package stream

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

const webSocketKey = "0123abcd-4567-89ab-cdef-webs0cketkey"

func dialTo(t *testing.T, cfg types.Config) (*websocket.Conn, error) {
	t.Helper()
	cfg.APIKey = webSocketKey
	c, err := transport.New(cfg, transport.RPC, nil)
	require.NoError(t, err)
	ws, _, err := dial(c)(t.Context())
	return ws, err
}

func TestWebSocketHasTheKeyAndIsMetered(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("api-key") != webSocketKey || !strings.HasPrefix(r.UserAgent(), "solwire-go/") {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		ws, err := websocket.Accept(w, r, nil)
		if err == nil {
			_ = ws.Close(websocket.StatusNormalClosure, "")
		}
	}))
	defer s.Close()
	var meter types.Meter
	ws, err := dialTo(t, types.Config{RPCURL: s.URL, Meter: &meter})
	require.NoError(t, err)
	defer func() { _ = ws.CloseNow() }()
	require.Equal(t, "1 credits: WebSocket connections 1", meter.String())
}

func TestRefusedUpgradesAreAPIErrorsWithoutTheKey(t *testing.T) {
	t.Parallel()
	for status, is := range map[int]error{401: types.ErrUnauthorized, 429: types.ErrRateLimited, 302: nil, 503: nil, 200: nil} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "7")
			w.Header().Set("Location", "http://127.0.0.1:1/?"+r.URL.RawQuery)
			w.WriteHeader(status)
			_, _ = fmt.Fprintf(w, `{"error":"no %s"}`, r.URL)
		}))
		_, err := dialTo(t, types.Config{RPCURL: s.URL})
		s.Close()
		var refusal *types.APIError
		require.ErrorAs(t, err, &refusal)
		require.Equal(t, status, refusal.StatusCode)
		if is != nil {
			require.ErrorIs(t, err, is)
		}
		require.NotContains(t, fmt.Sprintf("%+v %#v", err, refusal), webSocketKey)
	}
}

type failingTransport struct{}

func (failingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	return nil, fmt.Errorf("dialing %s: %w", r.URL, errors.ErrUnsupported)
}

func TestFailedUpgradesDoNotQuoteTheKey(t *testing.T) {
	t.Parallel()
	_, err := dialTo(t, types.Config{HTTPClient: &http.Client{Transport: failingTransport{}}})
	require.ErrorIs(t, err, errors.ErrUnsupported)
	require.NotContains(t, fmt.Sprintf("%+v %#v", err, err), webSocketKey)
	require.ErrorContains(t, err, "WebSocket")

	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	c, err := transport.New(types.Config{APIKey: webSocketKey}, transport.RPC, nil)
	require.NoError(t, err)
	_, _, err = dial(c)(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "enough")
}
