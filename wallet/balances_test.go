package wallet_test

import (
	"math"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

func TestRawIsTheAmountInSmallestUnits(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		amount   string
		decimals uint8
		want     uint64
		fits     bool
	}{
		{"0", 9, 0, true},
		{"1", 0, 1, true},
		{"1.5", 9, 1_500_000_000, true},
		{"12345678.123456789012", 9, 12_345_678_123_456_789, true},
		{"5e-9", 9, 5, true},
		{"18446744073.709551615", 9, math.MaxUint64, true},
		{"18446744073.709551616", 9, 0, false},
		{"18446744073.7095516154", 9, math.MaxUint64, true},
		{"18446744073.7095516155", 9, 0, false},
		{"99999999999999999999", 0, 0, false},
		{"2.4e-9", 9, 2, true},
		{"2.5e-9", 9, 3, true},
		{"4.9e-10", 9, 0, true},
		{"-1", 9, 0, false},
		{"-0", 9, 0, true},
		{"1e-200", 200, 1, true},
		{"1", 255, 0, false},
		{"0", 255, 0, true},
		{"1e10000", 9, 0, false},
		{"1e-10000", 9, 0, true},
	} {
		raw, fits := wallet.Balance{Amount: decimal.RequireFromString(row.amount), Decimals: row.decimals}.Raw()
		require.Equal(t, row.fits, fits, "%s with %d decimals", row.amount, row.decimals)
		require.Equal(t, row.want, raw, "%s with %d decimals", row.amount, row.decimals)
	}
}

func TestRawIsFastForExtremeAmounts(t *testing.T) {
	t.Parallel()
	for _, amount := range []decimal.Decimal{decimal.New(1, math.MaxInt32), decimal.New(1, math.MinInt32), decimal.New(0, math.MaxInt32), {}} {
		for _, decimals := range []uint8{0, 9, 255} {
			start := time.Now()
			_, _ = wallet.Balance{Amount: amount, Decimals: decimals}.Raw()
			require.Less(t, time.Since(start), time.Second)
		}
	}
}

func TestCursorsAreNumbersOfPages(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		requested  string
		pagination string
		next       string
	}{
		{"", `{"page":1,"hasMore":true}`, "2"},
		{"3", `{"page":3,"hasMore":true}`, "4"},
		{"3", `{"page":3,"hasMore":false}`, ""},
		{"", `{"hasMore":true}`, "2"}, // the service does not name the page
		{"", `{"page":null,"hasMore":false}`, ""},
	} {
		c := answering(t, `{"balances":[],"pagination":`+row.pagination+`}`)
		page, err := c.Balances(t.Context(), fake.Wallet, &wallet.BalancesOptions{Cursor: row.requested}).Page()
		require.NoError(t, err)
		require.Equal(t, row.next, page.Cursor)
		require.Equal(t, row.next != "", page.HasMore)
	}
}

func TestWrongPageEndsAWalk(t *testing.T) {
	t.Parallel()
	for pagination, number := range map[string]string{
		`{"page":1,"hasMore":true}`:  "1",
		`{"page":3,"hasMore":false}`: "3",
		`{"hasMore":false}`:          "without a number",
	} {
		c := answering(t, `{"balances":[{"mint":"a"}],"pagination":{"page":1,"hasMore":true}}`, `{"balances":[{"mint":"b"}],"pagination":`+pagination+`}`)
		var mints []types.Address
		var last error
		for b, err := range c.Balances(t.Context(), fake.Wallet, nil).All() {
			mints = append(mints, b.Mint)
			last = err
		}
		require.Equal(t, []types.Address{"a", ""}, mints)
		require.ErrorIs(t, last, types.ErrIncomplete)
		require.EqualError(t, last, "GET /v1/wallet/{wallet}/balances: the service sent page "+number+" instead of page 2: incomplete listing")
	}
}

func TestEqualBalances(t *testing.T) {
	t.Parallel()
	decoded := func(price string) wallet.Balance {
		list := answering(t, `{"balances":[{"mint":"a","balance":1.5,"pricePerToken":`+price+`}],"pagination":{"hasMore":false}}`).Balances(t.Context(), fake.Wallet, nil)
		all, err := list.Collect(1)
		require.NoError(t, err)
		return all[0]
	}
	one := decoded("2.50")
	require.True(t, one.Equal(decoded("2.5")))
	require.False(t, one.Equal(decoded("2.51")))
	require.False(t, one.Equal(decoded("null")))
}

func TestBalanceListOfAStub(t *testing.T) {
	t.Parallel()
	page := &wallet.BalancePage{Items: []wallet.Balance{{Symbol: "A"}, {Symbol: "B"}}}
	list := wallet.NewBalanceList(
		func() (*wallet.BalancePage, error) { return page, nil },
		func(yield func(*wallet.BalancePage, error) bool) {
			_ = yield(page, nil) && yield(nil, types.ErrIncomplete)
		},
	)
	got, err := list.Page()
	require.NoError(t, err)
	require.Same(t, page, got)
	first, err := list.Collect(2)
	require.NoError(t, err)
	require.Equal(t, page.Items, first)
	_, err = list.Collect(3)
	require.ErrorIs(t, err, types.ErrIncomplete)

	got, err = wallet.BalanceList{}.Page()
	require.NoError(t, err)
	require.Empty(t, got.Items)
	first, err = wallet.BalanceList{}.Collect(1)
	require.NoError(t, err)
	require.Empty(t, first)
}
