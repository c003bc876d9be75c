package fake_test

import (
	"encoding/json"
	"fmt"
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
