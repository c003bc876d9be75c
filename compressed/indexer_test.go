package compressed_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
)

func TestWaitForSlotPollsAsOftenAsTheDistanceSuggests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := fakeapi.New()
		for _, slot := range []int{900, 990, 995, 999, 1001} {
			s.Answer(200, fmt.Sprintf(`{"jsonrpc":"2.0","id":null,"result":%d}`, slot))
		}
		start := time.Now()
		require.NoError(t, client(t, s).WaitForSlot(t.Context(), 1000))
		require.Equal(t, 5*time.Second+2*time.Second+time.Second+400*time.Millisecond, time.Since(start))
		require.Len(t, s.Requests(), 5)
	})
}

func TestWaitForSlotEndsWithItsContext(t *testing.T) {
	t.Parallel()
	for name, hang := range map[string]bool{"during a pause": false, "during a request": true} {
		synctest.Test(t, func(t *testing.T) {
			s := fakeapi.New()
			s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":7}`)
			s.Intercept = func(_ http.ResponseWriter, r *fakeapi.Incoming) bool {
				if hang {
					<-r.Context().Done()
				}
				return hang
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			enough := errors.New("enough of " + s.Config().APIKey.Reveal())
			time.AfterFunc(map[bool]time.Duration{false: 3 * time.Second, true: 9 * time.Second}[hang], func() { cancel(enough) })
			err := client(t, s).WaitForSlot(ctx, 1<<64-1)
			require.ErrorIs(t, err, context.Canceled, name)
			require.ErrorIs(t, err, enough)
			require.NotContains(t, err.Error(), s.Config().APIKey.Reveal())
			require.ErrorContains(t, err, "getIndexerSlot: slot 18446744073709551615 is not processed yet, the last one is 7: ")
		})
	}
}

func TestReadsOfOlderStateFailWithWithMinSlot(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	for range 2 {
		s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":{"context":{"slot":99},"value":7}}`)
	}
	c := client(t, s)
	_, err := c.WithMinSlot(100).BalanceByOwner(t.Context(), fakeapi.Owner)
	require.ErrorIs(t, err, compressed.ErrNotIndexed)
	require.EqualError(t, err, "getCompressedBalanceByOwner: the response shows slot 99, before 100: not indexed yet")
	lamports, err := c.WithMinSlot(99).BalanceByOwner(t.Context(), fakeapi.Owner)
	require.NoError(t, err)
	require.Equal(t, uint64(7), lamports)
}

func TestWaitForSlotReturnsErrors(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(401, `{"error":"Unauthorized"}`)
	require.ErrorIs(t, client(t, s).WaitForSlot(t.Context(), 5), types.ErrUnauthorized)
	require.ErrorIs(t, client(t, s).WaitForSlot(nil, 5), types.ErrInvalid) //nolint:staticcheck // nil is the case
}

func TestIndexerBehindTheChainIsUnhealthy(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := fakeapi.New()
		for range 4 {
			s.Answer(200, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Node is behind 31 slots"},"id":null}`)
		}
		err := client(t, s).IndexerHealth(t.Context())
		require.ErrorIs(t, err, compressed.ErrNodeBehind)
	})
}
