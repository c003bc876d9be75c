package fakeapi_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
	"github.com/solwire/solwire-go/types"
)

// Strict clients in other languages, which check results.
func TestNodeAnswersStrictClients(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	tokenAccount := read[valueOf[[]struct{ Pubkey string }]](t, s, "getTokenAccountsByOwner", `[%q,{"mint":%q},{"encoding":"base64"}]`, fakeapi.Wallet, usdc).Value[0].Pubkey
	many, failure := call(t, s, "getMultipleAccounts", `[["`+tokenAccount+`"]]`)
	require.Empty(t, failure, "the default is base64, also of accounts that are too large for base58")
	require.Contains(t, many, `,"base64"]`)

	for _, method := range []string{"getTransactionsForAddress", "getTransfersByAddress"} {
		_, failure = call(t, s, method, `["`+fakeapi.Wallet+`",null]`)
		require.Empty(t, failure, "Rust sends null instead of no options")
	}

	commitment := read[struct{ Commitment []uint64 }](t, s, "getBlockCommitment", `[344112233]`)
	require.Len(t, commitment.Commitment, 32)

	slot := read[uint64](t, s, "getSlot", `[{"commitment":"processed"}]`)
	require.Equal(t, slot, read[uint64](t, s, "getMaxRetransmitSlot", `[]`))
	require.Equal(t, slot, read[uint64](t, s, "getMaxShredInsertSlot", `[]`))
}

// Clients of Metaplex read NFTs from the chain: the metadata of a collection's creator, and the
// root of a tree. The offsets are public: of the mint, name and first creator in an account of
// metadata, and of the depth, authority and newest root in a tree.
func TestAssetsAreOnTheChain(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	const metadata, mintAt, nameAt, creatorAt = "metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s", 33, 69, 326
	found := read[[]struct {
		Pubkey  string
		Account struct{ Data []string }
	}](t, s, "getProgramAccounts", `[%q,{"encoding":"base64","filters":[{"memcmp":{"offset":%d,"bytes":%q}}]}]`, metadata, creatorAt, fakeapi.Exchange)
	require.NotEmpty(t, found)
	for _, f := range found {
		data, err := base64.StdEncoding.DecodeString(f.Account.Data[0])
		require.NoError(t, err)
		mint := base58.Encode(data[mintAt : mintAt+32])
		address, _, err := types.ProgramAddress([][]byte{[]byte("metadata"), bytesOf(t, metadata), bytesOf(t, mint)}, metadata)
		require.NoError(t, err)
		require.Equal(t, string(address), f.Pubkey)
		a := read[struct {
			Content struct{ Metadata struct{ Name string } }
		}](t, s, "getAsset", `{"id":%q}`, mint)
		require.Equal(t, a.Content.Metadata.Name, strings.TrimRight(string(data[nameAt:nameAt+32]), "\x00"))
	}

	owned := read[struct {
		Items []struct {
			ID          string
			Compression struct{ Compressed bool }
		}
	}](t, s, "searchAssets", `{"ownerAddress":%q,"compressed":true}`, fakeapi.Collector)
	proof := read[struct {
		Root   string
		Proof  []string
		TreeID string `json:"tree_id"`
	}](t, s, "getAssetProof", `{"id":%q}`, owned.Items[0].ID)
	tree := read[valueOf[struct {
		Owner string
		Data  []string
	}]](t, s, "getAccountInfo", `[%q,{"encoding":"base64"}]`, proof.TreeID).Value
	data, err := base64.StdEncoding.DecodeString(tree.Data[0])
	require.NoError(t, err)
	const program, depthAt, authorityAt, rootAt = "cmtDvXumGCrqC1Age74AVPhSRVXJMd8PJS91L8KbNCK", 6, 10, 80
	require.Equal(t, program, tree.Owner)
	require.Len(t, proof.Proof, int(data[depthAt]))
	require.Equal(t, proof.Root, base58.Encode(data[rootAt:rootAt+32]))
	authority, _, err := types.ProgramAddress([][]byte{bytesOf(t, proof.TreeID)}, types.BubblegumProgram)
	require.NoError(t, err)
	require.Equal(t, string(authority), base58.Encode(data[authorityAt:authorityAt+32]))
}

// The standard of digital assets has other names for three methods, which its clients use.
func TestAssetsByTheNamesOfTheStandard(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	owned := read[struct{ Items []struct{ ID string } }](t, s, "searchAssets", `{"ownerAddress":%q,"compressed":true}`, fakeapi.Collector)
	id := owned.Items[0].ID
	for standard, name := range map[string]string{
		"getAssets": "getAssetBatch", "getAssetProofs": "getAssetProofBatch", "getAssetSignatures": "getSignaturesForAsset",
	} {
		params := `{"ids":["` + id + `"]}`
		if standard == "getAssetSignatures" {
			params = `{"id":"` + id + `","page":1,"limit":10}`
		}
		want, failure := call(t, s, name, params)
		require.Empty(t, failure)
		got, failure := call(t, s, standard, params)
		require.Empty(t, failure, standard)
		require.JSONEq(t, want, got)
	}
}

func bytesOf(t *testing.T, address string) []byte {
	t.Helper()
	b, err := base58.Decode(address)
	require.NoError(t, err)
	return b
}

// Addresses have 43 or 44 characters, and listings are in the order of their bytes.
func TestSmallPagesOfTokenAccountsAreWhole(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	type page struct {
		Accounts []struct{ Address string } `json:"token_accounts"`
		Cursor   string
	}
	whole := read[page](t, s, "getTokenAccounts", `{"owner":%q,"limit":1000}`, fakeapi.Wallet).Accounts
	paged := whole[:0:0]
	for cursor := ""; len(paged) < len(whole); {
		p := read[page](t, s, "getTokenAccounts", `{"owner":%q,"limit":7,"cursor":%q}`, fakeapi.Wallet, cursor)
		require.NotEmpty(t, p.Accounts)
		paged, cursor = append(paged, p.Accounts...), p.Cursor
	}
	require.Equal(t, whole, paged)
}

// The bounds of a listing of signatures are places in the ledger: a node accepts transactions of
// other addresses.
func TestSignaturesAreBoundedByTransactionsOfOtherAddresses(t *testing.T) {
	t.Parallel()
	b := world.NewBuilder("")
	b.Wallet(fakeapi.Wallet, "5")
	b.Wallet(fakeapi.Exchange, "5")
	for _, payer := range []string{fakeapi.Wallet, fakeapi.Exchange, fakeapi.Wallet} { // from new to old
		b.Transact(world.Transaction{FeePayer: payer}, nil)
	}
	w, err := b.World()
	require.NoError(t, err)
	s := fakeapi.NewOf(w)
	s.World()
	ledger := w.Ledger
	for bound, want := range map[string]string{"before": ledger[0].Signature, "until": ledger[2].Signature} {
		found := read[[]struct{ Signature string }](t, s, "getSignaturesForAddress", `[%q,{%q:%q}]`, fakeapi.Wallet, bound, ledger[1].Signature)
		require.Len(t, found, 1, bound)
		require.Equal(t, want, found[0].Signature, bound)
	}
}

// Captured facts of the chain have the slots and the epoch of the world.
func TestChainFactsAgreeOnTheSlot(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
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
