package demo

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

func TestDeliverWaitsWhereTheServiceDelivers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		done := false
		go func() {
			if err := Deliver(ctx, types.Config{APIKey: "a-key"}, Wallet); err != nil {
				t.Error(err)
			}
			done = true
		}()
		synctest.Wait()
		require.False(t, done)
		cancel()
		synctest.Wait()
		require.True(t, done)
	})
}

func TestDeliverSaysWhatWasNotTaken(t *testing.T) {
	t.Parallel()
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden) // which is not tried again
	}))
	defer refusing.Close()
	cfg := fake.New().Config()
	hooks, err := webhooks.New(cfg)
	require.NoError(t, err)
	_, err = hooks.Create(t.Context(), webhooks.Settings{
		URL: refusing.URL, Type: webhooks.Raw, AccountAddresses: []types.Address{Wallet},
	})
	require.NoError(t, err)
	require.EqualError(t, Deliver(t.Context(), cfg, Wallet), "15 of 15 events were not taken")
}
