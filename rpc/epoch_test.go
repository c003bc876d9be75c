package rpc_test

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/rpc"
)

func TestEpochSaturates(t *testing.T) {
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
		require.NoError(t, decode.Value([]byte(`{"Epoch":`+text+`}`), &got), text)
		require.Equal(t, want, got.Epoch, text)
		got.Epoch = 7
		require.NoError(t, json.Unmarshal([]byte(`{"Epoch":`+text+`}`), &got), text)
		require.Equal(t, want, got.Epoch, text)
	}
	var none struct{ Epoch rpc.Epoch }
	require.NoError(t, decode.Value([]byte(`{}`), &none))
	require.Zero(t, none.Epoch)
}

func TestEpochRefusesOtherValues(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`-1`, `1.5`, `-1e30`, `"361"`, `""`, `true`, `{}`, `[]`, `[1]`, ``, `x`, `0x10`, `NaN`, ` 1`} {
		var epoch rpc.Epoch
		require.EqualError(t, epoch.UnmarshalJSON([]byte(text)), "epoch is not a whole number", text)
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
		var epoch, again rpc.Epoch
		err := epoch.UnmarshalJSON([]byte(text))
		exact, isWhole := new(big.Int).SetString(text, 10)
		switch {
		case !json.Valid([]byte(text)) || !isWhole: // may have a point, an exponent, or be null
		case exact.Sign() < 0:
			require.Error(t, err)
		case exact.IsUint64():
			require.NoError(t, err)
			require.Equal(t, rpc.Epoch(exact.Uint64()), epoch)
		default:
			require.NoError(t, err)
			require.Equal(t, rpc.NoRent, epoch)
		}
		if json.Valid([]byte(text)) && strings.TrimSpace(text) == text {
			require.Equal(t, err == nil, decode.Value([]byte(text), &again) == nil)
			require.Equal(t, epoch, again)
		}
	})
}
