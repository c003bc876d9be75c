package fake_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/wallet"
)

const (
	ann types.Address = "Ann1111111111111111111111111111111111111111"
	bob types.Address = "Bob1111111111111111111111111111111111111111"
	cat types.Address = "Cat1111111111111111111111111111111111111111"
	one types.Address = "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R"

	usdc types.Address = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
)

const seed = `{
	"wallets": [
		{"address": "Ann1111111111111111111111111111111111111111", "sol": 2.5,
			"tokens": [{"mint": "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R", "symbol": "ONE", "decimals": 2, "amount": "7.25", "priceUsd": "0.5"}],
			"identity": {"name": "Ann", "domains": ["ann.sol"]}},
		{"address": "Bob1111111111111111111111111111111111111111", "sol": 1}
	],
	"transactions": [
		{"transfers": [{"from": "Ann1111111111111111111111111111111111111111", "to": "Bob1111111111111111111111111111111111111111", "amount": 0.5}]},
		{"transfers": [{"from": "Bob1111111111111111111111111111111111111111", "to": "Ann1111111111111111111111111111111111111111",
			"mint": "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R", "amount": 7.25}]},
		{"feePayer": "Bob1111111111111111111111111111111111111111", "err": "InsufficientFundsForRent", "type": "SWAP"}
	],
	"tokenAccounts": [{"delegate": "Bob1111111111111111111111111111111111111111", "owner": "Ann1111111111111111111111111111111111111111",
		"mint": "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R", "rawAmount": 725, "delegatedAmount": 25, "decimals": 2}],
	"compressedAccounts": [
		{"owner": "Ann1111111111111111111111111111111111111111", "data": "AQID", "discriminator": 9007199254740993},
		{"owner": "Ann1111111111111111111111111111111111111111", "lamports": 5, "v2": true}
	],
	"compressedTokenAccounts": [{"delegate": "Bob1111111111111111111111111111111111111111", "owner": "Ann1111111111111111111111111111111111111111",
		"mint": "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R", "rawAmount": 3}],
	"webhooks": [{"url": "https://example.test/hook", "accountAddresses": ["Ann1111111111111111111111111111111111111111"]}]
}`

func seeded(t *testing.T) *fake.Service {
	t.Helper()
	world, err := fake.ParseWorld([]byte(seed))
	require.NoError(t, err)
	again, err := json.Marshal(world)
	require.NoError(t, err)
	world, err = fake.ParseWorld(again)
	require.NoError(t, err, "what is written can be read")
	return fake.New(&fake.Options{World: world})
}

func TestWalletsOfASeedAgree(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := seeded(t)
		c, ctx := wallets(t, s.Config()), t.Context()
		page, err := c.Balances(ctx, ann, nil).Page()
		require.NoError(t, err)
		require.Len(t, page.Items, 2)
		require.Equal(t, "2.5", page.Items[0].Amount.String())
		require.Equal(t, "ONE 7.25", page.Items[1].Symbol+" "+page.Items[1].Amount.String())

		history, err := c.History(ctx, ann, nil).Page()
		require.NoError(t, err)
		require.Len(t, history.Items, 2)
		require.WithinDuration(t, time.Now().Add(-time.Minute), history.Items[0].BlockTime.Time, time.Second)
		theirs, err := c.History(ctx, bob, nil).Page()
		require.NoError(t, err)
		require.Len(t, theirs.Items, 3)
		require.Equal(t, history.Items[0].Signature, theirs.Items[0].Signature)
		require.Contains(t, theirs.Items[2].TransactionError, "InsufficientFundsForRent")

		before, err := c.BalanceAt(ctx, ann, one, wallet.AtTime(time.Now().Add(-3*time.Minute)))
		require.NoError(t, err)
		require.True(t, before.Amount.IsZero())
		after, err := c.BalanceAt(ctx, ann, one, wallet.AtTime(time.Now()))
		require.NoError(t, err)
		require.Equal(t, "7.25", after.Amount.String())
		who, err := c.Identity(ctx, "ann.sol")
		require.NoError(t, err)
		require.Equal(t, "Ann", who.Name)
		_, err = c.Identity(ctx, string(bob))
		require.ErrorIs(t, err, types.ErrNotFound)
	})
}

