package rpc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
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

// A cursor is a position that another listing has too: it would skip items silently.
func TestCursorOfAnotherListingOfAccountsIsRefused(t *testing.T) {
	t.Parallel()
	s := fake.New()
	for range 4 {
		s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":{"context":{"slot":7},"value":{"accounts":[],"paginationKey":"`+usdc+`"}}}`)
	}
	c := client(t, s)
	programs := func(program types.Address, cursor string, filters ...types.Filter) (*types.Page[rpc.ProgramAccount], error) {
		return c.ProgramAccountsV2(t.Context(), program, &rpc.ProgramAccountsV2Options{Cursor: cursor, Filters: filters}).Page()
	}
	tokens := func(owner types.Address, filter rpc.TokenFilter, cursor string) (*types.Page[rpc.TokenAccount], error) {
		return c.TokenAccountsByOwnerV2(t.Context(), owner, filter, &rpc.TokenAccountsByOwnerV2Options{Cursor: cursor}).Page()
	}
	page, err := programs(usdc, "")
	require.NoError(t, err)
	_, err = programs(types.WrappedSOL, page.Cursor)
	require.ErrorIs(t, err, types.ErrInvalid)
	require.ErrorContains(t, err, "rpc.Client.ProgramAccountsV2: Cursor belongs to another listing")
	_, err = programs(usdc, page.Cursor, types.DataSize(1))
	require.ErrorIs(t, err, types.ErrInvalid)
	held, err := tokens(usdc, rpc.ByMint(usdc), "")
	require.NoError(t, err)
	_, err = tokens(usdc, rpc.ByMint(types.WrappedSOL), held.Cursor)
	require.ErrorIs(t, err, types.ErrInvalid)
	require.Len(t, s.Requests(), 2)

	_, err = programs(usdc, page.Cursor)
	require.NoError(t, err)
	_, err = tokens(usdc, rpc.ByMint(usdc), held.Cursor)
	require.NoError(t, err)
	for _, request := range s.Requests()[2:] {
		require.Contains(t, request.Body, `"paginationKey":"`+usdc+`"`)
	}
}
