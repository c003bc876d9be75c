package bench_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/bench"
)

func TestPagesAreTheSameInEveryRun(t *testing.T) {
	t.Parallel()
	for _, page := range []func(int) []byte{
		bench.CompressedAccounts, bench.CompressedTokenAccounts, bench.ParsedTokenAccounts, bench.Balances,
	} {
		require.True(t, json.Valid(page(100)))
		require.Equal(t, page(100), page(100))
	}
}

// The targets speak of such a page.
func TestCompressedAccountsAreLikeThoseOfTheService(t *testing.T) {
	t.Parallel()
	body := bench.CompressedAccounts(1000)
	require.InDelta(t, 644_000, len(body), 10_000)
	var answer struct {
		Result struct {
			Value struct {
				Items []struct {
					Address *string `json:"address"`
					Data    struct {
						Discriminator uint64 `json:"discriminator"`
						Data          []byte `json:"data"`
					} `json:"data"`
				} `json:"items"`
			} `json:"value"`
		} `json:"result"`
	}
	require.NoError(t, json.Unmarshal(body, &answer))
	require.Len(t, answer.Result.Value.Items, 1000)
	without, shortest, longest := 0, 1000, 0
	for _, item := range answer.Result.Value.Items {
		require.Greater(t, item.Data.Discriminator, uint64(1<<53))
		if item.Address == nil {
			without++
		}
		shortest, longest = min(shortest, len(item.Data.Data)), max(longest, len(item.Data.Data))
	}
	require.Equal(t, 100, without)
	require.Equal(t, 50, shortest)
	require.Equal(t, 300, longest)
}
