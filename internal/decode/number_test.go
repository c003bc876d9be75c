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
			for _, into := range []any{new(decimal.Decimal), new(struct{ A string })} { // the first one also parses texts
				require.Equal(t, n > most, decode.Refuses([]byte(space+digits), into), "%d after %d", n, lead)
				require.Equal(t, n > most, decode.Refuses([]byte(`{"a":`+space+digits+`}`), into), "%d after %d", n, lead)
				require.Equal(t, n > most-3, decode.Refuses([]byte(`[1,`+space+digits+`e-5]`), into), "%d after %d", n, lead)
			}
			quoted := []byte(`{"a":"\"` + space + digits + `"}`)
			require.Equal(t, n > most, decode.Refuses(quoted, new(decimal.Decimal)), "%d after %d", n, lead)
			require.False(t, decode.Refuses(quoted, new(struct{ A string })), "%d after %d", n, lead)
		}
	}
	for lead := range 64 {
		two := strings.Repeat("1", most) + "," + strings.Repeat("1", most)
		require.False(t, decode.LongNumber([]byte(`[`+strings.Repeat(" ", lead)+two+`]`)), "two numbers after %d", lead)
	}
	for _, c := range "+-.0123456789Ee" {
		require.True(t, decode.LongNumber([]byte(strings.Repeat("7", most/2)+string(c)+strings.Repeat("7", most/2))), "with %c", c)
	}
}

// FuzzLongNumber compares with a loop over all characters.
func FuzzLongNumber(f *testing.F) {
	for _, s := range []string{"", "1", `[1,-2.5e+7]`, `{"a":"12"}`, `"`, `"\"`} {
		f.Add([]byte(s), uint16(16_000), uint16(16_400))
		f.Add([]byte(s), uint16(0), uint16(16_384))
		f.Add([]byte(s), uint16(1), uint16(32_769))
	}
	f.Fuzz(func(t *testing.T, part []byte, lead, digits uint16) {
		space, number := bytes.Repeat([]byte(" "), int(lead)), bytes.Repeat([]byte("7"), int(digits))
		body := slices.Concat(part, space, number, part, number, part)
		run, longest := 0, 0
		for _, c := range body {
			if run++; !strings.ContainsRune("+-.0123456789Ee", rune(c)) {
				run = 0
			}
			longest = max(longest, run)
		}
		require.Equal(t, longest > 16_384, decode.LongNumber(body))
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
