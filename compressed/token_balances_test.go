package compressed_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
)

// The service gives a cursor after the only balance, which leads to it again.
func TestBalanceOfOneMintIsOnePage(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	opts := &compressed.TokenListingOptions{Mint: usdc, PageOptions: types.PageOptions{Limit: 1}}
	s.Answer(200, `{"context":{"slot":1},"value":{"items":[{"mint":"`+usdc+`","balance":7}],"cursor":"`+usdc+`"}}`)
	n, err := walked(t, client(t, s).TokenBalancesByOwner(t.Context(), fakeapi.Owner, opts).All())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Len(t, s.Requests(), 1)
}

func TestTokenBalancesHaveThreeNamesOnTheWire(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"items", "token_balances", "tokenBalances", `token_balances":[],"tokenBalances`} {
		s := fakeapi.New()
		s.Answer(200, `{"context":{"slot":1},"value":{"`+name+`":[{"mint":"a","balance":18446744073709551615}],"cursor":null}}`)
		page, err := client(t, s).TokenBalancesByOwner(t.Context(), fakeapi.Owner, nil).Page()
		require.NoError(t, err)
		require.Equal(t, []compressed.TokenBalance{{Mint: "a", RawAmount: 1<<64 - 1}}, page.Items)
	}
}
