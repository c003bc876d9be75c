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
// The service may not deliver them again, so SafeSlot must not pass them: the one with
// the lowest slot is made an open event of Seen as soon as that works again.
type missed struct {
	mu    sync.Mutex
	slots map[types.Signature]uint64
	open  types.Signature // the one with the lowest slot, if it is open in Seen
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
	m.slots[e.Signature] = e.Slot
	if m.open != "" && e.Slot < m.slots[m.open] {
		m.open = ""
	}
}

func (m *missed) remove(signature types.Signature) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.slots, signature)
	if m.open == signature {
		m.open = ""
	}
}

// next returns the event to open, or an empty signature.
func (m *missed) next() (signature types.Signature, slot uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.open != "" {
		return "", 0
	}
	return m.lowest()
}

func (m *missed) lowest() (signature types.Signature, slot uint64) {
	slot = math.MaxUint64
	for s, at := range m.slots {
		if at < slot {
			signature, slot = s, at
		}
	}
	return signature, slot
}

// opened records that an event is open in Seen.
func (m *missed) opened(signature types.Signature) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if lowest, _ := m.lowest(); lowest == signature { // and was neither removed nor undercut meanwhile
		m.open = signature
	}
}

// miss remembers an event that could not be claimed.
func (r *Receiver) miss(e *Event) {
	if _, ok := r.cfg.Seen.(SlotKeeper); ok {
		r.missed.add(e)
	}
}

// openMissed makes the missed event with the lowest slot an open event of Seen. It is
// called before anything that may increase SafeSlot.
func (r *Receiver) openMissed(ctx context.Context) error {
	if signature, _ := r.missed.next(); signature == "" {
		return nil
	}
	const opening = "missed" // stands for all of them: others wait until the event is open
	if err := r.flights.enter(ctx, opening); err != nil {
		return err
	}
	defer r.flights.leave(opening)
	for {
		signature, slot := r.missed.next()
		if signature == "" || r.flights.enterNow(signature) != nil { // in flight, it is claimed there
			return nil
		}
		open, err := r.openOne(ctx, signature, slot)
		if open || err != nil {
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
	r.missed.opened(signature)
	return true, nil
}
