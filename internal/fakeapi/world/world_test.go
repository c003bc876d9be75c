package world

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDefaultWorldIsConsistent(t *testing.T) {
	t.Parallel()
	for _, preset := range []string{"", "default"} {
		w := Default(preset)
		require.NoError(t, w.Begin())
		for _, token := range w.tokens {
			var sum uint64
			for _, a := range w.TokenAccounts(Never, func(a *TokenAccount) bool { return a.Token == token }) {
				sum += a.Amount
			}
			require.Equal(t, sum, token.supply, token.Mint)
		}
		for _, x := range w.wallets {
			for _, h := range x.order {
				now := h.Raw
				for _, s := range slices.Backward(h.steps) {
					require.GreaterOrEqual(t, now+s.out, s.in)
					now += s.out - s.in
				}
			}
		}
	}
}
