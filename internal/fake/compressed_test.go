package fake_test

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
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
