package fake_test

import (
	"encoding/json"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
)

func TestBlockTimeIsThatOfTheTransactionsInTheSlot(t *testing.T) {
	t.Parallel()
	s := fake.New()
	now := time.Date(2026, time.March, 4, 5, 6, 7, 890_000_000, time.UTC)
	s.Clock = func() time.Time { return now }
	s.World()
	for range 10 {
		now = now.Add(1234 * time.Millisecond)
		_, err := sendSOL(s, fake.Wallet, fake.Exchange, 1)
		require.NoError(t, err)
	}
	for _, wallet := range []string{fake.Wallet, fake.Collector} {
		result, failure := call(t, s, "getSignaturesForAddress", `["`+wallet+`"]`)
		require.Empty(t, failure)
		var sent []struct {
			Time json.RawMessage `json:"blockTime"`
			Slot json.Number     `json:"slot"`
		}
		require.NoError(t, json.Unmarshal([]byte(result), &sent))
		require.NotEmpty(t, sent)
		for _, x := range sent {
			got, failure := call(t, s, "getBlockTime", `[`+x.Slot.String()+`]`)
			require.Empty(t, failure)
			require.Equal(t, string(x.Time), got, x.Slot)
		}
	}
}

// The newest transactions have no time at first, and neither have their blocks.
func TestBlockTimeIsUnknownAtFirst(t *testing.T) {
	t.Parallel()
	s := fake.New()
	type block struct{ BlockTime *int64 }
	unknown := 0
	for _, x := range read[[]listed](t, s, "getSignaturesForAddress", `[%q,{"limit":20}]`, fake.Wallet) {
		require.Equal(t, x.BlockTime, read[*int64](t, s, "getBlockTime", `[%d]`, x.Slot))
		require.Equal(t, x.BlockTime, read[block](t, s, "getBlock", `[%d]`, x.Slot).BlockTime)
		if x.BlockTime == nil {
			unknown++
		}
	}
	require.Positive(t, unknown)
}

func TestBlockTimeOfASlotWithoutTransactions(t *testing.T) {
	t.Parallel()
	s := fake.New()
	const newest = 344112233
	for slot, want := range map[int]string{newest - 5: "1748876643", newest - 1_000_000: "1748476645"} {
		got, failure := call(t, s, "getBlockTime", `[`+strconv.Itoa(slot)+`]`)
		require.Empty(t, failure)
		require.Equal(t, want, got, slot)
	}
}

func TestBlockTimeRefusals(t *testing.T) {
	t.Parallel()
	s := fake.New()
	for _, row := range []struct{ params, want string }{
		{`[344112266]`, `{"code":-32004,"message":"Block not available for slot 344112266"}`},
		{`["39"]`, `{"code":-32602,"message":"Invalid params: invalid type: string \"39\", expected u64."}`},
		{`null`, "{\"code\":-32602,\"message\":\"`params` should have at least 1 argument(s)\"}"},
		{`[null]`, `{"code":-32602,"message":"Invalid params: invalid type: null, expected u64."}`},
	} {
		_, failure := call(t, s, "getBlockTime", row.params)
		same(t, row.want, failure, row.params)
	}
}
