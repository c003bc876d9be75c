package fake

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/golden"
)

func TestMethodsWithoutHandlerAreAnsweredFromGoldens(t *testing.T) {
	t.Parallel()
	body, found := golden.Method("getTokenAccountsByDelegate", nil)
	require.True(t, found)
	require.NotContains(t, string(body), "base64", "the plain answer comes before its special cases")

	result, refused := constant([]byte(`{"jsonrpc":"2.0","result":7,"id":"1"}`))(nil, &call{})
	require.Nil(t, refused)
	require.Equal(t, "7", string(result))
	result, refused = constant([]byte(`{"ok":true}`))(nil, &call{})
	require.Nil(t, refused)
	require.Equal(t, `{"ok":true}`, string(result), "a result without envelope stays as it is")

	for _, name := range []string{"balances", "rpc/getTokenAccountsByDelegate", "GET /v0/webhooks", ""} {
		require.Nil(t, methodNamed(name), name)
	}
}
