package faults_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

// Response bodies are read into reused buffers. Results that a caller keeps must not
// change.
func TestResultsStayWhatTheyWere(t *testing.T) {
	t.Parallel()
	c, ctx := connect(t, fake.NewSized(1000).Config()), t.Context()
	results := map[string]func() (any, error){
		"balances":                  func() (any, error) { return c.wallet.Balances(ctx, fake.Wallet, nil).Page() },
		"history":                   func() (any, error) { return c.wallet.History(ctx, fake.Wallet, nil).Page() },
		"transfers":                 func() (any, error) { return c.wallet.Transfers(ctx, fake.Wallet, nil).Page() },
		"identity":                  func() (any, error) { return c.wallet.Identity(ctx, fake.Exchange) },
		"compressed accounts":       func() (any, error) { return c.compressed.AccountsByOwner(ctx, fake.Owner, nil).Page() },
		"compressed token accounts": func() (any, error) { return c.compressed.TokenAccountsByDelegate(ctx, fake.Delegate, nil).Page() },
		"token accounts": func() (any, error) {
			return c.rpc.TokenAccountsByDelegate(ctx, fake.Delegate, rpc.ByProgram(types.Token2022Program), nil).Page()
		},
		"encoded token accounts": func() (any, error) {
			return c.rpc.TokenAccountsByDelegate(ctx, fake.Delegate, rpc.ByProgram(types.TokenProgram), &rpc.TokenAccountsByDelegateOptions{Encoding: types.EncodingBase64}).Page()
		},
		"error": func() (any, error) {
			_, err := c.wallet.Identity(ctx, fake.Owner)
			return err, nil
		},
	}
	kept, was := map[string]any{}, map[string]string{}
	for name, get := range results {
		result, err := get()
		require.NoError(t, err)
		kept[name], was[name] = result, text(result)
	}
	var others sync.WaitGroup
	for range 4 {
		others.Go(func() {
			for range 5 {
				for _, call := range calls {
					_ = call.run(context.WithoutCancel(ctx), c)
				}
			}
		})
	}
	others.Wait()
	for name, result := range kept {
		require.Equal(t, was[name], text(result), name)
	}
}
