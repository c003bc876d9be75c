package fake_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/wallet"
)

func node(t *testing.T, s *fake.Service) *rpc.Client {
	t.Helper()
	c, err := rpc.New(s.Config())
	require.NoError(t, err)
	return c
}

func TestTransactionsForAddressAreTheHistoryOfTheWallet(t *testing.T) {
	t.Parallel()
	s := fake.New(nil)
	var want, got []types.Signature
	var failures []string
	for x, err := range wallets(t, s.Config()).History(t.Context(), fake.WalletAddress, &wallet.HistoryOptions{TokenAccounts: types.TokenAccountHistoryAll}).All() {
		require.NoError(t, err)
		want = append(want, x.Signature)
	}
	opts := &rpc.TransactionsForAddressOptions{TokenAccounts: types.TokenAccountHistoryAll}
	for x, err := range node(t, s).TransactionsForAddress(t.Context(), fake.WalletAddress, opts).All() {
		require.NoError(t, err)
		got = append(got, x.Signature)
		failures = append(failures, string(x.Meta.Err))
	}
	require.Equal(t, want, got)
	require.Contains(t, failures, `{"InstructionError":[3,{"Custom":6001}]}`)
	require.Contains(t, failures, `{"InsufficientFundsForRent":{"account_index":1}}`)

	opts.Ascending = true
	oldest, err := node(t, s).TransactionSignaturesForAddress(t.Context(), fake.WalletAddress, opts).Page()
	require.NoError(t, err)
	require.Equal(t, want[len(want)-1], oldest.Items[0].Signature)
}

func TestTransactionsForAddressOfAMonthAreResumable(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
	until := since.AddDate(0, 1, 0)
	world := &fake.World{Wallets: []fake.Wallet{{Address: ann, SOL: decimal.NewFromInt(1)}, {Address: bob, SOL: decimal.NewFromInt(1)}}}
	for _, at := range []time.Time{until.Add(time.Second), until, until.Add(-time.Second), since.Add(time.Hour), since, since, since.Add(-time.Second)} {
		world.Transactions = append(world.Transactions, fake.Transaction{
			BlockTime: types.Time{Time: at}, Transfers: []fake.Transfer{{From: bob, To: ann, Amount: decimal.New(1, -9)}},
		})
	}
	s := fake.New(&fake.Options{World: world, Strict: true})
	opts := &rpc.TransactionsForAddressOptions{Since: since, Until: until, Ascending: true, PageOptions: types.PageOptions{Limit: 1}}
	var got []time.Duration
	for more := true; more; {
		page, err := node(t, s).TransactionsForAddress(t.Context(), ann, opts).Page()
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		got = append(got, page.Items[0].BlockTime.Sub(since))
		opts.Cursor, more = page.Cursor, page.HasMore
	}
	require.Equal(t, []time.Duration{0, 0, time.Hour, 31*24*time.Hour - time.Second}, got)
}

func TestTransactionsForAddressHaveTransfersAndBalances(t *testing.T) {
	t.Parallel()
	for _, encoding := range []types.Encoding{types.EncodingJSON, types.EncodingJSONParsed} {
		page, err := node(t, seeded(t)).TransactionsForAddress(t.Context(), ann, &rpc.TransactionsForAddressOptions{Encoding: encoding, TokenAccounts: types.TokenAccountHistoryChanged}).Page()
		require.NoError(t, err)
		require.Len(t, page.Items, 2)

		native := page.Items[0] // ann sends 0.5 SOL and pays the fee
		require.Equal(t, []types.Address{ann, bob, "11111111111111111111111111111111"}, native.Accounts())
		require.Equal(t, []uint64{3_000_005_000, 500_000_000, 1}, native.Meta.PreBalances)
		require.Equal(t, []uint64{2_500_000_000, 1_000_000_000, 1}, native.Meta.PostBalances)

		tokens := page.Items[1] // bob sends 7.25 ONE
		require.Equal(t, bob, tokens.Accounts()[0])
		require.Len(t, tokens.Meta.PostTokenBalances, 2)
		received := tokens.Meta.PostTokenBalances[1]
		require.Equal(t, ann, received.Owner)
		require.Equal(t, one, received.Mint)
		require.Equal(t, "7.25", received.UITokenAmount.UIAmountString)
		require.Zero(t, tokens.Meta.PreTokenBalances[1].UITokenAmount.RawAmount)
		instruction := tokens.Signed.Message.Instructions[0]
		if encoding == types.EncodingJSON {
			require.Equal(t, received.AccountIndex, instruction.Accounts[2])
			continue
		}
		for transfer, err := range tokens.Transfers() {
			require.NoError(t, err)
			require.Equal(t, tokens.Accounts()[received.AccountIndex], transfer.Destination)
			require.Equal(t, bob, transfer.SourceOwner)
			require.Equal(t, ann, transfer.DestinationOwner)
			require.Equal(t, one, transfer.Mint)
			require.EqualValues(t, 725, transfer.RawAmount)
		}
	}
}

