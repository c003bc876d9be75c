package webhooks

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/solwire/solwire-go/types"
)

// Seen remembers which events were handled. By default a [Receiver] remembers them in
// memory; implement Seen on a database to remember them across processes and restarts.
//
// No store can rule out that an event is handled twice. After Handle and before Done, a process
// may die, be stopped for longer than a claim holds, or lose the database. Make Handle
// idempotent, such as by a primary key on the signature.
//
// Only Signature and Slot of an event are sure to be set. The
// methods are called concurrently, but not for the same signature. They return soon after
// their context has ended. Two webhooks may deliver the same transaction: if they share a
// store, make the webhook's ID a part of the key.
type Seen interface {
	// Claim claims an event and returns true, or returns false if the event was
	// handled before. If another process holds a claim, it returns an error that
	// matches ErrClaimed. After any error the service retries the delivery.
	//
	// A process that dies leaves its claims behind, and the service retries for a few seconds
	// only. Claims should expire soon after the longest time that Handle takes, or after some 3
	// seconds if the store is a Renewer.
	Claim(ctx context.Context, e *Event) (bool, error)

	// Done ends a claim and records the event as handled. It is called again for some seconds if
	// it fails. Keep the record for a few minutes, since the service retries for a few seconds.
	// With Backfill, keep it as long as a backfill may reach back.
	Done(ctx context.Context, e *Event) error

	// Release ends a claim without recording the event, so that the next delivery can
	// claim it. Failure says why, in printable ASCII of at most 200 bytes.
	Release(ctx context.Context, e *Event, failure string) error
}

// A Renewer is a [Seen] whose claims can be renewed. A claim then lasts while Handle runs, up to
// about a minute, and expires soon after its process has died.
type Renewer interface {
	Seen

	// Renew renews a claim. It is called twice a second while Handle runs. Its errors are
	// logged, and Handle continues.
	Renew(ctx context.Context, e *Event) error
}

// ErrClaimed is the error of [Seen].Claim for an event that another process is
// handling. It is not logged as a failure.
var ErrClaimed = errors.New("another process is handling the event")

// flights are events being handled, by signature, or webhooks being changed, by ID. A duplicate
// waits for the outcome.
type flights struct{ all sync.Map }

// enter waits until nothing with the key is in flight, at most until ctx ends.
func (f *flights) enter(ctx context.Context, key any) error {
	own := make(chan struct{}) // closed at the end
	for {
		other, flies := f.all.LoadOrStore(key, own)
		if !flies {
			return nil
		}
		select {
		case <-other.(chan struct{}): //nolint:forcetypeassert,errcheck // nothing else is stored there
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (f *flights) leave(key any) {
	own, _ := f.all.LoadAndDelete(key)
	close(own.(chan struct{})) //nolint:forcetypeassert,errcheck // nothing else is stored there
}

// generation is how often a Receiver without Seen forgets events that have been done for as long.
const generation = 10 * time.Minute

// memory is the Seen of a Receiver or backfill that has none. The Receiver claims an event once
// at a time.
type memory struct {
	forget bool // whether to delete events after one to two generations

	mu     sync.Mutex
	turned time.Time
	done   map[types.Signature]time.Time
}

func (m *memory) Claim(_ context.Context, e *Event) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if now := time.Now(); m.forget && now.Sub(m.turned) >= generation {
		m.turned = now
		maps.DeleteFunc(m.done, func(_ types.Signature, at time.Time) bool { return now.Sub(at) > generation })
	}
	_, known := m.done[e.Signature]
	return !known, nil
}

func (m *memory) Done(_ context.Context, e *Event) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done[e.Signature] = time.Now()
	return nil
}

func (m *memory) Release(context.Context, *Event, string) error { return nil }
