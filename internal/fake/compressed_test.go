package fake_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/internal/fake/world"
	"github.com/solwire/solwire-go/types"
)

const (
	byOwner    = "getCompressedAccountsByOwner"
	byDelegate = "getCompressedTokenAccountsByDelegate"
	someone    = "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R"
)

type compressedAccount struct {
	Hash    string  `json:"hash"`
	Address *string `json:"address"`
	Data    *struct {
		Discriminator uint64 `json:"discriminator"`
		Data          []byte `json:"data"`
		DataHash      string `json:"dataHash"`
	} `json:"data"`
	Owner       string  `json:"owner"`
	Lamports    uint64  `json:"lamports"`
	Tree        string  `json:"tree"`
	LeafIndex   uint32  `json:"leafIndex"`
	Seq         *uint64 `json:"seq"`
	SlotCreated uint64  `json:"slotCreated"`
}

type listing[T any] struct {
	Context struct {
		Slot uint64 `json:"slot"`
	} `json:"context"`
	Value struct {
		Items  []T     `json:"items"`
		Cursor *string `json:"cursor"`
	} `json:"value"`
}

func list[T any](t *testing.T, s *fake.Service, method, params string) (items []T, cursor string) {
	t.Helper()
	result, failure := call(t, s, method, params)
	require.Empty(t, failure)
	var page listing[T]
	require.NoError(t, json.Unmarshal([]byte(result), &page))
	require.Equal(t, uint64(344112233), page.Context.Slot)
	require.NotNil(t, page.Value.Items)
	if page.Value.Cursor == nil {
		return page.Value.Items, ""
	}
	require.NotEmpty(t, *page.Value.Cursor)
	return page.Value.Items, *page.Value.Cursor
}

// walk follows the cursors to the end. Params is an object without its end.
func walk[T any](t *testing.T, s *fake.Service, method, params string) (all []T, pages int) {
	t.Helper()
	items, cursor := list[T](t, s, method, params+"}")
	for {
		all = append(all, items...)
		pages++
		if cursor == "" {
			return all, pages
		}
		items, cursor = list[T](t, s, method, params+`,"cursor":"`+cursor+`"}`)
	}
}

func bytes58(t *testing.T, s string) string {
	t.Helper()
	b, err := base58.Decode(s)
	require.NoError(t, err)
	return string(b)
}

func TestCompressedAccountsCoverTheOwnerInOrderOfHash(t *testing.T) {
	t.Parallel()
	s := fake.New()
	all, pages := walk[compressedAccount](t, s, byOwner, `{"owner":"`+fake.Owner+`"`)
	require.Len(t, all, 3500)
	require.Equal(t, 4, pages)
	var noAddress, noData, highest, long int
	leaves := map[uint32]bool{}
	for i, a := range all {
		hash := bytes58(t, a.Hash)
		require.Len(t, hash, 32)
		require.Less(t, hash[0], byte(0x30), "a field element")
		if i > 0 {
			require.Greater(t, hash, bytes58(t, all[i-1].Hash))
		}
		require.Equal(t, fake.Owner, a.Owner)
		require.Len(t, bytes58(t, a.Tree), 32)
		require.False(t, leaves[a.LeafIndex])
		leaves[a.LeafIndex] = true
		if a.Address == nil {
			noAddress++
		} else {
			require.Len(t, bytes58(t, *a.Address), 32)
		}
		if a.Data == nil {
			noData++
			continue
		}
		if a.Data.Discriminator == 1<<64-1 {
			highest++
		}
		if a.Data.Discriminator > 1<<53 {
			long++
		}
		require.Less(t, bytes58(t, a.Data.DataHash)[0], byte(0x30), "a field element")
		require.GreaterOrEqual(t, len(a.Data.Data), 50)
		require.LessOrEqual(t, len(a.Data.Data), 300)
		require.LessOrEqual(t, a.Data.Data[0], byte(3))
	}
	require.Equal(t, 350, noAddress)
	require.Positive(t, noData)
	require.Positive(t, highest)
	require.Greater(t, long, 3000)
}

func TestFullLastPageIsFollowedByAnEmptyOne(t *testing.T) {
	t.Parallel()
	for count, pages := range map[int]int{0: 1, 1: 1, 9: 1, 10: 2, 11: 2, 30: 4} {
		all, n := walk[compressedAccount](t, fake.NewSized(count), byOwner, `{"owner":"`+fake.Owner+`","limit":10`)
		require.Len(t, all, count)
		require.Equal(t, pages, n, count)
	}
}

