package conformance_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
)

var update = flag.Bool("update", false, "write the pages of methods in docs, and the API snapshot")

// A section is a table in the page of an area: a heading and methods in reading order.
// The other methods of a listing follow from the one for a single page.
type section struct{ title, methods string }

var sections = map[string][]section{
	"rpc": {
		{"Accounts", "Account Accounts Balance Balances ProgramAccountsV2 ProgramAccounts MinimumBalanceForRentExemption LargestAccounts"},
		{"Tokens", "TokenAccountsByOwner TokenAccountsByOwnerV2 TokenAccountsByDelegate TokenAccountBalance TokenSupply TokenLargestAccounts"},
		{"History of an address", "TransactionsForAddress TransactionSignaturesForAddress TransfersByAddress SignaturesForAddress"},
		{"Transactions and blocks", "Transaction Transactions SignatureStatuses Block Blocks BlocksWithLimit BlockTime"},
		{"For a new transaction", "PriorityFeeEstimate PriorityFeeLevels RecentPrioritizationFees LatestBlockhash IsBlockhashValid FeeForMessage"},
		{"Chain and node", "Slot BlockHeight EpochInfo Supply VoteAccounts InflationRewards FirstAvailableBlock GenesisHash Health Version"},
		{"Network", "EpochSchedule LeaderSchedule SlotLeader SlotLeaders BlockProduction BlockCommitment ClusterNodes RecentPerformanceSamples InflationGovernor InflationRate TransactionCount MinimumLedgerSlot StakeMinimumDelegation Identity HighestSnapshotSlot"},
		{"Any method", "Call Batch"},
	},
	"rpc/das": {
		{"Assets", "Asset Assets"},
		{"Listings of assets", "AssetsByOwner AssetsByGroup AssetsByCreator AssetsByAuthority SearchAssets"},
		{"Tokens and editions", "TokenAccounts Editions"},
		{"Compressed NFTs", "Proof Proofs Signatures"},
	},
	"rpc/parsed": {
		{"Parsed Events", "Transactions History"},
	},
	"compressed": {
		{"Accounts", "Account AccountByAddress Accounts AccountsByAddress AccountsByOwner PartitionedAccountsByOwner PlanPartitionedAccountsByOwner"},
		{"Balances", "Balance BalanceByAddress BalanceByOwner TokenAccountBalance"},
		{"Tokens", "TokenAccountsByOwner TokenAccountsByDelegate TokenBalancesByOwner MintTokenHolders"},
		{"Transactions", "Transaction SignaturesForAccount SignaturesForAddress SignaturesForOwner SignaturesForTokenOwner LatestCompressionSignatures LatestNonVotingSignatures"},
		{"Proofs", "AccountProof AccountProofs NewAddressProofs ValidityProof"},
		{"Indexer", "IndexerHealth IndexerSlot WaitForSlot WithMinSlot WithVersion"},
	},
	"wallet": {
		{"Balances", "Balances BalanceAt"},
		{"History", "History Transfers"},
		{"Identity", "Identity Identities FundedBy"},
	},
	"webhooks": {
		{"Webhooks", "List Get Create SetActive Delete"},
		{"Settings", "Update Replace AddAddresses RemoveAddresses Reconcile"},
		{"Events", "Keep Backfill"},
		{"Past transactions", "History Transactions"},
	},
}

