package conformance_test

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

func compressedRows() []row {
	return slices.Concat(compressedReads(), accountListings(), tokenListings(), signatureListings(), compressedProofs(), indexerReads())
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
	account := row{
		method: "compressed.Client.Account", wire: "getCompressedAccountV2", args: []any{queued}, shape: as(onWire),
		needs: []string{"result.value", "result.value.hash"}, keys: []string{"result.value.hash"}, null: nullIsNotFound,
	}
	byAddress := account
	byAddress.method, byAddress.golden = "compressed.Client.AccountByAddress", "compressed/getCompressedAccountV2-address"
	byAddress.args, byAddress.keys = []any{anAddress}, []string{"result.value.address"}
	accounts := row{
		method: "compressed.Client.Accounts", wire: "getMultipleCompressedAccountsV2", args: []any{[]types.Hash{queued, unknown}},
		shape: as(accountsOf), keys: []string{"result.value.items.0.hash"},
	}
	byAddresses := accounts
	byAddresses.method, byAddresses.golden = "compressed.Client.AccountsByAddress", "compressed/getMultipleCompressedAccountsV2-addresses"
	byAddresses.args, byAddresses.keys = []any{[]types.Address{anAddress, unknown}}, []string{"result.value.items.0.address"}
	return []row{
		account, account.older("getCompressedAccount", anAccount),
		byAddress, byAddress.older("getCompressedAccount-address"),
		accounts, accounts.older("getMultipleCompressedAccounts", []types.Hash{anAccount, unknown, spent}),
		byAddresses, byAddresses.older("getMultipleCompressedAccounts-addresses"),
		{method: "compressed.Client.Balance", wire: "getCompressedBalance", args: []any{anAccount}},
		{method: "compressed.Client.BalanceByAddress", wire: "getCompressedBalance", golden: "compressed/getCompressedBalance-address", args: []any{anAddress}},
		{method: "compressed.Client.BalanceByOwner", wire: "getCompressedBalanceByOwner", args: []any{program}},
		{
			method: "compressed.Client.TokenAccountBalance", wire: "getCompressedTokenAccountBalance", args: []any{tokens},
			answer: "result.value.amount", needs: []string{"result.value", "result.value.amount"},
		},
	}
}

const compressedPage = `{"context":{"slot":1},"value":{"items":[%s],"cursor":%s}}`

func accountListings() []row {
	page := func(owner types.Address, o *compressed.AccountsByOwnerOptions) call {
		return calling("compressed.Client.AccountsByOwner", owner, o)
	}
	options := compressed.AccountsByOwnerOptions{
		PageOptions: types.PageOptions{Cursor: "E7qY6SqtRNTFY9qtdfDDY3aB7pzj4RC6AcouFBQ4AFWV", Limit: 2, Prefetch: true},
		DataSlice:   &types.DataSlice{Offset: 0, Length: 8},
		Filters:     []types.Filter{types.Memcmp(0, []byte{0, 1, 2, 3}), types.Memcmp(2147483646, []byte("hello world"))},
	}
	three := options
	three.Limit = 3
	filtered := func(f types.Filter) call {
		return page(owner, &compressed.AccountsByOwnerOptions{Filters: []types.Filter{f}})
	}
	r := row{
		method: "compressed.Client.AccountsByOwner", wire: "getCompressedAccountsByOwnerV2", shape: as(accountItems), checks: true,
		minimal: page(wallet2, nil), full: page(wallet2, &options),
		refused: []refusal{
			{filtered(types.Filter{}), "Filters[0] has no condition; make it with types.Memcmp, MemcmpAddress or DataSize"},
			{filtered(types.Memcmp(2147483647, []byte{1})), "Filters[0] has an offset beyond 2147483646"},
			{filtered(types.DataSize(5)), "Filters[0] is not made with types.Memcmp or MemcmpAddress, the filters of the compression API"},
			{filtered(types.MemcmpAddress(0, "x")), "Filters[0] \"x\": address has length 1, not 32 to 44"},
			{page(owner, &compressed.AccountsByOwnerOptions{DataSlice: &types.DataSlice{Offset: 2147483647}}), "DataSlice goes beyond 2147483647 bytes; leave it nil for all data"},
		},
		list: listOf(`{"hash":"%s","leafIndex":1}`, compressedPage, owner),
	}
	v1 := r.older("getCompressedAccountsByOwner")
	v1.minimal, v1.full = page(owner, nil), page(owner, &three)
	return []row{r, v1}
}

