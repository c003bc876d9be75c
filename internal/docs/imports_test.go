package docs_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// Only programs that follow the chain live link a WebSocket library.
func TestOnlyStreamsImportWebSocket(t *testing.T) {
	t.Parallel()
	deps := func(packages ...string) string {
		c := exec.CommandContext(t.Context(), "go", append([]string{"list", "-deps"}, packages...)...)
		c.Dir = root
		out, err := c.CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
	require.NotContains(t, deps("./wallet", "./webhooks/...", "./compressed/...", "./rpc", "./rpc/das", "./rpc/parsed"), "coder/websocket")
	require.Contains(t, deps("./rpc/stream"), "coder/websocket")
}