// composite returns rows for the pages only: methods that combine other operations, or
// take the method of the service as an argument.
func composite() []row {
	return []row{
		{method: "rpc.Client.Balances", wire: "getMultipleAccounts", does: "the lamports of any number of accounts"},
		{method: "rpc.Client.Call", does: "any other JSON-RPC method"},
		{method: "rpc.Client.Batch", does: "any number of JSON-RPC calls, many in one request"},
		{
			method: "compressed.Client.PartitionedAccountsByOwner", wire: "getCompressedAccountsByOwnerV2",
			does: "all compressed accounts of an owner where cursors skip some",
		},
		{method: "compressed.Client.PartitionedAccountsByOwner", wire: "getCompressedAccountsByOwner"},
		{
			method: "compressed.Client.PlanPartitionedAccountsByOwner", wire: "getCompressedAccountsByOwnerV2",
			does: "the number of requests that this takes",
		},
		{method: "compressed.Client.PlanPartitionedAccountsByOwner", wire: "getCompressedAccountsByOwner"},
		{method: "compressed.Client.WaitForSlot", wire: "getIndexerSlot", does: "wait until the indexer has processed a slot"},
		{method: "compressed.Client.WithMinSlot", does: "fail where a read shows a state before a slot"},
		{method: "compressed.Client.WithVersion", does: "call version 1 or 2 of the methods only"},
		{method: "webhooks.Client.Update", wire: "PUT /v0/webhooks/{webhookID}", does: "change some settings of a webhook"},
		{method: "webhooks.Client.AddAddresses", wire: "PUT /v0/webhooks/{webhookID}", does: "add addresses to a webhook"},
		{method: "webhooks.Client.RemoveAddresses", wire: "PUT /v0/webhooks/{webhookID}", does: "remove addresses from a webhook"},
		{method: "webhooks.Client.Reconcile", wire: "PUT /v0/webhooks/{webhookID}", does: "correct the addresses and settings of a webhook"},
		{
			method: "webhooks.Client.Backfill", wire: "GET /v0/addresses/{address}/transactions",
			does: "pass the past events of a webhook to a handler",
		},
		{
			method: "webhooks.Client.Keep", wire: "GET /v0/addresses/{address}/transactions",
			does: "receive the events of a webhook, and find those that were not delivered",
		},
	}
}

// page returns the page in docs that lists the methods of an area.
func page(t *testing.T, area string) string {
	t.Helper()
	name := path.Base(area)
	var b strings.Builder
	fmt.Fprintf(&b, "# Package %s: methods\n\n", name)
	fmt.Fprintf(&b, "Package documentation: [%s](https://pkg.go.dev/github.com/solwire/solwire-go/%s). ", name, area)
	b.WriteString("Credits are those of one request, where the service documents them. The methods of a listing return one page, iterate over pages, and iterate over all items.\n")
	all := append(rows(), composite()...)
	for _, s := range sections[area] {
		fmt.Fprintf(&b, "\n## %s\n\n| Purpose | Go | On the wire | Credits |\n|---|---|---|---|\n", s.title)
		for method := range strings.FieldsSeq(s.methods) {
			var does, credits string
			var wires []string
			for _, r := range all {
				if r.method != name+".Client."+method {
					continue
				}
				does = cmp.Or(does, r.does)
				if wire := "`" + r.wire + "`"; r.wire != "" && !slices.Contains(wires, wire) {
					wires = append(wires, wire)
				}
				if price := transport.Op(r.method + " " + r.wire).Price(); r.wire != "" && price != 0 {
					credits = strconv.FormatUint(price, 10)
				}
			}
			require.NotEmpty(t, does, "%s.Client.%s has no row that says what it does", name, method)
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", does, strings.Join(forms(area, method), ", "), strings.Join(wires, ", "), credits)
		}
	}
	return b.String()
}

// forms returns a method and, if it is that of a listing, those for pages and items.
func forms(area, method string) []string {
	base := strings.TrimPrefix(method, "All")
	var found []string
	for _, form := range []string{base, base + "Pages", strings.TrimSuffix(base, "s") + "Pages", "All" + base} {
		quoted := "`" + form + "`"
		if _, ok := clientTypes[area].MethodByName(form); ok && !slices.Contains(found, quoted) {
			found = append(found, quoted)
		}
	}
	return found
}

// To write the pages: go test ./internal/conformance -update.
func TestMethodPagesMatchRows(t *testing.T) {
	t.Parallel()
	for _, area := range areas {
		file := filepath.Join("../../docs", path.Base(area)+".md")
		want := page(t, area)
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(want), 0o600))
		}
		got, err := os.ReadFile(file)
		require.NoError(t, err, "run go test ./internal/conformance -update")
		require.Equal(t, want, string(got), "run go test ./internal/conformance -update")
		for i := range clientTypes[area].NumMethod() {
			method := clientTypes[area].Method(i).Name
			require.Equal(t, 1, strings.Count(want, "`"+method+"`"), "%s.Client.%s in the sections of %s", area, method, file)
		}
	}
}
