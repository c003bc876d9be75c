package rpc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

// The documented parameters have no withContext, and the documented response a context.
func TestTokenAccountsByOwnerV2HasOnlyDocumentedParameters(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	_, err := clientOf(t, s).TokenAccountsByOwner(t.Context(), usdc, rpc.ByMint(usdc), &rpc.TokenAccountsByOwnerOptions{PageOptions: types.PageOptions{Limit: 5, Cursor: usdc}}).Page()
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
		s := fakeapi.New()
		s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":`+result+`}`)
		page, err := clientOf(t, s).TokenAccountsByOwner(t.Context(), usdc, rpc.ByMint(usdc), nil).Page()
		require.NoError(t, err)
		require.Equal(t, uint64(42), page.Total)
		require.Equal(t, uint64(7), page.Slot)
	}
	s := fakeapi.New()
	s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":{"accounts":[],"totalResults":42}}`)
	page, err := clientOf(t, s).ProgramAccounts(t.Context(), usdc, nil).Page()
	require.NoError(t, err)
	require.Equal(t, uint64(42), page.Total)
}

// A cursor is a position that another listing has too: it would skip items silently.
func TestCursorOfAListingWithOtherFiltersIsRefused(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	const result = `{"jsonrpc":"2.0","id":null,"result":{"context":{"slot":7},"value":{"accounts":[],"paginationKey":"` + usdc + `"}}}`
	s.Answer(200, result)
	s.Answer(200, result)
	c := clientOf(t, s)
	page, err := c.ProgramAccounts(t.Context(), usdc, nil).Page()
	require.NoError(t, err)
	_, err = c.ProgramAccounts(t.Context(), usdc, &rpc.ProgramAccountsOptions{PageOptions: types.PageOptions{Cursor: page.Cursor}, Filters: []types.Filter{types.DataSize(1)}}).Page()
	require.ErrorContains(t, err, "rpc.Client.ProgramAccounts: Cursor belongs to another listing")
	held, err := c.TokenAccountsByOwner(t.Context(), usdc, rpc.ByMint(usdc), nil).Page()
	require.NoError(t, err)
	_, err = c.TokenAccountsByOwner(t.Context(), usdc, rpc.ByMint(types.WrappedSOL), &rpc.TokenAccountsByOwnerOptions{PageOptions: types.PageOptions{Cursor: held.Cursor}}).Page()
	require.ErrorIs(t, err, types.ErrInvalid)
	require.Len(t, s.Requests(), 2)
}

// A host without the paged methods is learnt from its first response. It has one page per
// token program. An option that it would ignore silently is an error.
func TestHostWithoutPagedMethods(t *testing.T) {
	t.Parallel()
	const unknown = `{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}`
	s := fakeapi.New()
	c := clientOf(t, s)
	s.Answer(200, unknown)
	s.Answer(200, `{"context":{"slot":7},"value":[{"pubkey":"a"}]}`)
	s.Answer(200, `{"context":{"slot":8},"value":[{"pubkey":"b"}]}`)
	list := c.TokenAccountsByOwner(t.Context(), usdc, rpc.AnyProgram(), &rpc.TokenAccountsByOwnerOptions{PageOptions: types.PageOptions{Limit: 1}})
	got, err := list.Collect(10)
	require.NoError(t, err)
	require.Len(t, got, 2)
	for i, method := range []string{`"getTokenAccountsByOwnerV2"`, `"getTokenAccountsByOwner"`, `"getTokenAccountsByOwner"`} {
		require.Contains(t, s.Requests()[i].Body, method)
	}
	require.NotContains(t, s.Requests()[1].Body, "limit")

	s.Answer(200, unknown)
	s.Answer(200, `{"context":{"slot":7},"value":[{"pubkey":"a"},{"pubkey":"b"}]}`)
	page, err := c.ProgramAccounts(t.Context(), usdc, nil).Page()
	require.NoError(t, err)
	require.Len(t, page.Items, 2)
	require.False(t, page.HasMore)
	_, err = c.ProgramAccounts(t.Context(), usdc, &rpc.ProgramAccountsOptions{PageOptions: types.PageOptions{Cursor: usdc}}).Page()
	require.ErrorIs(t, err, types.ErrInvalid)
	require.Len(t, s.Requests(), 5)
}

// A host that has answered a paged method has it. An error of another node behind it does not
// change the method within a listing.
func TestPagedListingStaysPaged(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":{"accounts":[{"pubkey":"a"}],"paginationKey":"`+usdc+`"}}`)
	s.Answer(200, `{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}`)
	_, err := clientOf(t, s).ProgramAccounts(t.Context(), usdc, nil).Collect(10)
	require.ErrorContains(t, err, ": code -32601")
}
