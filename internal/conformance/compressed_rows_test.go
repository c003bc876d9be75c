package conformance_test

import (
	"context"
	"slices"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/types"
)

func compressedRows() []row {
	return slices.Concat(compressedReads(), compressedListings(), compressedProofs(), indexerReads())
}

// version1 makes a call of the methods of version 1.
func version1(f call) call {
	return func(ctx context.Context, c *clients) (any, error) {
		return f(ctx, &clients{compressed: c.compressed.WithVersion(compressed.WireVersion1)})
	}
}

// Arguments of the golden requests.
const (
	anAccount   = "2zegR9LX5hwy52E9VdvzYiAUtvaoFLHAYB4ecEa8QJuy"
	queued      = "2NKz9jGZmhzkVnRFuUTaLVcK5JWbqXuKKsYr2Y8PDs87"
	unknown     = "9WKm2pSc69L8PNa2YZ5szPM6ptbbVqNiCESyS76h3fKt"
	spent       = "2U7e6c6eqHBavc8JyoiPHEnAyzZGn3gJDNMy7RDSUvus"
	anAddress   = "7uoCbHA4UvjgSHucLeTuzyti7Sw5QHDaq2V25FcedKWV"
	tokens      = "32rC465oTvBmdKWhV39RGDo3vc5Hs6CVZ2HLxNNkR9op"
	inTree      = "whceFTCicZnpaVAErC9aZH4qzKUFHzSTe7JDqZi5YZJ"
	wallet2     = "6zJZ83dyiBGS1oCrFXkWcdsTq8KgJDX5C49WKHCQ6fdT"
	tokenMint   = "45r15Yr89ikVNBfXZFBrGaM7kscRai9Ykehb3oirGZnd"
	tokenOwner  = "FhmztfqCThd7GnAt88WCsbBXCVTqztvYfPdJhobZVJgo"
	spender     = "CuL7tBrjSpRgPwCeh7yEdTuip5HvhxNaBoQbCptG4L32"
	inTree2     = "2yjPgkakHPeUFpCLt4XgfXD6jHn29UkZtNCY3mcHw9a4"
	newAddress  = "erApnM97UPBvqfxW5TSTJ7bQmhdoRTV14oaoc7hHnnS"
	addressTree = "3PwM3ffahDpwMaptT277EsMZx6Y3FvjujxLRcC7oUZbd"
	program     = "BEXisBt161X9d4Bd4oVfbUK6LmQEkTJD4odmZkf52G5D"
)

