package decode_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/decode"
)

func TestUint64InEveryNotation(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]uint64{
		`0`: 0, `5000`: 5000, `"5000"`: 5000, `5000.0`: 5000, `5e3`: 5000, `"5E+3"`: 5000, `null`: 0,
		`9007199254740993`: 9007199254740993, `9007199254740993.0`: 9007199254740993, `18446744073709551615`: math.MaxUint64,
		`18446744073709552000`: math.MaxUint64, `"18446744073709552000"`: math.MaxUint64, `1.8446744073709552e19`: math.MaxUint64, `18446744073709551616`: math.MaxUint64,
	} {
		got := decode.Uint64(1)
		require.NoError(t, got.UnmarshalJSON([]byte(text)), text)
		require.Equal(t, decode.Uint64(want), got, text)
	}
	for _, text := range []string{`-1`, `-7.0`, `0.5`, `5e-3`, `1e20`, `1e999999999`, `184467440737095520000`, `""`, `"x"`, `"null"`, `true`, `{}`, `[1]`, `Inf`, `0x10`, `1_000`} {
		require.ErrorContains(t, new(decode.Uint64).UnmarshalJSON([]byte(text)), "is not a whole number of 64 bits", text)
	}
}
