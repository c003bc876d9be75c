package compare_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/compare"
)

type colour string

type inner struct {
	Slot   uint64          `json:"slot"`
	Colour colour          `json:"colour,omitempty"`
	Price  decimal.Decimal `json:"price"`
	Info   json.RawMessage `json:"info,omitempty"`
}

type outer struct {
	inner
	Name  string            `json:"name,omitempty"`
	Next  *inner            `json:"next"`
	Items []inner           `json:"items"`
	Raw   uint64            `json:"raw,string"`
	By    map[string]uint64 `json:"by,omitempty"`
	Seq   *uint64           `json:"seq,omitempty"`
	On    *bool             `json:"on,omitempty"`
}

// whole is JSON that outer holds whole.
const whole = `{"slot":18446744073709551615,"colour":"red","price":1.50,"info":{"any":[1,{"x":null}]},"name":"007",
	"next":{"slot":1,"price":"0"},"items":[{"slot":2,"colour":"","price":0},{"slot":0,"price":1e3,"info":null}],
	"raw":"9007199254740993","by":{"a":1,"b":0}}`

func words(_ reflect.Type, text string) bool { return slices.Contains([]string{"red", "green"}, text) }

func differences(t *testing.T, decoded, sent string) []string {
	t.Helper()
	var v outer
	require.NoError(t, json.Unmarshal([]byte(decoded), &v))
	_, found, err := compare.JSON([]byte(sent), v, words)
	require.NoError(t, err)
	var texts []string
	for _, d := range found {
		texts = append(texts, string(d.Kind)+": "+d.String())
	}
	return texts
}

func TestValueThatHoldsItsJSONHasNoDifferences(t *testing.T) {
	t.Parallel()
	require.Empty(t, differences(t, whole, whole))
	require.Empty(t, differences(t, `{}`, `{"next":null,"items":[],"name":"","raw":"0","by":null,"added":null}`))
	for _, price := range []string{"0", "1.50", `"1.50"`, "1e3", `"-0.000000000000000000001"`, "18446744073709551616", "1e400", "-0", "0.10"} {
		for _, info := range []string{"1", `"007"`, "null", "true", `[1,[],{"a":null,"b":0,"":""}]`, `{"\u0001":"\ud800","<":1e-7}`, "[]", "{}", `"\u2028&"`} {
			form := fmt.Sprintf(`{"price":%s,"info":%s,"name":"é\u0000<&>","seq":null,"by":{"k0":null,"k1":0}}`, price, info)
			require.Empty(t, differences(t, form, form))
		}
	}

	leaves, _, err := compare.JSON([]byte(whole), json.RawMessage(whole), nil)
	require.NoError(t, err)
	require.Equal(t, 17, leaves)
}

func TestDifferencesAreFound(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ decoded, sent, want string }{
		{`{}`, `{"added":true}`, "lost: added: true is lost"},
		{`{}`, `{"added":false}`, "lost: added: false is lost"},
		{`{"items":[{}]}`, `{"items":[{"added":{"a":1}}]}`, `lost: items.0.added: {"a":1} is lost`},
		{`{"items":[{"slot":1}]}`, `{"items":[{"slot":1},{"slot":2}]}`, `lost: items.1: {"slot":2} is lost`},
		{`{"items":[{"slot":1},{"slot":2}]}`, `{"items":[{"slot":1}]}`, `invented: items.1: nothing became {"price":"0","slot":2}`},
		{`{"slot":9007199254740992}`, `{"slot":9007199254740993}`, "changed: slot: 9007199254740993 became 9007199254740992"},
		{`{"raw":"9007199254740992"}`, `{"raw":"9007199254740993"}`, `changed: raw: "9007199254740993" became "9007199254740992"`},
		{`{"price":1.5}`, `{"price":1.50000000000000000001}`, `changed: price: 1.50000000000000000001 became "1.5"`},
		{`{"name":"7"}`, `{"name":"007"}`, `changed: name: "007" became "7"`},
		{`{"slot":3}`, `{"slot":null}`, "invented: slot: null became 3"},
		{`{"slot":3}`, `{}`, "invented: slot: nothing became 3"},
		{`{"name":"x"}`, `{"name":""}`, `changed: name: "" became "x"`},
		{`{}`, `{"slot":3}`, "changed: slot: 3 became 0"},
		{`{}`, `{"next":{"slot":3}}`, `lost: next: {"slot":3} is lost`},
		{`{"colour":"blue"}`, `{"colour":"blue"}`, `new word: colour: "blue" has no constant`},
		{`{"info":{"a":[1,2]}}`, `{"info":{"a":[1,3]}}`, "changed: info.a.1: 3 became 2"},
		{`{"info":{"a":"1.0"}}`, `{"info":{"a":"1.0","b":0}}`, "lost: info.b: 0 is lost"},
		{`{"by":{"a":1}}`, `{"by":{"a":1,"b":2}}`, "lost: by.b: 2 is lost"},
		{`{"by":{"a":1}}`, `{"by":{"c":1}}`, "lost: by.c: 1 is lost"},
		{`{}`, `{"seq":0}`, "lost: seq: 0 is lost"},
		{`{}`, `{"on":false}`, "lost: on: false is lost"},
		{`{}`, `{"name":"0"}`, `lost: name: "0" is lost`},
		{`{"name":"0"}`, `{}`, `invented: name: nothing became "0"`},
		{`{"name":"0"}`, `{"name":null}`, `invented: name: null became "0"`},
	} {
		require.Contains(t, differences(t, test.decoded, test.sent), test.want, test.sent)
	}
}

func TestLongAndHostileTextsAreCut(t *testing.T) {
	t.Parallel()
	long, err := json.Marshal(map[string]any{"added": string(make([]byte, 10_000))})
	require.NoError(t, err)
	_, found, err := compare.JSON(long, struct{}{}, nil)
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.LessOrEqual(t, len(found[0].Wire), 83)
	// An exponent that would take gigabytes to expand.
	_, found, err = compare.JSON([]byte(`{"n":1e999999999}`), map[string]any{"n": json.Number("1e999999998")}, nil)
	require.NoError(t, err)
	require.Len(t, found, 1)
}