func compressedReads() []row {
	one := []string{"result.value", "result.value.hash"}
	many := []string{"result.value.items"}
	amount := []string{"result.value"}
	return []row{
		{
			method: "compressed.Client.Account", wire: "getCompressedAccountV2", golden: "compressed/getCompressedAccountV2", keys: []string{"result.value.hash"},
			args: []any{queued}, shape: as(onWire), answer: "result.value", needs: one, null: nullIsNotFound,
		},
		{
			method: "compressed.Client.Account", wire: "getCompressedAccount", golden: "compressed/getCompressedAccount", keys: []string{"result.value.hash"},
			args: []any{anAccount}, shape: as(onWire), through: version1, answer: "result.value", needs: one, null: nullIsNotFound,
		},
		{
			method: "compressed.Client.AccountByAddress", wire: "getCompressedAccountV2", golden: "compressed/getCompressedAccountV2-address", keys: []string{"result.value.address"},
			args: []any{anAddress}, shape: as(onWire), answer: "result.value", needs: one, null: nullIsNotFound,
		},
		{
			method: "compressed.Client.AccountByAddress", wire: "getCompressedAccount", golden: "compressed/getCompressedAccount-address", keys: []string{"result.value.address"},
			args: []any{anAddress}, shape: as(onWire), through: version1, answer: "result.value", needs: one, null: nullIsNotFound,
		},
		{
			method: "compressed.Client.Accounts", wire: "getMultipleCompressedAccountsV2", golden: "compressed/getMultipleCompressedAccountsV2", keys: []string{"result.value.items.0.hash"},
			args: []any{[]types.Hash{queued, unknown}}, shape: as(accountsOf), answer: "result.value.items", needs: many,
		},
		{
			method: "compressed.Client.Accounts", wire: "getMultipleCompressedAccounts", golden: "compressed/getMultipleCompressedAccounts", keys: []string{"result.value.items.0.hash"},
			args: []any{[]types.Hash{anAccount, unknown, spent}}, shape: as(accountsOf), through: version1, answer: "result.value.items", needs: many,
		},
		{
			method: "compressed.Client.AccountsByAddress", wire: "getMultipleCompressedAccountsV2", golden: "compressed/getMultipleCompressedAccountsV2-addresses", keys: []string{"result.value.items.0.address"},
			args: []any{[]types.Address{anAddress, unknown}}, shape: as(accountsOf), answer: "result.value.items", needs: many,
		},
		{
			method: "compressed.Client.AccountsByAddress", wire: "getMultipleCompressedAccounts", golden: "compressed/getMultipleCompressedAccounts-addresses", keys: []string{"result.value.items.0.address"},
			args: []any{[]types.Address{anAddress, unknown}}, shape: as(accountsOf), through: version1, answer: "result.value.items", needs: many,
		},
		{
			method: "compressed.Client.Balance", wire: "getCompressedBalance", golden: "compressed/getCompressedBalance",
			args: []any{anAccount}, answer: "result.value", needs: amount,
		},
		{
			method: "compressed.Client.BalanceByAddress", wire: "getCompressedBalance", golden: "compressed/getCompressedBalance-address",
			args:   []any{anAddress},
			answer: "result.value", needs: amount,
		},
		{
			method: "compressed.Client.BalanceByOwner", wire: "getCompressedBalanceByOwner", golden: "compressed/getCompressedBalanceByOwner",
			args:   []any{program},
			answer: "result.value", needs: amount,
		},
		{
			method: "compressed.Client.TokenAccountBalance", wire: "getCompressedTokenAccountBalance", golden: "compressed/getCompressedTokenAccountBalance",
			args:   []any{tokens},
			answer: "result.value.amount", needs: []string{"result.value", "result.value.amount"},
		},
	}
}

func compressedListings() []row {
	return slices.Concat(accountListings(), tokenListings(), signatureListings())
}

func accountListings() []row {
	page := func(owner types.Address, o *compressed.AccountsByOwnerOptions) call {
		return calling("compressed.Client.AccountsByOwner", owner, o)
	}
	options := compressed.AccountsByOwnerOptions{
		Cursor: "E7qY6SqtRNTFY9qtdfDDY3aB7pzj4RC6AcouFBQ4AFWV", Limit: 2,
		DataSlice: &types.DataSlice{Offset: 0, Length: 8},
		Filters:   []types.Filter{types.Memcmp(0, []byte{0, 1, 2, 3}), types.Memcmp(2147483646, []byte("hello world"))},
		Prefetch:  true,
	}
	three := options
	three.Limit = 3
	return []row{
		{
			method: "compressed.Client.AccountsByOwner", wire: "getCompressedAccountsByOwnerV2",
			golden: "compressed/getCompressedAccountsByOwnerV2", shape: as(accountItems),
			checks:  true,
			minimal: page(wallet2, nil),
			full:    page(wallet2, &options),
			answer:  "result.value.items",
			needs:   []string{"result.value.items"},
			refused: []refusal{
				{page(owner, &compressed.AccountsByOwnerOptions{Filters: []types.Filter{{}}}), "Filters[0] has no condition; make it with types.Memcmp, MemcmpAddress or DataSize"},
				{page(owner, &compressed.AccountsByOwnerOptions{Filters: []types.Filter{types.Memcmp(2147483647, []byte{1})}}), "Filters[0] has an offset beyond 2147483646"},
				{page(owner, &compressed.AccountsByOwnerOptions{Filters: []types.Filter{types.DataSize(5)}}), "Filters[0] is not made with types.Memcmp or MemcmpAddress, the filters of the compression API"},
				{page(owner, &compressed.AccountsByOwnerOptions{Filters: []types.Filter{types.MemcmpAddress(0, "x")}}), "Filters[0] \"x\": address has length 1, not 32 to 44"},
				{page(owner, &compressed.AccountsByOwnerOptions{DataSlice: &types.DataSlice{Offset: 2147483647}}), "DataSlice goes beyond 2147483647 bytes; leave it nil for all data"},
			},
			list: listOf(`{"hash":"%s","leafIndex":1}`, `{"context":{"slot":1},"value":{"items":[%s],"cursor":%s}}`, owner),
		},
		{
			method: "compressed.Client.AccountsByOwner", wire: "getCompressedAccountsByOwner", golden: "compressed/getCompressedAccountsByOwner", shape: as(accountItems), through: version1, checks: true,
			minimal: page(owner, nil), full: page(owner, &three),
			answer: "result.value.items", needs: []string{"result.value.items"},
		},
	}
}