func TestCompressedAccountsStartAfterAnyCursor(t *testing.T) {
	t.Parallel()
	s := fake.NewSized(1_000_000)
	items, _ := list[compressedAccount](t, s, byOwner, `{"owner":"`+fake.Owner+`","limit":3,"cursor":"2zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"}`)
	require.Equal(t, "3", items[0].Hash[:1])
	for cursor, want := range map[string]int{
		"11111111111111111111111111111111":             3, // the lowest
		"zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz":  3, // 43 letters
		"3zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz": 0, // above all
	} {
		items, _ := list[compressedAccount](t, s, byOwner, `{"owner":"`+fake.Owner+`","limit":3,"cursor":"`+cursor+`"}`)
		require.Len(t, items, want, cursor)
	}
	after, _ := list[compressedAccount](t, s, byOwner, `{"owner":"`+fake.Owner+`","limit":2,"cursor":"`+items[0].Hash+`"}`)
	require.Equal(t, items[1:], after)
}

func TestFiltersFilterAndSlicesSlice(t *testing.T) {
	t.Parallel()
	s := fake.NewSized(400)
	all, _ := walk[compressedAccount](t, s, byOwner, `{"owner":"`+fake.Owner+`"`)
	matching := func(keep func(data []byte) bool) (hashes []string) {
		for _, a := range all {
			if a.Data != nil && keep(a.Data.Data) {
				hashes = append(hashes, a.Hash)
			}
		}
		return hashes
	}
	memcmp := func(offset int, data ...byte) string {
		return `{"memcmp":{"offset":` + strconv.Itoa(offset) + `,"bytes":"` + base58.Encode(data) + `"}}`
	}
	for _, row := range []struct {
		filters string
		keep    func(data []byte) bool
	}{
		{``, nil},
		{memcmp(0, 2), func(d []byte) bool { return d[0] == 2 }},
		{memcmp(0, 0), func(d []byte) bool { return d[0] == 0 }},
		{memcmp(1, 44, 1), func(d []byte) bool { return d[1] == 44 && d[2] == 1 }},
		{memcmp(0, 1) + "," + memcmp(3, 0, 0), func(d []byte) bool { return d[0] == 1 }},
		{memcmp(1000, 1), func([]byte) bool { return false }},
	} {
		got, _ := walk[compressedAccount](t, s, byOwner, `{"owner":"`+fake.Owner+`","limit":37,"filters":[`+row.filters+`]`)
		var hashes []string
		for _, a := range got {
			hashes = append(hashes, a.Hash)
		}
		if row.keep == nil {
			require.Len(t, hashes, 400)
		} else {
			require.Equal(t, matching(row.keep), hashes, row.filters)
		}
	}

	for slice, want := range map[string]string{
		`{"offset":0,"length":9}`:      "the first nine",
		`{"offset":299,"length":2000}`: "the end",
		`{"offset":5000,"length":1}`:   "",
	} {
		got, _ := list[compressedAccount](t, s, byOwner, `{"owner":"`+fake.Owner+`","dataSlice":`+slice+`}`)
		for i, a := range got {
			if a.Data == nil {
				require.Nil(t, all[i].Data)
				continue
			}
			whole := all[i].Data.Data
			require.Equal(t, all[i].Data.DataHash, a.Data.DataHash)
			switch want {
			case "the first nine":
				require.Equal(t, whole[:9], a.Data.Data)
			case "the end":
				require.Equal(t, string(whole[min(299, len(whole)):]), string(a.Data.Data))
			default:
				require.Empty(t, a.Data.Data)
			}
		}
	}
}

func TestLeafIndexOrderSkipsAndRepeats(t *testing.T) {
	t.Parallel()
	s := fake.NewSized(300)
	s.World().Compressed.Order = world.ByLeaf
	whole, _ := list[compressedAccount](t, s, byOwner, `{"owner":"`+fake.Owner+`"}`)
	require.Len(t, whole, 300, "one page is complete")
	for i := range whole[1:] {
		require.Less(t, whole[i].LeafIndex, whole[i+1].LeafIndex)
	}

	distinct := map[string]bool{}
	all, pages := walk[compressedAccount](t, s, byOwner, `{"owner":"`+fake.Owner+`","limit":20`)
	for _, a := range all {
		distinct[a.Hash] = true
	}
	require.Greater(t, pages, 1)
	require.Less(t, len(distinct), 300)
}

