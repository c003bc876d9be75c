package transport

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

const upgradeKey = "0123abcd-4567-89ab-cdef-webs0cketkey"

func TestRefusalOfASubscription(t *testing.T) {
	t.Parallel()
	c, err := New(types.Config{APIKey: upgradeKey}, RPC, nil)
	require.NoError(t, err)
	err = c.Refusal("logsSubscribe", []byte(`["all"]`), []byte(`{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"Invalid key `+upgradeKey+`"}}`))
	var refusal *types.APIError
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, -32602, refusal.Code)
	require.Equal(t, "logsSubscribe", refusal.Op)
	require.NotContains(t, err.Error(), upgradeKey)
}
