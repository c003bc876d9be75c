// Package facts has the documented prices and limits of the operations of the service. Clients,
// the fake and tests use this one place. Facts for programs, such as the addresses of programs
// and the hosts of the service, are in package types.
package facts

import (
	"cmp"
	"strings"
)

// Accounts of the compressed token program and of the compression programs.
const (
	TokenPoolOwner = "GXtd2izAiMJPwMEjfgTRH3d7k9mjn4Jq3JrWFv9gySYy"
	AddressTreeV1  = "amt1Ayt45jfbdw5YSo7iz6WZxUmnZsQTYXy82hVwyC2"
)

// An Operation has the documented facts of an operation.
type Operation struct {
	Credits uint64 // price; the lowest if it depends on the result; 0 if undocumented
	Inputs  int    // the most inputs of a request; 0 if it takes no list
	Items   int    // the most items of a page; 0 if undocumented, or if the operation has no pages
	Page    int    // the items of a page with default options; 0 means Items
	Batch   int    // most calls of a batch with the method; 1 if the service does not batch it
}

// FullTransactions is the most items of a page of getTransactionsForAddress with the
// details full. Each begun group of as many costs the Credits of the method.
const FullTransactions = 100

// AccountsPage is the default number of accounts of a page, since the service documents none.
const AccountsPage = 1000

// The batch limit of a method without its own, and the price of a method that is not in
// the table.
const (
	defaultBatch   = 100
	defaultCredits = 1
)

// Of returns the facts of an operation by its wire name. A JSON-RPC method that is not in
// the table costs one credit.
func Of(wire string) Operation {
	o, known := operations[wire]
	if strings.Contains(wire, " ") { // REST
		return o
	}
	if !known {
		o.Credits = defaultCredits
	}
	if o.Batch == 0 {
		o.Batch = defaultBatch
	}
	return o
}

// Listing returns the most credits that a listing of n items costs with default options; 0 if
// the price depends on the result. A listing may take one request more than it has pages.
func Listing(wire string, n uint64) uint64 {
	o := Of(wire)
	size := uint64(cmp.Or(o.Page, o.Items))
	if size == 0 || strings.HasSuffix(wire, "/scan") {
		return 0
	}
	pages := n / size
	if n%size > 0 {
		pages++
	}
	return (pages + 1) * o.Credits
}

// Known reports whether a price of the operation is known, or known to be undocumented.
func Known(wire string) bool {
	_, known := operations[wire]
	return known || !strings.Contains(wire, " ")
}

// operations are the documented operations as of November 2026, by wire name.
var operations = byName(map[Operation]string{
	{}: `
		GET /v0/webhooks, GET /v0/webhooks/{webhookID}, PATCH /v0/webhooks/{webhookID}`,
	{Credits: 1, Batch: 10}:                         "getBlock, getBlockTime, getBlocks, getBlocksWithLimit",
	{Credits: 1, Inputs: 32, Batch: 10}:             "getInflationReward",
	{Credits: 1, Inputs: 100}:                       "getMultipleAccounts",
	{Credits: 1, Inputs: 256, Batch: 10}:            "getSignatureStatuses",
	{Credits: 1, Items: 1000, Batch: 10}:            "getSignaturesForAddress",
	{Credits: 1, Items: 10_000, Page: AccountsPage}: "getProgramAccountsV2, getTokenAccountsByOwnerV2",
	{Credits: 10}: `
		getAsset, getAssetProof, getCompressedAccount, getCompressedAccountProof,
		getCompressedAccountProofV2, getCompressedAccountV2, getCompressedBalance,
		getCompressedBalanceByOwner, getCompressedTokenAccountBalance,
		getCompressionSignaturesForAccount, getIndexerHealth, getIndexerSlot,
		getProgramAccounts, getTransactionWithCompressionInfo,
		getTransactionWithCompressionInfoV2, sendBundle`,
	{Credits: 10, Inputs: 100}: "POST /v1/parsed-events/transactions",
	{Credits: 10, Inputs: 1000}: `
		getAssetBatch, getAssetProofBatch, getMultipleCompressedAccountProofs,
		getMultipleCompressedAccountProofsV2, getMultipleCompressedAccounts,
		getMultipleCompressedAccountsV2, getMultipleNewAddressProofs,
		getMultipleNewAddressProofsV2`,
	{Credits: 10, Items: 100}: `
		POST /v1/parsed-events/scan, POST /v1/parsed-events/transaction-history`,
	{Credits: 10, Items: 100, Batch: 10}: "getTransfersByAddress",
	{Credits: 10, Items: 1000}: `
		getAssetsByAuthority, getAssetsByCreator, getAssetsByGroup, getAssetsByOwner,
		getCompressedAccountsByOwner, getCompressedAccountsByOwnerV2,
		getCompressedMintTokenHolders, getCompressedTokenAccountsByDelegate,
		getCompressedTokenAccountsByDelegateV2, getCompressedTokenAccountsByOwner,
		getCompressedTokenAccountsByOwnerV2, getCompressedTokenBalancesByOwner,
		getCompressedTokenBalancesByOwnerV2, getCompressionSignaturesForAddress,
		getCompressionSignaturesForOwner, getCompressionSignaturesForTokenOwner,
		getLatestCompressionSignatures, getLatestNonVotingSignatures, getNftEditions,
		getSignaturesForAsset, getTokenAccounts, searchAssets`,
	{Credits: 10, Items: 1000, Page: FullTransactions, Batch: 1}: "getTransactionsForAddress",
	{Credits: 100}: `
		DELETE /v0/webhooks/{webhookID}, GET /v1/wallet/{wallet}/balance-at,
		GET /v1/wallet/{wallet}/funded-by, GET /v1/wallet/{wallet}/identity, POST /v0/webhooks,
		PUT /v0/webhooks/{webhookID}`,
	{Credits: 100, Inputs: 100}:  "POST /v0/transactions, POST /v1/wallet/batch-identity",
	{Credits: 100, Inputs: 1000}: "getValidityProof, getValidityProofV2",
	{Credits: 100, Items: 100}: `
		GET /v0/addresses/{address}/transactions, GET /v1/wallet/{wallet}/balances,
		GET /v1/wallet/{wallet}/history, GET /v1/wallet/{wallet}/transfers`,
})

// byName returns the facts of each name in lists.
func byName(lists map[Operation]string) map[string]Operation {
	all := map[string]Operation{}
	for facts, names := range lists {
		for name := range strings.SplitSeq(names, ",") {
			all[strings.TrimSpace(name)] = facts
		}
	}
	return all
}
