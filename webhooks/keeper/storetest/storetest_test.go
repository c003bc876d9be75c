package storetest_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/keeper"
	"github.com/solwire/solwire-go/webhooks/keeper/storetest"
)

func TestMemoryStore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := new(keeper.MemoryStore)
		require.NoError(t, storetest.TestStore(t.Context(), func() (keeper.Store, error) { return store.Share(), nil }))
	})
}

type keepsNothing struct{ keeper.Store }

func (keepsNothing) Done(context.Context, *webhooks.Event) error { return nil }

type locksAll struct{ keeper.Store }

func (l locksAll) Lock(ctx context.Context, own keeper.Process, hold time.Duration) (*keeper.Shared, error) {
	shared, err := l.Store.Lock(ctx, own, hold)
	shared.Leads = true
	return shared, err
}

type addsAll struct{ keeper.Store }

func (a addsAll) Add(ctx context.Context, filter string, events ...keeper.Pending) (int, error) {
	_, err := a.Store.Add(ctx, filter, events...)
	return len(events), err
}

type losesSlots struct{ keeper.Store }

func (l losesSlots) SetCheckpoints(ctx context.Context, all ...keeper.Checkpoint) error {
	for i := range all {
		all[i].Slot = 0
	}
	return l.Store.SetCheckpoints(ctx, all...)
}

type fails struct{ keeper.Store }

func (fails) Checkpoints(context.Context) ([]keeper.Checkpoint, error) {
	return nil, errors.New("down")
}

// A wrong store has one mistake, and the error says which in a sentence.
func TestWrongStores(t *testing.T) {
	t.Parallel()
	for says, change := range map[string]func(keeper.Store) keeper.Store{
		"the claim of an event that is done is claimed, and should be known":                        func(s keeper.Store) keeper.Store { return keepsNothing{s} },
		"Shared of the second process.Leads is true, and should be false":                           func(s keeper.Store) keeper.Store { return locksAll{s} },
		"the number that Add returns for two new events and one that is done is 3, and should be 2": func(s keeper.Store) keeper.Store { return addsAll{s} },
		"Checkpoints[3].Slot is 0, and should be 9007199254740992":                                  func(s keeper.Store) keeper.Store { return losesSlots{s} },
		"Checkpoints: down": func(s keeper.Store) keeper.Store { return fails{s} },
	} {
		synctest.Test(t, func(t *testing.T) {
			store := new(keeper.MemoryStore)
			open := func() (keeper.Store, error) { return change(store.Share()), nil }
			require.EqualError(t, storetest.TestStore(t.Context(), open), says)
		})
	}
}
