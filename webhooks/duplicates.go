package webhooks

import (
	"context"
	"sync"
	"time"

	"github.com/solwire/solwire-go/types"
)

// Seen remembers which events were handled. One on a database lets several
// processes, or one after its restart, share what they know; the one that a
// [Receiver] has by itself forgets with the process.
//
// The methods are called by many goroutines at once, each for another
// signature. Webhooks that share a store must have keys of their own, such as
// the webhook's ID and the signature: two webhooks may deliver the same
// transaction.
type Seen interface {
	// Claim reports whether the event is new, and then makes it the caller's
	// to handle. It returns false when the event was handled before. When
	// another process has claimed it and is not done yet, or the store cannot
	// tell, it returns an error: the service is told to try again.
	//
	// A process that dies leaves its claims behind, and the service tries again
	// for a few seconds only. So a claim should lapse by itself soon after the
	// longest time that Handle takes.
	Claim(ctx context.Context, signature types.Signature) (bool, error)

	// Done ends a claim and remembers the event as handled. The service tries
	// again for some seconds, so some minutes of memory are enough.
	Done(ctx context.Context, signature types.Signature) error

	// Release ends a claim whose event was not handled, so that the next
	// delivery of it is new.
	Release(ctx context.Context, signature types.Signature) error
}

// generation is how long the younger half of a memory grows. Events are
// remembered for one to two of it.
const generation = 10 * time.Minute

// A memory is the Seen of one process. An entry takes about 94 bytes.
type memory struct {
	mu         sync.Mutex
	turned     time.Time
	young, old map[[64]byte]struct{}
}

func (m *memory) Claim(_ context.Context, signature types.Signature) (bool, error) {
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

// Release has nothing to do: what is in flight is known to the receiver.
func (m *memory) Release(context.Context, types.Signature) error { return nil }

// turn starts a new generation when it is time.
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

// flights are the events that are being handled. A duplicate waits for the
// outcome of the one before it.
type flights struct {
	mu   sync.Mutex
	ends map[types.Signature]chan struct{}
}

// enter waits until nobody else handles the event, at most until ctx ends.
func (f *flights) enter(ctx context.Context, signature types.Signature) error {
	for {
		f.mu.Lock()
		end, busy := f.ends[signature]
		if !busy {
			if f.ends == nil {
				f.ends = make(map[types.Signature]chan struct{})
			}
			f.ends[signature] = make(chan struct{})
			f.mu.Unlock()
			return nil
		}
		f.mu.Unlock()
		select {
		case <-end:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (f *flights) leave(signature types.Signature) {
	f.mu.Lock()
	defer f.mu.Unlock()
	close(f.ends[signature])
	delete(f.ends, signature)
}
