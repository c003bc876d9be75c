package faults_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
)

// Response bodies are read into reused buffers. Results that a caller keeps must not
// change.
func TestResultsStayWhatTheyWere(t *testing.T) {
	t.Parallel()
	c, ctx := connect(t, fakeapi.NewSized(200).Config()), t.Context()
	kept, was := map[string]any{}, map[string]string{}
	for _, call := range calls {
		result, _, err := call.get(ctx, c)
		require.NoError(t, err)
		kept[call.name], was[call.name] = result, text(result)
	}
	_, kept["error"] = c.wallet.Identity(ctx, fakeapi.Owner)
	was["error"] = text(kept["error"])
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

// A key that a caller mistakes for a webhook ID or a method is not printed.
func TestKeyAsAnArgumentIsHidden(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, `{}`)
	c := connect(t, s.Config())
	_, err := c.webhooks.Get(t.Context(), fakeapi.Key)
	for _, err := range []error{err, c.rpc.Call(t.Context(), fakeapi.Key, nil, nil)} {
		require.Error(t, err)
		require.NotContains(t, fmt.Sprintf("%v %+v %#v", err, err, err), fakeapi.Key)
	}
}
