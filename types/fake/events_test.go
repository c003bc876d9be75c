package fake_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
)

// counting is a webhook's endpoint that counts posts.
type counting struct{ posts atomic.Int64 }

func (c *counting) ServeHTTP(http.ResponseWriter, *http.Request) { c.posts.Add(1) }

func watched(t *testing.T, s *fake.Service, url string, kind webhooks.Type) {
	t.Helper()
	hooks, err := webhooks.New(s.Config())
	require.NoError(t, err)
	_, err = hooks.Create(t.Context(), webhooks.Settings{
		URL: url, Type: kind, TransactionTypes: []txtype.Type{txtype.Any}, AccountAddresses: []types.Address{fake.WalletAddress},
	})
	require.NoError(t, err)
}

func TestDeliveriesGoToLoopbackOnly(t *testing.T) {
	t.Parallel()
	var endpoint counting
	local := httptest.NewServer(&endpoint)
	defer local.Close()
	s := fake.New(nil)
	watched(t, s, "https://hooks.invalid/production", webhooks.TypeEnhanced)
	watched(t, s, local.URL, webhooks.TypeEnhancedDevnet)
	require.Equal(t, []types.Address{fake.WalletAddress}, s.Watched())
	report := s.Deliver(t.Context(), nil, s.Swap(fake.WalletAddress))
	require.Equal(t, fake.Report{Acknowledged: 1, Tries: 1}, report)
	require.EqualValues(t, 1, endpoint.posts.Load())
}

func TestDeliveriesFollowNoRedirect(t *testing.T) {
	t.Parallel()
	var other counting
	elsewhere := httptest.NewServer(&other)
	defer elsewhere.Close()
	local := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	defer local.Close()
	s := fake.New(nil)
	watched(t, s, local.URL, webhooks.TypeEnhanced)
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	require.Zero(t, s.Deliver(ctx, nil, s.Swap(fake.WalletAddress)).Acknowledged)
	require.Zero(t, other.posts.Load())
}

func TestSeedDeterminesSignatures(t *testing.T) {
	t.Parallel()
	signature := func(seed uint64) types.Signature {
		return fake.New(&fake.Options{Seed: seed}).Swap(fake.WalletAddress).Signature()
	}
	require.Equal(t, signature(7), signature(7))
	require.NotEqual(t, signature(7), signature(8))
	require.NotEqual(t, signature(0), signature(0))
}

var processed = &rpc.ReadOptions{Commitment: types.CommitmentProcessed}
