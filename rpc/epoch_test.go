package rpc_test

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/rpc"
)

func TestEpochSaturatesInsteadOfLosingThePage(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]rpc.Epoch{
		`0`:                       0,
		`361`:                     361,
		`9007199254740993`:        9007199254740993,
		`18446744073709551614`:    18446744073709551614,
		`18446744073709551615`:    rpc.NoRent,
		`18446744073709552000`:    rpc.NoRent,
		`1.8446744073709552e19`:   rpc.NoRent,
		`1.8446744073709552E+19`:  rpc.NoRent,
		`18446744073709551615.0`:  rpc.NoRent,
		`1e999`:                   rpc.NoRent,
		strings.Repeat("9", 1000): rpc.NoRent,
		`5.0`:                     5,
		`1e3`:                     1000,
		`-0`:                      0,
		`null`:                    0,
	} {
		var got struct{ Epoch rpc.Epoch }
		require.NoError(t, transport.Unmarshal([]byte(`{"Epoch":`+text+`}`), &got), text)
		require.Equal(t, want, got.Epoch, text)
		got.Epoch = 7
		require.NoError(t, json.Unmarshal([]byte(`{"Epoch":`+text+`}`), &got), text)
		require.Equal(t, want, got.Epoch, text)
	}
	var none struct{ Epoch rpc.Epoch }
	require.NoError(t, transport.Unmarshal([]byte(`{}`), &none))
	require.Zero(t, none.Epoch)
}

func TestEpochThatIsNoWholeNumberIsAnError(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`-1`, `1.5`, `-1e30`, `"361"`, `""`, `true`, `{}`, `[]`, `[1]`, ``, `x`, `0x10`, `1_000`, `inf`, `NaN`, ` 1`} {
		var epoch rpc.Epoch
		require.ErrorContains(t, epoch.UnmarshalJSON([]byte(text)), "is no whole number", text)
	}
}

func FuzzEpoch(f *testing.F) {
	for _, text := range []string{
		"0", "18446744073709551615", "18446744073709552000", "1.8446744073709552e19", "-0", "-1", "5.0", "1e3", "1.5",
		"1e-400", "1E000000", "9007199254740993.0", "1e400", "0e999999999", "null", `"1"`, "true", " 1 ", "1 2",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_ = new(rpc.Epoch).UnmarshalJSON([]byte(text)) // also of what no decoder would pass on
		want, ok := slowEpoch(text)
		for _, unmarshal := range []func([]byte, any) error{json.Unmarshal, transport.Unmarshal} {
			var got rpc.Epoch
			err := unmarshal([]byte(text), &got)
			require.Equal(t, ok, err == nil, "%q: %v", text, err)
			if ok {
				require.Equal(t, want, got, "%q", text)
			}
		}
	})
}

// slowEpoch reads an epoch by exact arithmetic.
func slowEpoch(text string) (rpc.Epoch, bool) {
	text = strings.Trim(text, " \t\r\n")
	if !json.Valid([]byte(text)) || !strings.ContainsAny(text[:1], "-0123456789n") {
		return 0, false
	}
	if text == "null" {
		return 0, true
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	negative := strings.HasPrefix(text, "-")
	if len(strings.TrimLeft(exponent, "+-0")) > 4 { // too far to write out: as good as no end, or as zero
		switch {
		case strings.Trim(mantissa, "-0.") == "" || strings.HasPrefix(exponent, "-"):
			return 0, true
		case negative:
			return 0, false
		}
		return rpc.NoRent, true
	}
	exact, ok := new(big.Rat).SetString(text)
	if !ok {
		return 0, false
	}
	if strings.ContainsAny(text, ".eE") { // float64 all along
		rounded, _ := exact.Float64()
		if exact.SetFloat64(rounded) == nil { // infinite
			return rpc.NoRent, !negative
		}
	}
	if !exact.IsInt() || exact.Sign() < 0 {
		return 0, false
	}
	if n := exact.Num(); n.IsUint64() {
		return rpc.Epoch(n.Uint64()), true
	}
	return rpc.NoRent, true
}