func TestInvalidWorldsAreErrors(t *testing.T) {
	t.Parallel()
	const a = `"Ann1111111111111111111111111111111111111111"`
	for doc, want := range map[string]string{
		`{"wallet":[]}`:    `unknown field "wallet"`,
		`{"preset":"big"}`: `preset "big" is neither empty nor default`,
		`{"wallets":[{"address":` + a + `,"sol":"0.0000000001"}]}`:                                                   `World.Wallets[0].SOL "0.0000000001" has more than 9 decimals or exceeds 64 bits`,
		`{"transactions":[{"transfers":[{"from":` + a + `,"to":` + a + `,"mint":` + a + `,"amount":1}]}]}`:           `is not a token of a wallet`,
		`{"wallets":[{"address":` + a + `,"tokens":[{"mint":` + a + `,"amount":7},{"mint":` + a + `,"amount":8}]}]}`: `World.Wallets[0].Tokens[1].Mint ` + a + ` is in an earlier entry of the wallet`,
		`{"transactions":[{}]}`: `has neither transfers nor a fee payer`,
		`{"wallets":[{"address":` + a + `,"sol":1}],"transactions":[{"transfers":[{"from":"` + string(bob) + `","to":` + a + `,"amount":2}]}]}`:                        `than it holds and has sent since; increase what it holds`,
		`{"compressedTokenAccounts":[{"delegate":"x","owner":` + a + `,"mint":` + a + `}]}`:                                                                            `World.CompressedTokenAccounts[0].Delegate "x": address has length 1`,
		`{"transactions":[{"signature":"` + strings.Repeat("1", 64) + `","feePayer":` + a + `},{"signature":"` + strings.Repeat("1", 64) + `","feePayer":` + a + `}]}`: `World.Transactions[1].Signature "` + strings.Repeat("1", 64) + `" is in an earlier entry`,
		`{"tokenAccounts":[{"address":` + a + `,"owner":` + a + `,"mint":` + a + `},{"address":` + a + `,"owner":` + a + `,"mint":` + a + `,"delegate":` + a + `}]}`:   `World.TokenAccounts[1].Address ` + a + ` is in an earlier entry`,
		`{"tokenAccounts":[{"owner":` + a + `,"mint":` + a + `,"decimals":2},{"owner":` + a + `,"mint":` + a + `}]}`:                                                   `World.TokenAccounts[1].Decimals is 0, but mint ` + string(ann) + ` has 2 elsewhere`,
		`{"wallets":[{"address":` + a + `,"tokens":[{"mint":` + a + `,"amount":7}]}],"tokenAccounts":[{"owner":` + a + `,"mint":` + a + `,"rawAmount":8}]}`:            `hold 8 in all, but the balance of the owner is 7, in the smallest unit`,
		`{"preset":"default","compressedAccounts":[{"owner":"` + string(fake.OwnerAddress) + `"}]}`:                                                                    `are in the preset`,
	} {
		_, err := fake.ParseWorld([]byte(doc))
		require.ErrorContains(t, err, want, doc)
	}
	require.Panics(t, func() { fake.New(&fake.Options{World: &fake.World{Preset: "big"}}) })
}

func TestTransactionsWithoutATimeAreAMinuteOlder(t *testing.T) {
	t.Parallel()
	at := time.Date(2024, time.May, 1, 0, 0, 0, 0, time.UTC)
	now := at.AddDate(1, 0, 0)
	payer := fake.WalletAddress
	s := fake.New(&fake.Options{Clock: func() time.Time { return now }, World: &fake.World{Transactions: []fake.Transaction{
		{FeePayer: payer}, {FeePayer: payer}, {FeePayer: payer, BlockTime: types.Time{Time: at}}, {FeePayer: payer},
	}}})
	page, err := wallets(t, s.Config()).History(t.Context(), payer, nil).Page()
	require.NoError(t, err)
	var ages []time.Duration
	for _, x := range page.Items {
		ages = append(ages, now.Sub(x.BlockTime.Time))
	}
	year := now.Sub(at)
	require.Equal(t, []time.Duration{time.Minute, 2 * time.Minute, year, year + time.Minute}, ages)
}
