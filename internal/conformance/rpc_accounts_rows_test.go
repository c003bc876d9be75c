package conformance_test

import (
	"math"
	"slices"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

var (
	confirmed = &rpc.CommitmentOptions{Commitment: types.CommitmentConfirmed}
	read      = &rpc.ReadOptions{Commitment: types.CommitmentConfirmed, MinContextSlot: 5}
	head      = &types.DataSlice{Length: 16}
	allBits   = uint64(math.MaxUint64)
)

// withoutSlot returns an account as nodes send it, beside its slot.
func withoutSlot(a *rpc.Account) *rpc.Account {
	if a == nil {
		return nil
	}
	sent := *a
	sent.Slot = 0
	return &sent
}

func withoutSlots(all []*rpc.Account) (sent []*rpc.Account) {
	for _, a := range all {
		sent = append(sent, withoutSlot(a))
	}
	return sent
}

func rpcAccountRows() []row {
	one := func(o *rpc.AccountOptions) call { return calling("rpc.Client.Account", owner, o) }
	info := row{
		method: "rpc.Client.Account", wire: "getAccountInfo", shape: as(withoutSlot),
		minimal: one(nil),
		full:    one(&rpc.AccountOptions{Commitment: types.CommitmentConfirmed, MinContextSlot: 5, ChangedSinceSlot: allBits}),
		needs:   []string{"result.value.owner"}, null: nullIsNotFound,
		refused: []refusal{
			{one(&rpc.AccountOptions{DataSlice: head}), wantsNoSlice},
			{one(&rpc.AccountOptions{Encoding: types.EncodingJSON}), `Encoding "json"` + notOfAccounts},
		},
	}
	variant := func(name string, o *rpc.AccountOptions) row { return info.variant(name, one(o)) }
	unchanged := variant("unchanged", &rpc.AccountOptions{ChangedSinceSlot: 6})
	unchanged.needs = []string{"result.value.status"}

	many := func(n int, o *rpc.AccountOptions) call {
		return calling("rpc.Client.Accounts", slices.Repeat([]types.Address{owner, mint}, n)[:n], o)
	}
	accounts := row{
		method: "rpc.Client.Accounts", wire: "getMultipleAccounts", shape: as(withoutSlots),
		minimal: many(5, nil),
		full: many(5, &rpc.AccountOptions{
			Commitment: types.CommitmentProcessed, MinContextSlot: 5, DataSlice: head, Encoding: types.EncodingBase64, ChangedSinceSlot: 9,
		}),
		needs: []string{"result.value", "result.value.0.owner", "result.value.2.owner", "result.value.3.owner", "result.value.4.owner"},
		refused: []refusal{
			{many(5, &rpc.AccountOptions{DataSlice: head}), wantsNoSlice},
			{many(5, &rpc.AccountOptions{Encoding: "hex"}), `Encoding "hex"` + notOfAccounts},
		},
	}
	parsed := accounts.variant("parsed", many(6, nil))
	parsed.needs = []string{"result.value"}
	for _, i := range []string{"0", "1", "2", "3", "4", "5"} {
		parsed.needs = append(parsed.needs, "result.value."+i+".owner")
	}

	return []row{
		info,
		variant("base64", &rpc.AccountOptions{DataSlice: head, Encoding: types.EncodingBase64}),
		variant("zstd", &rpc.AccountOptions{DataSlice: head, Encoding: types.EncodingBase64Zstd}),
		variant("base58", &rpc.AccountOptions{DataSlice: head, Encoding: types.EncodingBase58}),
		unchanged, accounts, parsed,
		{method: "rpc.Client.Balance", wire: "getBalance", args: []any{owner}, options: read},
		{
			method: "rpc.Client.MinimumBalanceForRentExemption", wire: "getMinimumBalanceForRentExemption",
			minimal: calling("rpc.Client.MinimumBalanceForRentExemption", 165), full: calling("rpc.Client.MinimumBalanceForRentExemption", allBits, confirmed),
		},
	}
}

// badFilters are the refusals of filters.
func badFilters(filtered func(...types.Filter) call) []refusal {
	return []refusal{
		{filtered(types.Filter{}), "Filters[0] has no condition; make it with types.Memcmp, MemcmpAddress or DataSize"},
		{filtered(types.DataSize(0), types.Memcmp(0, nil)), "Filters[1] compares no bytes; call types.Memcmp with at least one byte"},
		{filtered(types.MemcmpAddress(0, "x")), "Filters[0] \"x\": address has length 1, not 32 to 44"},
	}
}

func rpcRows() []row {
	return slices.Concat(
		rpcAccountRows(), rpcTokenRows(), rpcTransactionRows(), rpcListingRows(), rpcChainRows(), rpcClusterRows(),
	)
}

const (
	token2022     = types.Token2022Program
	notOfAccounts = ` is not jsonParsed, base64, base64+zstd or base58`
	wantsNoSlice  = "DataSlice does not go with jsonParsed, the default; set Encoding to EncodingBase64"
	notProcessed  = `Commitment "processed" is not confirmed or finalized, the levels of this method`
)

const oneFilter = "filter needs either a mint or a program; make it with ByMint, ByProgram or AnyProgram"

func rpcTokenRows() []row {
	tokenAccounts := func(filter rpc.TokenFilter, o *rpc.TokenAccountsByDelegateOptions) call {
		return calling("rpc.Client.TokenAccountsByDelegate", delegate, filter, o)
	}
	byDelegate := row{
		method: "rpc.Client.TokenAccountsByDelegate", unlisted: "its cursor is a token program", wire: "getTokenAccountsByDelegate", shape: as(typed),
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
	encoded := byDelegate.variant("encoded", tokenAccounts(rpc.ByMint(mint), &rpc.TokenAccountsByDelegateOptions{DataSlice: &types.DataSlice{Length: 4}, Encoding: types.EncodingBase64Zstd}))
	return append([]row{byDelegate, encoded}, amountRows()...)
}

func amountRows() []row {
	return []row{
		{method: "rpc.Client.TokenAccountBalance", wire: "getTokenAccountBalance", args: []any{owner}, options: confirmed, needs: []string{"result.value.amount", "result.value.decimals"}},
		{method: "rpc.Client.TokenSupply", wire: "getTokenSupply", args: []any{mint}, options: confirmed, needs: []string{"result.value.amount", "result.value.decimals"}},
		{method: "rpc.Client.TokenLargestAccounts", wire: "getTokenLargestAccounts", args: []any{mint}, options: confirmed},
	}
}
