package keeper

import (
	"cmp"
	"context"
	"maps"
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
	mu          sync.Mutex
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
	note   string // of an unwanted event: the filter
	opened time.Time
	due    time.Time    // of the next attempt, or the end of the claim
	owner  *MemoryStore // of the claim; nil for none
	done   bool
	ended  time.Time
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
func (s *MemoryStore) Share() *MemoryStore { return &MemoryStore{m: s.lock()} }

// lock returns the memory, which has to be unlocked, except by Share.
func (s *MemoryStore) lock() *memory {
	s.once.Do(func() {
		if s.m == nil {
			s.m = &memory{events: make(map[types.Signature]*memoryEvent), checkpoints: make(map[[2]string]memoryCheckpoint), processes: make(map[string]memoryProcess)}
		}
	})
	return s.m
}

func (s *MemoryStore) locked() (m *memory, unlock func()) {
	m = s.lock()
	m.mu.Lock()
	return m, m.mu.Unlock
}

// Claim implements [Store].
func (s *MemoryStore) Claim(_ context.Context, event *webhooks.Event) (bool, error) {
	m, unlock := s.locked()
	defer unlock()
	now := time.Now()
	e := m.events[event.Signature]
	switch {
	case e == nil:
		e = &memoryEvent{Pending: Pending{Signature: event.Signature, Slot: event.Slot, Address: event.Address}, opened: now}
		m.events[event.Signature] = e
	case e.done:
		return false, nil
	case e.owner != nil && now.Before(e.due):
		return false, webhooks.ErrClaimed
	}
	e.owner, e.due, e.state, e.Wanted = s, now.Add(memoryLease), StatePending, true
	e.Attempts++
	return true, nil
}

// Renew implements [Store].
func (s *MemoryStore) Renew(_ context.Context, event *webhooks.Event) error {
	m, unlock := s.locked()
	defer unlock()
	e := m.events[event.Signature]
	if e == nil || e.owner != s {
		return webhooks.ErrClaimed
	}
	e.due = time.Now().Add(memoryLease)
	return nil
}

// Release implements [Store].
func (s *MemoryStore) Release(_ context.Context, event *webhooks.Event, failure string) error {
	m, unlock := s.locked()
	defer unlock()
	if e := m.events[event.Signature]; e != nil && e.owner == s {
		e.fail(failure)
	}
	return nil
}

// fail ends the claim of an event.
func (e *memoryEvent) fail(note string) {
	now := time.Now()
	e.owner, e.Error, e.due = nil, note, now.Add(RetryAfter(now.Sub(e.opened)))
}

// Done implements [Store].
func (s *MemoryStore) Done(_ context.Context, event *webhooks.Event) error {
	m, unlock := s.locked()
	defer unlock()
	if e := m.events[event.Signature]; e != nil {
		e.done, e.ended, e.owner = true, time.Now(), nil
	}
	return nil
}

// Add implements [Store].
func (s *MemoryStore) Add(_ context.Context, filter string, events ...Pending) (added int, _ error) {
	m, unlock := s.locked()
	defer unlock()
	now := time.Now()
	for _, p := range events {
		e := m.events[p.Signature]
		switch {
		case e == nil:
			e = &memoryEvent{Pending: Pending{Signature: p.Signature, Slot: p.Slot, Address: p.Address, Wanted: p.Wanted}, opened: now}
			m.events[p.Signature] = e
		case e.done || e.state != StateUnwanted || e.note == filter:
			continue
		}
		e.state, e.due = StatePending, now.Add(RetryAfter(0))
		added++
	}
	return added, nil
}

// Move implements [Store].
func (s *MemoryStore) Move(_ context.Context, to State, note string, signatures ...types.Signature) error {
	m, unlock := s.locked()
	defer unlock()
	now := time.Now()
	for _, signature := range signatures {
		e := m.events[signature]
		switch {
		case e == nil || e.done:
		case to != StatePending:
			e.state, e.note, e.ended, e.owner = to, note, now, nil
			if to == StateDead {
				e.Error = note
			}
		case e.owner == nil || !now.Before(e.due):
			e.state = StatePending
			e.Attempts++
			e.fail(note)
		}
	}
	return nil
}

// Pending implements [Store].
func (s *MemoryStore) Pending(_ context.Context, q Query) (all []Pending, _ error) {
	m, unlock := s.locked()
	defer unlock()
	now := time.Now()
	want := StatePending
	if q.Dead {
		want = StateDead
	}
	var found []*memoryEvent
	for _, e := range m.events {
		if !e.done && e.state == want && (!q.Due || !now.Before(e.due)) {
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
	m, unlock := s.locked()
	defer unlock()
	for _, e := range m.events {
		switch {
		case e.done:
		case e.state == StateDead:
			t.DeadLetters++
		case e.state == StatePending:
			t.Pending++
			t.Oldest = max(t.Oldest, time.Since(e.opened))
			if e.Slot > 0 && (t.LowestSlot == 0 || e.Slot < t.LowestSlot) {
				t.LowestSlot = e.Slot
			}
		}
	}
	return t, nil
}

// Checkpoints implements [Store].
func (s *MemoryStore) Checkpoints(context.Context) (all []Checkpoint, _ error) {
	m, unlock := s.locked()
	defer unlock()
	for _, c := range m.checkpoints {
		c.Age = time.Since(c.set)
		all = append(all, c.Checkpoint)
	}
	return all, nil
}

// SetCheckpoints implements [Store].
func (s *MemoryStore) SetCheckpoints(_ context.Context, all ...Checkpoint) error {
	m, unlock := s.locked()
	defer unlock()
	for _, c := range all {
		m.checkpoints[c.key()] = memoryCheckpoint{c, time.Now()}
	}
	return nil
}

func (c *Checkpoint) key() [2]string { return [2]string{string(c.Address), c.Filter} }

// Lock implements [Store].
func (s *MemoryStore) Lock(_ context.Context, own Process, hold time.Duration) (*Shared, error) {
	m, unlock := s.locked()
	defer unlock()
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
	m, unlock := s.locked()
	defer unlock()
	m.webhook, m.webhookSet = w, time.Now()
	return nil
}

// Clean implements [Store].
func (s *MemoryStore) Clean(_ context.Context, age time.Duration, former ...Checkpoint) (int, error) {
	m, unlock := s.locked()
	defer unlock()
	for _, c := range former {
		delete(m.checkpoints, c.key())
	}
	n := len(m.events)
	maps.DeleteFunc(m.events, func(_ types.Signature, e *memoryEvent) bool {
		if !e.done && e.state != StateUnwanted || time.Since(e.ended) < age {
			return false
		}
		for _, c := range m.checkpoints {
			if e.Slot >= c.Slot {
				return false
			}
		}
		return true
	})
	return n - len(m.events), nil
}
