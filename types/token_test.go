package types_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

func TestAmountIsExact(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		raw      uint64
		decimals uint8
		want     string
	}{
		{0, 9, "0"},
		{5000, 9, "0.000005"},
		{1_500_000, 6, "1.5"},
		{math.MaxUint64, 0, "18446744073709551615"},
		{math.MaxUint64, 9, "18446744073.709551615"},
		{1, 255, "0." + strings.Repeat("0", 254) + "1"},
	} {
		require.Equal(t, row.want, types.Amount(row.raw, row.decimals).String())
	}
}
