package wallet_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

func TestAllBalancesAreTheListOnceInOrder(t *testing.T) {
	t.Parallel()
	s := fake.New()
	want := listed(t, "balances")
	for _, opts := range []*wallet.BalancesOptions{nil, {Prefetch: true}, {Limit: 7}, {Limit: 7, Prefetch: true}} {
		var got []string
		for b, err := range client(t, s).AllBalances(t.Context(), fake.Wallet, opts) {
			require.NoError(t, err)
			got = append(got, entry(b))
		}
		require.Equal(t, want, got)
	}
}

func TestBalancePagesResumeAtAPage(t *testing.T) {
	t.Parallel()
	s := fake.New()
	c := client(t, s)
	var got []string
	var done int
	for page, err := range c.BalancePages(t.Context(), fake.Wallet, nil) {
		require.NoError(t, err)
		got = append(got, entries(page)...)
		done = page.Pagination.Page
		break
	}
	for page, err := range c.BalancePages(t.Context(), fake.Wallet, &wallet.BalancesOptions{Page: done + 1}) {
		require.NoError(t, err)
		got = append(got, entries(page)...)
	}
	require.Equal(t, listed(t, "balances"), got)
}

func TestBalancePagesSendNothingBeforeRangeAndStartOverWhenRangedTwice(t *testing.T) {
	t.Parallel()
	s := fake.New()
	opts := &wallet.BalancesOptions{Limit: 100}
	pages := client(t, s).BalancePages(t.Context(), fake.Wallet, opts)
	require.Empty(t, s.Requests())
	*opts = wallet.BalancesOptions{Page: 9, Limit: 1, HideNative: true} // too late to matter
	for range 2 {
		for _, err := range pages {
			require.NoError(t, err)
		}
	}
	path := "GET /v1/wallet/86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY/balances?limit=100&page="
	once := path + "1\n" + path + "2\n" + path + "3\n"
	require.Equal(t, once+once, sent(s))
}

func TestBreakSendsNothingMore(t *testing.T) {
	t.Parallel()
	s := fake.New()
	for range client(t, s).AllBalances(t.Context(), fake.Wallet, nil) {
		break
	}
	require.Len(t, s.Requests(), 1)
}

func TestBalancePagesEndWhereThePageIsNotTheOneAskedFor(t *testing.T) {
	t.Parallel()
	for name, second := range map[string]string{
		"the first again": `{"balances":[],"totalUsdValue":0,"pagination":{"page":1,"limit":100,"hasMore":true}}`,
		"a later one":     `{"balances":[],"totalUsdValue":0,"pagination":{"page":3,"limit":100,"hasMore":false}}`,
		"none":            `{"balances":[],"totalUsdValue":0}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := fake.New()
			s.Answer(200, `{"balances":[],"totalUsdValue":0,"pagination":{"page":1,"limit":100,"hasMore":true}}`)
			s.Answer(200, second)
			var pages int
			var last error
			for page, err := range client(t, s).BalancePages(t.Context(), fake.Wallet, nil) {
				require.NoError(t, last, "nothing follows an error")
				if last = err; err == nil {
					pages++
					require.Equal(t, 1, page.Pagination.Page)
				} else {
					require.Nil(t, page)
				}
			}
			require.Equal(t, 1, pages)
			require.ErrorIs(t, last, types.ErrIncomplete)
			require.ErrorContains(t, last, "GET /v1/wallet/86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY/balances: ")
		})
	}
}

func TestEmptyPageIsNotTheEnd(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Answer(200, `{"balances":[{"mint":"a"}],"pagination":{"page":1,"limit":1,"hasMore":true}}`)
	s.Answer(200, `{"balances":[],"pagination":{"page":2,"limit":1,"hasMore":true}}`)
	s.Answer(200, `{"balances":[{"mint":"b"}],"pagination":{"page":3,"limit":1,"hasMore":true}}`)
	s.Answer(200, `{"balances":[],"pagination":{"page":4,"limit":1,"hasMore":false}}`)
	var mints []types.Address
	for b, err := range client(t, s).AllBalances(t.Context(), fake.Wallet, nil) {
		require.NoError(t, err)
		mints = append(mints, b.Mint)
	}
	require.Equal(t, []types.Address{"a", "b"}, mints)
	require.Len(t, s.Requests(), 4)
}

func TestDoneContextIsAnErrorNotAnEnd(t *testing.T) {
	t.Parallel()
	for _, prefetch := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var pages int
		var last error
		opts := &wallet.BalancesOptions{Prefetch: prefetch}
		for _, err := range client(t, fake.New()).BalancePages(ctx, fake.Wallet, opts) {
			last = err
			pages++
			cancel()
		}
		require.Equal(t, 2, pages) // a page, and the error
		require.ErrorIs(t, last, context.Canceled)
	}
}

func entry(b wallet.Balance) string { return string(b.Mint) + " " + b.Amount.String() }

func entries(page *wallet.BalancePage) []string {
	all := make([]string, len(page.Items))
	for i, b := range page.Items {
		all[i] = entry(b)
	}
	return all
}
