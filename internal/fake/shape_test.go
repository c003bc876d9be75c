package fake_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/internal/golden"
)

// The answer of the fake to a call has every member that the captured answer of a real server
// has, with its JSON type.
func TestAnswersHaveTheMembersOfCapturedAnswers(t *testing.T) {
	t.Parallel()
	s := fake.New()
	account := read[valueOf[struct {
		Items []struct{ Hash, Address string }
	}]](t, s, "getCompressedAccountsByOwner", `{"owner":%q,"limit":2}`, fake.Owner).Value.Items[0]
	signature := read[[]listed](t, s, "getSignaturesForAddress", `[%q,{"limit":20}]`, fake.Wallet)[19].Signature
	opened := read[valueOf[struct{ Items []listed }]](t, s, "getCompressionSignaturesForOwner", `{"owner":%q}`, fake.Owner).Value.Items[0]
	tokenAccount := read[valueOf[[]struct{ Pubkey string }]](t, s, "getTokenAccountsByOwner", `[%q,{"programId":%q},{"encoding":"jsonParsed"}]`, fake.Wallet, tokenProgram).Value[0].Pubkey
	type assets struct {
		Items []struct {
			ID          string
			Compression struct{ Compressed bool }
		}
	}
	var plain, compact string
	for _, a := range read[assets](t, s, "getAssetsByOwner", `{"ownerAddress":%q}`, fake.Collector).Items {
		if a.Compression.Compressed {
			compact = a.ID
		} else {
			plain = a.ID
		}
	}
	slot := read[struct{ Slot uint64 }](t, s, "getTransaction", `[%q]`, signature).Slot
	owner, wallet, newAddress := fmt.Sprintf(`{"owner":%q}`, fake.Owner), fmt.Sprintf(`[%q]`, fake.Wallet), someone
	one, parsed := fmt.Sprintf(`{"hash":%q}`, account.Hash), `{"encoding":"jsonParsed"}`
	for _, row := range []struct{ method, params string }{
		{"getAccountInfo", fmt.Sprintf(`[%q,{"encoding":"jsonParsed"}]`, tokenAccount)},
		{"getBalance", wallet},
		{"getBlock", fmt.Sprintf(`[%d]`, slot)},
		{"getBlock", fmt.Sprintf(`[%d,{"transactionDetails":"accounts"}]`, slot)},
		{"getBlock", fmt.Sprintf(`[%d,{"encoding":"jsonParsed"}]`, slot)},
		{"getBlockHeight", `[]`},
		{"getBlockTime", fmt.Sprintf(`[%d]`, slot)},
		{"getBlocks", fmt.Sprintf(`[%d,%d]`, slot, slot+2)},
		{"getEpochInfo", `[]`},
		{"getLatestBlockhash", `[]`},
		{"getMinimumBalanceForRentExemption", `[1000]`},
		{"getMultipleAccounts", fmt.Sprintf(`[[%q],{"encoding":"base64"}]`, tokenAccount)},
		{"getPriorityFeeEstimate", fmt.Sprintf(`[{"accountKeys":[%q],"options":{"includeAllPriorityFeeLevels":true}}]`, fake.Wallet)},
		{"getProgramAccountsV2", fmt.Sprintf(`[%q,{"limit":3,"withContext":true,"encoding":"jsonParsed"}]`, tokenProgram)},
		{"getRecentPrioritizationFees", `[]`},
		{"getSignatureStatuses", fmt.Sprintf(`[[%q],{"searchTransactionHistory":true}]`, signature)},
		{"getSignaturesForAddress", wallet},
		{"getSlot", `[]`},
		{"getSupply", `[]`},
		{"getTokenAccountBalance", fmt.Sprintf(`[%q]`, tokenAccount)},
		{"getTokenAccountsByDelegate", fmt.Sprintf(`[%q,{"programId":%q},{"encoding":"jsonParsed"}]`, fake.Delegate, tokenProgram)},
		{"getTokenLargestAccounts", fmt.Sprintf(`[%q]`, usdc)},
		{"getTokenSupply", fmt.Sprintf(`[%q]`, usdc)},
		{"getTransaction", fmt.Sprintf(`[%q]`, signature)},
		{"getTransaction", fmt.Sprintf(`[%q,%s]`, signature, parsed)},
		{"getTransactionsForAddress", fmt.Sprintf(`[%q,{"transactionDetails":"full"}]`, fake.Wallet)},
		{"getTransfersByAddress", wallet},
		{"isBlockhashValid", wallet},

		{"getCompressedAccount", one},
		{"getCompressedAccountV2", one},
		{"getCompressedAccountProof", one},
		{"getCompressedAccountProofV2", one},
		{"getCompressedBalance", one},
		{"getCompressedBalanceByOwner", owner},
		{"getCompressedMintTokenHolders", fmt.Sprintf(`{"mint":%q}`, usdc)},
		{"getCompressedTokenAccountBalance", one},
		{"getCompressedTokenAccountsByDelegate", fmt.Sprintf(`{"delegate":%q}`, fake.Delegate)},
		{"getCompressedTokenAccountsByDelegateV2", fmt.Sprintf(`{"delegate":%q}`, fake.Delegate)},
		{"getCompressionSignaturesForAccount", one},
		{"getCompressionSignaturesForAddress", fmt.Sprintf(`{"address":%q}`, account.Address)},
		{"getCompressionSignaturesForOwner", owner},
		{"getIndexerHealth", `{}`},
		{"getIndexerSlot", `{}`},
		{"getLatestCompressionSignatures", `{}`},
		{"getLatestNonVotingSignatures", `{}`},
		{"getMultipleCompressedAccountProofs", fmt.Sprintf(`[%q]`, account.Hash)},
		{"getMultipleCompressedAccountProofsV2", fmt.Sprintf(`[%q]`, account.Hash)},
		{"getMultipleCompressedAccounts", fmt.Sprintf(`{"hashes":[%q]}`, account.Hash)},
		{"getMultipleCompressedAccountsV2", fmt.Sprintf(`{"addresses":[%q]}`, account.Address)},
		{"getMultipleNewAddressProofs", fmt.Sprintf(`[%q]`, newAddress)},
		{"getTransactionWithCompressionInfo", fmt.Sprintf(`{"signature":%q}`, opened.Signature)},
		{"getValidityProof", fmt.Sprintf(`{"hashes":[%q]}`, account.Hash)},
		{"getValidityProofV2", fmt.Sprintf(`{"hashes":[%q]}`, account.Hash)},

		{"getAsset", fmt.Sprintf(`{"id":%q}`, plain)},
		{"getAssetBatch", fmt.Sprintf(`{"ids":[%q]}`, compact)},
		{"getAssetProof", fmt.Sprintf(`{"id":%q}`, compact)},
		{"getAssetsByOwner", fmt.Sprintf(`{"ownerAddress":%q,"options":{"showGrandTotal":true,"showNativeBalance":true}}`, fake.Collector)},
		{"getSignaturesForAsset", fmt.Sprintf(`{"id":%q,"page":1}`, compact)},
		{"getTokenAccounts", fmt.Sprintf(`{"owner":%q,"page":1}`, fake.Wallet)},
	} {
		result, failure := call(t, s, row.method, row.params)
		require.Empty(t, failure, row.method)
		body, found := golden.Method(row.method, json.RawMessage(row.params))
		require.True(t, found, row.method)
		var captured, got any
		var envelope struct{ Result json.RawMessage }
		require.NoError(t, json.Unmarshal(body, &envelope))
		require.NoError(t, json.Unmarshal(envelope.Result, &captured))
		require.NoError(t, json.Unmarshal([]byte(result), &got))
		require.Empty(t, missing(row.method, captured, got), row.method)
	}
}