type compressedToken struct {
	Account   compressedAccount `json:"account"`
	TokenData struct {
		Mint     string  `json:"mint"`
		Owner    string  `json:"owner"`
		Amount   uint64  `json:"amount"`
		Delegate string  `json:"delegate"`
		State    string  `json:"state"`
		TLV      *string `json:"tlv"`
	} `json:"tokenData"`
}

func TestCompressedTokenAccountsCoverTheDelegateByMintAndHash(t *testing.T) {
	t.Parallel()
	s := fake.New()
	all, pages := walk[compressedToken](t, s, byDelegate, `{"delegate":"`+fake.Delegate+`"`)
	require.Len(t, all, 2500)
	require.Equal(t, 3, pages)
	counts, states := map[string]int{}, map[string]int{}
	discriminators := map[uint64]bool{}
	var highest int
	for i, a := range all {
		place := bytes58(t, a.TokenData.Mint) + bytes58(t, a.Account.Hash)
		require.Len(t, place, 64)
		if i > 0 {
			require.Greater(t, place, bytes58(t, all[i-1].TokenData.Mint)+bytes58(t, all[i-1].Account.Hash))
		}
		require.Equal(t, fake.Delegate, a.TokenData.Delegate)
		require.Equal(t, string(types.CompressedTokenProgram), a.Account.Owner)
		require.True(t, isAddress(a.TokenData.Owner))
		require.Nil(t, a.Account.Address)
		require.NotNil(t, a.Account.Data)
		counts[a.TokenData.Mint]++
		states[a.TokenData.State]++
		discriminators[a.Account.Data.Discriminator] = true
		if a.TokenData.Amount > 1<<53 {
			highest++
		}
		requireSameToken(t, a)
	}
	require.Len(t, counts, 5)
	require.Len(t, states, 2)
	require.Positive(t, states["frozen"])
	require.Positive(t, highest)
	require.Equal(t, map[uint64]bool{2: true}, discriminators)
	second, _ := walk[compressedToken](t, s, byDelegate+"V2", `{"delegate":"`+fake.V2Delegate+`"`)
	for _, a := range second {
		discriminators[a.Account.Data.Discriminator] = true
	}
	require.Equal(t, map[uint64]bool{2: true, 216172782113783808: true, 288230376151711744: true}, discriminators)

	for mint, count := range counts {
		of, _ := walk[compressedToken](t, s, byDelegate, `{"delegate":"`+fake.Delegate+`","limit":100,"mint":"`+mint+`"`)
		require.Len(t, of, count)
		for _, a := range of {
			require.Equal(t, mint, a.TokenData.Mint)
		}
	}
	small, _ := walk[compressedToken](t, s, byDelegate, `{"delegate":"`+fake.Delegate+`","limit":70`)
	require.Equal(t, all, small)

	for _, params := range []string{`{"delegate":"` + someone + `"}`, `{"delegate":"` + fake.Delegate + `","mint":"` + someone + `"}`} {
		result, _ := call(t, s, byDelegate, params)
		same(t, `{"context":{"slot":344112233},"value":{"items":[],"cursor":null}}`, result)
	}
}

// requireSameToken fails if the data of an account disagrees with its token data,
// or its discriminator with its tree.
func requireSameToken(t *testing.T, a compressedToken) {
	t.Helper()
	data, state := a.Account.Data.Data, byte(0)
	if a.TokenData.State == "frozen" {
		state = 1
	}
	require.Len(t, data, 107)
	require.Equal(t, a.TokenData.Mint, base58.Encode(data[:32]))
	require.Equal(t, a.TokenData.Owner, base58.Encode(data[32:64]))
	require.Equal(t, a.TokenData.Amount, binary.LittleEndian.Uint64(data[64:]))
	require.Equal(t, a.TokenData.Delegate, base58.Encode(data[73:105]))
	require.Equal(t, state, data[105])
	require.Nil(t, a.TokenData.TLV)
	require.Equal(t, a.Account.Tree == v1Tree, a.Account.Data.Discriminator == 2)
}

const v1Tree = "smt1NamzXdq4AMqS2fS2F1i5KTYPZRhoHgWx38d8WsT"

