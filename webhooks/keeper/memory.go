package keeper

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

const memoryLease = 3 * time.Second // of a claim in a MemoryStore

// MemoryStore is a [Store] for one process, in its memory. It is for tests, and for programs that
// need no events of their downtime. Only one Keeper may use it, since its claims exclude nobody.
// The zero value is ready for use.
type MemoryStore struct {
	mu          sync.Mutex
	events      map[types.Signature]*memoryEvent
	checkpoints map[types.Address]Checkpoint
	webhook     Webhook
}

type memoryEvent struct {
	Pending
	state  State
	opened time.Time
	due    time.Time // time of the next attempt, end of the claim, or last change of the state
}

// lock locks the store.
func (s *MemoryStore) lock() (unlock func()) {
	s.mu.Lock()
	if s.events == nil {
		s.events, s.checkpoints = make(map[types.Signature]*memoryEvent), make(map[types.Address]Checkpoint)
	}
	return s.mu.Unlock
}

// Claim implements [Store].
func (s *MemoryStore) Claim(ctx context.Context, event *webhooks.Event) (bool, error) {
	_, _ = s.Add(ctx, "", Pending{Signature: event.Signature, Slot: event.Slot})
	defer s.lock()()
	e := s.events[event.Signature]
	if e.state != StateDone {
		e.due, e.state, e.Wanted = time.Now().Add(memoryLease), StatePending, true
		e.Attempts++
	}
	return e.state != StateDone, nil
}

// move ends the claim of an event.
func (e *memoryEvent) move(to State, note string) {
	now := time.Now()
	e.due = now
	if to == StatePending && e.state != StateDead {
		e.due = now.Add(RetryAfter(now.Sub(e.opened)))
	}
	e.state, e.Error = to, note
}

// each calls f for the known events among signatures.
func (s *MemoryStore) each(f func(*memoryEvent), signatures ...types.Signature) error {
	defer s.lock()()
	for _, signature := range signatures {
		if e := s.events[signature]; e != nil {
			f(e)
		}
	}
	return nil
}

// Renew implements [Store].
func (s *MemoryStore) Renew(_ context.Context, event *webhooks.Event) error {
	return s.each(func(e *memoryEvent) { e.due = time.Now().Add(memoryLease) }, event.Signature)
}

// Release implements [Store].
func (s *MemoryStore) Release(_ context.Context, event *webhooks.Event, failure string) error {
	return s.each(func(e *memoryEvent) { e.move(StatePending, failure) }, event.Signature)
}

// Done implements [Store].
func (s *MemoryStore) Done(_ context.Context, event *webhooks.Event) error {
	return s.each(func(e *memoryEvent) { e.move(StateDone, "") }, event.Signature)
}

// Add implements [Store].
func (s *MemoryStore) Add(_ context.Context, filter string, events ...Pending) (added int, _ error) {
	defer s.lock()()
	now := time.Now()
	for _, p := range events {
		e := s.events[p.Signature]
		if e == nil {
			p = Pending{Signature: p.Signature, Slot: p.Slot, Address: p.Address, Wanted: p.Wanted}
			e = &memoryEvent{Pending: p, opened: now}
			s.events[p.Signature] = e
		} else if e.state != StateUnwanted || e.Error == filter {
			continue
		}
		e.state, e.Error, e.due = StatePending, "", now.Add(RetryAfter(0))
		added++
	}
	return added, nil
}

// Move implements [Store].
func (s *MemoryStore) Move(_ context.Context, to State, note string, signatures ...types.Signature) error {
	return s.each(func(e *memoryEvent) {
		if e.state == StateDone || to == StateUnwanted && e.Wanted {
			return
		}
		if to == StatePending {
			e.Attempts++
		}
		e.move(to, note)
	}, signatures...)
}

// Pending implements [Store].
func (s *MemoryStore) Pending(_ context.Context, q Query) (all []Pending, _ error) {
	defer s.lock()()
	now, want := time.Now(), StatePending
	if q.Dead {
		want = StateDead
	}
	var found []*memoryEvent
	for _, e := range s.events {
		if e.state == want && (!q.Due || !now.Before(e.due)) {
			found = append(found, e)
		}
	}
	slices.SortFunc(found, func(a, b *memoryEvent) int {
		return cmp.Or(cmp.Compare(a.Attempts, b.Attempts), a.due.Compare(b.due), cmp.Compare(a.Signature, b.Signature))
	})
	for _, e := range found[:min(len(found), q.Limit)] {
		e.Age = now.Sub(e.opened)
		all = append(all, e.Pending)
	}
	return all, nil
}

// Checkpoints implements [Store].
func (s *MemoryStore) Checkpoints(context.Context) (map[types.Address]Checkpoint, error) {
	defer s.lock()()
	return maps.Clone(s.checkpoints), nil
}

// SetCheckpoints implements [Store].
func (s *MemoryStore) SetCheckpoints(_ context.Context, all ...Checkpoint) error {
	defer s.lock()()
	for _, c := range all {
		s.checkpoints[c.Address] = c
	}
	return nil
}

// Lock implements [Store].
func (s *MemoryStore) Lock(_ context.Context, own Process, hold time.Duration) (*Shared, error) {
	defer s.lock()()
	if own.Webhook != (Webhook{}) {
		s.webhook = own.Webhook
	}
	shared := &Shared{Webhook: s.webhook, Processes: []Process{own}}
	if hold > 0 {
		shared.Leader = own.ID
	}
	for _, e := range s.events {
		switch e.state {
		case StateDead:
			shared.DeadLetters++
		case StatePending:
			shared.Pending++
			shared.OldestAge = max(shared.OldestAge, time.Since(e.opened))
			if e.Slot > 0 {
				shared.LowestSlot = min(cmp.Or(shared.LowestSlot, e.Slot), e.Slot)
			}
		}
	}
	return shared, nil
}

// Clean implements [Store].
func (s *MemoryStore) Clean(_ context.Context, age time.Duration) (int, error) {
	defer s.lock()()
	lowest := uint64(math.MaxUint64)
	maps.DeleteFunc(s.checkpoints, func(_ types.Address, c Checkpoint) bool { return time.Since(c.Listed) >= age })
	for _, c := range s.checkpoints {
		lowest = min(lowest, c.Slot)
	}
	n := len(s.events)
	maps.DeleteFunc(s.events, func(_ types.Signature, e *memoryEvent) bool {
		return (e.state == StateDone || e.state == StateUnwanted) && time.Since(e.due) >= age && e.Slot < lowest
	})
	return n - len(s.events), nil
}
