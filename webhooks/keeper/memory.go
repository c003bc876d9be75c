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

// A memory is what several MemoryStores share.
type memory struct {
	sync.Mutex
	events      map[types.Signature]*memoryEvent
	checkpoints map[[2]string]memoryCheckpoint
	processes   map[string]memoryProcess
	leader      string
	leadsUntil  time.Time
	webhook     Webhook
	webhookSet  time.Time
}

type memoryEvent struct {
	Pending
	state  State
	opened time.Time
	due    time.Time    // of the next attempt, the end of the claim, or of the change of state
	owner  *MemoryStore // of the claim; nil for none
}

type memoryCheckpoint struct {
	Checkpoint
	set time.Time
}

type memoryProcess struct {
	Process
	seen time.Time
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
			s.m = &memory{events: make(map[types.Signature]*memoryEvent), checkpoints: make(map[[2]string]memoryCheckpoint), processes: make(map[string]memoryProcess)}
		}
	})
	s.m.Lock()
	return s.m
}

// Claim implements [Store].
func (s *MemoryStore) Claim(_ context.Context, event *webhooks.Event) (bool, error) {
	m := s.lock()
	defer m.Unlock()
	now := time.Now()
	e := m.events[event.Signature]
	switch {
	case e == nil:
		e = &memoryEvent{Pending: Pending{Signature: event.Signature, Slot: event.Slot, Address: event.Address}, opened: now}
		m.events[event.Signature] = e
	case e.state == StateDone:
		return false, nil
	case e.owner != nil && now.Before(e.due):
		return false, webhooks.ErrClaimed
	}
	e.owner, e.due, e.state, e.Wanted = s, now.Add(memoryLease), StatePending, true
	e.Attempts++
	return true, nil
}

// owned calls f with an event that s claims, and reports whether there is one.
func (s *MemoryStore) owned(event *webhooks.Event, f func(*memoryEvent)) bool {
	m := s.lock()
	defer m.Unlock()
	e := m.events[event.Signature]
	if e == nil || e.owner != s {
		return false
	}
	f(e)
	return true
}

// Renew implements [Store].
func (s *MemoryStore) Renew(_ context.Context, event *webhooks.Event) error {
	if !s.owned(event, func(e *memoryEvent) { e.due = time.Now().Add(memoryLease) }) {
		return webhooks.ErrClaimed
	}
	return nil
}

// Release implements [Store].
func (s *MemoryStore) Release(_ context.Context, event *webhooks.Event, failure string) error {
	s.owned(event, func(e *memoryEvent) { e.move(StatePending, failure) })
	return nil
}

// move ends the claim of an event.
func (e *memoryEvent) move(to State, note string) {
	now := time.Now()
	e.state, e.Error, e.owner, e.due = to, note, nil, now
	if to == StatePending {
		e.due = now.Add(RetryAfter(now.Sub(e.opened)))
	}
}

// Done implements [Store].
func (s *MemoryStore) Done(_ context.Context, event *webhooks.Event) error {
	m := s.lock()
	defer m.Unlock()
	if e := m.events[event.Signature]; e != nil {
		e.move(StateDone, "")
	}
	return nil
}

// Add implements [Store].
func (s *MemoryStore) Add(_ context.Context, filter string, events ...Pending) (added int, _ error) {
	m := s.lock()
	defer m.Unlock()
	now := time.Now()
	for _, p := range events {
		e := m.events[p.Signature]
		switch {
		case e == nil:
			e = &memoryEvent{Pending: Pending{Signature: p.Signature, Slot: p.Slot, Address: p.Address, Wanted: p.Wanted}, opened: now}
			m.events[p.Signature] = e
		case e.state != StateUnwanted || e.Error == filter:
			continue
		}
		e.state, e.due = StatePending, now.Add(RetryAfter(0))
		added++
	}
	return added, nil
}

// Move implements [Store].
func (s *MemoryStore) Move(_ context.Context, to State, note string, signatures ...types.Signature) error {
	m := s.lock()
	defer m.Unlock()
	for _, signature := range signatures {
		e := m.events[signature]
		switch {
		case e == nil || e.state == StateDone:
			continue
		case to == StatePending && e.owner != nil && time.Now().Before(e.due):
			continue
		case to == StatePending:
			e.Attempts++
		}
		e.move(to, note)
	}
	return nil
}

// Pending implements [Store].
func (s *MemoryStore) Pending(_ context.Context, q Query) (all []Pending, _ error) {
	m := s.lock()
	defer m.Unlock()
	now := time.Now()
	want := StatePending
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
	for _, c := range m.checkpoints {
		c.Age = time.Since(c.set)
		all = append(all, c.Checkpoint)
	}
	return all, nil
}

// SetCheckpoints implements [Store].
func (s *MemoryStore) SetCheckpoints(_ context.Context, all ...Checkpoint) error {
	m := s.lock()
	defer m.Unlock()
	for _, c := range all {
		m.checkpoints[c.key()] = memoryCheckpoint{c, time.Now()}
	}
	return nil
}

func (c *Checkpoint) key() [2]string { return [2]string{string(c.Address), c.Filter} }

// Lock implements [Store].
func (s *MemoryStore) Lock(_ context.Context, own Process, hold time.Duration) (*Shared, error) {
	m := s.lock()
	defer m.Unlock()
	now := time.Now()
	m.processes[own.ID] = memoryProcess{own, now}
	if m.leader == own.ID || !now.Before(m.leadsUntil) {
		m.leader, m.leadsUntil = own.ID, now.Add(hold)
	}
	if hold == 0 {
		delete(m.processes, own.ID)
	}
	maps.DeleteFunc(m.processes, func(_ string, p memoryProcess) bool { return now.Sub(p.seen) > livesFor })
	shared := &Shared{Leads: m.leader == own.ID && hold > 0, Webhook: m.webhook}
	shared.Webhook.Age = now.Sub(m.webhookSet)
	for _, p := range m.processes {
		p.Leads = p.ID == m.leader && now.Before(m.leadsUntil)
		shared.Processes = append(shared.Processes, p.Process)
	}
	return shared, nil
}

// SetWebhook implements [Store].
func (s *MemoryStore) SetWebhook(_ context.Context, w Webhook) error {
	m := s.lock()
	defer m.Unlock()
	m.webhook, m.webhookSet = w, time.Now()
	return nil
}

// Clean implements [Store].
func (s *MemoryStore) Clean(_ context.Context, age time.Duration, former ...Checkpoint) (int, error) {
	m := s.lock()
	defer m.Unlock()
	for _, c := range former {
		delete(m.checkpoints, c.key())
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
