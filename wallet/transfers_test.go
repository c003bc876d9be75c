package wallet_test

import (
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	fakes "github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/wallet"
)

func TestTransfersToOneselfDoNotChangeTheBalance(t *testing.T) {
	t.Parallel()
	ann, bob, token := types.AddressOf([32]byte{1}), types.AddressOf([32]byte{2}), types.AddressOf([32]byte{3})
	pay := func(from, to types.Address, amount int64) fakes.Transaction {
		return fakes.Transaction{FeePayer: bob, Transfers: []fakes.Transfer{{From: from, To: to, Mint: token, Amount: decimal.NewFromInt(amount)}}}
	}
	holds := []fakes.Token{{Mint: token, Amount: decimal.NewFromInt(1000)}}
	w := &fakes.World{Wallets: []fakes.Wallet{{Address: ann, Tokens: holds}, {Address: bob, Tokens: holds}}, Transactions: []fakes.Transaction{
		pay(ann, bob, 3), pay(ann, ann, 100), pay(bob, ann, 5),
	}}
	c, err := wallet.New(fakes.New(&fakes.Options{World: w}).Config())
	require.NoError(t, err)
	sums, listed := map[types.Address]int64{}, 0
	for _, owner := range []types.Address{ann, bob} {
		for transfer, err := range c.Transfers(t.Context(), owner, nil).All() {
			require.NoError(t, err)
			listed++
			sums[owner] += transfer.Change(owner).IntPart()
		}
	}
	require.Equal(t, 5, listed, "one of a wallet to itself is listed once")
	require.Equal(t, map[types.Address]int64{ann: 2, bob: -2}, sums)
	require.True(t, wallet.Transfer{Direction: "sideways", Amount: decimal.NewFromInt(1)}.Change(ann).IsZero())
}
