package webhooks

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/solwire/solwire-go/types"
)

// A Store keeps what a [Keeper] has to remember across restarts, and what several
// processes share. Package sqlstore implements it on a SQL database.
type Store interface {
	// Open returns the records of a webhook, and creates what is missing for them.
	Open(ctx context.Context, webhook string) (Journal, error)
}

// A Journal is the record of one webhook in a [Store]. Times are by the clock of the store.
type Journal interface {
	// An event that was claimed is open until it is done, also after Release and after its
	// claim has lapsed.
	Renewer

	// Open returns how many events are open, and the lowest slot of them that is not 0.
	Open(ctx context.Context) (events int, slot uint64, err error)

	// Unhandled returns open events after the given one, in the order of their slots and
	// signatures, at most limit of them: those whose claim was released or has lapsed for
	// this time.
	Unhandled(ctx context.Context, idle time.Duration, after OpenEvent, limit int) ([]OpenEvent, error)

	// Checkpoints returns all checkpoints.
	Checkpoints(ctx context.Context) ([]Checkpoint, error)

	// Begin adds checkpoints with this slot for addresses that have none.
	Begin(ctx context.Context, addresses []types.Address, slot uint64) error

	// Advance sets Slot of a checkpoint, unless it is higher. If Reached is not 0, it also
	// sets Reached, unless it is higher, and the time for Age.
	Advance(ctx context.Context, c Checkpoint) error

	// Drop deletes the checkpoints of addresses.
	Drop(ctx context.Context, addresses []types.Address) error

	// Lock reports whether this Journal has the lock for the backfill of the webhook. The
	// lock lapses after 15 seconds; a call renews it.
	Lock(ctx context.Context) (bool, error)

	// Unlock ends the lock of this Journal.
	Unlock(ctx context.Context) error

	// Clean deletes the events before a slot that have been done for this time, and returns
	// how many. It does not hold up claims.
	Clean(ctx context.Context, age time.Duration, before uint64) (int64, error)
}

// An OpenEvent is an event that was claimed and is not done.
type OpenEvent struct {
	Slot      uint64 // 0 when unknown
	Signature types.Signature
}

// A Checkpoint is how far the history of an address was handled.
type Checkpoint struct {
	Address types.Address `json:"address"`

	// Slot is where the next backfill of the address begins: all of its earlier events are
	// handled or open. 0 means [KeepConfig.Since].
	Slot uint64 `json:"slot"`

	Reached uint64        `json:"reached"` // the slot up to which the history was read; 0 means never
	Age     time.Duration `json:"age"`     // since then, in nanoseconds; 0 if it was never read
}

// MemoryStore is a [Store] in the memory of this process, for tests and for programs that may
// miss the events while they do not run. The zero value is ready for use.
type MemoryStore struct {
	mu  sync.Mutex
	all map[string]*memoryRecords
}

// memoryLease is how long claims hold in a MemoryStore, and memoryLock how long the lock.
const (
	memoryLease = 3 * time.Second
	memoryLock  = 15 * time.Second
)

type memoryRecords struct {
	mu          sync.Mutex
	events      map[types.Signature]*memoryEvent
	checkpoints map[types.Address]*memoryCheckpoint
	locked      *memoryJournal
	lapses      time.Time // of the lock
}

type memoryEvent struct {
	slot   uint64
	owner  *memoryJournal
	lapses time.Time
	done   time.Time // zero while it is open
}

type memoryCheckpoint struct {
	Checkpoint
	filled time.Time
}

// A memoryJournal is a Journal of a MemoryStore; its address is the owner of claims.
type memoryJournal struct{ *memoryRecords }

// Open implements [Store].
func (s *MemoryStore) Open(_ context.Context, webhook string) (Journal, error) { //nolint:ireturn // as Store demands
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = make(map[string]*memoryRecords)
	}
	if s.all[webhook] == nil {
		s.all[webhook] = &memoryRecords{
			events: make(map[types.Signature]*memoryEvent), checkpoints: make(map[types.Address]*memoryCheckpoint),
		}
	}
	return &memoryJournal{s.all[webhook]}, nil
}