func TestTransactionsForAddressAreSelected(t *testing.T) {
	t.Parallel()
	c := node(t, seeded(t))
	all, err := c.TransactionSignaturesForAddress(t.Context(), bob, nil).Page()
	require.NoError(t, err)
	require.Len(t, all.Items, 3)
	middle := all.Items[1]
	for _, row := range []struct {
		opts rpc.TransactionsForAddressOptions
		want []rpc.SignatureInfo
	}{
		{rpc.TransactionsForAddressOptions{Outcome: types.OutcomeSucceeded}, all.Items[:2]},
		{rpc.TransactionsForAddressOptions{Outcome: types.OutcomeFailed}, all.Items[2:]},
		{rpc.TransactionsForAddressOptions{After: middle.Signature}, all.Items[:1]},
		{rpc.TransactionsForAddressOptions{Before: middle.Signature}, all.Items[2:]},
		{rpc.TransactionsForAddressOptions{SinceSlot: middle.Slot}, all.Items[:2]},
		{rpc.TransactionsForAddressOptions{SinceSlot: middle.Slot, UntilSlot: middle.Slot + 1}, all.Items[1:2]},
	} {
		page, err := c.TransactionSignaturesForAddress(t.Context(), bob, &row.opts).Page()
		require.NoError(t, err)
		require.Equal(t, row.want, page.Items, "%+v", row.opts)
	}
	for _, opts := range []rpc.TransactionsForAddressOptions{
		{Transfer: &rpc.TransferFilter{Direction: types.DirectionIn}},
		{PageOptions: types.PageOptions{Cursor: "1:1"}},
		{After: types.Signature(strings.Repeat("1", 64))},
	} {
		_, err := c.TransactionsForAddress(t.Context(), bob, &opts).Page()
		require.Error(t, err, "%+v", opts)
	}
}

func TestTransfersByAddressAreThoseOfTheHistory(t *testing.T) {
	t.Parallel()
	s, ctx := seeded(t), t.Context()
	all, err := node(t, s).TransfersByAddress(ctx, ann, &rpc.TransfersByAddressOptions{PageOptions: types.PageOptions{Limit: 1}}).Collect(10)
	require.NoError(t, err)
	require.Len(t, all, 2)
	history, err := wallets(t, s.Config()).History(ctx, ann, nil).Page()
	require.NoError(t, err)
	for i, transfer := range all {
		require.Equal(t, history.Items[i].Signature, transfer.Signature)
		require.Equal(t, history.Items[i].Slot, transfer.Slot)
	}
	require.Equal(t, "0.5", all[0].UIAmountString)
	require.Equal(t, types.NativeSOLMint, all[0].Mint)
	require.Equal(t, []types.Address{ann, bob}, []types.Address{all[0].FromUserAccount, all[0].ToUserAccount})
	require.EqualValues(t, 725, all[1].RawAmount)
	require.Equal(t, one, all[1].Mint)
	require.NotEmpty(t, all[1].ToTokenAccount)
}

