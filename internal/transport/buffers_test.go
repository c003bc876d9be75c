package transport_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
)

// A buffer is emptied when it goes back to the others, and left as it is when
// it does not. This test is not parallel, so that nobody takes one meanwhile.
func TestLargeBuffersAreNotKept(t *testing.T) {
	for capacity, left := range map[int]int{512: 0, 4 << 20: 0, 4<<20 + 1: 1, 64 << 20: 1} {
		buf := bytes.NewBuffer(make([]byte, 1, capacity))
		transport.Release(buf)
		require.Equal(t, left, buf.Len(), capacity)
	}
}
