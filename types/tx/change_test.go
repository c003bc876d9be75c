package tx_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

// Ann has two accounts of a mint, of which one is closed, and pays the fee. Ben's account
// is opened. The owner of account 4, from a lookup table, is not named.
const balances = `{"transaction":{"message":{"accountKeys":["ann","ann1","ann2","ben1"]}},"meta":{"fee":5000,
	"loadedAddresses":{"writable":["old"],"readonly":["mint"]},
	"preBalances":[9007199254740993,2039280,2039280,0,2039280,1],"postBalances":[9007199254735993,2039280,0,2039280,2039280,1],
	"preTokenBalances":[
		{"accountIndex":1,"mint":"mint","owner":"ann","uiTokenAmount":{"amount":"18446744073709551600","decimals":6}},
		{"accountIndex":2,"mint":"mint","owner":"ann","uiTokenAmount":{"amount":"15","decimals":6}},
		{"accountIndex":4,"mint":"mint","uiTokenAmount":{"amount":"7","decimals":6}},
		{"accountIndex":4,"mint":"same","uiTokenAmount":{"amount":"7","decimals":6}}],
	"postTokenBalances":[
		{"accountIndex":1,"mint":"mint","owner":"ann","uiTokenAmount":{"amount":"18446744073709551595","decimals":6}},
		{"accountIndex":3,"mint":"mint","owner":"ben","uiTokenAmount":{"amount":"20","decimals":6}},
		{"accountIndex":4,"mint":"mint","uiTokenAmount":{"amount":"8","decimals":6}},
		{"accountIndex":4,"mint":"same","uiTokenAmount":{"amount":"7","decimals":6}},
		{"accountIndex":9,"mint":"odd","uiTokenAmount":{"amount":"1","decimals":0}}]}}`

func TestChangesAreByWalletAndExact(t *testing.T) {
	t.Parallel()
	var transaction tx.Transaction
	require.NoError(t, decode.JSON([]byte(balances), &transaction))
	sol := types.NativeSOLMint
	changes := transaction.Changes()
	require.Equal(t, []tx.Change{
		{Account: "ann", Mint: sol, Decimals: 9, RawBefore: 9007199254740993, RawAfter: 9007199254735993},
		{Account: "ann2", Mint: sol, Decimals: 9, RawBefore: 2039280},
		{Account: "ben1", Mint: sol, Decimals: 9, RawAfter: 2039280},
		{Account: "ann", Mint: "mint", Decimals: 6, RawBefore: 18446744073709551615, RawAfter: 18446744073709551595},
		{Account: "old", Mint: "mint", Decimals: 6, RawBefore: 7, RawAfter: 8},
		{Account: "ben", Mint: "mint", Decimals: 6, RawAfter: 20},
		{Mint: "odd", RawAfter: 1},
	}, changes)
	require.Equal(t, "-0.000005", changes[0].Net().String())
	require.Equal(t, "-0.00002", changes[3].Net().String())
}

func TestNoChangesWithoutBalancesOfAllAccounts(t *testing.T) {
	t.Parallel()
	require.NotEmpty(t, of(t, "").Changes())
	require.Equal(t, of(t, "").Changes(), of(t, "-jsonParsed").Changes())
	require.Nil(t, of(t, "-base64").Changes())
	require.Nil(t, new(tx.Transaction).Changes())
}
