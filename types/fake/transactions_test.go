package fake_test

import (
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

func node(t *testing.T, s *fake.Service) *rpc.Client {
	t.Helper()
	c, err := rpc.New(s.Config())
	require.NoError(t, err)
	return c
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
	s := fake.New(&fake.Options{World: world})
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
