package wallet_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
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
		raw, err := wallet.Balance{Amount: decimal.RequireFromString(row.amount), Decimals: row.decimals}.Raw()
		require.Equal(t, row.fits, err == nil, "%s with %d decimals", row.amount, row.decimals)
		require.Equal(t, row.want, raw, "%s with %d decimals", row.amount, row.decimals)
	}
}

func TestRawIsFastForExtremeAmounts(t *testing.T) {
	t.Parallel()
	for _, amount := range []decimal.Decimal{decimal.New(1, math.MaxInt32), decimal.New(1, math.MinInt32), decimal.New(0, math.MaxInt32), {}} {
		for _, decimals := range []uint8{0, 9, 255} {
			start := time.Now()
			_, _ = wallet.Balance{Amount: amount, Decimals: decimals}.Raw()
			require.Less(t, time.Since(start), 10*time.Second)
		}
	}
}

func TestCursorsAreNumbersOfPages(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		first, second string // the pagination of two pages
		more          bool
	}{
		{`{"page":1,"hasMore":true}`, `{"page":2,"hasMore":true}`, true},
		{`{"page":1,"hasMore":true}`, `{"page":2,"hasMore":false}`, false},
		{`{"hasMore":true}`, `{"page":2,"hasMore":false}`, false}, // the first page has no number
		{`{"page":null,"hasMore":true}`, `{"page":2,"hasMore":true}`, true},
	} {
		c := answering(t, `{"balances":[],"pagination":`+row.first+`}`, `{"balances":[],"pagination":`+row.second+`}`)
		page, err := c.Balances(t.Context(), fakeapi.Wallet, nil).Page()
		require.NoError(t, err)
		require.True(t, page.HasMore)
		page, err = c.Balances(t.Context(), fakeapi.Wallet, &wallet.BalancesOptions{PageOptions: types.PageOptions{Cursor: page.Cursor}}).Page()
		require.NoError(t, err)
		require.Equal(t, row.more, page.HasMore)
		require.Equal(t, row.more, strings.HasPrefix(page.Cursor, "3~"), page.Cursor)
	}
}

// A page number means other balances with another wallet, Limit or selection.
func TestCursorsOfBalancesBelongToTheirListing(t *testing.T) {
	t.Parallel()
	service := fakeapi.New()
	c, err := wallet.New(service.Config())
	require.NoError(t, err)
	page, err := c.Balances(t.Context(), fakeapi.Wallet, &wallet.BalancesOptions{PageOptions: types.PageOptions{Limit: 5}}).Page()
	require.NoError(t, err)
	for _, other := range []struct {
		owner types.Address
		opts  wallet.BalancesOptions
	}{
		{fakeapi.Wallet, wallet.BalancesOptions{PageOptions: types.PageOptions{Limit: 10}}},
		{fakeapi.Wallet, wallet.BalancesOptions{PageOptions: types.PageOptions{Limit: 5}, HideNative: true}},
		{fakeapi.Wallet, wallet.BalancesOptions{PageOptions: types.PageOptions{Limit: 5}, ShowZeroBalance: true}},
		{fakeapi.Collector, wallet.BalancesOptions{PageOptions: types.PageOptions{Limit: 5}}},
	} {
		other.opts.Cursor = page.Cursor
		_, err := c.Balances(t.Context(), other.owner, &other.opts).Page()
		require.ErrorIs(t, err, types.ErrInvalid)
		require.ErrorContains(t, err, "belongs to another listing; resume with the method, arguments, filters and Limit of the page it came with")
	}
	require.Len(t, service.Requests(), 1)
	rest, err := c.Balances(t.Context(), fakeapi.Wallet, &wallet.BalancesOptions{PageOptions: types.PageOptions{Limit: 5, Cursor: page.Cursor}, ShowNFTs: true}).Collect(10_000)
	require.NoError(t, err)
	all, err := c.Balances(t.Context(), fakeapi.Wallet, nil).Collect(10_000)
	require.NoError(t, err)
	require.Len(t, all, 5+len(rest))
	for _, cursor := range []string{"2", page.Cursor[:len(page.Cursor)-1], page.Cursor + "\n", "x~"} {
		_, err := c.Balances(t.Context(), fakeapi.Wallet, &wallet.BalancesOptions{PageOptions: types.PageOptions{Limit: 5, Cursor: cursor}}).Page()
		require.ErrorIs(t, err, types.ErrInvalid)
		require.NotContains(t, err.Error(), "another listing")
	}
}

func TestWrongPageEndsAWalk(t *testing.T) {
	t.Parallel()
	for pagination, number := range map[string]string{
		`{"page":1,"hasMore":true}`:  "1",
		`{"page":3,"hasMore":false}`: "3",
		`{"hasMore":false}`:          "without a number",
	} {
		c := answering(t, `{"balances":[{"mint":"a","balance":1}],"pagination":{"page":1,"hasMore":true}}`, `{"balances":[{"mint":"b","balance":0}],"pagination":`+pagination+`}`)
		var mints []types.Address
		var last error
		for b, err := range c.Balances(t.Context(), fakeapi.Wallet, nil).All() {
			mints = append(mints, b.Mint)
			last = err
		}
		require.Equal(t, []types.Address{"a", ""}, mints)
		require.ErrorIs(t, last, types.ErrIncomplete)
		require.EqualError(t, last, "GET /v1/wallet/{wallet}/balances of 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY: the service sent page "+number+" instead of page 2: incomplete listing")
	}
}

func TestEqualBalances(t *testing.T) {
	t.Parallel()
	decoded := func(price string) wallet.Balance {
		list := answering(t, `{"balances":[{"mint":"a","balance":1.5,"pricePerToken":`+price+`}],"pagination":{"hasMore":false}}`).Balances(t.Context(), fakeapi.Wallet, nil)
		all, err := list.Collect(1)
		require.NoError(t, err)
		return all[0]
	}
	one := decoded("2.50")
	require.True(t, one.Equal(decoded("2.5")))
	require.False(t, one.Equal(decoded("2.51")))
	require.False(t, one.Equal(decoded("null")))
}
