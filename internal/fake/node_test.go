package fake_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/internal/fake/world"
	"github.com/solwire/solwire-go/types"
)

func TestNodeParamsAreRefused(t *testing.T) {
	t.Parallel()
	s := fake.New()
	for _, row := range []struct{ method, params, want string }{
		{"getBalance", `[]`, "`params` should have at least 1 argument(s)"},
		{"getBalance", `["abc"]`, "Invalid param: WrongSize"},
		{"getBalance", `["` + fake.Wallet + `",{"encoding":"base64"}]`, "unknown field `encoding`"},
		{"getSignaturesForAddress", `["` + fake.Wallet + `",{"limit":"5"}]`, "expected u64"},
		{"getSignaturesForAddress", `["` + fake.Wallet + `",{"limit":1001}]`, "Invalid limit; max 1000"},
		{"getSignaturesForAddress", `["` + fake.Wallet + `",{"before":"abc"}]`, "Invalid param: WrongSize"},
		{"getSignaturesForAddress", `["` + fake.Wallet + `",{"until":"0"}]`, "Invalid param: Invalid"},
		{"getSignaturesForAddress", `["` + fake.Wallet + `",{"before":""}]`, "Invalid param: WrongSize"},
		{"getSignaturesForAddress", `["` + fake.Wallet + `",{"until":"` + strings.Repeat("1", 64) + `"}]`, "Transaction " + strings.Repeat("1", 64) + " not found"},
		{"getTokenAccountsByOwner", `["` + fake.Wallet + `"]`, "`params` should have at least 2 argument(s)"},
		{"getTokenAccountsByOwner", `["` + fake.Wallet + `",{"mint":"` + string(types.NativeSOLMint) + `"}]`, "could not find mint"},
		{"getAccountInfo", `["` + fake.Wallet + `",{"encoding":"text"}]`, "unknown variant `text`"},
		{"getTransfersByAddress", `["` + fake.Wallet + `",{"limit":101}]`, "limit must be between 1 and 100"},
		{"getTransfersByAddress", `["` + fake.Wallet + `",{"commitment":"processed"}]`, "does not support commitment below `confirmed`"},
		{"getTransfersByAddress", `["` + fake.Wallet + `",{"paginationToken":"1:1"}]`, "invalid paginationToken"},
		{"getTransfersByAddress", `["` + fake.Wallet + `",{"token":"1"}]`, "unknown field"},
		{"getTransfersByAddress", `["` + fake.Wallet + `",{"minContextSlot":18446744073709551615}]`, "Minimum context slot has not been reached"},
		{"getTransfersByAddress", `["` + fake.Wallet + `",{"direction":"incoming"}]`, "unknown variant `incoming`, expected one of `in`, `out`, `any`"},
		{"getTransfersByAddress", `["` + fake.Wallet + `",{"solMode":"both"}]`, "unknown variant `both`"},
		{"getTransfersByAddress", `["` + fake.Wallet + `",{"sortOrder":"newest"}]`, "unknown variant `newest`"},
		{"getTransactionsForAddress", `["` + fake.Wallet + `",{"sortOrder":"ascending"}]`, "unknown variant `ascending`, expected one of `asc`, `desc`"},
		{"getTransactionsForAddress", `["` + fake.Wallet + `",{"transactionDetails":"accounts"}]`, "unknown variant `accounts`"},
		{"getTransactionsForAddress", `["` + fake.Wallet + `",{"encoding":"base64+zstd"}]`, "unknown variant `base64+zstd`"},
		{"getTransactionsForAddress", `["` + fake.Wallet + `",{"filters":{"status":"success"}}]`, "unknown variant `success`"},
		{"getTransactionsForAddress", `["` + fake.Wallet + `",{"filters":{"tokenAccounts":"changed"}}]`, "unknown variant `changed`"},
		{"getTransactionsForAddress", `["` + fake.Wallet + `",{"filters":{"signature":{"gte":"1"}}}]`, "does not support the filters gte and lte of signatures"},
		{"getTransactionsForAddress", `["` + fake.Wallet + `",{"commitment":"processed"}]`, "does not support commitment below `confirmed`"},
		{"getTransaction", `["` + strings.Repeat("1", 64) + `",{"encoding":"base64+zstd"}]`, "unknown variant `base64+zstd`"},
		{"getTransaction", `["` + strings.Repeat("1", 64) + `",{"commitment":"processed"}]`, "does not support commitment below `confirmed`"},
		{"getTransaction", `["` + strings.Repeat("1", 64) + `",{"minSlot":1}]`, "unknown field"},
		{"getSignatureStatuses", `["` + fake.Wallet + `"]`, "expected an array"},
		{"getTransaction", `["abc"]`, "Invalid param: WrongSize"},
		{"getSignatureStatuses", `[["abc"]]`, "Invalid param: WrongSize"},
		{"getSignatureStatuses", `[[],{}]`, "missing field `searchTransactionHistory`"},
		{"getSlot", `[{"encoding":"base64"}]`, "unknown field `encoding`"},
		{"getTokenAccountsByOwnerV2", `["` + fake.Wallet + `",{"programId":"` + tokenProgram + `"},{"encoding":"base64","limit":10001}]`, "limit must be between 1 and 10000"},
		{"getTokenAccountsByOwnerV2", `["` + fake.Wallet + `",{"programId":"` + tokenProgram + `"},{"encoding":"base64","paginationKey":"abc"}]`, "wrong size"},
		{"getMultipleAccounts", `["` + fake.Wallet + `"]`, "expected an array"},
		{"getMultipleAccounts", `[["abc"]]`, "Invalid param: WrongSize"},
	} {
		_, failure := call(t, s, row.method, row.params)
		require.Contains(t, failure, row.want, "%s %s", row.method, row.params)
	}
}

