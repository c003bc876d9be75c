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

const (
	memoryLease = 3 * time.Second // of a claim in a MemoryStore
	livesFor    = time.Minute     // a process after a call of Lock
)

// MemoryStore is a [Store] in the memory of this process, for tests and for programs that may
// miss the events while they do not run. The zero value is ready for use.
type MemoryStore struct {
	once sync.Once
	m    *memory
}

// A memory is the data of several MemoryStores.
type memory struct {
	sync.Mutex
	events      map[types.Signature]*memoryEvent
	checkpoints map[[2]string]Checkpoint
	processes   map[string]Process
	seen        map[string]time.Time // the last calls of Lock
	leader      string
	leadsUntil  time.Time
	webhook     Webhook
}

type memoryEvent struct {
	Pending
	state  State
	opened time.Time
	due    time.Time    // of the next attempt, the end of the claim, or of the change of state
	owner  *MemoryStore // of the claim; nil for none
}

// Share returns a MemoryStore with the same content, as another process has it.
func (s *MemoryStore) Share() *MemoryStore {
	m := s.lock()
	defer m.Unlock()
	return &MemoryStore{m: m}
}

// lock returns the memory, which has to be unlocked.
func (s *MemoryStore) lock() *memory {
	s.once.Do(func() {
		if s.m == nil {
			s.m = &memory{
				events: make(map[types.Signature]*memoryEvent), checkpoints: make(map[[2]string]Checkpoint),
				processes: make(map[string]Process), seen: make(map[string]time.Time),
			}
		}
	})
	s.m.Lock()
	return s.m
}

// Claim implements [Store].
func (s *MemoryStore) Claim(_ context.Context, event *webhooks.Event) (bool, error) {
	m := s.lock()
	defer m.Unlock()
	m.add(Pending{Signature: event.Signature, Slot: event.Slot, Address: event.Address})
	e, now := m.events[event.Signature], time.Now()
	switch {
	case e.state == StateDone:
		return false, nil
	case e.owner != nil && now.Before(e.due):
		return false, webhooks.ErrClaimed
	}
	e.owner, e.due, e.state, e.Wanted = s, now.Add(memoryLease), StatePending, true
	e.Attempts++
	return true, nil
}

// add adds an event that is not known.
func (m *memory) add(p Pending) (added bool) {
	if m.events[p.Signature] != nil {
		return false
	}
	e := &memoryEvent{Pending: p, opened: time.Now()}
	e.move(StatePending, "")
	m.events[p.Signature] = e
	return true
}

// move ends the claim of an event.
func (e *memoryEvent) move(to State, note string) bool {
	now := time.Now()
	e.state, e.Error, e.owner, e.due = to, note, nil, now
	if to == StatePending {
		e.due = now.Add(RetryAfter(now.Sub(e.opened)))
	}
	return true
}

// each calls f for known events by their signatures, and returns how often f returned true.
func (s *MemoryStore) each(f func(*memoryEvent) bool, signatures ...types.Signature) (n int) {
	m := s.lock()
	defer m.Unlock()
	for _, signature := range signatures {
		if e := m.events[signature]; e != nil && f(e) {
			n++
		}
	}
	return n
}

// Renew implements [Store].
func (s *MemoryStore) Renew(_ context.Context, event *webhooks.Event) error {
	renew := func(e *memoryEvent) bool {
		if e.owner == s {
			e.due = time.Now().Add(memoryLease)
		}
		return e.owner == s
	}
	if s.each(renew, event.Signature) == 0 {
		return webhooks.ErrClaimed
	}
	return nil
}

// Release implements [Store].
func (s *MemoryStore) Release(_ context.Context, event *webhooks.Event, failure string) error {
	s.each(func(e *memoryEvent) bool { return e.owner == s && e.move(StatePending, failure) }, event.Signature)
	return nil
}

// Done implements [Store].
func (s *MemoryStore) Done(_ context.Context, event *webhooks.Event) error {
	s.each(func(e *memoryEvent) bool { return e.move(StateDone, "") }, event.Signature)
	return nil
}