func tokenListings() []row {
	const cursor = "5uznnnH2jZQM9dYV9Cw3cnByo7YAVDvFHV5pvqohgVdoJ3KAY2QQKwTZyun9HNNB8PNcS348D7V2xuTuwRz2YuBb"
	tokenOptions := &compressed.TokenListingOptions{Mint: tokenMint, Limit: 2, Prefetch: true, Cursor: cursor}
	balanceOptions := &compressed.TokenListingOptions{Mint: tokenMint, Limit: 1, Prefetch: true, Cursor: "E7qY6SqtRNTFY9qtdfDDY3aB7pzj4RC6AcouFBQ4AFWV"}
	refused := func(method string) []refusal {
		return []refusal{{calling(method, owner, &compressed.TokenListingOptions{Mint: "x"}), `Mint "x": address has length 1, not 32 to 44`}}
	}
	listed := []string{"result.value.items"}
	const page = `{"context":{"slot":1},"value":{"items":[%s],"cursor":%s}}`
	return []row{
		{
			method: "compressed.Client.TokenAccountsByOwner", wire: "getCompressedTokenAccountsByOwnerV2",
			golden: "compressed/getCompressedTokenAccountsByOwnerV2", answer: listed[0], needs: listed,
			args: []any{tokenOwner}, options: tokenOptions, shape: as(tokenItems),
			refused: refused("compressed.Client.TokenAccountsByOwner"),
			list:    listOf(`{"account":{"hash":"%s"}}`, page, owner),
		},
		{
			method: "compressed.Client.TokenAccountsByOwner", wire: "getCompressedTokenAccountsByOwner",
			golden: "compressed/getCompressedTokenAccountsByOwner", answer: listed[0], needs: listed,
			args: []any{tokenOwner}, options: tokenOptions, shape: as(tokenItems), through: version1,
		},
		{
			method: "compressed.Client.TokenAccountsByDelegate", wire: "getCompressedTokenAccountsByDelegateV2",
			golden: "compressed/getCompressedTokenAccountsByDelegateV2", answer: listed[0], needs: listed,
			args: []any{spender}, options: tokenOptions, shape: as(tokenItems),
			refused: refused("compressed.Client.TokenAccountsByDelegate"),
			list:    listOf(`{"account":{"hash":"%s"}}`, page, delegate),
		},
		{
			method: "compressed.Client.TokenAccountsByDelegate", wire: "getCompressedTokenAccountsByDelegate",
			golden: "compressed/getCompressedTokenAccountsByDelegate", answer: listed[0], needs: listed,
			args: []any{delegate}, options: &compressed.TokenListingOptions{Mint: mint, Limit: 1000, Prefetch: true, Cursor: cursor}, shape: as(tokenItems), through: version1,
		},
		{
			method: "compressed.Client.TokenBalancesByOwner", wire: "getCompressedTokenBalancesByOwnerV2",
			golden: "compressed/getCompressedTokenBalancesByOwnerV2", answer: listed[0], needs: listed,
			args: []any{tokenOwner}, options: balanceOptions,
			refused: refused("compressed.Client.TokenBalancesByOwner"),
			list:    listOf(`{"mint":"%s"}`, page, owner),
		},
		{
			method: "compressed.Client.TokenBalancesByOwner", wire: "getCompressedTokenBalancesByOwner",
			golden: "compressed/getCompressedTokenBalancesByOwner", answer: "result.value.token_balances", needs: []string{"result.value.token_balances"},
			args: []any{tokenOwner}, options: balanceOptions, through: version1,
		},
		plainListing(
			row{method: "compressed.Client.MintTokenHolders", wire: "getCompressedMintTokenHolders"},
			tokenMint, "Dim4mzb29eRq8gVGrQeRnrq4R3wtGxAWFJTarDqrcngyPs6ERUsXz5k", 3, `{"owner":"%s"}`,
		),
	}
}

