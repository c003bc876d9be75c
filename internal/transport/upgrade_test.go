package transport

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

const upgradeKey = "0123abcd-4567-89ab-cdef-webs0cketkey"

// dialled upgrades a connection, and reports that it is one.
func dialled(ctx context.Context, url string, h *http.Client) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return nil, err
	}
	resp, err := h.Do(r)
	return resp, cmp.Or(err, errors.New("no connection"))
}

type respondWith struct{ *http.Response }

func (r respondWith) RoundTrip(*http.Request) (*http.Response, error) { return r.Response, nil }

func TestUpgradeWithABrokenTransport(t *testing.T) {
	t.Parallel()
	for _, resp := range []*http.Response{nil, {StatusCode: http.StatusSwitchingProtocols}} {
		c, err := New(types.Config{APIKey: types.Key(upgradeKey), HTTPClient: &http.Client{Transport: respondWith{resp}}}, RPC, nil)
		require.NoError(t, err)
		end, err := c.Upgrade(t.Context(), dialled)
		require.ErrorContains(t, err, "WebSocket: ")
		require.Nil(t, end)
	}
}

func TestUpgradeTakesAQuarterOfAMinuteAtMost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, err := New(types.Config{APIKey: types.Key(upgradeKey)}, RPC, nil)
		require.NoError(t, err)
		_, err = c.Upgrade(t.Context(), func(ctx context.Context, _ string, _ *http.Client) (*http.Response, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		require.EqualError(t, err, "WebSocket: no connection within 15s")
	})
}

func TestConnectionCostsOneCredit(t *testing.T) {
	t.Parallel()
	meter := types.Meter{Limit: 1}
	c, err := New(types.Config{APIKey: types.Key(upgradeKey), Meter: &meter}, RPC, nil)
	require.NoError(t, err)
	connect := func(context.Context, string, *http.Client) (*http.Response, error) { return new(http.Response), nil }
	_, err = c.Upgrade(t.Context(), connect)
	require.NoError(t, err)
	require.Equal(t, "1 credits: WebSocket connections 1", meter.String())
	_, err = c.Upgrade(t.Context(), connect)
	require.ErrorIs(t, err, types.ErrBudget)
	require.EqualError(t, err, "WebSocket: 1 more credits would exceed the limit of 1: "+types.ErrBudget.Error())
}

func TestCauseOfAnUpgradeHasNoKey(t *testing.T) {
	t.Parallel()
	c, err := New(types.Config{APIKey: types.Key(upgradeKey)}, RPC, nil)
	require.NoError(t, err)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("https://example.com/?api-key=" + upgradeKey))
	_, err = c.Upgrade(ctx, dialled)
	require.EqualError(t, err, "WebSocket: context canceled: https://example.com/?api-key=***")
}

func TestRefusalOfASubscription(t *testing.T) {
	t.Parallel()
	c, err := New(types.Config{APIKey: types.Key(upgradeKey)}, RPC, nil)
	require.NoError(t, err)
	err = c.Refusal("logsSubscribe", []any{"all"}, []byte(`{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"Invalid key `+upgradeKey+`"}}`))
	var refusal *types.APIError
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, -32602, refusal.Code)
	require.Equal(t, "logsSubscribe", refusal.Op)
	require.NotContains(t, err.Error(), upgradeKey)
}
