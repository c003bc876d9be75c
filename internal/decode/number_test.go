package decode_test

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

func TestLongNumber(t *testing.T) {
	t.Parallel()
	const most = 16384
	for _, lead := range []int{0, 1, most - 1, most, most + 1, 3 * most, 50_000} {
		space := strings.Repeat(" ", lead)
		for _, n := range []int{1, 64, most - 1, most, most + 1, 2 * most, 2*most + 1} {
			digits := strings.Repeat("9", n)
			for _, texts := range []bool{true, false} {
				require.Equal(t, n > most, decode.LongNumber([]byte(space+digits), texts), "%d after %d", n, lead)
				require.Equal(t, n > most, decode.LongNumber([]byte(`{"a":`+space+digits+`}`), texts), "%d after %d", n, lead)
				require.Equal(t, n > most-3, decode.LongNumber([]byte(`[1,`+space+digits+`e-5]`), texts), "%d after %d", n, lead)
				quoted := []byte(`{"a":"\"` + space + digits + `"}`)
				require.Equal(t, n > most && texts, decode.LongNumber(quoted, texts), "%d after %d", n, lead)
			}
		}
	}
	for lead := range 64 {
		two := strings.Repeat("1", most) + "," + strings.Repeat("1", most)
		require.False(t, decode.LongNumber([]byte(`[`+strings.Repeat(" ", lead)+two+`]`), true), "two numbers after %d", lead)
	}
	for _, c := range "+-.0123456789Ee" {
		long := strings.Repeat("7", most/2) + string(c) + strings.Repeat("7", most/2)
		require.True(t, decode.LongNumber([]byte(long), false), "with %c", c)
	}
	require.False(t, decode.LongNumber(nil, true))
}

// FuzzLongNumber compares with a loop over all characters.
func FuzzLongNumber(f *testing.F) {
	for _, s := range []string{"", "1", `[1,-2.5e+7]`, `{"a":"12"}`, `"`, `"\"`} {
		f.Add([]byte(s), uint16(16_000), uint16(16_400), true)
		f.Add([]byte(s), uint16(0), uint16(16_384), false)
		f.Add([]byte(s), uint16(1), uint16(32_769), false)
	}
	f.Fuzz(func(t *testing.T, part []byte, lead, digits uint16, texts bool) {
		space, number := bytes.Repeat([]byte(" "), int(lead)), bytes.Repeat([]byte("7"), int(digits))
		body := slices.Concat(part, space, number, part, number, part)
		run, longest := 0, 0
		inText, escaped := false, false
		for _, c := range body {
			switch {
			case c == '"' && !escaped:
				inText = !inText
			case inText:
				escaped = c == '\\' && !escaped
			}
			run++
			if !strings.ContainsRune("+-.0123456789Ee", rune(c)) || inText && !texts {
				run = 0
			}
			longest = max(longest, run)
		}
		require.Equal(t, longest > 16_384, decode.LongNumber(body, texts))
	})
}

// What strangers write, such as the description of an asset, may consist of digits.
func TestTextsOfDigitsAreNotNumbers(t *testing.T) {
	t.Parallel()
	digits := strings.Repeat("9", 20_000)
	var assets struct{ Items []das.Asset }
	require.NoError(t, decode.JSON([]byte(`{"items":[{"content":{"json_uri":"`+digits+`"},"token_info":{"price_info":{"price_per_token":1.5}}}]}`), &assets))
	require.Equal(t, digits, assets.Items[0].Content.JSONURI())
	for _, number := range []string{digits, `"` + digits + `"`} {
		require.ErrorContains(t, decode.JSON([]byte(`{"items":[{"token_info":{"price_info":{"price_per_token":`+number+`}}}]}`), &assets), "a number has more than 16384 characters")
		require.ErrorContains(t, decode.JSON([]byte(`{"balance":`+number+`}`), new(wallet.Balance)), "a number has more than 16384 characters")
	}
}

// The types of callers may parse texts as numbers.
func TestExactRefusesTextsOfDigits(t *testing.T) {
	t.Parallel()
	body := []byte(`{"v":"` + strings.Repeat("9", 20_000) + `"}`)
	for _, v := range []any{
		new(struct{ V *big.Float }), new(struct{ V decimal.Decimal }), new(map[string]decimal.NullDecimal),
		&struct{ V any }{new(decimal.Decimal)}, &map[string]any{"v": new(big.Int)},
	} {
		require.ErrorContains(t, decode.Exact(body, v), "a number has more than 16384 characters", "%T", v)
	}
}

// The sysvar SlotHistory has a text of a million digits.
func TestExactKeepsTextsThatStayTexts(t *testing.T) {
	t.Parallel()
	body := []byte(`{"v":"` + strings.Repeat("1", 1<<20) + `"}`)
	for _, v := range []any{
		new(any), new(map[string]any), new(struct{ V string }), new(struct{ V any }), new(struct{ V json.RawMessage }),
		new(json.RawMessage), new(struct{ V []types.Address }),
	} {
		if err := decode.Exact(body, v); err != nil {
			require.NotContains(t, err.Error(), "a number", "%T", v)
		}
	}
	var out map[string]any
	require.NoError(t, decode.Exact(body, &out))
	require.Len(t, out["v"], 1<<20)
}
