package fake_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/enhanced"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/wallet"
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

func TestSlotsFollowTheClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		now := time.Date(2030, time.January, 1, 0, 0, 0, 0, time.UTC)
		s := fake.New(&fake.Options{Clock: func() time.Time { return now }})
		page, err := fetchAccounts(t.Context(), t, s)
		require.NoError(t, err)
		first := page.Slot
		now = now.Add(time.Minute)
		page, err = fetchAccounts(t.Context(), t, s)
		require.NoError(t, err)
		require.Equal(t, first+150, page.Slot)
		history, err := wallets(t, s.Config()).History(t.Context(), fake.WalletAddress, nil).Page()
		require.NoError(t, err)
		require.Equal(t, now.Add(-time.Minute-13*time.Second), history.Items[0].BlockTime.UTC(), "the past is finalized")
		require.Equal(t, first, history.Items[0].Slot)
	})
}

func TestDescriptionsHaveNoExponents(t *testing.T) {
	t.Parallel()
	e := fake.New(nil).Transfer(fake.WalletAddress, fake.CollectorAddress, 1)
	require.Contains(t, string(e.Enhanced()), " transferred 0.000000001 SOL to ")
}

func TestSwapTakesItsAmountFromABalance(t *testing.T) {
	t.Parallel()
	s := fake.New(&fake.Options{World: &fake.World{Wallets: []fake.Wallet{
		{Address: ann, Tokens: []fake.Token{{Mint: usdc, Decimals: 6, Amount: decimal.NewFromInt(1000)}}},
	}}})
	s.Swap(ann)
	page, err := wallets(t, s.Config()).Balances(t.Context(), ann, &wallet.BalancesOptions{HideNative: true}).Page()
	require.NoError(t, err)
	require.Len(t, page.Items, 1)
	rest, _ := page.Items[0].Amount.Float64()
	require.InDelta(t, 950, rest, 45, "5 to 94 are swapped")
}

func TestPastBalanceOfASwappedToken(t *testing.T) {
	t.Parallel()
	s := fake.New(&fake.Options{World: &fake.World{}})
	s.Swap(ann)
	c := wallets(t, s.Config())
	history, err := c.History(t.Context(), ann, nil).Page()
	require.NoError(t, err)
	before, err := c.BalanceAt(t.Context(), ann, usdc, wallet.AtSlot(history.Items[0].Slot-1))
	require.NoError(t, err)
	swapped := history.Items[0].BalanceChanges[0]
	require.Equal(t, usdc, swapped.Mint)
	require.Equal(t, swapped.Amount.Neg().String(), before.Amount.String())
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

func TestTransferAfterManySwaps(t *testing.T) {
	t.Parallel()
	s := fake.New(nil)
	for range 1000 {
		s.Swap(fake.WalletAddress)
	}
	s.Transfer(fake.WalletAddress, bob, 7)
	balance, err := node(t, s).Balance(t.Context(), bob, processed)
	require.NoError(t, err)
	require.EqualValues(t, 7, balance)
}

func TestSwapNamesTheTokenAccountOfTheOwner(t *testing.T) {
	t.Parallel()
	s := fake.New(nil)
	event := s.Swap(fake.WalletAddress)
	var sent enhanced.Transaction
	require.NoError(t, json.Unmarshal(event.Enhanced(), &sent))
	list, err := node(t, s).TokenAccountsByOwner(t.Context(), fake.WalletAddress, rpc.ByMint(usdc), nil).Page()
	require.NoError(t, err)
	var addresses []types.Address
	for _, account := range list.Items {
		addresses = append(addresses, account.Address)
	}
	require.Contains(t, addresses, sent.TokenTransfers[0].FromTokenAccount)
}

func TestRecentEventsStayInTheirBlockWhenOthersAreForgotten(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.May, 4, 0, 0, 0, 0, time.UTC) // all in one block
	clock := func() time.Time { return now }
	s := fake.New(&fake.Options{Journal: 3, Clock: clock, World: &fake.World{Wallets: []fake.Wallet{{Address: ann, SOL: decimal.NewFromInt(1)}}}})
	var want []types.Signature
	for range 20 {
		want = append(want, s.Transfer(ann, bob, 1).Signature())
	}
	slices.Reverse(want)
	now = now.Add(13 * time.Second)
	client, err := rpc.New(s.Config())
	require.NoError(t, err)
	history, err := client.SignaturesForAddress(t.Context(), bob, nil).Collect(100)
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(history), 3)
	for i, x := range history {
		require.Equal(t, want[i], x.Signature)
	}
	block, err := client.Block(t.Context(), history[0].Slot, nil)
	require.NoError(t, err)
	require.Len(t, block.Transactions, len(history))
	mine, err := client.SignaturesForAddress(t.Context(), "11111111111111111111111111111111", nil).Collect(100)
	require.NoError(t, err)
	require.Equal(t, history, mine, "the program of the transfers forgets them too")
}