func tokenListings() []row {
	const cursor = "5uznnnH2jZQM9dYV9Cw3cnByo7YAVDvFHV5pvqohgVdoJ3KAY2QQKwTZyun9HNNB8PNcS348D7V2xuTuwRz2YuBb"
	listing := func(name string, by types.Address, o *compressed.TokenListingOptions, shape func(any) any, l *listing) row {
		return row{method: "compressed.Client." + name, wire: "getCompressed" + name + "V2", args: []any{by}, options: o, shape: shape, list: l}
	}
	options := &compressed.TokenListingOptions{Mint: tokenMint, PageOptions: types.PageOptions{Limit: 2, Prefetch: true, Cursor: cursor}}
	const account = `{"account":{"hash":"%s"}}`
	byOwner := listing("TokenAccountsByOwner", tokenOwner, options, as(tokenItems), listOf(account, compressedPage, owner))
	byDelegate := listing("TokenAccountsByDelegate", spender, options, as(tokenItems), listOf(account, compressedPage, delegate))
	delegatedV1 := byDelegate.older("getCompressedTokenAccountsByDelegate", delegate)
	delegatedV1.options = &compressed.TokenListingOptions{Mint: mint, PageOptions: types.PageOptions{Limit: 1000, Prefetch: true, Cursor: cursor}}
	balances := listing("TokenBalancesByOwner", tokenOwner,
		&compressed.TokenListingOptions{Mint: tokenMint, PageOptions: types.PageOptions{Limit: 1, Prefetch: true, Cursor: "E7qY6SqtRNTFY9qtdfDDY3aB7pzj4RC6AcouFBQ4AFWV"}}, nil, listOf(`{"mint":"%s","balance":1}`, compressedPage, owner))
	balancesV1 := balances.older("getCompressedTokenBalancesByOwner")
	balancesV1.answer = "result.value.token_balances"
	return []row{
		byOwner, byOwner.older("getCompressedTokenAccountsByOwner"), byDelegate, delegatedV1, balances, balancesV1,
		plainListing("MintTokenHolders", "getCompressedMintTokenHolders", tokenMint, "Dim4mzb29eRq8gVGrQeRnrq4R3wtGxAWFJTarDqrcngyPs6ERUsXz5k", 3, `{"owner":"%s","balance":1}`),
	}
}

func signatureListings() []row {
	signatures := func(name, wire string, by types.Address, limit int) row {
		return plainListing(name, wire, by, "n4umPZyXVhJsYvJPvLB8vcxWF3q3TBePW8foChEQ1tvZq5MPnrKp9zEAPoFzb8mu856qGHQH8rRsN8XVX2e2WMyHgRMWatoqMq", limit, `{"signature":"%s"}`)
	}
	nonVoting := signatures("LatestNonVotingSignatures", "getLatestNonVotingSignatures", "", 8)
	nonVoting.list, nonVoting.unlisted = nil, "the service sends no cursors"
	return []row{
		{method: "compressed.Client.SignaturesForAccount", wire: "getCompressionSignaturesForAccount", args: []any{inTree}},
		signatures("SignaturesForAddress", "getCompressionSignaturesForAddress", "FhE5PzyiEkY5Woumjf9B5iT8TB4wbReBDEqhzQ4sv7hK", 2),
		signatures("SignaturesForOwner", "getCompressionSignaturesForOwner", program, 2),
		signatures("SignaturesForTokenOwner", "getCompressionSignaturesForTokenOwner", tokenOwner, 2),
		signatures("LatestCompressionSignatures", "getLatestCompressionSignatures", "", 2),
		nonVoting,
	}
}