func signatureListings() []row {
	const cursor = "n4umPZyXVhJsYvJPvLB8vcxWF3q3TBePW8foChEQ1tvZq5MPnrKp9zEAPoFzb8mu856qGHQH8rRsN8XVX2e2WMyHgRMWatoqMq"
	const item = `{"signature":"%s"}`
	nonVoting := plainListing(
		row{method: "compressed.Client.LatestNonVotingSignatures", wire: "getLatestNonVotingSignatures"},
		"", cursor, 8, item,
	)
	nonVoting.list, nonVoting.unlisted = nil, "the service sends no cursors"
	return []row{
		{
			method: "compressed.Client.SignaturesForAccount", wire: "getCompressionSignaturesForAccount",
			args:   []any{inTree},
			answer: "result.value.items", needs: []string{"result.value.items"},
		},
		plainListing(
			row{method: "compressed.Client.SignaturesForAddress", wire: "getCompressionSignaturesForAddress"},
			"FhE5PzyiEkY5Woumjf9B5iT8TB4wbReBDEqhzQ4sv7hK", cursor, 2, item,
		),
		plainListing(
			row{method: "compressed.Client.SignaturesForOwner", wire: "getCompressionSignaturesForOwner"},
			program, cursor, 2, item,
		),
		plainListing(
			row{method: "compressed.Client.SignaturesForTokenOwner", wire: "getCompressionSignaturesForTokenOwner"},
			tokenOwner, cursor, 2, item,
		),
		plainListing(
			row{method: "compressed.Client.LatestCompressionSignatures", wire: "getLatestCompressionSignatures"},
			"", cursor, 2, item,
		),
		nonVoting,
	}
}

// plainListing completes the row of a listing by one address, or by none, with no
// options but Cursor, Limit and Prefetch.
func plainListing(r row, by types.Address, cursor string, limit int, item string) row {
	r.answer, r.needs = "result.value.items", []string{"result.value.items"}
	r.options = &compressed.ListingOptions{Cursor: cursor, Limit: limit, Prefetch: true}
	if by != "" {
		r.args = []any{by}
	}
	r.list = listOf(item, `{"context":{"slot":1},"value":{"items":[%s],"cursor":%s}}`, r.args...)
	return r
}