// Add implements [Store].
func (s *MemoryStore) Add(_ context.Context, filter string, events ...Pending) (added int, _ error) {
	m := s.lock()
	defer m.Unlock()
	for _, p := range events {
		e := m.events[p.Signature]
		switch {
		case m.add(p):
			added++
		case e.state == StateUnwanted && e.Error != filter:
			e.move(StatePending, "")
			e.due = time.Now().Add(RetryAfter(0))
			added++
		}
	}
	return added, nil
}

// Move implements [Store].
func (s *MemoryStore) Move(_ context.Context, to State, note string, signatures ...types.Signature) error {
	s.each(func(e *memoryEvent) bool {
		if e.state == StateDone || to == StatePending && e.owner != nil && time.Now().Before(e.due) {
			return false
		}
		if to == StatePending {
			e.Attempts++
		}
		return e.move(to, note)
	}, signatures...)
	return nil
}

// Pending implements [Store].
func (s *MemoryStore) Pending(_ context.Context, q Query) (all []Pending, _ error) {
	m := s.lock()
	defer m.Unlock()
	now, want := time.Now(), StatePending
	if q.Dead {
		want = StateDead
	}
	var found []*memoryEvent
	for _, e := range m.events {
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

// Totals implements [Store].
func (s *MemoryStore) Totals(context.Context) (t Totals, _ error) {
	m := s.lock()
	defer m.Unlock()
	for _, e := range m.events {
		switch e.state {
		case StateDead:
			t.DeadLetters++
		case StatePending:
			t.Pending++
			t.Oldest = max(t.Oldest, time.Since(e.opened))
			if e.Slot > 0 {
				t.LowestSlot = min(cmp.Or(t.LowestSlot, e.Slot), e.Slot)
			}
		}
	}
	return t, nil
}

// Checkpoints implements [Store].
func (s *MemoryStore) Checkpoints(context.Context) (all []Checkpoint, _ error) {
	m := s.lock()
	defer m.Unlock()
	return slices.Collect(maps.Values(m.checkpoints)), nil
}

// SetCheckpoints implements [Store].
func (s *MemoryStore) SetCheckpoints(_ context.Context, all ...Checkpoint) error {
	m := s.lock()
	defer m.Unlock()
	for _, c := range all {
		m.checkpoints[[2]string{string(c.Address), c.Filter}] = c
	}
	return nil
}

// Lock implements [Store].
func (s *MemoryStore) Lock(_ context.Context, own Process, hold time.Duration) (*Shared, error) {
	m := s.lock()
	defer m.Unlock()
	now := time.Now()
	m.processes[own.ID], m.seen[own.ID] = own, now
	if m.leader == own.ID || !now.Before(m.leadsUntil) {
		m.leader, m.leadsUntil = own.ID, now.Add(hold)
	}
	if hold == 0 {
		delete(m.processes, own.ID)
	}
	shared := &Shared{Leads: m.leader == own.ID && hold > 0, Webhook: m.webhook}
	for id, p := range m.processes {
		if now.Sub(m.seen[id]) <= livesFor {
			p.Leads = id == m.leader && now.Before(m.leadsUntil)
			shared.Processes = append(shared.Processes, p)
		}
	}
	return shared, nil
}

// SetWebhook implements [Store].
func (s *MemoryStore) SetWebhook(_ context.Context, w Webhook) error {
	m := s.lock()
	defer m.Unlock()
	m.webhook = w
	return nil
}

// Clean implements [Store].
func (s *MemoryStore) Clean(_ context.Context, age time.Duration, former ...Checkpoint) (int, error) {
	m := s.lock()
	defer m.Unlock()
	for _, c := range former {
		delete(m.checkpoints, [2]string{string(c.Address), c.Filter})
	}
	lowest := uint64(math.MaxUint64)
	for _, c := range m.checkpoints {
		lowest = min(lowest, c.Slot)
	}
	n := len(m.events)
	maps.DeleteFunc(m.events, func(_ types.Signature, e *memoryEvent) bool {
		return (e.state == StateDone || e.state == StateUnwanted) && time.Since(e.due) >= age && e.Slot < lowest
	})
	return n - len(m.events), nil
}
