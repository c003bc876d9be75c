package fake_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

func fetchAccounts(ctx context.Context, t *testing.T, s *fake.Service) (*types.Page[compressed.Account], error) {
	t.Helper()
	c, err := compressed.New(s.Config())
	require.NoError(t, err)
	return c.AccountsByOwner(ctx, fake.OwnerAddress, nil).Page()
}

func TestUnknownMethodsPassThrough(t *testing.T) {
	t.Parallel()
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var call struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.NewDecoder(r.Body).Decode(&call) != nil || r.URL.Query().Get("api-key") != "a-node-key" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": call.ID, "result": call.Method})
	}))
	s := fake.New(&fake.Options{PassThrough: node.URL + "?api-key=a-node-key"})
	client, err := rpc.New(s.Config())
	require.NoError(t, err)
	var method string
	require.NoError(t, client.Call(t.Context(), "notSimulated", nil, &method))
	require.Equal(t, "notSimulated", method)

	node.Close()
	cfg := s.Config()
	cfg.MaxAttempts = 1
	client, err = rpc.New(cfg)
	require.NoError(t, err)
	err = client.Call(t.Context(), "notSimulated", nil, &method)
	require.ErrorContains(t, err, "the pass-through node cannot be reached")
	require.NotContains(t, err.Error(), "a-node-key")
}

func TestPassThroughFollowsNoRedirect(t *testing.T) {
	t.Parallel()
	var other counting
	elsewhere := httptest.NewServer(&other)
	defer elsewhere.Close()
	node := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	defer node.Close()
	cfg := fake.New(&fake.Options{PassThrough: node.URL + "/?api-key=secret"}).Config()
	cfg.MaxAttempts = 1
	c, err := rpc.New(cfg)
	require.NoError(t, err)
	err = c.Call(t.Context(), "getNothingOfTheFake", nil, new(any))
	require.Error(t, err)
	require.NotContains(t, err.Error(), "secret")
	require.Zero(t, other.posts.Load())
}
