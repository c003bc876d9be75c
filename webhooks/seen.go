package webhooks

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/solwire/solwire-go/types"
)

// Seen remembers the handled events. By default, a [Receiver] remembers them in memory. Implement
// Seen on a database to remember them across processes and restarts; package
// webhooks/keeper/sqlstore does.
//
// No Seen can rule out that an event is handled twice. Between Handle and Done, a process may die,
// stall for longer than its claim holds, or lose the database. Make Handle idempotent, such
// as by a primary key on the signature.
//
// Only Signature and Slot of an event are sure to be set. A Receiver calls the methods
// concurrently, but for one signature one after the other. They return soon after their context
// has ended. If two webhooks share a database and both need the events that both deliver, make
// the ID of the webhook a part of the key.
type Seen interface {
	// Claim claims an event and returns true, or returns false if the event was
	// handled before. If another process has claimed it, the error matches ErrClaimed.
	// After any error, the service delivers the event again.
	//
	// A claim should expire soon after the longest time that Handle takes, or after some 3 seconds
	// with a Renewer. Otherwise a process that dies keeps others from handling the event, and the
	// service delivers it for a few seconds only.
	Claim(ctx context.Context, e *Event) (bool, error)

	// Done ends a claim and records the event as handled. It is called again for some seconds if
	// it fails. Keep the record for a few minutes, or for as long as a Backfill may reach back.
	Done(ctx context.Context, e *Event) error

	// Release ends a claim after Handle failed, so that the next delivery can claim the event.
	// Failure is the error of Handle, in printable ASCII of at most 200 bytes.
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
// handling. It is not logged.
var ErrClaimed = errors.New("another process is handling the event")

// flights has the signatures of events that are being handled, or the IDs of webhooks that are
// being changed. A second caller waits for the first one.
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

// Once per generation, a Receiver without Seen forgets events that are older than a generation.
const generation = 10 * time.Minute

// memory is the default Seen of a Receiver or Backfill. It has no claims, since the Receiver
// handles an event only once at a time.
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
