package fake_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
)

// Methods of lists answer for any number of inputs, each at its place.
func TestListsOfInputsOfAnyLength(t *testing.T) {
	t.Parallel()
	s := fake.New()
	type account struct{ Hash, Address string }
	items := read[valueOf[struct{ Items []account }]](t, s, "getCompressedAccountsByOwner", `{"owner":%q,"limit":3}`, fake.Owner).Value.Items
	for _, n := range []int{1, 2, 3} {
		var hashes []string
		for _, a := range items[:n] {
			hashes = append(hashes, a.Hash)
		}
		list, _ := json.Marshal(hashes)
		for _, version := range []string{"", "V2"} {
			got := read[valueOf[struct{ Items []account }]](t, s, "getMultipleCompressedAccounts"+version, `{"hashes":%s}`, list).Value.Items
			require.Equal(t, items[:n], got)
			proofs := read[valueOf[[]account]](t, s, "getMultipleCompressedAccountProofs"+version, `%s`, list).Value
			for i, p := range proofs {
				require.Equal(t, hashes[i], p.Hash)
			}
			require.Len(t, proofs, n)
			_, failure := call(t, s, "getValidityProof"+version, fmt.Sprintf(`{"hashes":%s}`, list))
			require.Empty(t, failure)
		}
	}
	unknown := read[valueOf[struct{ Items []*account }]](t, s, "getMultipleCompressedAccounts", `{"hashes":[%q]}`, someone).Value.Items
	require.Equal(t, []*account{nil}, unknown)
	require.Len(t, read[valueOf[[]any]](t, s, "getMultipleNewAddressProofs", `[%q,%q,%q]`, someone, usdc, grain).Value, 3)
}

// A read of something that is not in the world finds nothing.
func TestUnknownNamesAreNotFound(t *testing.T) {
	t.Parallel()
	s := fake.New()
	for _, row := range []struct{ method, params, want string }{
		{"getAccountInfo", `[%q]`, `"value":null`},
		{"getAccountInfo", `[%q,{"encoding":"base58"}]`, `"value":null`},
		{"getBalance", `[%q]`, `"value":0`},
		{"getSignaturesForAddress", `[%q]`, `[]`},
		{"getTokenSupply", `[%q]`, `could not find account`},
		{"getCompressedAccount", `{"hash":%q}`, `"value":null`},
		{"getCompressedBalanceByOwner", `{"owner":%q}`, `"value":0`},
		{"getCompressedMintTokenHolders", `{"mint":%q}`, `"items":[]`},
		{"getAsset", `{"id":%q}`, `Asset Not Found`},
		{"getAssetBatch", `{"ids":[%q]}`, `[null]`},
		{"getAssetsByOwner", `{"ownerAddress":%q}`, `"items":[]`},
	} {
		result, failure := call(t, s, row.method, fmt.Sprintf(row.params, stranger))
		require.Contains(t, result+failure, row.want, row.method)
	}
}

func TestNodeFormsThatWereCanned(t *testing.T) {
	t.Parallel()
	s := fake.New()
	epoch := read[struct{ AbsoluteSlot, BlockHeight uint64 }](t, s, "getEpochInfo", `[]`)
	require.Equal(t, read[uint64](t, s, "getSlot", `[]`), epoch.AbsoluteSlot)
	require.Equal(t, read[uint64](t, s, "getBlockHeight", `[]`), epoch.BlockHeight)
	hash := read[valueOf[struct{ Blockhash string }]](t, s, "getLatestBlockhash", `[]`).Value.Blockhash
	require.True(t, read[valueOf[bool]](t, s, "isBlockhashValid", `[%q]`, hash).Value)
	require.Equal(t, []uint64{7, 8, 9}, read[[]uint64](t, s, "getBlocks", `[7,9]`))
	require.Greater(t, read[uint64](t, s, "getMinimumBalanceForRentExemption", `[1000]`), read[uint64](t, s, "getMinimumBalanceForRentExemption", `[165]`))
	for _, encoding := range []string{"base64", "base64+zstd"} {
		result, _ := call(t, s, "getProgramAccounts", fmt.Sprintf(`[%q,{"encoding":%q,"withContext":true}]`, tokenProgram, encoding))
		require.True(t, strings.HasPrefix(result, `{"context":`))
		require.Contains(t, result, `,"`+encoding+`"]`)
		require.NotContains(t, result, token2022)
	}
	page := read[struct{ Accounts []any }](t, s, "getProgramAccountsV2", `[%q,{"limit":1}]`, tokenProgram)
	require.Len(t, page.Accounts, 1)
	_, failure := call(t, s, "getPriorityFeeEstimate", fmt.Sprintf(`[{"accountKeys":[%q],"options":{"includeAllPriorityFeeLevels":true}}]`, usdc))
	require.Empty(t, failure)
}
