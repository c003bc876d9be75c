package webhooks

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/solwire/solwire-go/types"
)

// A Store keeps what a [Keeper] has to remember across restarts, and what several processes
// share. Package sqlstore implements it on a SQL database. Package storetest tests an
// implementation.
type Store interface {
	// Record returns the record with a name, which is printable ASCII of 1 to 64 bytes. It
	// creates what is missing for it.
	Record(ctx context.Context, name string) (Record, error)
}

// A Record says which events a [Keeper] has handled, and keeps its facts. Times are by the
// clock of the store. It is safe for concurrent use.
type Record interface {
	// An event that was claimed is open until it is done, also after Release and after its
	// claim has lapsed.
	Renewer

	// OpenEvents returns the open events.
	OpenEvents(ctx context.Context, q OpenQuery) (*OpenEvents, error)

	// Missing returns those of up to 1000 signatures for which it has no event.
	Missing(ctx context.Context, signatures []types.Signature) ([]types.Signature, error)

	// Facts returns the facts whose names begin with prefix, in any order.
	Facts(ctx context.Context, prefix string) ([]Fact, error)

	// Add stores the facts whose names the record does not have yet.
	Add(ctx context.Context, facts ...Fact) error

	// Put stores facts in place of those with the same names. An empty Value deletes a fact.
	Put(ctx context.Context, facts ...Fact) error

	// Lock takes or renews the lock of the record, which other values of Record for the same
	// name cannot take for this time. 0 ends it. It reports whether the lock was free.
	Lock(ctx context.Context, hold time.Duration) (bool, error)

	// Clean deletes events before a slot that have been done for this time, and returns how
	// many. It does not hold up claims, and may leave some for the next call, until it returns 0.
	Clean(ctx context.Context, age time.Duration, before uint64) (int64, error)
}

// A Fact is a text that a [Keeper] stores. A store does not interpret it.
type Fact struct {
	Name  string        // printable ASCII of 1 to 128 bytes, unique in a record
	Value string        // printable ASCII of at most 1000 bytes
	Age   time.Duration // since it was stored; ignored by Add and Put
}

// An OpenQuery selects open events.
type OpenQuery struct {
	Idle  time.Duration // only events whose claim was released or has lapsed for this time
	After OpenEvent     // only events after this one, by slot and signature
	Limit int           // the most Events; 0 returns the numbers alone
}

// OpenEvents are the events that were claimed and are not done.
type OpenEvents struct {
	Count  int           // of all open events
	Slot   uint64        // the lowest that is known; 0 if none is
	Oldest time.Duration // the greatest Age
	Events []OpenEvent   // the selected ones, in the order of slots and signatures
}

// An OpenEvent is an event that was claimed and is not done.
type OpenEvent struct {
	Slot      uint64          // 0 when unknown
	Signature types.Signature // of the transaction
	Address   types.Address   // as in [Event]; empty when unknown
	Age       time.Duration   // since its first claim
	Attempts  int             // claims until now
	Error     string          // of the last attempt, at most 200 bytes; empty if it did not end
}

// MemoryStore is a [Store] in the memory of this process, for tests and for programs that may
// miss the events while they do not run. The zero value is ready for use.
type MemoryStore struct {
	mu  sync.Mutex
	all map[string]*memory
}

// memoryLease is how long claims hold in a MemoryStore.
const memoryLease = 3 * time.Second

// generation is how often a Receiver without Seen forgets what was done for as long.
const generation = 10 * time.Minute

// A memory has the entries of a record, which several memoryRecords share.
type memory struct {
	forget bool // whether to delete done events after one to two generations

	mu     sync.Mutex
	turned time.Time
	events map[types.Signature]*memoryEvent
	facts  map[string]memoryFact
	locked *memoryRecord
	lapses time.Time // of the lock
}

type memoryEvent struct {
	OpenEvent
	opened time.Time
	owner  *memoryRecord
	lapses time.Time
	done   time.Time // zero while it is open
}

type memoryFact struct {
	value string
	put   time.Time
}

// A memoryRecord is a Record of a MemoryStore; its address is the owner of claims.
type memoryRecord struct{ *memory }

func newMemory(forget bool) *memory {
	return &memory{forget: forget, events: make(map[types.Signature]*memoryEvent), facts: make(map[string]memoryFact)}
}

