package fake_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

func fetchAccounts(ctx context.Context, t *testing.T, s *fake.Service) (*types.Page[compressed.Account], error) {
	t.Helper()
	c, err := compressed.New(s.Config())
	require.NoError(t, err)
	return c.AccountsByOwner(ctx, fake.OwnerAddress, nil).Page()
}
