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
	"github.com/solwire/solwire-go/wallet"
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

func TestTokenAccountsMayHaveNoDelegate(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	assets, node, compact := readers(t, &fake.World{
		TokenAccounts:           []fake.TokenAccount{{Address: bob, Owner: ann, Mint: one, RawAmount: 5}},
		CompressedTokenAccounts: []fake.CompressedTokenAccount{{Owner: ann, Mint: one, RawAmount: 7}},
	})

	indexed, err := assets.TokenAccounts(ctx, das.TokenAccountsFilter{Owner: ann}, nil).Page()
	require.NoError(t, err)
	require.Equal(t, []das.TokenAccount{{Address: bob, Owner: ann, Mint: one, RawAmount: 5}}, indexed.Items)
	account, err := node.Account(ctx, bob, nil)
	require.NoError(t, err)
	token, err := account.Data.TokenAccount()
	require.NoError(t, err)
	require.Empty(t, token.Delegate)
	require.Zero(t, token.DelegatedAmount)
	require.EqualValues(t, 5, token.TokenAmount.RawAmount)
	listed, err := compact.TokenAccountsByOwner(ctx, ann, nil).Page()
	require.NoError(t, err)
	require.Len(t, listed.Items, 1)
	require.Empty(t, listed.Items[0].TokenData.Delegate)
	require.EqualValues(t, 7, listed.Items[0].TokenData.RawAmount)
	data, err := compressed.ParseTokenData(&listed.Items[0].Account)
	require.NoError(t, err)
	require.Equal(t, listed.Items[0].TokenData, *data)
}

func TestTokenAccountsGiveTheirOwnerABalance(t *testing.T) {
	t.Parallel()
	page, err := wallets(t, fake.New(&fake.Options{World: held()}).Config()).Balances(t.Context(), cat, &wallet.BalancesOptions{HideNative: true}).Page()
	require.NoError(t, err)
	require.Len(t, page.Items, 1)
	require.Equal(t, "2.5", page.Items[0].Amount.String())
}

func TestCompressedTokensOfAnOwnerAreListed(t *testing.T) {
	t.Parallel()
	world := held()
	world.CompressedTokenAccounts = append(world.CompressedTokenAccounts, fake.CompressedTokenAccount{Delegate: ann, Owner: cat, Mint: bob, RawAmount: 9})
	_, _, compact := readers(t, world)
	ctx := t.Context()

	amounts := map[types.Address][]uint64{}
	for account, err := range compact.TokenAccountsByOwner(ctx, cat, &compressed.TokenListingOptions{PageOptions: types.PageOptions{Limit: 1}}).All() {
		require.NoError(t, err)
		require.Equal(t, cat, account.TokenData.Owner)
		amounts[account.TokenData.Mint] = append(amounts[account.TokenData.Mint], account.TokenData.RawAmount)
	}
	require.ElementsMatch(t, []uint64{100, 25}, amounts[one])
	require.Equal(t, []uint64{9}, amounts[bob])
	balances, err := compact.TokenBalancesByOwner(ctx, cat, &compressed.TokenListingOptions{PageOptions: types.PageOptions{Limit: 1}}).Collect(10)
	require.NoError(t, err)
	require.Len(t, balances, 2)
	for _, b := range balances {
		require.Equal(t, map[types.Address]uint64{one: 125, bob: 9}[b.Mint], b.RawAmount)
	}
	only, err := compact.TokenAccountsByOwner(ctx, cat, &compressed.TokenListingOptions{Mint: one, PageOptions: types.PageOptions{Limit: 1}}).Collect(10)
	require.NoError(t, err)
	require.Len(t, only, 2)
	none, err := compact.TokenAccountsByOwner(ctx, fake.WalletAddress, nil).Page()
	require.NoError(t, err)
	require.Empty(t, none.Items)
}

func TestTokensOfEventsHaveHolders(t *testing.T) {
	t.Parallel()
	s, ctx := fake.New(&fake.Options{World: held()}), t.Context()
	s.Deliver(ctx, nil, s.Swap(ann)) // ann swaps SOL or USDC
	supply, err := node(t, s).TokenSupply(ctx, usdc, nil)
	require.NoError(t, err)
	require.NotZero(t, supply.RawAmount)
	largest, err := node(t, s).TokenLargestAccounts(ctx, usdc, nil)
	require.NoError(t, err)
	require.Equal(t, supply.RawAmount, largest[0].RawAmount)
}

func TestUnknownMintsHaveNoHolders(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	assets, node, compact := readers(t, held())

	page, err := assets.TokenAccounts(ctx, das.TokenAccountsFilter{Mint: cat}, nil).Page()
	require.NoError(t, err)
	require.Empty(t, page.Items)
	holders, err := compact.MintTokenHolders(ctx, fake.WalletAddress, nil).Page()
	require.NoError(t, err)
	require.Empty(t, holders.Items)
	_, err = node.TokenSupply(ctx, fake.WalletAddress, nil)
	require.ErrorContains(t, err, "could not find account")
	_, err = node.TokenLargestAccounts(ctx, fake.WalletAddress, nil)
	require.ErrorContains(t, err, "could not find mint")
	_, err = node.TokenAccountBalance(ctx, fake.WalletAddress, nil)
	require.ErrorContains(t, err, "could not find account")
	_, err = node.TokenAccountBalance(ctx, ann, nil)
	require.ErrorContains(t, err, "not a Token account")
	_, err = node.TokenSupply(ctx, ann, nil)
	require.ErrorContains(t, err, "not a Token mint")
}

func TestIncompleteSecondPageEndsTheHolders(t *testing.T) {
	t.Parallel()
	s := fake.New(&fake.Options{World: held()})
	s.Fail("getTokenAccounts", 2, fake.Incomplete())
	assets, err := das.New(s.Config())
	require.NoError(t, err)
	n := 0
	for _, err = range assets.TokenAccounts(t.Context(), das.TokenAccountsFilter{Mint: one}, &das.TokenAccountsOptions{PageOptions: types.PageOptions{Limit: 2}}).All() {
		if err == nil {
			n++
		}
	}
	require.ErrorIs(t, err, types.ErrIncomplete)
	require.Equal(t, 2, n)
}