func TestSecondVersionSaysWhereAccountsAre(t *testing.T) {
	t.Parallel()
	s := fake.New()
	result, _ := call(t, s, byOwner+"V2", `{"owner":"`+fake.Program+`","limit":20}`)
	require.NotContains(t, result, `,"tree":"smt1NamzXdq4AMqS2fS2F1i5KTYPZRhoHgWx38d8WsT","leafIndex"`)
	require.Contains(t, result, `"proveByIndex":false,"merkleContext":{"treeType":1,"tree":"`+v1Tree+`",`+
		`"queue":"nfq1NvQDJ2GEgnS8zt9prAe8rjjpAW1zFkrvZoBR148","cpiContext":null,"nextTreeContext":null},"leafIndex":`)
	require.Contains(t, result, `"proveByIndex":true,"merkleContext":{"treeType":3,"tree":"bmt1LryLZUMmF7ZtqESaw7wifBXLfXHQYoE4GAmrahU",`+
		`"queue":"oq1na8gojfdUhsfCpyjNt6h4JaDWtHf1yQj4koBWfto","cpiContext":null,"nextTreeContext":null},"leafIndex":`)
	first, _ := list[compressedToken](t, s, byDelegate, `{"delegate":"`+fake.Delegate+`","limit":20}`)
	second, _ := list[compressedToken](t, s, byDelegate+"V2", `{"delegate":"`+fake.Delegate+`","limit":20}`)
	for i := range first {
		require.Equal(t, first[i].TokenData, second[i].TokenData)
		require.Equal(t, first[i].Account.Hash, second[i].Account.Hash)
	}
}

func TestMintUsesOnlyTheHashOfACursor(t *testing.T) {
	t.Parallel()
	s := fake.New()
	_, cursor := list[compressedToken](t, s, byDelegate, `{"delegate":"`+fake.Delegate+`","limit":1}`)
	const mint = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
	raw := []byte(bytes58(t, cursor))
	copy(raw, strings.Repeat("\xff", 32)) // no mint that any account has
	whole, _ := list[compressedToken](t, s, byDelegate, `{"delegate":"`+fake.Delegate+`","mint":"`+mint+`"}`)
	items, _ := list[compressedToken](t, s, byDelegate, `{"delegate":"`+fake.Delegate+`","mint":"`+mint+`","cursor":"`+base58.Encode(raw)+`"}`)
	require.NotEmpty(t, items)
	require.Equal(t, whole[len(whole)-len(items):], items)
	items, _ = list[compressedToken](t, s, byDelegate, `{"delegate":"`+fake.Delegate+`","cursor":"`+base58.Encode(raw)+`"}`)
	require.Empty(t, items)
}

// Strict clients refuse numbers beyond the field of the hashes, which starts with 0x30.
func TestRangesOfNewAddressesAreNumbersOfTheTree(t *testing.T) {
	t.Parallel()
	proofs := read[valueOf[[]struct{ LowerRangeAddress, HigherRangeAddress string }]](t, fake.New(), "getMultipleNewAddressProofs", `[%q]`, someone).Value
	require.Equal(t, strings.Repeat("\x00", 32), bytes58(t, proofs[0].LowerRangeAddress))
	require.Less(t, bytes58(t, proofs[0].HigherRangeAddress)[0], byte(0x30))
}

// No two accounts are at one leaf of a tree.
func TestCompressedAccountsHaveLeavesOfTheirOwn(t *testing.T) {
	t.Parallel()
	s := fake.New()
	leaves := map[string]bool{}
	count := 0
	for _, list := range []struct{ method, params string }{
		{"getCompressedAccountsByOwnerV2", `"owner":"` + fake.Owner + `"`},
		{"getCompressedAccountsByOwnerV2", `"owner":"` + fake.Program + `"`},
		{"getCompressedTokenAccountsByDelegateV2", `"delegate":"` + fake.Delegate + `"`},
		{"getCompressedTokenAccountsByDelegateV2", `"delegate":"` + fake.V2Delegate + `"`},
	} {
		type account struct {
			Leaf    uint64 `json:"leafIndex"`
			Context struct {
				Tree string `json:"tree"`
			} `json:"merkleContext"`
		}
		all, _ := walk[struct {
			account
			Token account `json:"account"`
		}](t, s, list.method, `{`+list.params)
		for _, x := range all {
			if x.Token.Context.Tree != "" {
				x.account = x.Token
			}
			count++
			leaves[fmt.Sprint(x.Context.Tree, x.Leaf)] = true
		}
	}
	require.Equal(t, 6160, count)
	require.Len(t, leaves, count)
}
