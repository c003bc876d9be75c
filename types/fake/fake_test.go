package fake_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/wallet"
)

func wallets(t *testing.T, cfg types.Config) *wallet.Client {
	t.Helper()
	c, err := wallet.New(cfg)
	require.NoError(t, err)
	return c
}

func fetchAccounts(ctx context.Context, t *testing.T, s *fake.Service) (*types.Page[compressed.Account], error) {
	t.Helper()
	c, err := compressed.New(s.Config())
	require.NoError(t, err)
	return c.AccountsByOwner(ctx, fake.OwnerAddress, nil).Page()
}

func TestFaultsGiveTheErrorsThatTheyName(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		fault fake.Fault
		is    error
	}{
		"unauthorized":   {fake.Unauthorized(), types.ErrUnauthorized},
		"not found":      {fake.NotFound(), types.ErrNotFound},
		"rate limited":   {fake.RateLimited(time.Second), types.ErrRateLimited},
		"quota exceeded": {fake.QuotaExceeded(), types.ErrQuotaExceeded},
		"too large":      {fake.TooLarge(), types.ErrTooLarge},
		"incomplete":     {fake.Incomplete(), types.ErrIncomplete},
		"hang":           {fake.Hang(), context.DeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := fake.New(nil)
				s.FailShare("", 1, row.fault)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				_, err := wallets(t, s.Config()).History(ctx, fake.WalletAddress, nil).Collect(10)
				require.ErrorIs(t, err, row.is)
				if !errors.Is(err, types.ErrIncomplete) { // which the first page does not show
					_, err = fetchAccounts(ctx, t, s)
					require.ErrorIs(t, err, row.is)
				}
				s.Recover()
				_, err = wallets(t, s.Config()).History(t.Context(), fake.WalletAddress, nil).Page()
				require.NoError(t, err)
			})
		})
	}
}

func TestFaultsThatPassAreRetried(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]fake.Fault{
		"503": fake.Status(503), "page": fake.Maintenance(), "truncated": fake.Truncated(),
		"lost": fake.Lost(), "dropped": fake.Dropped(), "slow": fake.Slow(time.Second),
		"node behind": fake.NodeBehind(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := fake.New(nil)
				s.Fail("getCompressedAccountsByOwnerV2", 1, f)
				began := time.Now()
				_, err := fetchAccounts(t.Context(), t, s)
				require.NoError(t, err)
				require.NotZero(t, time.Since(began))
			})
		})
	}
}

func TestJournalHasNoKeysAndIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	s := fake.New(nil)
	req := httptest.NewRequest(http.MethodGet, "/v0/webhooks?api-key=secret&b=1", nil)
	req.Header.Set("Authorization", "Bearer secret")
	req.Header.Set("X-Api-Key", "secret")
	s.ServeHTTP(httptest.NewRecorder(), req)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if text := fmt.Sprint(s.Requests()); strings.Contains(text, "secret") {
				t.Error(text)
			}
		})
	}
	wg.Wait()
}
