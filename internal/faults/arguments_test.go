package faults_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
)

// A key that a caller mistakes for a webhook ID or a method is not printed.
func TestKeyAsAnArgumentIsHidden(t *testing.T) {
	t.Parallel()
	for name, call := range map[string]func(context.Context, *clients) error{
		"webhooks.Get": func(ctx context.Context, c *clients) error { _, err := c.webhooks.Get(ctx, fake.Key); return err },
		"rpc.Call":     func(ctx context.Context, c *clients) error { return c.rpc.Call(ctx, fake.Key, nil, nil) },
	} {
		s := fake.New()
		s.Answer(200, `{}`)
		err := call(t.Context(), connect(t, s.Config()))
		require.Error(t, err, name)
		require.NotContains(t, fmt.Sprintf("%v %+v %#v", err, err, err), fake.Key, name)
	}
}
