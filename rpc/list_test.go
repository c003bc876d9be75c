package rpc_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

func TestListsOfAnotherShapeAreErrors(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	c := clientOf(t, s)
	for _, result := range []string{`7`, `"text"`, `{"value":7}`, `{"value":[7]}`} {
		s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":`+result+`}`)
		_, err := c.ProgramAccounts(t.Context(), types.TokenProgram, nil).Page()
		require.ErrorContains(t, err, "getProgramAccountsV2 of ", result)
		s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":`+result+`}`)
		_, err = c.TokenAccountsByOwner(t.Context(), usdc, rpc.ByMint(usdc), nil).Page()
		require.ErrorContains(t, err, "getTokenAccountsByOwnerV2 of ", result)
	}
	s.Answer(200, `{"data":[{"slot":7}]}`)
	_, err := c.TransactionsForAddress(t.Context(), usdc, nil).Page()
	require.EqualError(t, err, "getTransactionsForAddress of EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v: item cannot be read: transaction: item 0 of the response has no transaction")
}

// A missing entry would shift the others to the wrong transactions.
func TestResultsOfAnotherNumberAreErrors(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	c := clientOf(t, s)
	first := types.Signature(strings.Repeat("1", 64))
	for _, list := range []string{`[null]`, `[null,null,null]`} {
		s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":{"context":{"slot":7},"value":`+list+`}}`)
		_, err := c.SignatureStatuses(t.Context(), []types.Signature{first, first}, nil)
		require.ErrorContains(t, err, ": the response has")
	}
}
