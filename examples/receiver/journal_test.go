package main

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

func TestProcessesShareAJournal(t *testing.T) {
	t.Parallel()
	one := journal{t.TempDir()}
	two := journal{one.dir}
	claim := func(j journal) string {
		isNew, err := j.Claim(t.Context(), "signature", 5)
		if err != nil {
			require.ErrorIs(t, err, webhooks.ErrClaimed)
			return "claimed"
		}
		return map[bool]string{true: "new", false: "done"}[isNew]
	}
	safe := func(want uint64) {
		slot, err := two.SafeSlot(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, slot)
	}
	safe(0)
	require.Equal(t, "new", claim(one))
	require.Equal(t, "claimed", claim(two))
	require.NoError(t, one.Release(t.Context(), "signature"))
	safe(5)
	require.Equal(t, "new", claim(two), "like a claim of a process that died")
	require.NoError(t, two.Done(t.Context(), "signature"))
	require.Equal(t, "done", claim(one))
	isNew, err := one.Claim(t.Context(), "another", 9)
	require.NoError(t, err)
	require.True(t, isNew)
	safe(9)
	require.NoError(t, one.Done(t.Context(), "another"))
	require.NoError(t, one.HoldSlot(t.Context(), 9))
	isNew, err = one.Claim(t.Context(), "later", 12)
	require.NoError(t, err)
	require.True(t, isNew)
	require.NoError(t, one.Done(t.Context(), "later"))
	safe(9)
	require.NoError(t, one.HoldSlot(t.Context(), 0))
	require.NoError(t, one.HoldSlot(t.Context(), 0))
	safe(12)
}

func TestConcurrentProcessesHandleAnEventOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var handled atomic.Int64
	const events = 500
	var processes sync.WaitGroup
	for range 4 {
		processes.Go(func() {
			j := journal{dir}
			for i := range events {
				signature := types.Signature(fmt.Sprint(i))
				switch isNew, err := j.Claim(t.Context(), signature, 1); {
				case isNew:
					handled.Add(1)
					if err := j.Done(t.Context(), signature); err != nil {
						t.Error(err)
					}
				case err != nil && !errors.Is(err, webhooks.ErrClaimed):
					t.Error(err)
				}
			}
		})
	}
	processes.Wait()
	require.EqualValues(t, events, handled.Load())
}

func TestSafeSlotWhileEventsAreHandled(t *testing.T) {
	t.Parallel()
	j := journal{t.TempDir()}
	handled := make(chan error)
	go func() {
		var err error
		for slot := range uint64(200) {
			signature := types.Signature(fmt.Sprint(slot))
			_, claimed := j.Claim(t.Context(), signature, slot+1)
			err = errors.Join(err, claimed, j.Done(t.Context(), signature))
		}
		handled <- err
	}()
	for {
		select {
		case err := <-handled:
			require.NoError(t, err)
			return
		default:
			_, err := j.SafeSlot(t.Context())
			require.NoError(t, err)
		}
	}
}
