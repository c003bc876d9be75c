package storetest_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/keeper"
	"github.com/solwire/solwire-go/webhooks/keeper/storetest"
)

func TestMemoryStore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { require.NoError(t, storetest.TestStore(t.Context(), new(keeper.MemoryStore), nil)) })
}

type keepsNothing struct{ keeper.Store }

func (keepsNothing) Done(context.Context, *webhooks.Event) error { return nil }

type leadsNever struct{ keeper.Store }

func (l leadsNever) Lock(ctx context.Context, own keeper.Process, hold time.Duration) (*keeper.Shared, error) {
	shared, err := l.Store.Lock(ctx, own, hold)
	shared.Leader = ""
	return shared, err
}

type addsAll struct{ keeper.Store }

func (a addsAll) Add(ctx context.Context, filter string, events ...keeper.Pending) (int, error) {
	_, err := a.Store.Add(ctx, filter, events...)
	return len(events), err
}

type losesSlots struct{ keeper.Store }

func (l losesSlots) SetCheckpoints(ctx context.Context, all ...keeper.Checkpoint) error {
	all = slices.Clone(all)
	for i := range all {
		all[i].Slot = 0
	}
	return l.Store.SetCheckpoints(ctx, all...)
}

type fails struct{ keeper.Store }

func (fails) Checkpoints(context.Context) (map[types.Address]keeper.Checkpoint, error) {
	return nil, errors.New("down")
}

// A wrong store has one mistake, and the error says which in a sentence.
func TestWrongStores(t *testing.T) {
	t.Parallel()
	for says, change := range map[string]func(keeper.Store) keeper.Store{
		`process 1 claim 1: the result is "new", and should be "known"`:           func(s keeper.Store) keeper.Store { return keepsNothing{s} },
		`process 1 lock a 1m: the result is "follows a", and should be "leads a"`: func(s keeper.Store) keeper.Store { return leadsNever{s} },
		`process 1 add f 10 11w 1: the result is "3", and should be "2"`:          func(s keeper.Store) keeper.Store { return addsAll{s} },
		`process 1 checkpoint A0 7: down`:                                         func(s keeper.Store) keeper.Store { return fails{s} },

		`process 1 checkpoint A0 7: the result is "with {A0 0 2025-01-01 00:00:00.123 +0000 UTC 2000-01-01 01:00:00 +0000 UTC}", and should be "1"`: func(s keeper.Store) keeper.Store { return losesSlots{s} },
	} {
		synctest.Test(t, func(t *testing.T) {
			require.EqualError(t, storetest.TestStore(t.Context(), change(new(keeper.MemoryStore)), nil), says)
		})
	}
}
