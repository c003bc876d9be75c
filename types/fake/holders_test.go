package fake_test

import (
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

const cat types.Address = "Cat1111111111111111111111111111111111111111"

// held is a world in which ann has 7.25 of a token in two token accounts, bob 10 and cat
// 2.5 in one each, and cat 1.25 in compressed accounts.
func held() *fake.World {
	tokens := func(amount string) []fake.Token {
		return []fake.Token{{Mint: one, Decimals: 2, Amount: decimal.RequireFromString(amount), Token2022: true}}
	}
	return &fake.World{
		Wallets: []fake.Wallet{{Address: ann, SOL: decimal.NewFromInt(1), Tokens: tokens("7.25")}, {Address: bob, Tokens: tokens("10")}},
		TokenAccounts: []fake.TokenAccount{
			{Delegate: bob, Owner: ann, Mint: one, Decimals: 2, RawAmount: 500, DelegatedAmount: 7, Token2022: true},
			{Delegate: bob, Owner: ann, Mint: one, Decimals: 2, RawAmount: 225, Frozen: true, Token2022: true},
			{Delegate: bob, Owner: cat, Mint: one, Decimals: 2, RawAmount: 250, Token2022: true},
		},
		CompressedTokenAccounts: []fake.CompressedTokenAccount{
			{Delegate: bob, Owner: cat, Mint: one, RawAmount: 100},
			{Delegate: ann, Owner: cat, Mint: one, RawAmount: 25, V2: true},
			{Delegate: ann, Owner: bob, Mint: one, RawAmount: 3},
		},
	}
}

// readers returns clients of a service with a world.
func readers(t *testing.T, w *fake.World) (*das.Client, *rpc.Client, *compressed.Client) {
	t.Helper()
	cfg := fake.New(&fake.Options{World: w}).Config()
	assets, err := das.New(cfg)
	require.NoError(t, err)
	node, err := rpc.New(cfg)
	require.NoError(t, err)
	compact, err := compressed.New(cfg)
	require.NoError(t, err)
	return assets, node, compact
}

func TestTokenAccountsAreTheSameInAllListings(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	assets, node, _ := readers(t, held())

	indexed, err := assets.TokenAccounts(ctx, das.TokenAccountsFilter{Owner: ann}, nil).Collect(10)
	require.NoError(t, err)
	require.Len(t, indexed, 2)
	listed, err := node.TokenAccountsByOwner(ctx, ann, rpc.ByMint(one), nil).Page()
	require.NoError(t, err)
	require.Len(t, listed.Items, 2)
	for i, account := range indexed {
		token, err := listed.Items[i].Account.Data.TokenAccount()
		require.NoError(t, err)
		require.Equal(t, listed.Items[i].Address, account.Address)
		require.Equal(t, token.TokenAmount.RawAmount, account.RawAmount)
		require.Equal(t, bob, account.Delegate)
		require.Equal(t, token.State == "frozen", account.Frozen)
	}
	single := &rpc.TokenAccountsByOwnerOptions{}
	single.Limit = 1
	paged, err := node.TokenAccountsByOwner(ctx, ann, rpc.ByMint(one), single).Collect(10)
	require.NoError(t, err)
	require.Equal(t, listed.Items, paged)
	balance, err := node.TokenAccountBalance(ctx, listed.Items[0].Address, nil)
	require.NoError(t, err)
	require.Equal(t, indexed[0].RawAmount, balance.RawAmount)
	largest, err := node.TokenLargestAccounts(ctx, one, nil)
	require.NoError(t, err)
	require.Len(t, largest, 5)
	for i, raw := range []uint64{1000, 500, 250, 225, 128} {
		require.Equal(t, raw, largest[i].RawAmount)
	}
}
