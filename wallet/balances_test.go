package wallet_test

import (
	"fmt"
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
	for _, c := range []struct {
		amount   string
		decimals int
		want     uint64
		fits     bool
	}{
		{"0", 9, 0, true},
		{"1", 0, 1, true},
		{"1.5", 9, 1_500_000_000, true},
		{"12345678.123456789012", 9, 12_345_678_123_456_789, true},
		{"5e-9", 9, 5, true},
		{"9007199254.740993", 6, 9_007_199_254_740_993, true},
		{"18446744073.709551615", 9, math.MaxUint64, true},
		{"18446744073.709551616", 9, 0, false},
		{"18446744073.7095516154", 9, math.MaxUint64, true},
		{"18446744073.7095516155", 9, 0, false},
		{"99999999999999999999", 0, 0, false},
		{"2.4e-9", 9, 2, true},
		{"2.5e-9", 9, 3, true},
		{"4.9e-10", 9, 0, true},
		{"0.5", 0, 1, true},
		{"-1", 9, 0, false},
		{"-0", 9, 0, true},
		{"1e-200", 200, 1, true},
		{"1e-200", 9, 0, true},
		{"1", 255, 0, false},
		{"0", 255, 0, true},
		{"1", 256, 0, false},
		{"1", -1, 0, false},
	} {
		raw, fits := wallet.Balance{Amount: exact(c.amount), Decimals: c.decimals}.Raw()
		require.Equal(t, c.fits, fits, "%s with %d decimals", c.amount, c.decimals)
		require.Equal(t, c.want, raw, "%s with %d decimals", c.amount, c.decimals)
	}
}

func TestRawNeitherHangsNorPanics(t *testing.T) {
	t.Parallel()
	amounts := []decimal.Decimal{
		exact("1e10000"), exact("-1e10000"), exact("1e-10000"), exact("-1e-10000"), exact("0e10000"),
		decimal.New(1, math.MaxInt32), decimal.New(1, math.MinInt32), decimal.New(0, math.MaxInt32),
		{},
	}
	for _, amount := range amounts {
		for _, decimals := range []int{0, 9, 255, math.MaxInt32, math.MinInt32, math.MaxInt, math.MinInt} {
			start := time.Now()
			_, _ = wallet.Balance{Amount: amount, Decimals: decimals}.Raw()
			require.Less(t, time.Since(start), time.Second)
		}
	}
	_, fits := wallet.Balance{Amount: exact("1e10000"), Decimals: math.MaxInt32}.Raw()
	require.False(t, fits)
	raw, fits := wallet.Balance{Amount: exact("1e-10000"), Decimals: 9}.Raw()
	require.True(t, fits)
	require.Zero(t, raw)
}

func TestBalancesRefuseArgumentsBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	s := fake.New()
	c := client(t, s)
	for _, row := range []struct {
		name   string
		wallet types.Address
		opts   *wallet.BalancesOptions
		text   string
	}{
		{"no wallet", "", nil, "wallet: "},
		{"short", "86xCnPeV69n6t3DnyGvkKobf9FdN2H9", nil, "wallet: "},
		{"not base58", "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MM0", nil, "wallet: "},
		{"33 bytes", "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", nil, "wallet: "},
		{"a name", "toly.sol", nil, "wallet: "},
		{"another path", "../../v0/webhooks", nil, "wallet: "},
		{"page", fake.Wallet, &wallet.BalancesOptions{Page: -1}, "Page: "},
		{"limit", fake.Wallet, &wallet.BalancesOptions{Limit: -1}, "Limit: "},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			page, err := c.Balances(t.Context(), row.wallet, row.opts)
			require.ErrorIs(t, err, types.ErrInvalid)
			require.ErrorContains(t, err, row.text)
			require.Nil(t, page)
			for page, err := range c.BalancePages(t.Context(), row.wallet, row.opts) {
				require.ErrorIs(t, err, types.ErrInvalid)
				require.Nil(t, page)
			}
			for balance, err := range c.AllBalances(t.Context(), row.wallet, row.opts) {
				require.ErrorIs(t, err, types.ErrInvalid)
				require.Zero(t, balance)
			}
			require.Empty(t, s.Requests())
		})
	}
}

func TestBalancesKeepAllDigits(t *testing.T) {
	t.Parallel()
	for literal, want := range map[string]string{
		"12345678.123456789012":   "12345678.123456789012",
		"1e-7":                    "0.0000001",
		"0.100000000000000000001": "0.100000000000000000001",
		"18446744073709551615":    "18446744073709551615",
		"5E-9":                    "0.000000005",
		"1.25e+2":                 "125",
	} {
		b, err := balanceOf(t, literal)
		require.NoError(t, err)
		require.Equal(t, want, b.Amount.String())
	}
}

func TestHugeNumberIsAnErrorAtOnce(t *testing.T) {
	t.Parallel()
	fastest := time.Hour // of several, since others use the processor too
	for range 50 {
		start := time.Now()
		_, err := balanceOf(t, "1e999999999")
		fastest = min(fastest, time.Since(start))
		require.ErrorContains(t, err, "GET /v1/wallet/86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY/balances: ")
	}
	require.Less(t, fastest, time.Millisecond)
}

// balanceOf returns the balance whose amount the service sends as literal.
func balanceOf(t *testing.T, literal string) (wallet.Balance, error) {
	t.Helper()
	s := fake.New()
	s.Answer(200, fmt.Sprintf(`{"balances":[{"balance":%s}],"pagination":{"page":1,"hasMore":false}}`, literal))
	page, err := client(t, s).Balances(t.Context(), fake.Wallet, nil)
	if err != nil {
		return wallet.Balance{}, err
	}
	return page.Items[0], nil
}

func TestBalancesWithoutTheirListAreAnError(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"totalUsdValue":0,"pagination":{"page":1,"limit":100,"hasMore":false}}`,
		`{"balances":null,"totalUsdValue":0,"pagination":{"page":1,"limit":100,"hasMore":false}}`,
		`{"balances":{},"pagination":{"page":1}}`,
		`{}`, `null`, `[]`, `"balances"`,
	} {
		s := fake.New()
		s.Answer(200, body)
		page, err := client(t, s).Balances(t.Context(), fake.Wallet, nil)
		require.ErrorContains(t, err, "GET /v1/wallet/86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY/balances: ", body)
		require.Nil(t, page)
		require.Len(t, s.Requests(), 1)
	}
}

func TestNFTsAreOnTheFirstPageOnly(t *testing.T) {
	t.Parallel()
	var nfts []int
	opts := &wallet.BalancesOptions{ShowNFTs: true}
	for page, err := range client(t, fake.New()).BalancePages(t.Context(), fake.Wallet, opts) {
		require.NoError(t, err)
		nfts = append(nfts, len(page.NFTs))
	}
	require.Equal(t, []int{12, 0, 0}, nfts)
}