// plainListing returns the row of a listing by one address, or by none, with no options but
// Cursor, Limit and Prefetch.
func plainListing(name, wire string, by types.Address, cursor string, limit int, item string) row {
	r := row{method: "compressed.Client." + name, wire: wire, options: &compressed.ListingOptions{PageOptions: types.PageOptions{Cursor: cursor, Limit: limit, Prefetch: true}}}
	if by != "" {
		r.args = []any{by}
	}
	r.list = listOf(item, compressedPage, r.args...)
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
	proof := row{
		method: "compressed.Client.AccountProof", wire: "getCompressedAccountProofV2", args: []any{inTree2}, shape: as(proofOf),
		keys: []string{"result.value.hash"}, needs: []string{"result.value", "result.value.root"},
	}
	proofs := row{
		method: "compressed.Client.AccountProofs", wire: "getMultipleCompressedAccountProofsV2", args: []any{[]types.Hash{queued, inTree2}}, shape: as(proofsOf),
		keys: []string{"result.value.0.hash", "result.value.1.hash"},
	}
	absence := row{
		method: "compressed.Client.NewAddressProofs", wire: "getMultipleNewAddressProofsV2", minimal: addresses(addressTree, newAddress), keys: []string{"result.value.0.address"},
		refused: append(badAddress("addresses[0].Address", func(a types.Address) call { return addresses("", a) }), refusal{addresses("x", newAddress), `addresses[0].Tree "x": address has length 1, not 32 to 44`}),
	}
	absenceV1 := absence.older("getMultipleNewAddressProofs")
	absenceV1.minimal = addresses("", newAddress)
	valid := row{
		method: "compressed.Client.ValidityProof", wire: "getValidityProofV2", minimal: validity([]types.Hash{inTree2}), shape: as(validityV2),
		needs: []string{"result.value", "result.value.accounts", "result.value.compressedProof"},
		refused: slices.Concat(
			badAddress("newAddresses[0].Address", func(a types.Address) call { return validity(nil, compressed.NewAddress{Address: a}) }),
			[]refusal{{validity(nil), "hashes and newAddresses are empty; set one of them"}}),
	}
	inQueue := valid
	inQueue.golden, inQueue.minimal, inQueue.refused = "compressed/getValidityProofV2-queued", validity([]types.Hash{queued}), nil
	inQueue.needs = []string{"result.value", "result.value.accounts", "result.value.accounts.0.rootIndex", "result.value.accounts.0.rootIndex.proveByIndex"}
	validV1 := valid.older("getValidityProof")
	validV1.minimal, validV1.shape = validity([]types.Hash{inTree}, compressed.NewAddress{Address: newAddress}), as(validityV1)
	validV1.needs = []string{
		"result.value", "result.value.compressedProof", "result.value.roots", "result.value.rootIndices",
		"result.value.leafIndices", "result.value.leaves", "result.value.merkleTrees",
	}
	return []row{
		proof, proof.older("getCompressedAccountProof", inTree),
		proofs, proofs.older("getMultipleCompressedAccountProofs", []types.Hash{"PufcuwoBDXhs7XPvprLMHeH6PGCy174V1CxssctTMH8", inTree}),
		absence, absenceV1, valid, inQueue, validV1,
	}
}

func indexerReads() []row {
	const signature = "5UZuijpSnqBpgMpqnggxZ58bzZ8aJtqqVjtvzx2Pg2C58jXph1rdrXyHdTxJfsHawNJyr8syU4U1MEYccDUQeTSV"
	r := row{
		method: "compressed.Client.Transaction", wire: "getTransactionWithCompressionInfoV2", args: []any{signature}, shape: as(transactionV2), null: nullIsNotFound,
		needs: []string{
			"result", "result.transaction", "result.compressionInfo", "result.compressionInfo.closedAccounts", "result.compressionInfo.openedAccounts",
		},
	}
	v1 := r.older("getTransactionWithCompressionInfo")
	v1.shape = as(transactionV1)
	r.needs = append(r.needs, "result.compressionInfo.closedAccounts.0.account.account")
	return []row{
		r, v1,
		{method: "compressed.Client.IndexerHealth", wire: "getIndexerHealth", keys: []string{"result"}, small: true},
		{method: "compressed.Client.IndexerSlot", wire: "getIndexerSlot"},
	}
}

// Proofs and transactions in the forms of the two versions.

func proofOf(p *compressed.AccountProof) *compressed.AccountProof {
	sent := *p
	if sent.TreeContext != nil {
		sent.Tree = ""
	}
	return &sent
}

func proofsOf(list []*compressed.AccountProof) (all []any) {
	for _, p := range list {
		all = append(all, proofOf(p))
	}
	return all
}

type wireProof struct {
	A []int `json:"a"`
	B []int `json:"b"`
	C []int `json:"c"`
}

func numbers(p compressed.ProofBytes) (n []int) {
	for _, b := range p {
		n = append(n, int(b))
	}
	return n
}

func bytesOfProof(p *compressed.ZKProof) *wireProof {
	if p == nil {
		return nil
	}
	return &wireProof{numbers(p.A), numbers(p.B), numbers(p.C)}
}

