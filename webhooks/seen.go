package webhooks

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/solwire/solwire-go/types"
)

// Seen remembers which events were handled. By default a [Receiver] remembers them in
// memory; implement Seen on a database to remember them across processes and restarts.
//
// No store can rule out that an event is handled twice: a process may die, be stopped for
// longer than a claim holds, or lose the database, after Handle has done its work
// and before Done has recorded it. Let Handle be idempotent, such as by a primary key on
// the signature.
//
// Its methods are called concurrently, but not for the same signature. Two webhooks may
// deliver the same transaction: if they share a store, make the webhook's ID a part of
// the key.
type Seen interface {
	// Claim claims an event and returns true, or returns false if the event was
	// handled before. If another process holds a claim, it returns an error that
	// matches ErrClaimed. After any error the service retries the delivery. Slot is 0 when
	// unknown.
	//
	// A process that dies leaves its claims behind, and the service retries for a few
	// seconds only: let claims expire soon after the longest time that Handle takes, or
	// after some 3 seconds if the store is a Renewer.
	Claim(ctx context.Context, signature types.Signature, slot uint64) (bool, error)

	// Done ends a claim and records the event as handled. It is enough to keep the
	// record for a few minutes, since the service retries for a few seconds, and with
	// Backfill as long as a backfill may reach back.
	Done(ctx context.Context, signature types.Signature) error

	// Release ends a claim without recording the event, so that the next delivery can
	// claim it.
	Release(ctx context.Context, signature types.Signature) error
}

// A Renewer is a [Seen] whose claims can be renewed. Claims then hold as long as Handle
// takes, but little longer than a minute, and still expire soon after a process has died.
type Renewer interface {
	Seen

	// Renew renews a claim. It is called twice a second while Handle runs. Its errors are
	// logged, and Handle continues.
	Renew(ctx context.Context, signature types.Signature) error
}

// ErrClaimed is the error of [Seen].Claim for an event that another process is
// handling. It is not logged as a failure.
var ErrClaimed = errors.New("another process is handling the event")

// generation is how long events are added to the younger half of a memory, which then
// becomes the older half: each event is kept for one to two generations.
const generation = 10 * time.Minute

// A memory is the default Seen. An entry takes about 94 bytes.
type memory struct {
	mu         sync.Mutex
	turned     time.Time
	young, old map[[64]byte]struct{}
}

func (m *memory) Claim(_ context.Context, signature types.Signature, _ uint64) (bool, error) {
	k, err := key(signature)
	if err != nil {
		return false, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.turn(time.Now())
	_, young := m.young[k]
	_, old := m.old[k]
	return !young && !old, nil
}

func (m *memory) Done(_ context.Context, signature types.Signature) error {
	k, err := key(signature)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.turn(time.Now())
	m.young[k] = struct{}{}
	return nil
}

// Release does nothing: the Receiver keeps track of events in flight.
func (m *memory) Release(context.Context, types.Signature) error { return nil }

// turn starts a new generation when the current one is over.
func (m *memory) turn(now time.Time) {
	age := now.Sub(m.turned)
	if m.young != nil && age < generation {
		return
	}
	m.old = m.young
	if age >= 2*generation {
		m.old = nil
	}
	m.young = make(map[[64]byte]struct{})
	m.turned = now
}

func key(signature types.Signature) ([64]byte, error) {
	b, err := signature.Bytes()
	if err != nil {
		return [64]byte{}, err
	}
	return [64]byte(b), nil
}

// flights are the events in flight: those that are being handled. A duplicate waits for
// the outcome.
type flights struct {
	mu  sync.Mutex
	all map[types.Signature]*flight
}

type flight struct {
	end     chan struct{} // closed at the end
	claimed bool
}

// enter waits until the event is not in flight, at most until ctx ends.
func (f *flights) enter(ctx context.Context, signature types.Signature) error {
	for {
		end := f.enterNow(signature)
		if end == nil {
			return nil
		}
		select {
		case <-end:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// enterNow returns nil, or when the event is in flight, a channel that is closed at its
// end.
func (f *flights) enterNow(signature types.Signature) <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if has := f.all[signature]; has != nil {
		return has.end
	}
	if f.all == nil {
		f.all = make(map[types.Signature]*flight)
	}
	f.all[signature] = &flight{end: make(chan struct{})}
	return nil
}

// claim records that the event, which is in flight, is claimed.
func (f *flights) claim(signature types.Signature) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all[signature].claimed = true
}

// claimed reports whether the event is in flight and claimed.
func (f *flights) claimed(signature types.Signature) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.all[signature] != nil && f.all[signature].claimed
}

func (f *flights) leave(signature types.Signature) {
	f.mu.Lock()
	defer f.mu.Unlock()
	close(f.all[signature].end)
	delete(f.all, signature)
}