func compressedProofs() []row {
	addresses := func(tree types.Address, addresses ...types.Address) call {
		var list []compressed.NewAddress
		for _, a := range addresses {
			list = append(list, compressed.NewAddress{Address: a, Tree: tree})
		}
		return calling("compressed.Client.NewAddressProofs", list)
	}
	validity := func(hashes []types.Hash, addresses ...compressed.NewAddress) call {
		return calling("compressed.Client.ValidityProof", hashes, addresses)
	}
	value := []string{"result.value"}
	return []row{
		{
			method: "compressed.Client.AccountProof", wire: "getCompressedAccountProofV2",
			golden: "compressed/getCompressedAccountProofV2", keys: []string{"result.value.hash"}, args: []any{inTree2}, shape: as(proofOf), answer: "result.value",
			needs: []string{"result.value", "result.value.root"},
		},
		{
			method: "compressed.Client.AccountProof", wire: "getCompressedAccountProof",
			golden: "compressed/getCompressedAccountProof", keys: []string{"result.value.hash"}, args: []any{inTree}, shape: as(proofOf), through: version1, answer: "result.value",
			needs: []string{"result.value", "result.value.root"},
		},
		{
			method: "compressed.Client.AccountProofs", wire: "getMultipleCompressedAccountProofsV2",
			golden: "compressed/getMultipleCompressedAccountProofsV2", keys: []string{"result.value.0.hash", "result.value.1.hash"}, args: []any{[]types.Hash{queued, inTree2}}, shape: as(proofsOf), answer: "result.value", needs: value,
		},
		{
			method: "compressed.Client.AccountProofs", wire: "getMultipleCompressedAccountProofs",
			golden: "compressed/getMultipleCompressedAccountProofs", keys: []string{"result.value.0.hash", "result.value.1.hash"},
			args: []any{[]types.Hash{"PufcuwoBDXhs7XPvprLMHeH6PGCy174V1CxssctTMH8", inTree}}, shape: as(proofsOf), through: version1, answer: "result.value", needs: value,
		},
		{
			method: "compressed.Client.NewAddressProofs", wire: "getMultipleNewAddressProofsV2",
			golden: "compressed/getMultipleNewAddressProofsV2", keys: []string{"result.value.0.address"}, minimal: addresses(addressTree, newAddress), answer: "result.value", needs: value,
			refused: append(badAddress("addresses[0].Address", func(a types.Address) call { return addresses("", a) }), refusal{addresses("x", newAddress), `addresses[0].Tree "x": address has length 1, not 32 to 44`}),
		},
		{
			method: "compressed.Client.NewAddressProofs", wire: "getMultipleNewAddressProofs",
			golden: "compressed/getMultipleNewAddressProofs", keys: []string{"result.value.0.address"}, minimal: addresses("", newAddress), through: version1, answer: "result.value", needs: value,
		},
		{
			method: "compressed.Client.ValidityProof", wire: "getValidityProofV2",
			golden: "compressed/getValidityProofV2", minimal: validity([]types.Hash{inTree2}), shape: as(validityV2), answer: "result.value",
			needs: []string{"result.value", "result.value.accounts", "result.value.compressedProof"},
			refused: slices.Concat(
				badAddress("newAddresses[0].Address", func(a types.Address) call { return validity(nil, compressed.NewAddress{Address: a}) }),
				[]refusal{{validity(nil), "hashes and newAddresses are empty; set one of them"}}),
		},
		{
			method: "compressed.Client.ValidityProof", wire: "getValidityProofV2",
			golden: "compressed/getValidityProofV2-queued", minimal: validity([]types.Hash{queued}), shape: as(validityV2), answer: "result.value",
			needs: []string{"result.value", "result.value.accounts", "result.value.accounts.0.rootIndex", "result.value.accounts.0.rootIndex.proveByIndex"},
		},
		{
			method: "compressed.Client.ValidityProof", wire: "getValidityProof",
			golden:  "compressed/getValidityProof",
			minimal: validity([]types.Hash{inTree}, compressed.NewAddress{Address: newAddress}), shape: as(validityV1), through: version1, answer: "result.value",
			needs: []string{
				"result.value", "result.value.compressedProof", "result.value.roots", "result.value.rootIndices",
				"result.value.leafIndices", "result.value.leaves", "result.value.merkleTrees",
			},
		},
	}
}

func indexerReads() []row {
	const signature = "5UZuijpSnqBpgMpqnggxZ58bzZ8aJtqqVjtvzx2Pg2C58jXph1rdrXyHdTxJfsHawNJyr8syU4U1MEYccDUQeTSV"
	needs := []string{
		"result", "result.transaction", "result.compressionInfo", "result.compressionInfo.closedAccounts", "result.compressionInfo.openedAccounts",
	}
	return []row{
		{
			method: "compressed.Client.Transaction", wire: "getTransactionWithCompressionInfoV2",
			golden: "compressed/getTransactionWithCompressionInfoV2", args: []any{signature}, shape: as(transactionV2),
			answer: "result", needs: needs, null: nullIsNotFound,
			refused: []refusal{
				{calling("compressed.Client.Transaction", ""), "signature is empty"},
				{calling("compressed.Client.Transaction", "short"), `signature "short": signature has length 5, not 64 to 88`},
			},
		},
		{
			method: "compressed.Client.Transaction", wire: "getTransactionWithCompressionInfo",
			golden: "compressed/getTransactionWithCompressionInfo", args: []any{signature}, shape: as(transactionV1), through: version1,
			answer: "result", needs: needs, null: nullIsNotFound,
		},
		{method: "compressed.Client.IndexerHealth", wire: "getIndexerHealth", golden: "compressed/getIndexerHealth", keys: []string{"result"}, small: true},
		{method: "compressed.Client.IndexerSlot", wire: "getIndexerSlot", golden: "compressed/getIndexerSlot"},
	}
}
