package decode_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/decode"
)

func TestJSONRefusesTextAfterTheValue(t *testing.T) {
	t.Parallel()
	var v struct{ A int }
	require.NoError(t, decode.JSON([]byte(" {\"A\":1}\n"), &v))
	require.Error(t, decode.JSON([]byte(`{"A":1} and more`), &v))
	require.Error(t, decode.JSON([]byte(`{"A":1}{"A":2}`), &v))
}

func TestExactKeepsNumbers(t *testing.T) {
	t.Parallel()
	var v any
	require.NoError(t, decode.Exact([]byte(`{"a":[18446744073709551615,0.1000]}`), &v))
	require.Equal(t, map[string]any{"a": []any{json.Number("18446744073709551615"), json.Number("0.1000")}}, v)
	require.ErrorIs(t, decode.Exact([]byte(`1 2`), &v), decode.ErrNotJSON)
	require.Error(t, decode.Exact([]byte(`{"a":`), &v))
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]error{
		"":                         decode.ErrEmpty,
		" \r\n\t":                  decode.ErrEmpty,
		`{}`:                       nil,
		`7`:                        nil,
		`"a\"b"`:                   nil,
		` [1,{"a":"]"}] `:          nil,
		`{"a":1} and more`:         nil,
		`{`:                        decode.ErrTruncated,
		`{"a":"b`:                  decode.ErrTruncated,
		`{"a":"b\`:                 decode.ErrTruncated,
		`[1,2`:                     decode.ErrTruncated,
		`"text`:                    decode.ErrTruncated,
		`{"a":tru}`:                decode.ErrNotJSON,
		`{]`:                       decode.ErrNotJSON,
		`]`:                        decode.ErrNotJSON,
		`<html>{"a":`:              decode.ErrNotJSON,
		"max usage reached":        decode.ErrNotJSON,
		"\x1f\x8b":                 decode.ErrNotJSON,
		strings.Repeat("[", 20000): decode.ErrNotJSON,
	} {
		require.Equal(t, want, decode.Check([]byte(body)), body)
	}
}

// The decoder limits the nesting.
func TestNestedJSONFailsSoon(t *testing.T) {
	t.Parallel()
	const million = 1_000_000
	for name, body := range map[string]string{
		"open lists":     strings.Repeat("[", million),
		"nested lists":   strings.Repeat("[", million) + strings.Repeat("]", million),
		"nested objects": strings.Repeat(`{"a":`, million) + "1" + strings.Repeat("}", million),
		"unknown member": `{"unknown":` + strings.Repeat("[", million) + strings.Repeat("]", million) + `}`,
	} {
		for _, into := range []any{new(struct{ A []uint64 }), new(any)} {
			require.Error(t, decode.JSON([]byte(body), into), name)
			require.Error(t, decode.Exact([]byte(body), into), name)
		}
	}
}
