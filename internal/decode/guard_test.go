package decode_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/bench"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/golden"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
	"github.com/solwire/solwire-go/wallet"
)

func TestLongTextsAreTooLarge(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("x", 24<<20-100)
	var v struct{ A, B string }
	require.NoError(t, decode.JSON([]byte(`{"a":"`+text+`","b":"\""}`), &v))
	require.Len(t, v.A, len(text))
	require.ErrorIs(t, decode.JSON([]byte(`{"a":"b","a":"`+text[:200]+`\"`+text+`"}`), &v), types.ErrTooLarge)
	require.ErrorIs(t, decode.JSON([]byte(`{"a":"`+text+text), &v), types.ErrTooLarge, "without an end")
}

// A list of tiny values becomes a list of structs. What counts is the memory they take,
// whatever is between the values.
func TestTinyValuesAreTooLarge(t *testing.T) {
	t.Parallel()
	const mega = 1 << 20
	list := func(item string, n int) []byte {
		return []byte(`{"Items":[` + strings.Repeat(item+",", n-1) + item + `]}`)
	}
	for name, row := range map[string]struct {
		body []byte
		into any
		want bool
	}{
		"few empty objects":         {list(`{}`, 1000), new(page[compressed.Account]), false},
		"empty objects":             {list(`{}`, mega), new(page[compressed.Account]), true},
		"empty objects with spaces": {list(`{      }`, mega), new(page[compressed.Account]), true},
		"objects with junk":         {list(`{"xxxxxxxxxxxxxxxxxxxx":1}`, mega), new(page[compressed.Account]), true},
		"nulls":                     {list(`null`, mega), new(page[compressed.Account]), true},
		"nulls of 240 MB":           {list(`null`, 5*mega/8), new(page[compressed.Account]), true},
		"nulls of 30 MB":            {list(`null`, mega/16), new(page[compressed.Account]), false},
		"empty texts":               {list(`""`, 8*mega), new(struct{ Items []string }), true},
		"numbers":                   {list(`0`, 8*mega), new(struct{ Items []uint64 }), true},
		"empty objects into any":    {list(`{}`, 2*mega), new(any), true},
		"numbers for objects":       {list(`0                       `, mega), new(page[compressed.Account]), true},
		"texts for objects":         {list(`":"`, mega), new(page[compressed.Account]), true},
		"lists for objects":         {list(`[]`, mega), new(page[compressed.Account]), true},
		"numbers for a union type":  {list(`0`, 2*mega), new(struct{ Items []tx.Instruction }), true},
		"numbers beside texts": {list(`0`, 2*mega), new(struct {
			Items []tx.TokenBalance
			Texts []string
		}), true},
		"nulls for pointers":              {list(`null`, mega/2), new(struct{ Items []*compressed.Account }), false},
		"objects of a recursive type":     {list(`{"list":[{}]}`, mega), new(struct{ Items []recursive }), true},
		"a recursive type without a list": {list(`{"X":`+strings.Repeat("1", 1<<15)+`}`, 1), new(struct{ Next *linked }), true},
		"nested lists into any":           {list(strings.Repeat("[", 5000)+strings.Repeat("]", 5000), 1000), new(any), true},
		"numbers into any":                {list(`0`, mega), new(any), false},
		"objects within text":             {list(`"`+strings.Repeat("{},", 100)+`"`, mega/20), new(struct{ Items []string }), false},
		"long objects":                    {list(`{"hash":"`+strings.Repeat("x", 400)+`"}`, mega/10), new(page[compressed.Account]), false},
		"not a list":                      {list(`{}`, mega), new(struct{ A int }), false},
	} {
		require.Equal(t, row.want, decode.Refuses(row.body, row.into), name)
	}
}

type linked struct{ Next *linked }

type recursive struct {
	List []recursive
	Data [8]uint64
}

func TestRealResponsesAreNotTooLarge(t *testing.T) {
	t.Parallel()
	type envelope[T any] struct {
		Result struct{ Value T }
	}
	for name, row := range map[string]struct {
		body []byte
		into any
	}{
		"50 MiB of accounts":        {repeated(bench.CompressedAccounts(1000), 80), new(envelope[types.Page[compressed.Account]])},
		"compressed token accounts": {repeated(bench.CompressedTokenAccounts(1000), 15), new(envelope[types.Page[compressed.TokenAccount]])},
		"parsed token accounts":     {repeated(bench.ParsedTokenAccounts(1000), 15), new(envelope[[]rpc.TokenAccount])},
		"balances":                  {repeated(bench.Balances(1000), 15), new(struct{ Balances []wallet.Balance })},
		"transactions":              {repeated(transaction(t), 8_000), new([]tx.Transaction)},
	} {
		require.Greater(t, len(row.body), 3<<20, name)
		require.False(t, decode.Refuses(row.body, row.into), name)
	}
}

// transaction is a list of a short transaction of a real node.
func transaction(t *testing.T) []byte {
	t.Helper()
	body, found := golden.Answer("rpc/getTransaction-v1")
	require.True(t, found)
	var in struct{ Result json.RawMessage }
	require.NoError(t, json.Unmarshal(body, &in))
	return []byte(`[` + string(in.Result) + `]`)
}

// repeated returns a response whose only list has its items n times.
func repeated(body []byte, n int) []byte {
	start, end := bytes.IndexByte(body, '[')+1, bytes.LastIndexByte(body, ']')
	return slices.Concat(body[:start], bytes.Repeat(append(slices.Clone(body[start:end]), ','), n-1), body[start:])
}

func TestMapsOfTinyValuesAreTooLarge(t *testing.T) {
	t.Parallel()
	members := func(n int) []byte {
		var b bytes.Buffer
		for i := range n {
			fmt.Fprintf(&b, `,"%x":0`, i)
		}
		return append(append([]byte(`{`), b.Bytes()[1:]...), '}')
	}
	for n, want := range map[int]bool{1 << 16: false, 1<<20 + 1: true} {
		body := members(n)
		for _, into := range []any{new(any), new(map[string]int), new(struct{ A map[string]json.RawMessage })} {
			require.Equal(t, want, decode.Refuses(body, into), "%d into %T", n, into)
		}
		require.False(t, decode.Refuses(body, new(struct{ A int })))
	}
	require.False(t, decode.Refuses([]byte(`{"a":"`+strings.Repeat(":", 2<<20)+`"}`), new(any)))
}
