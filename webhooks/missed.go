package webhooks

import (
	"context"
	"errors"
	"math"
	"sync"

	"github.com/solwire/solwire-go/types"
)

// maxMissed limits how many missed events are remembered.
const maxMissed = 10_000

// A missed remembers the events whose claim failed, of a Seen that is a [SlotKeeper].
// The service may not deliver them again, so SafeSlot must not pass them: they are made
// open events of Seen as soon as that works again. The one with the lowest slot comes
// first, and the others one by one with later events.
type missed struct {
	mu    sync.Mutex
	slots map[types.Signature]uint64 // of the events that are not open in Seen

	open     types.Signature // an event that was opened, at or before all slots; empty if there is none
	openSlot uint64          // of open
}

func (m *missed) add(e *Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e.Slot == 0 || len(m.slots) == maxMissed { // later events have higher slots
		return
	}
	if m.slots == nil {
		m.slots = make(map[types.Signature]uint64)
	}
	if len(m.slots) == 0 || e.Slot < m.openSlot { // the open one may have been handled since
		m.open = ""
	}
	m.slots[e.Signature] = e.Slot
}

func (m *missed) remove(signature types.Signature) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.slots, signature)
	if m.open == signature {
		m.open = ""
	}
}

// next returns the event to open, or an empty signature, and whether no earlier event is
// open.
func (m *missed) next() (signature types.Signature, slot uint64, first bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	slot = math.MaxUint64
	for s, at := range m.slots {
		if at < slot {
			signature, slot = s, at
		}
	}
	return signature, slot, m.open == ""
}

// opened records that an event is open in Seen.
func (m *missed) opened(signature types.Signature, slot uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.slots, signature)
	for _, at := range m.slots {
		if at < slot { // was added meanwhile
			return
		}
	}
	m.open, m.openSlot = signature, slot
}

// miss remembers an event that could not be claimed.
func (r *Receiver) miss(e *Event) {
	if _, ok := r.cfg.Seen.(SlotKeeper); ok {
		r.missed.add(e)
	}
}

// openMissed makes the missed event with the lowest slot an open event of Seen. It is
// called before anything that may increase SafeSlot, and waits only if no earlier event
// is open.
func (r *Receiver) openMissed(ctx context.Context) error {
	const opening = "missed" // stands for all of them
	signature, _, first := r.missed.next()
	switch {
	case signature == "":
		return nil
	case first:
		if err := r.flights.enter(ctx, opening); err != nil {
			return err
		}
	case r.flights.enterNow(opening) != nil:
		return nil
	}
	defer r.flights.leave(opening)
	for {
		signature, slot, first := r.missed.next()
		if signature == "" || r.flights.enterNow(signature) != nil { // in flight, it is claimed there
			return nil
		}
		open, err := r.openOne(ctx, signature, slot)
		if open || err != nil || !first {
			return err
		}
	}
}

// openOne reports whether the event, which is in flight, is open now. It is not if
// another process has handled it.
func (r *Receiver) openOne(ctx context.Context, signature types.Signature, slot uint64) (open bool, err error) {
	defer r.flights.leave(signature)
	isNew, err := r.cfg.Seen.Claim(ctx, signature, slot)
	switch {
	case errors.Is(err, ErrClaimed): // it is open
	case err != nil:
		return false, err
	case !isNew:
		r.missed.remove(signature)
		return false, nil
	default:
		if err := r.cfg.Seen.Release(ctx, signature); err != nil {
			return false, err
		}
	}
	r.missed.opened(signature, slot)
	return true, nil
}