func TestTransfersByAddressAreSelected(t *testing.T) {
	t.Parallel()
	client, ctx := node(t, fake.New(nil)), t.Context()
	all, err := client.TransfersByAddress(ctx, fake.WalletAddress, nil).Collect(1000)
	require.NoError(t, err)
	require.Greater(t, len(all), 100)
	for name, row := range map[string]struct {
		opts rpc.TransfersByAddressOptions
		has  func(rpc.Transfer) bool
	}{
		"with": {rpc.TransfersByAddressOptions{With: all[0].FromUserAccount}, func(x rpc.Transfer) bool {
			return x.FromUserAccount == all[0].FromUserAccount || x.ToUserAccount == all[0].FromUserAccount
		}},
		"direction in": {rpc.TransfersByAddressOptions{Direction: types.DirectionIn}, func(x rpc.Transfer) bool { return x.ToUserAccount == fake.WalletAddress }},
		"mint":         {rpc.TransfersByAddressOptions{Mint: types.NativeSOLMint}, func(x rpc.Transfer) bool { return x.Mint == types.NativeSOLMint }},
		"slots":        {rpc.TransfersByAddressOptions{SinceSlot: all[50].Slot}, func(x rpc.Transfer) bool { return x.Slot >= all[50].Slot }},
		// The newest transaction has no time yet.
		"since": {rpc.TransfersByAddressOptions{Since: all[9].BlockTime.Time}, func(x rpc.Transfer) bool { return x.BlockTime.IsZero() || !x.BlockTime.Before(all[9].BlockTime.Time) }},
	} {
		var want []rpc.Transfer
		for _, x := range all {
			if row.has(x) {
				want = append(want, x)
			}
		}
		got, err := client.TransfersByAddress(ctx, fake.WalletAddress, &row.opts).Collect(1000)
		require.NoError(t, err)
		require.Equal(t, want, got, name)
	}
	oldest, err := client.TransfersByAddress(ctx, fake.WalletAddress, &rpc.TransfersByAddressOptions{Ascending: true, PageOptions: types.PageOptions{Limit: 1}}).Page()
	require.NoError(t, err)
	require.Equal(t, all[len(all)-1], oldest.Items[0])
}

func TestStatusesAreThoseOfTheHistory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := seeded(t)
		history, err := node(t, s).SignaturesForAddress(t.Context(), bob, nil).Page()
		require.NoError(t, err)
		signatures := []types.Signature{types.Signature(strings.Repeat("1", 64))}
		for _, x := range history.Items {
			signatures = append(signatures, x.Signature)
		}
		statuses, err := node(t, s).SignatureStatuses(t.Context(), signatures, &rpc.SignatureStatusesOptions{WholeHistory: true})
		require.NoError(t, err)
		require.Nil(t, statuses[0])
		for i, x := range history.Items {
			require.Equal(t, &rpc.SignatureStatus{Slot: x.Slot, Err: x.Err, ConfirmationStatus: types.CommitmentFinalized}, statuses[i+1])
		}
		recent, err := node(t, s).SignatureStatuses(t.Context(), signatures, nil)
		require.NoError(t, err)
		require.NotNil(t, recent[1], "a minute ago")
		require.Nil(t, recent[2])
	})
}

func TestLatestSignaturesOfOneSlotAreAllListed(t *testing.T) {
	t.Parallel()
	clock := func() time.Time { return time.Date(2026, time.May, 4, 0, 0, 0, 0, time.UTC) } // all in one slot
	s := fake.New(&fake.Options{Clock: clock, World: &fake.World{}})
	var want []types.Signature
	for range 20 {
		want = append(want, s.Transfer(ann, bob, 1).Signature())
	}
	client, err := compressed.New(s.Config())
	require.NoError(t, err)
	var got []types.Signature
	for x, err := range client.LatestNonVotingSignatures(t.Context(), &compressed.ListingOptions{PageOptions: types.PageOptions{Limit: 3}}).All() {
		require.NoError(t, err)
		got = append(got, x.Signature)
	}
	require.ElementsMatch(t, want, got)
}