func TestNodeRefusesTooManyInputs(t *testing.T) {
	t.Parallel()
	s := fake.New()
	for _, row := range []struct {
		method, input string
		most          int
		want          string
	}{
		{"getMultipleAccounts", fake.Wallet, 100, "Too many inputs provided; max 100"},
		{"getMultipleAccounts", stranger, 100, "Too many inputs provided; max 100"},
		{"getRecentPrioritizationFees", fake.Wallet, 128, "Too many inputs provided; max 128"},
		{"getSignatureStatuses", strings.Repeat("1", 64), 256, "Too many inputs provided; max 256"},
	} {
		inputs := strings.Repeat(`,"`+row.input+`"`, row.most)[1:]
		_, failure := call(t, s, row.method, `[[`+inputs+`]]`)
		require.Empty(t, failure, row.method)
		_, failure = call(t, s, row.method, `[[`+inputs+`,"`+row.input+`"]]`)
		same(t, `{"code":-32602,"message":"`+row.want+`"}`, failure, row.method)
	}
}

func TestClusterNodes(t *testing.T) {
	t.Parallel()
	s := fake.New()
	for _, params := range []string{`[]`, `null`} {
		got, failure := call(t, s, "getClusterNodes", params)
		require.Empty(t, failure)
		var nodes []struct {
			Identity types.Address `json:"pubkey"`
			Gossip   string        `json:"gossip"`
			Version  string        `json:"version"`
		}
		require.NoError(t, json.Unmarshal([]byte(got), &nodes))
		require.Len(t, nodes, 1)
		_, err := nodes[0].Identity.Key()
		require.NoError(t, err)
		require.Equal(t, "127.0.0.1:19300", nodes[0].Gossip)
		require.Equal(t, "4.2.2", nodes[0].Version)
	}
	_, failure := call(t, s, "getClusterNodes", `[{"commitment":"finalized"}]`)
	same(t, `{"code":-32602,"message":"Invalid parameters: No parameters were expected"}`, failure)
}

// Clients in other languages that check what they read.
func TestNodeAnswersStrictClients(t *testing.T) {
	t.Parallel()
	s := fake.New()
	tokenAccount := read[valueOf[[]tokenAccount]](t, s, "getTokenAccountsByOwner", `[%q,{"mint":%q},{"encoding":"base64"}]`, fake.Wallet, usdc).Value[0].Pubkey
	many, failure := call(t, s, "getMultipleAccounts", `[["`+tokenAccount+`"]]`)
	require.Empty(t, failure, "the default is base64, also of accounts that are too large for base58")
	require.Contains(t, many, `,"base64"]`)

	for _, method := range []string{"getTransactionsForAddress", "getTransfersByAddress"} {
		_, failure = call(t, s, method, `["`+fake.Wallet+`",null]`)
		require.Empty(t, failure, "Rust sends null instead of no options")
	}

	commitment := read[struct{ Commitment []uint64 }](t, s, "getBlockCommitment", `[344112233]`)
	require.Len(t, commitment.Commitment, 32)

	slot := read[uint64](t, s, "getSlot", `[{"commitment":"processed"}]`)
	require.Equal(t, slot, read[uint64](t, s, "getMaxRetransmitSlot", `[]`))
	require.Equal(t, slot, read[uint64](t, s, "getMaxShredInsertSlot", `[]`))
	_, failure = call(t, s, "getMaxShredInsertSlot", `[{}]`)
	require.Contains(t, failure, "No parameters were expected")
}