func validityV1(v *compressed.ValidityProof) any {
	var sent struct {
		Proof       *wireProof      `json:"compressedProof"`
		Roots       []types.Hash    `json:"roots"`
		RootIndices []uint64        `json:"rootIndices"`
		LeafIndices []uint64        `json:"leafIndices"`
		Leaves      []string        `json:"leaves"`
		Trees       []types.Address `json:"merkleTrees"`
	}
	sent.Proof = bytesOfProof(v.Proof)
	add := func(root types.Hash, rootIndex, leafIndex uint64, leaf string, tree types.Address) {
		sent.Roots = append(sent.Roots, root)
		sent.RootIndices = append(sent.RootIndices, rootIndex)
		sent.LeafIndices = append(sent.LeafIndices, leafIndex)
		sent.Leaves = append(sent.Leaves, leaf)
		sent.Trees = append(sent.Trees, tree)
	}
	for _, a := range v.Accounts {
		add(a.Root, a.RootIndex, a.LeafIndex, string(a.Hash), a.Tree)
	}
	for _, a := range v.Addresses {
		add(a.Root, a.RootIndex, a.LeafIndex, string(a.Address), a.Tree)
	}
	return sent
}

func validityV2(v *compressed.ValidityProof) any {
	type rootIndex struct {
		RootIndex    uint64 `json:"rootIndex"`
		ProveByIndex bool   `json:"proveByIndex"`
	}
	type account struct {
		Hash          types.Hash                `json:"hash"`
		Root          types.Hash                `json:"root"`
		RootIndex     rootIndex                 `json:"rootIndex"`
		LeafIndex     uint64                    `json:"leafIndex"`
		MerkleContext *compressed.MerkleContext `json:"merkleContext"`
	}
	type address struct {
		Address       types.Address             `json:"address"`
		Root          types.Hash                `json:"root"`
		RootIndex     uint64                    `json:"rootIndex"`
		MerkleContext *compressed.MerkleContext `json:"merkleContext"`
	}
	var sent struct {
		Proof     *wireProof `json:"compressedProof"`
		Accounts  []account  `json:"accounts"`
		Addresses []address  `json:"addresses"`
	}
	sent.Proof = bytesOfProof(v.Proof)
	for _, a := range v.Accounts {
		sent.Accounts = append(sent.Accounts, account{a.Hash, a.Root, rootIndex{a.RootIndex, a.ProveByIndex}, a.LeafIndex, a.MerkleContext})
	}
	for _, a := range v.Addresses {
		sent.Addresses = append(sent.Addresses, address{a.Address, a.Root, a.RootIndex, a.MerkleContext})
	}
	return sent
}

type wireTransaction struct {
	Slot        uint64          `json:"slot"`
	BlockTime   types.Time      `json:"blockTime"`
	Version     tx.Version      `json:"version"`
	Meta        json.RawMessage `json:"meta"`
	Transaction []string        `json:"transaction"`
}

type wireChange struct {
	Account   any                   `json:"account"`
	TokenData *compressed.TokenData `json:"optionalTokenData"`
}

type wireInfo struct {
	Transaction wireTransaction `json:"transaction"`
	Info        struct {
		Closed []wireChange `json:"closedAccounts"`
		Opened []wireChange `json:"openedAccounts"`
	} `json:"compressionInfo"`
}

func transactionV1(t *compressed.Transaction) any {
	sent := wireInfo{Transaction: wireTransaction{t.Slot, t.BlockTime, t.Version, t.Meta, []string{t.Encoded, t.Encoding}}}
	for _, a := range t.Closed {
		sent.Info.Closed = append(sent.Info.Closed, wireChange{onWire(&a.Account), a.TokenData})
	}
	for _, a := range t.Opened {
		sent.Info.Opened = append(sent.Info.Opened, wireChange{onWire(&a.Account), a.TokenData})
	}
	return sent
}

func transactionV2(t *compressed.Transaction) any {
	type closed struct {
		Account   *compressed.Account `json:"account"`
		Nullifier types.Hash          `json:"nullifier"`
		TxHash    types.Hash          `json:"txHash"`
	}
	sent, _ := transactionV1(t).(wireInfo)
	for i, a := range t.Closed {
		sent.Info.Closed[i].Account = closed{onWire(&a.Account), a.Nullifier, a.TxHash}
	}
	return sent
}