// Record implements [Store].
func (s *MemoryStore) Record(_ context.Context, name string) (Record, error) { //nolint:ireturn // as Store demands
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = make(map[string]*memory)
	}
	if s.all[name] == nil {
		s.all[name] = newMemory(false)
	}
	return &memoryRecord{s.all[name]}, nil
}

func (m *memoryRecord) Claim(_ context.Context, event *Event) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if m.forget && now.Sub(m.turned) >= generation {
		m.turned = now
		maps.DeleteFunc(m.events, func(_ types.Signature, e *memoryEvent) bool { return now.Sub(e.lapses) > generation })
	}
	e := m.events[event.Signature]
	switch {
	case e == nil:
		e = &memoryEvent{OpenEvent: OpenEvent{Slot: event.Slot, Signature: event.Signature}, opened: now}
		m.events[event.Signature] = e
	case !e.done.IsZero():
		return false, nil
	case now.Before(e.lapses):
		return false, ErrClaimed
	}
	e.owner, e.lapses, e.Address = m, now.Add(memoryLease), cmp.Or(event.Address, e.Address)
	e.Attempts++
	return true, nil
}

func (m *memoryRecord) Renew(_ context.Context, event *Event) error {
	return m.owned(event, memoryLease, "")
}

func (m *memoryRecord) Release(_ context.Context, event *Event, failure string) error {
	_ = m.owned(event, 0, failure)
	return nil
}

// owned changes when a claim of m lapses.
func (m *memoryRecord) owned(event *Event, lease time.Duration, failure string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.events[event.Signature]
	if e == nil || e.owner != m || !e.done.IsZero() {
		return ErrClaimed
	}
	e.lapses = time.Now().Add(lease)
	e.Error = cmp.Or(failure, e.Error)
	return nil
}

func (m *memoryRecord) Done(_ context.Context, event *Event) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e := m.events[event.Signature]; e != nil {
		e.done = time.Now()
		e.lapses = e.done
	}
	return nil
}

func (m *memoryRecord) OpenEvents(_ context.Context, q OpenQuery) (*OpenEvents, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := new(OpenEvents)
	for _, e := range m.events {
		if !e.done.IsZero() {
			continue
		}
		o := e.OpenEvent
		o.Age = time.Since(e.opened)
		all.Count++
		all.Oldest = max(all.Oldest, o.Age)
		if o.Slot > 0 && (all.Slot == 0 || o.Slot < all.Slot) {
			all.Slot = o.Slot
		}
		if time.Since(e.lapses) >= q.Idle && compareOpen(o, q.After) > 0 {
			all.Events = append(all.Events, o)
		}
	}
	slices.SortFunc(all.Events, compareOpen)
	all.Events = all.Events[:min(len(all.Events), q.Limit)]
	return all, nil
}

func (m *memoryRecord) Missing(_ context.Context, signatures []types.Signature) (missing []types.Signature, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range signatures {
		if m.events[s] == nil {
			missing = append(missing, s)
		}
	}
	return missing, nil
}

func compareOpen(a, b OpenEvent) int {
	return cmp.Or(cmp.Compare(a.Slot, b.Slot), cmp.Compare(a.Signature, b.Signature))
}

func (m *memoryRecord) Facts(_ context.Context, prefix string) (all []Fact, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, f := range m.facts {
		if strings.HasPrefix(name, prefix) {
			all = append(all, Fact{name, f.value, time.Since(f.put)})
		}
	}
	return all, nil
}

func (m *memoryRecord) Add(_ context.Context, facts ...Fact) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range facts {
		if _, has := m.facts[f.Name]; !has {
			m.facts[f.Name] = memoryFact{f.Value, time.Now()}
		}
	}
	return nil
}

func (m *memoryRecord) Put(_ context.Context, facts ...Fact) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range facts {
		m.facts[f.Name] = memoryFact{f.Value, time.Now()}
		if f.Value == "" {
			delete(m.facts, f.Name)
		}
	}
	return nil
}

func (m *memoryRecord) Lock(_ context.Context, hold time.Duration) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if m.locked != m && now.Before(m.lapses) {
		return false, nil
	}
	m.locked, m.lapses = m, now.Add(hold)
	return true, nil
}

func (m *memoryRecord) Clean(_ context.Context, age time.Duration, before uint64) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := len(m.events)
	maps.DeleteFunc(m.events, func(_ types.Signature, e *memoryEvent) bool {
		return !e.done.IsZero() && time.Since(e.done) >= age && e.Slot < before
	})
	return int64(n - len(m.events)), nil
}
