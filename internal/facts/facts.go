// Package facts has what the service documents about its operations: prices and limits.
// Clients, the fake and tests use this one place. What a program needs itself, such as the
// addresses of programs and the hosts of the service, is in package types.
package facts

import "strings"

// Accounts of the compressed token program and of the compression programs.
const (
	TokenPoolOwner = "GXtd2izAiMJPwMEjfgTRH3d7k9mjn4Jq3JrWFv9gySYy"
	AddressTreeV1  = "amt1Ayt45jfbdw5YSo7iz6WZxUmnZsQTYXy82hVwyC2"
)

// An Operation is what the service documents about an operation.
type Operation struct {
	Credits uint64 // the price of a response; the lowest if it depends on the result; 0 if undocumented
	Inputs  int    // the most inputs of a request; 0 if it takes no list
	Items   int    // the most items of a page; 0 if undocumented, or if the operation has no pages
	Batch   int    // the most calls of a batch with a call of the method; 1 if the service does not batch it
}

// FullTransactions is the most items of a page of getTransactionsForAddress with the
// details full. Each begun group of as many costs the Credits of the method.
const FullTransactions = 100

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

// Known reports whether a price of the operation is known, or known to be undocumented.
func Known(wire string) bool {
	_, known := operations[wire]
	return known || !strings.Contains(wire, " ")
}

// operations are the documented operations as of November 2026, by wire name.
var operations = map[string]Operation{
	// Nodes and their extensions.
	"getBlock":                  {Credits: 1, Batch: 10},
	"getBlocks":                 {Credits: 1, Batch: 10},
	"getBlocksWithLimit":        {Credits: 1, Batch: 10},
	"getBlockTime":              {Credits: 1, Batch: 10},
	"getInflationReward":        {Credits: 1, Inputs: 32, Batch: 10},
	"getMultipleAccounts":       {Credits: 1, Inputs: 100},
	"getProgramAccounts":        {Credits: 10},
	"getProgramAccountsV2":      {Credits: 1, Items: 10_000},
	"getSignaturesForAddress":   {Credits: 1, Items: 1000, Batch: 10},
	"getSignatureStatuses":      {Credits: 1, Inputs: 256, Batch: 10},
	"getTokenAccountsByOwnerV2": {Credits: 1, Items: 10_000},
	"getTransactionsForAddress": {Credits: 10, Items: 1000, Batch: 1},
	"getTransfersByAddress":     {Credits: 10, Items: 100, Batch: 10},
	"sendBundle":                {Credits: 10},

	// Digital assets.
	"getAsset":              {Credits: 10},
	"getAssetBatch":         {Credits: 10, Inputs: 1000},
	"getAssetProof":         {Credits: 10},
	"getAssetProofBatch":    {Credits: 10, Inputs: 1000},
	"getAssetsByAuthority":  {Credits: 10, Items: 1000},
	"getAssetsByCreator":    {Credits: 10, Items: 1000},
	"getAssetsByGroup":      {Credits: 10, Items: 1000},
	"getAssetsByOwner":      {Credits: 10, Items: 1000},
	"getNftEditions":        {Credits: 10, Items: 1000},
	"getSignaturesForAsset": {Credits: 10, Items: 1000},
	"getTokenAccounts":      {Credits: 10, Items: 1000},
	"searchAssets":          {Credits: 10, Items: 1000},

	// The compression API.
	"getCompressedAccount":                   {Credits: 10},
	"getCompressedAccountProof":              {Credits: 10},
	"getCompressedAccountProofV2":            {Credits: 10},
	"getCompressedAccountsByOwner":           {Credits: 10, Items: 1000},
	"getCompressedAccountsByOwnerV2":         {Credits: 10, Items: 1000},
	"getCompressedAccountV2":                 {Credits: 10},
	"getCompressedBalance":                   {Credits: 10},
	"getCompressedBalanceByOwner":            {Credits: 10},
	"getCompressedMintTokenHolders":          {Credits: 10, Items: 1000},
	"getCompressedTokenAccountBalance":       {Credits: 10},
	"getCompressedTokenAccountsByDelegate":   {Credits: 10, Items: 1000},
	"getCompressedTokenAccountsByDelegateV2": {Credits: 10, Items: 1000},
	"getCompressedTokenAccountsByOwner":      {Credits: 10, Items: 1000},
	"getCompressedTokenAccountsByOwnerV2":    {Credits: 10, Items: 1000},
	"getCompressedTokenBalancesByOwner":      {Credits: 10, Items: 1000},
	"getCompressedTokenBalancesByOwnerV2":    {Credits: 10, Items: 1000},
	"getCompressionSignaturesForAccount":     {Credits: 10},
	"getCompressionSignaturesForAddress":     {Credits: 10, Items: 1000},
	"getCompressionSignaturesForOwner":       {Credits: 10, Items: 1000},
	"getCompressionSignaturesForTokenOwner":  {Credits: 10, Items: 1000},
	"getIndexerHealth":                       {Credits: 10},
	"getIndexerSlot":                         {Credits: 10},
	"getLatestCompressionSignatures":         {Credits: 10, Items: 1000},
	"getLatestNonVotingSignatures":           {Credits: 10, Items: 1000},
	"getMultipleCompressedAccountProofs":     {Credits: 10, Inputs: 1000},
	"getMultipleCompressedAccountProofsV2":   {Credits: 10, Inputs: 1000},
	"getMultipleCompressedAccounts":          {Credits: 10, Inputs: 1000},
	"getMultipleCompressedAccountsV2":        {Credits: 10, Inputs: 1000},
	"getMultipleNewAddressProofs":            {Credits: 10, Inputs: 1000},
	"getMultipleNewAddressProofsV2":          {Credits: 10, Inputs: 1000},
	"getTransactionWithCompressionInfo":      {Credits: 10},
	"getTransactionWithCompressionInfoV2":    {Credits: 10},
	"getValidityProof":                       {Credits: 100, Inputs: 1000},
	"getValidityProofV2":                     {Credits: 100, Inputs: 1000},

	// REST.
	"DELETE /v0/webhooks/{webhookID}":            {Credits: 100},
	"GET /v0/addresses/{address}/transactions":   {Credits: 100, Items: 100},
	"GET /v0/webhooks":                           {},
	"GET /v0/webhooks/{webhookID}":               {},
	"GET /v1/wallet/{wallet}/balance-at":         {Credits: 100},
	"GET /v1/wallet/{wallet}/balances":           {Credits: 100, Items: 100},
	"GET /v1/wallet/{wallet}/funded-by":          {Credits: 100},
	"GET /v1/wallet/{wallet}/history":            {Credits: 100, Items: 100},
	"GET /v1/wallet/{wallet}/identity":           {Credits: 100},
	"GET /v1/wallet/{wallet}/transfers":          {Credits: 100, Items: 100},
	"PATCH /v0/webhooks/{webhookID}":             {},
	"POST /v0/transactions":                      {Credits: 100, Inputs: 100},
	"POST /v0/webhooks":                          {Credits: 100},
	"POST /v1/parsed-events/scan":                {Credits: 10, Items: 100},
	"POST /v1/parsed-events/transaction-history": {Credits: 10, Items: 100},
	"POST /v1/parsed-events/transactions":        {Credits: 10, Inputs: 100},
	"POST /v1/wallet/batch-identity":             {Credits: 100, Inputs: 100},
	"PUT /v0/webhooks/{webhookID}":               {Credits: 100},
}
