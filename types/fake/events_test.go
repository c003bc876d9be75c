package fake_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"
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

func TestDeliveredEventsAreInHistoriesAndBalances(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := fake.New(nil)
		c, ctx := wallets(t, s.Config()), t.Context()
		before, err := c.Balances(ctx, fake.WalletAddress, nil).Page()
		require.NoError(t, err)
		e := s.Transfer(fake.WalletAddress, fake.CollectorAddress, 1_000_000_000)
		report := s.Deliver(ctx, &fake.Delivery{Handler: &counting{}}, e)
		require.Equal(t, 1, report.Acknowledged)
		after, err := c.Balances(ctx, fake.WalletAddress, nil).Page()
		require.NoError(t, err)
		require.Equal(t, "1.000005", before.Items[0].Amount.Sub(after.Items[0].Amount).String())
		for _, owner := range []types.Address{fake.WalletAddress, fake.CollectorAddress} {
			page, err := c.History(ctx, owner, nil).Page()
			require.NoError(t, err)
			require.Equal(t, e.Signature(), page.Items[0].Signature)
			require.WithinDuration(t, time.Now(), page.Items[0].BlockTime.Time, time.Second)
		}
	})
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

func TestTransferToItselfIsOneTransaction(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	before, err := wallets(t, s.Config()).History(t.Context(), ann, nil).Page()
	require.NoError(t, err)
	s.Transfer(ann, ann, 1_000_000)
	after, err := wallets(t, s.Config()).History(t.Context(), ann, nil).Page()
	require.NoError(t, err)
	require.Len(t, after.Items, len(before.Items)+1)
	balance, err := node(t, s).Balance(t.Context(), ann, processed)
	require.NoError(t, err)
	require.Equal(t, uint64(2_499_995_000), balance)
}