// The accounts with the most SOL are wallets of the world, and the samples follow its slot.
func TestLargestAccountsAndSamplesAreOfTheWorld(t *testing.T) {
	t.Parallel()
	s := fake.New()
	type wallet struct {
		Address  string
		Lamports uint64
	}
	all := read[valueOf[[]wallet]](t, s, "getLargestAccounts", `[]`).Value
	require.Len(t, all, 20)
	for i, x := range all {
		require.Equal(t, x.Lamports, read[valueOf[uint64]](t, s, "getBalance", `[%q]`, x.Address).Value)
		require.GreaterOrEqual(t, all[max(0, i-1)].Lamports, x.Lamports)
	}
	require.Empty(t, read[valueOf[[]wallet]](t, s, "getLargestAccounts", `[{"filter":"nonCirculating"}]`).Value)
	samples := read[[]struct {
		NumSlots, NumTransactions, Slot uint64
	}](t, s, "getRecentPerformanceSamples", `[3]`)
	require.Len(t, samples, 3)
	newest := read[uint64](t, s, "getSlot", `[]`)
	for _, x := range samples {
		require.LessOrEqual(t, x.Slot, newest)
		require.Greater(t, x.Slot+x.NumSlots, newest, "the samples follow each other")
		require.Positive(t, x.NumTransactions)
		newest = x.Slot - 1
	}
	_, failure := call(t, s, "getRecentPerformanceSamples", `[721]`)
	require.NotEmpty(t, failure)
}

// A method refuses the cursors of other methods, and cursors of transactions that it does not
// list.
func TestNodeRefusesCursorsOfOtherMethods(t *testing.T) {
	t.Parallel()
	s := fake.New()
	read := func(method, cursor string) (next, failure string) {
		result, failure := call(t, s, method, `["`+fake.Wallet+`",{"limit":1,"paginationToken":`+cursor+`}]`)
		var page struct {
			Cursor json.RawMessage `json:"paginationToken"`
		}
		if failure == "" {
			require.NoError(t, json.Unmarshal([]byte(result), &page))
		}
		return string(page.Cursor), failure
	}
	transactions, _ := read("getTransactionsForAddress", "null")
	transfers, _ := read("getTransfersByAddress", "null")
	for method, cursor := range map[string]string{"getTransactionsForAddress": transfers, "getTransfersByAddress": transactions} {
		_, failure := read(method, cursor)
		require.Contains(t, failure, "invalid paginationToken", "%s %s", method, cursor)
	}
	_, failure := read("getTransfersByAddress", strings.Replace(transfers, ":0:splTransfer", ":9:splTransfer", 1))
	require.Contains(t, failure, "invalid paginationToken")
}

// The bounds of a listing of signatures are places in the ledger: a node accepts transactions of
// other addresses.
func TestSignaturesAreBoundedByTransactionsOfOtherAddresses(t *testing.T) {
	t.Parallel()
	b := world.NewBuilder("")
	b.Wallet(fake.Wallet, "5")
	b.Wallet(fake.Exchange, "5")
	for _, payer := range []string{fake.Wallet, fake.Exchange, fake.Wallet} { // from new to old
		b.Transact(world.Transaction{FeePayer: payer}, nil)
	}
	w, err := b.World()
	require.NoError(t, err)
	s := fake.NewOf(w)
	s.World()
	ledger := w.Ledger()
	for bound, want := range map[string]string{"before": ledger[0].Signature, "until": ledger[2].Signature} {
		found := read[[]struct{ Signature string }](t, s, "getSignaturesForAddress", `[%q,{%q:%q}]`, fake.Wallet, bound, ledger[1].Signature)
		require.Len(t, found, 1, bound)
		require.Equal(t, want, found[0].Signature, bound)
	}
}

func TestBlocksWithoutAnEndAreLimited(t *testing.T) {
	t.Parallel()
	s := fake.New()
	require.Len(t, read[[]uint64](t, s, "getBlocks", `[0]`), 500_001)
	require.Len(t, read[[]uint64](t, s, "getBlocks", `[%d]`, read[uint64](t, s, "getSlot", `[]`)-1), 2)
	require.Empty(t, read[[]uint64](t, s, "getBlocks", `[18446744073709551615]`))
}

// What is captured of a chain has the slots and the epoch of the world.
func TestChainFactsAgreeOnTheSlot(t *testing.T) {
	t.Parallel()
	s := fake.New()
	slot := read[uint64](t, s, "getSlot", `[]`)
	info := read[struct{ Epoch, SlotsInEpoch uint64 }](t, s, "getEpochInfo", `[]`)
	require.Equal(t, info.SlotsInEpoch, read[struct{ SlotsPerEpoch uint64 }](t, s, "getEpochSchedule", `[]`).SlotsPerEpoch)
	require.Equal(t, info.Epoch, read[struct{ Epoch uint64 }](t, s, "getInflationRate", `[]`).Epoch)
	snapshot := read[struct{ Full uint64 }](t, s, "getHighestSnapshotSlot", `[]`).Full
	require.LessOrEqual(t, snapshot, slot)
	require.Less(t, slot-snapshot, uint64(100_000))
	votes := read[struct {
		Current []struct{ LastVote, RootSlot uint64 }
	}](t, s, "getVoteAccounts", `[]`)
	require.NotEmpty(t, votes.Current)
	for _, v := range votes.Current {
		require.Equal(t, []uint64{slot, slot}, []uint64{v.LastVote, v.RootSlot})
	}
	production := read[valueOf[struct{ Range struct{ LastSlot uint64 } }]](t, s, "getBlockProduction", `[]`)
	require.Equal(t, slot, production.Value.Range.LastSlot)
}
