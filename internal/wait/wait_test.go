package wait_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/wait"
)

func TestFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		require.NoError(t, wait.For(t.Context(), time.Hour))
		require.Equal(t, time.Hour, time.Since(start))

		enough := errors.New("enough")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, enough)
		defer cancel()
		err := wait.For(ctx, time.Hour)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, enough)
		require.Equal(t, time.Hour+time.Second, time.Since(start))
	})
}

func TestBackoff(t *testing.T) {
	t.Parallel()
	for failures, want := range map[int]time.Duration{0: time.Second, 1: time.Second, 2: 2 * time.Second, 4: 8 * time.Second, 5: 10 * time.Second, 1000: 10 * time.Second} {
		for range 100 {
			got := wait.Backoff(failures, time.Second, 10*time.Second)
			require.GreaterOrEqual(t, got, want/2)
			require.LessOrEqual(t, got, want)
		}
	}
	require.Equal(t, time.Duration(0), wait.Backoff(3, 0, time.Second))
}
