package keeper

import (
	"context"
	"errors"
	"fmt"

	"github.com/solwire/solwire-go/types"
)

// Pending returns up to limit pending events, the fewest attempts first.
func (k *Keeper) Pending(ctx context.Context, limit int) ([]Pending, error) {
	if err := k.made(); err != nil {
		return nil, err
	}
	return k.cfg.Store.Pending(ctx, Query{Limit: limit})
}

// DeadLetters returns up to limit events that were given up. [Keeper.Retry] handles one.
func (k *Keeper) DeadLetters(ctx context.Context, limit int) ([]Pending, error) {
	if err := k.made(); err != nil {
		return nil, err
	}
	return k.cfg.Store.Pending(ctx, Query{Limit: limit, Dead: true})
}

// GiveUp makes a pending event a dead letter.
func (k *Keeper) GiveUp(ctx context.Context, signature types.Signature) error {
	if err := k.made(); err != nil {
		return err
	}
	return k.cfg.Store.Move(ctx, StateDead, "GiveUp was called", signature)
}

// Retry handles an event now that is pending or a dead letter. It costs 100 credits, or 1 of a raw
// webhook, and fails with [types.ErrNotFound] if the service does not return the event. It does
// nothing for an event that was handled.
func (k *Keeper) Retry(ctx context.Context, signature types.Signature) error {
	if err := k.made(); err != nil {
		return err
	}
	events, err := k.client.Events(ctx, k.cfg.Settings.Type, []types.Signature{signature})
	var failed *types.BatchError
	switch {
	case errors.As(err, &failed):
		return failed.Errs[0]
	case err != nil:
		return err
	case events[0] == nil:
		return fmt.Errorf("keeper.Keeper.Retry: event %s: %w", signature, types.ErrNotFound)
	}
	limited, cancel := context.WithTimeout(ctx, handleWithin)
	defer cancel()
	if o, err := k.receiver.Process(limited, events[0]); !o.Final() {
		return fmt.Errorf("keeper.Keeper.Retry: event %s: %w", signature, err)
	}
	return nil
}
