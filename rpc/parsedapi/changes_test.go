package parsedapi_test

import (
	"slices"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/parsedapi"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/tx"
)

// The changes of each transaction are the balances after it without those before it, as a
// node reports them.
func TestChangesAreThoseOfTheBalances(t *testing.T) {
	t.Parallel()
	client, err := parsedapi.New(fake.New(nil).Config())
	require.NoError(t, err)
	results, err := client.History(t.Context(), fake.WalletAddress, &parsedapi.HistoryOptions{Raw: types.EncodingJSON}).Collect(1000)
	require.NoError(t, err)
	failed, tokens := 0, 0
	for _, r := range results {
		want := balanceChanges(r.Raw)
		for _, c := range r.Parsed.Changes() {
			key := [2]types.Address{c.Account, c.Mint}
			require.True(t, want[key].Equal(c.Net()), "%s: %s instead of %s", r.Signature, c.Net(), want[key])
			delete(want, key)
			if !c.Mint.IsNativeSOL() {
				tokens++
			}
		}
		for key, change := range want {
			require.Zero(t, change.Sign(), "%s: %s", r.Signature, key)
		}
		require.Equal(t, r.Parsed.Failed(), r.Raw.Meta.TransactionError != nil)
		if r.Parsed.Failed() {
			require.NotEmpty(t, r.Parsed.AttemptedNativeTransfers)
			failed++
		}
	}
	require.Greater(t, failed, 10)
	require.Greater(t, tokens, 100)
}

// balanceChanges returns the changes in whole tokens by owner and mint. Wrapped SOL is not
// counted once more as the SOL of its token account.
func balanceChanges(t *tx.Transaction) map[[2]types.Address]decimal.Decimal {
	changes := map[[2]types.Address]decimal.Decimal{}
	add := func(owner, mint types.Address, amount decimal.Decimal) {
		key := [2]types.Address{owner, mint}
		changes[key] = changes[key].Add(amount)
	}
	wrapped := map[int]bool{}
	for _, b := range slices.Concat(t.Meta.PreTokenBalances, t.Meta.PostTokenBalances) {
		wrapped[b.AccountIndex] = b.Mint == types.WrappedSOL
	}
	for i, address := range t.Accounts() {
		if wrapped[i] {
			continue
		}
		add(address, types.NativeSOLMint, types.Amount(t.Meta.PostBalances[i], 9).Sub(types.Amount(t.Meta.PreBalances[i], 9)))
	}
	for _, b := range t.Meta.PostTokenBalances {
		add(b.Owner, b.Mint, types.Amount(b.UITokenAmount.RawAmount, b.UITokenAmount.Decimals))
	}
	for _, b := range t.Meta.PreTokenBalances {
		add(b.Owner, b.Mint, types.Amount(b.UITokenAmount.RawAmount, b.UITokenAmount.Decimals).Neg())
	}
	return changes
}
