package world

import (
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
			for _, a := range w.TokenAccounts(func(a *TokenAccount) bool { return a.Token == token }) {
				sum += a.Amount
			}
			require.Equal(t, sum, token.supply, token.Mint)
		}
		for _, x := range w.wallets {
			for _, h := range x.order {
				now := h.opening
				for _, s := range h.steps {
					require.GreaterOrEqual(t, now+s.in, s.out)
					now += s.in - s.out
					require.Equal(t, now, s.after)
				}
				require.Equal(t, now, h.Raw)
			}
		}
	}
}
