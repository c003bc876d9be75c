package conformance_test

import (
	"slices"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

const oneFilter = "filter needs either a mint or a program; make it with ByMint, ByProgram or AnyProgram"

func rpcTokenRows() []row {
	tokenAccounts := func(filter rpc.TokenFilter, o *rpc.TokenAccountsByDelegateOptions) call {
		return calling("rpc.Client.TokenAccountsByDelegate", delegate, filter, o)
	}
	byDelegate := row{
		method: "rpc.Client.TokenAccountsByDelegate", unlisted: "its cursor is a token program", wire: "getTokenAccountsByDelegate", shape: as(typed),
		golden:  "rpc/getTokenAccountsByDelegate",
		minimal: tokenAccounts(rpc.ByMint(mint), nil),
		full:    tokenAccounts(rpc.ByProgram(types.TokenProgram), &rpc.TokenAccountsByDelegateOptions{Commitment: types.CommitmentConfirmed, MinContextSlot: 5}),
		refused: slices.Concat(
			badAddress("filter", func(a types.Address) call { return tokenAccounts(rpc.ByMint(a), nil) })[1:], []refusal{
				{tokenAccounts(rpc.TokenFilter{}, nil), oneFilter},
				{tokenAccounts(rpc.TokenFilter{Mint: mint, ProgramID: types.TokenProgram}, nil), oneFilter},
				{tokenAccounts(rpc.ByMint(mint), &rpc.TokenAccountsByDelegateOptions{Cursor: "x"}), "Cursor is not the Cursor of a page of this listing"},
				{tokenAccounts(rpc.ByMint(mint), &rpc.TokenAccountsByDelegateOptions{DataSlice: &types.DataSlice{}}), wantsNoSlice},
			}),
	}
	encoded := byDelegate
	encoded.golden = "rpc/getTokenAccountsByDelegate-encoded"
	encoded.minimal, encoded.answer, encoded.needs, encoded.refused = nil, "value", []string{"value"}, nil
	encoded.full = tokenAccounts(rpc.ByMint(mint), &rpc.TokenAccountsByDelegateOptions{DataSlice: &types.DataSlice{Length: 4}, Encoding: types.EncodingBase64Zstd})
	return append([]row{byDelegate, encoded}, amountRows()...)
}

func amountRows() []row {
	return []row{
		{
			method: "rpc.Client.TokenAccountBalance", wire: "getTokenAccountBalance",
			args: []any{owner}, options: confirmed,
			needs: []string{"result.value.amount"},
		},
		{
			method: "rpc.Client.TokenSupply", wire: "getTokenSupply",
			args: []any{mint}, options: confirmed,
			needs: []string{"result.value.amount"},
		},
		{method: "rpc.Client.TokenLargestAccounts", wire: "getTokenLargestAccounts", args: []any{mint}, options: confirmed},
	}
}