func (m *memoryJournal) Claim(_ context.Context, signature types.Signature, slot uint64) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.events[signature]
	switch now := time.Now(); {
	case e == nil:
		m.events[signature] = &memoryEvent{slot: slot, owner: m, lapses: now.Add(memoryLease)}
	case !e.done.IsZero():
		return false, nil
	case now.Before(e.lapses):
		return false, ErrClaimed
	default:
		e.owner, e.lapses = m, now.Add(memoryLease)
	}
	return true, nil
}

func (m *memoryJournal) Renew(_ context.Context, signature types.Signature) error {
	return m.owned(signature, memoryLease)
}

func (m *memoryJournal) Release(_ context.Context, signature types.Signature) error {
	_ = m.owned(signature, 0)
	return nil
}

// owned changes when a claim of m lapses.
func (m *memoryJournal) owned(signature types.Signature, lease time.Duration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.events[signature]
	if e == nil || e.owner != m || !e.done.IsZero() {
		return ErrClaimed
	}
	e.lapses = time.Now().Add(lease)
	return nil
}

func (m *memoryJournal) Done(_ context.Context, signature types.Signature) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e := m.events[signature]; e != nil {
		e.done = time.Now()
	}
	return nil
}

func (m *memoryJournal) Open(context.Context) (events int, slot uint64, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.events {
		if !e.done.IsZero() {
			continue
		}
		events++
		if e.slot > 0 && (slot == 0 || e.slot < slot) {
			slot = e.slot
		}
	}
	return events, slot, nil
}

func (m *memoryJournal) Unhandled(_ context.Context, idle time.Duration, after OpenEvent, limit int) ([]OpenEvent, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []OpenEvent
	for signature, e := range m.events {
		o := OpenEvent{e.slot, signature}
		if e.done.IsZero() && time.Since(e.lapses) >= idle && compareOpen(o, after) > 0 {
			all = append(all, o)
		}
	}
	slices.SortFunc(all, compareOpen)
	return all[:min(len(all), limit)], nil
}

func compareOpen(a, b OpenEvent) int {
	return cmp.Or(cmp.Compare(a.Slot, b.Slot), cmp.Compare(a.Signature, b.Signature))
}

func (m *memoryJournal) Checkpoints(context.Context) ([]Checkpoint, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := make([]Checkpoint, 0, len(m.checkpoints))
	for _, c := range m.checkpoints {
		if c.Reached > 0 {
			c.Age = time.Since(c.filled)
		}
		all = append(all, c.Checkpoint)
	}
	return all, nil
}

func (m *memoryJournal) Begin(_ context.Context, addresses []types.Address, slot uint64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range addresses {
		if m.checkpoints[a] == nil {
			m.checkpoints[a] = &memoryCheckpoint{Checkpoint: Checkpoint{Address: a, Slot: slot}}
		}
	}
	return nil
}

func (m *memoryJournal) Advance(_ context.Context, c Checkpoint) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	has := m.checkpoints[c.Address]
	if has == nil {
		return nil
	}
	has.Slot = max(has.Slot, c.Slot)
	if c.Reached > 0 {
		has.Reached, has.filled = max(has.Reached, c.Reached), time.Now()
	}
	return nil
}

func (m *memoryJournal) Drop(_ context.Context, addresses []types.Address) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range addresses {
		delete(m.checkpoints, a)
	}
	return nil
}

func (m *memoryJournal) Lock(context.Context) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if m.locked != nil && m.locked != m && now.Before(m.lapses) {
		return false, nil
	}
	m.locked, m.lapses = m, now.Add(memoryLock)
	return true, nil
}

func (m *memoryJournal) Unlock(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.locked == m {
		m.locked = nil
	}
	return nil
}

func (m *memoryJournal) Clean(_ context.Context, age time.Duration, before uint64) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := int64(0)
	for signature, e := range m.events {
		if !e.done.IsZero() && time.Since(e.done) >= age && e.slot < before {
			delete(m.events, signature)
			n++
		}
	}
	return n, nil
}
