package rpc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/rpc"
)

// The documented parameters have no withContext, and the documented response a context.
func TestTokenAccountsByOwnerV2HasOnlyDocumentedParameters(t *testing.T) {
	t.Parallel()
	s := fake.New()
	_, err := client(t, s).TokenAccountsByOwnerV2(t.Context(), usdc, rpc.ByMint(usdc), &rpc.TokenAccountsByOwnerV2Options{Limit: 5, Cursor: usdc}).Page()
	require.NoError(t, err)
	require.JSONEq(t, `{"jsonrpc":"2.0","id":"1","method":"getTokenAccountsByOwnerV2","params":["`+usdc+`",{"mint":"`+usdc+`"},
		{"encoding":"jsonParsed","limit":5,"paginationKey":"`+usdc+`"}]}`, s.Requests()[0].Body)
}

func TestTotalOfEveryShapeOfAPage(t *testing.T) {
	t.Parallel()
	for _, result := range []string{
		`{"context":{"slot":7},"value":[],"paginationKey":null,"totalResults":42}`,
		`{"context":{"slot":7},"value":{"accounts":[],"paginationKey":null,"totalResults":42}}`,
		`{"context":{"slot":7},"value":{"accounts":[]},"totalResults":42}`,
	} {
		s := fake.New()
		s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":`+result+`}`)
		page, err := client(t, s).TokenAccountsByOwnerV2(t.Context(), usdc, rpc.ByMint(usdc), nil).Page()
		require.NoError(t, err)
		require.Equal(t, uint64(42), page.Total)
		require.Equal(t, uint64(7), page.Slot)
	}
	s := fake.New()
	s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":{"accounts":[],"totalResults":42}}`)
	page, err := client(t, s).ProgramAccountsV2(t.Context(), usdc, nil).Page()
	require.NoError(t, err)
	require.Equal(t, uint64(42), page.Total)
}
