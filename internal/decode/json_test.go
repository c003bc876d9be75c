package decode_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
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
	var large struct{ A string }
	body := []byte(`{"A":"` + strings.Repeat("x", 13<<20) + `","b":"` + strings.Repeat("x", 13<<20) + `"}`)
	require.NoError(t, decode.Exact(body, &large))
	require.NoError(t, decode.JSON(body, &large), "by another decoder")
	require.Len(t, large.A, 13<<20)
	require.ErrorIs(t, decode.Exact(body, &v), types.ErrTooLarge)
	require.ErrorIs(t, decode.Exact([]byte(`[`+strings.Repeat("{},", 2<<20)+`{}]`), &v), types.ErrTooLarge)
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
		strings.Repeat("[", 20000): decode.ErrTruncated,
	} {
		require.Equal(t, want, decode.Check([]byte(body)), body)
	}
}

// A decimal of the longest accepted length takes less than a millisecond.
func TestLongestNumbersAreDecodedSoon(t *testing.T) {
	t.Parallel()
	longest := strings.Repeat("9", 16_384)
	var out []decimal.Decimal
	start := time.Now()
	require.NoError(t, decode.JSON([]byte(`[`+strings.Repeat(longest+",", 63)+longest+`]`), &out)) // 1 MiB
	require.Less(t, time.Since(start), 30*time.Second)
	require.Len(t, out, 64)
	require.Equal(t, longest, out[63].String())
}

func TestHostileJSONFailsSoon(t *testing.T) {
	t.Parallel()
	const million = 1_000_000
	for name, body := range map[string]string{
		"open lists":     strings.Repeat("[", million),
		"nested lists":   strings.Repeat("[", million) + strings.Repeat("]", million),
		"nested objects": strings.Repeat(`{"a":`, million) + "1" + strings.Repeat("}", million),
		"unknown member": `{"unknown":` + strings.Repeat("[", million) + strings.Repeat("]", million) + `}`,
		"long number":    `{"amounts":[` + strings.Repeat("9", million) + `]}`,
		"long exponent":  `{"amounts":[1e` + strings.Repeat("9", million) + `]}`,
		"empty objects":  `{"amounts":[` + strings.Repeat("{},", million) + `{}]}`,
		"long text":      `{"amounts":["` + strings.Repeat("x", million) + `"]}`,
	} {
		start := time.Now()
		require.Error(t, decode.JSON([]byte(body), new(struct{ Amounts []decimal.Decimal })), name)
		require.Less(t, time.Since(start), 30*time.Second, name)
	}
}
