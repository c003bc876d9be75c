package webhooks

import (
	"context"
	"fmt"

	"github.com/solwire/solwire-go/internal/argument"
)

// slotMargin is how many slots an event may come after one with a higher slot: some 200
// seconds, in which the service may still retry.
const slotMargin = 500

// SafeSlot returns the slot from which to [Client.Backfill] after a restart: all events
// of earlier slots are handled, except those whose deliveries never reached the
// Receiver, or whose claims failed before its process died, while others were handled for
// minutes. It is 0 if no event was handled yet. With a Queue, events in the queue count as
// handled.
//
// Call it before the server accepts deliveries, which would move the slot past the
// events that were missed. Seen then holds the slot, also if the process dies, until a
// Backfill with this Receiver and a SinceSlot from 1 to this slot has succeeded, or one
// with Since if this slot is 0. The slot moves on with the Checkpoint of the backfill. A
// slot of 0 is held from the beginning of the backfill on; to hold it before, call
// HoldSlot of Seen with slot 1.
//
// It needs a Seen that is a [SlotKeeper], such as that of package sqlseen, and allows
// for events that are delivered up to 500 slots late.
func (r *Receiver) SafeSlot(ctx context.Context) (uint64, error) {
	keeper, ok := r.cfg.Seen.(SlotKeeper)
	if !ok {
		return 0, fmt.Errorf("webhooks.Receiver.SafeSlot: %w", argument.Invalid("Seen", "keeps no slots; set ReceiverConfig.Seen to a SlotKeeper"))
	}
	if err := r.openMissed(ctx); err != nil {
		return 0, fmt.Errorf("webhooks.Receiver.SafeSlot: %w", err)
	}
	slot, err := keeper.SafeSlot(ctx)
	if err == nil && slot > slotMargin {
		err = keeper.HoldSlot(ctx, slot)
	}
	if err != nil {
		return 0, fmt.Errorf("webhooks.Receiver.SafeSlot: %w", err)
	}
	from := slot - min(slot, slotMargin)
	r.held.Store(&heldSlot{slot: slot, from: from, start: from == 0})
	return from, nil
}

// A heldSlot is a slot that Seen holds.
type heldSlot struct {
	slot, from uint64 // a backfill from the second, or before, covers it
	start      bool   // SafeSlot returned 0, so that a backfill from Since covers it, too
}

// covers reports whether a backfill from since covers the events that the hold is for.
func (r *Receiver) covers(since uint64) bool {
	held := r.held.Load()
	switch {
	case held == nil:
		return false
	case since == 0:
		return held.start
	}
	return since <= held.from
}

// hold moves the slot that is held on, or ends the hold if slot is 0.
func (r *Receiver) hold(ctx context.Context, slot uint64) error {
	held := r.held.Load()
	if slot > 0 && held != nil && slot <= held.slot {
		return nil
	}
	keeper, ok := r.cfg.Seen.(SlotKeeper)
	if !ok {
		return nil
	}
	if err := keeper.HoldSlot(ctx, slot); err != nil {
		return fmt.Errorf("webhooks.Client.Backfill: Seen.HoldSlot: %w", err)
	}
	if slot == 0 {
		r.held.Store(nil)
		return nil
	}
	r.held.Store(&heldSlot{slot: slot, from: slot, start: held != nil && held.start})
	return nil
}

// resumable records that a backfill has handled the events before slot, so that one
// from slot covers the others.
func (r *Receiver) resumable(slot uint64) {
	if held := r.held.Load(); held != nil && slot > held.from {
		r.held.Store(&heldSlot{slot: held.slot, from: slot, start: held.start})
	}
}