// optional are members that captured answers have for objects of a kind that the world of this
// test does not have, such as accounts with extensions, closed accounts and NFTs with
// attributes.
var optional = []string{
	".extensions", ".delegate", ".delegatedAmount", ".closeAuthority", ".rentExemptReserve", ".attributes", ".description", ".external_url", ".image",
	".closedAccounts[]", ".plugins", ".mpl_core_info", ".external_plugins", ".rewards[]", ".innerInstructions[]", ".token_info", ".returnData",
	".memo", ".feeAmount", ".feeUiAmount", ".feeAccount", ".authority", ".multisigAuthority", ".optionalTokenData", ".tokenData", ".priorityFeeEstimate",
	".token_extensions", ".errors", ".version", ".transactionConfig", ".fromTokenAccount", ".toTokenAccount", ".files[]", ".grouping[]", ".addressTableLookups", ".parsed", ".program", ".owner_program",
}

// missing returns the members that got does not have, or has with another type.
func missing(path string, captured, got any) []string {
	if slices.ContainsFunc(optional, func(name string) bool { return strings.HasSuffix(path, name) }) || captured == nil || got == nil {
		return nil
	}
	if a, b := fmt.Sprintf("%T", captured), fmt.Sprintf("%T", got); a != b {
		return []string{fmt.Sprintf("%s is %s, not %s", path, b, a)}
	}
	var all []string
	switch captured := captured.(type) {
	case map[string]any:
		members, _ := got.(map[string]any) // of the same kind as captured
		for name, value := range captured {
			inner, has := members[name]
			if !has && len(missing(path+"."+name, value, 0)) > 0 {
				all = append(all, path+"."+name)
			} else if has {
				all = append(all, missing(path+"."+name, value, inner)...)
			}
		}
	case []any:
		if others, _ := got.([]any); len(captured) > 0 && len(others) > 0 {
			all = missing(path+"[]", captured[0], others[0])
		}
	}
	return all
}
