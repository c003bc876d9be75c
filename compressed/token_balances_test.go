package compressed_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fake"
)

// The service gives a cursor after the only balance, which leads to it again.
func TestBalanceOfOneMintIsOnePage(t *testing.T) {
	t.Parallel()
	s := fake.New()
	opts := &compressed.TokenListingOptions{Mint: usdc, Limit: 1}
	s.Answer(200, `{"context":{"slot":1},"value":{"items":[{"mint":"`+usdc+`","balance":7}],"cursor":"`+usdc+`"}}`)
	n, err := walked(t, client(t, s).TokenBalancesByOwner(t.Context(), fake.Owner, opts).All())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Len(t, s.Requests(), 1)
}

func TestTokenBalancesHaveThreeNamesOnTheWire(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"items", "token_balances", "tokenBalances"} {
		s := fake.New()
		s.Answer(200, `{"context":{"slot":1},"value":{"`+name+`":[{"mint":"a","balance":18446744073709551615}],"cursor":null}}`)
		page, err := client(t, s).TokenBalancesByOwner(t.Context(), fake.Owner, nil).Page()
		require.NoError(t, err)
		require.Equal(t, []compressed.TokenBalance{{Mint: "a", RawAmount: 1<<64 - 1}}, page.Items)
	}
}

func TestHolderWhoComesAgainIsLeftOut(t *testing.T) {
	t.Parallel()
	s := fake.New()
	c := client(t, s)
	holders := c.MintTokenHolders(t.Context(), usdc, nil).All()
	for range 2 { // each walk has its own memory
		s.Answer(200, `{"context":{"slot":1},"value":{"items":[{"owner":"a","balance":9},{"owner":"b","balance":8}],"cursor":"x"}}`)
		s.Answer(200, `{"context":{"slot":1},"value":{"items":[{"owner":"a","balance":7},{"owner":"c","balance":0}],"cursor":null}}`)
		var got []compressed.TokenHolder
		for holder, err := range holders {
			require.NoError(t, err)
			got = append(got, holder)
		}
		require.Equal(t, []compressed.TokenHolder{{Owner: "a", RawAmount: 9}, {Owner: "b", RawAmount: 8}, {Owner: "c"}}, got)
	}
}
