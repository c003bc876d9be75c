package consumer

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

const balances = "GET /v1/wallet/{wallet}/balances"

func TestTotal(t *testing.T) {
	total, err := Total(t.Context(), fake.Config(), fake.WalletAddress)
	if err != nil || !total.IsPositive() {
		t.Errorf("total is %s, error %v", total, err)
	}
}

func TestTotalWaitsForTheRateLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := fake.New(nil)
		service.Fail(balances, 2, fake.RateLimited(2*time.Second))
		began := time.Now()
		if _, err := Total(t.Context(), service.Config(), fake.WalletAddress); err != nil {
			t.Error(err)
		}
		if waited := time.Since(began); waited < 2*time.Second {
			t.Errorf("waited %s", waited)
		}
	})
}

func TestTotalOfAnIncompleteListingIsAnError(t *testing.T) {
	service := fake.New(nil)
	service.Fail(balances, 2, fake.Unauthorized())
	_, err := Total(t.Context(), service.Config(), fake.WalletAddress)
	if !errors.Is(err, types.ErrUnauthorized) {
		t.Errorf("got %v", err)
	}
}

func TestTotalEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := fake.New(nil)
		service.FailShare(balances, 1, fake.Hang())
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := Total(ctx, service.Config(), fake.WalletAddress)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
}
