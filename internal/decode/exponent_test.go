package decode_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/decode"
)

// Only every fifth byte is read at first, so the exponent may start anywhere.
func TestHugeExponentsAreFoundAtEveryOffset(t *testing.T) {
	t.Parallel()
	for _, number := range []string{"1e10001", "1E+10001", "1.e-10001", "2e00010001", "3e99999"} {
		for offset := range 20 {
			body := `{"a":` + strings.Repeat(" ", offset) + number + `}`
			require.True(t, decode.HugeExponent([]byte(body)), body)
		}
	}
}
