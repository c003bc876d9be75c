package transport_test

import (
	"bytes"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
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

// The byte above 1 MiB tells a refusal that is longer, and no more is read.
func TestLongRefusalsAreReadInPart(t *testing.T) {
	t.Parallel()
	for _, kind := range callers {
		for _, status := range []int{302, 400, 404, 500} {
			const long = 64 << 20
			body := &io.LimitedReader{R: spaces{}, N: long}
			cfg := config(&script{steps: []step{func(req *http.Request) (*http.Response, error) {
				resp, err := answer(status, "")(req)
				resp.ContentLength, resp.Body = -1, io.NopCloser(body)
				return resp, err
			}}})
			cfg.MaxAttempts = 1
			_, err := kind.call(t.Context(), cfg)
			var refusal *types.APIError
			require.ErrorAs(t, err, &refusal)
			require.Equal(t, status, refusal.StatusCode)
			require.NotErrorIs(t, err, types.ErrTooLarge)
			require.LessOrEqual(t, long-body.N, int64(1<<20+1))
		}
	}
}
