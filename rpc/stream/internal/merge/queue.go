package merge

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
)

// ErrOverflow is the reason of a gap that a slow loop caused.
var ErrOverflow = errors.New("the loop is slower than the stream")

// A Queue holds live items until the loop takes them. Its methods never block, so that
// one reader can serve many queues. When it is full it drops items and remembers a break,
// which the loop fills from the history.
type Queue[T any] struct {
	maxItems, maxBytes int

	mu       sync.Mutex
	entries  []*entry[T]
	bytes    int
	dropping bool // since the queue is full, until the loop reaches the break
	err      error
	first    uint64        // the first pulse of all
	pulse    uint64        // the last pulse since the last break; 0 means none yet
	wake     chan struct{} // has an element after a change
}

// An entry is an item, or a break if the reason is set.
type entry[T any] struct {
	item   Item[T]
	reason error
	doubt  bool // one item could not be read; others arrive
}

// NewQueue returns a Queue that holds at most items and bytes.
func NewQueue[T any](items, bytes int) *Queue[T] {
	return &Queue[T]{maxItems: items, maxBytes: bytes, wake: make(chan struct{}, 1)}
}

// Push adds a live item.
func (q *Queue[T]) Push(item Item[T]) {
	q.mu.Lock()
	defer q.changed()
	switch {
	case q.dropping:
	case len(q.entries) >= q.maxItems || q.bytes+item.Size > q.maxBytes && len(q.entries) > 0:
		q.dropping = true
		q.breakOff(&entry[T]{reason: ErrOverflow})
	default:
		q.entries = append(q.entries, &entry[T]{item: item})
		q.bytes += item.Size
	}
}

// Break says that items may be missing from now on, until the next Pulse.
func (q *Queue[T]) Break(reason error) {
	q.mu.Lock()
	defer q.changed()
	q.pulse = 0
	q.breakOff(&entry[T]{reason: reason})
}

// Doubt says that one item could not be read.
func (q *Queue[T]) Doubt(reason error) {
	q.mu.Lock()
	defer q.changed()
	q.breakOff(&entry[T]{reason: reason, doubt: true})
}

func (q *Queue[T]) breakOff(e *entry[T]) {
	n := len(q.entries)
	switch {
	case n == 0 || q.entries[n-1].reason == nil:
		q.entries = append(q.entries, e)
	case !e.doubt:
		q.entries[n-1].doubt = false
	}
}

// Pulse says that the source delivers all items of slots after this one. It is to be
// called again and again, also without items.
func (q *Queue[T]) Pulse(slot uint64) {
	q.mu.Lock()
	defer q.changed()
	q.pulse = max(q.pulse, slot)
	if q.first == 0 {
		q.first = slot
	}
}

// Fail ends the stream with an error, after the items that are held.
func (q *Queue[T]) Fail(err error) {
	q.mu.Lock()
	defer q.changed()
	if q.err == nil {
		q.err = err
	}
}

// changed unlocks the queue and wakes the loop.
func (q *Queue[T]) changed() {
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// take removes the first entry: any for math.MaxUint64, otherwise an item of a slot before
// below. Reaching the break of a full queue makes room again; what arrives from
// then on is complete after the next pulse.
func (q *Queue[T]) take(below uint64) (e *entry[T], ok bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.entries) == 0 {
		return nil, false, q.err
	}
	if e = q.entries[0]; below != math.MaxUint64 && (e.reason != nil || e.item.Slot >= below) {
		return nil, false, nil
	}
	q.entries[0] = nil
	if q.entries = q.entries[1:]; len(q.entries) == 0 {
		q.entries = nil
	}
	q.bytes -= e.item.Size
	if len(q.entries) == 0 && q.dropping {
		q.dropping, q.pulse = false, 0
	}
	return e, true, nil
}

// complete waits until the source delivers, and returns the last slot that it may have
// missed. Breaks before are covered by it and removed.
func (q *Queue[T]) complete(ctx context.Context) (slot uint64, err error) {
	for {
		q.mu.Lock()
		slot, err = q.pulse, q.err
		if slot != 0 {
			n := len(q.entries)
			if q.dropping {
				n-- // the break of the full queue is still to come
			}
			rest := slices.DeleteFunc(q.entries[:n:n], func(e *entry[T]) bool { return e.reason != nil })
			q.entries = append(rest, q.entries[n:]...)
		}
		q.mu.Unlock()
		if slot != 0 || err != nil {
			return slot, err
		}
		select {
		case <-q.wake:
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		}
	}
}

// told returns the first slot that the source told and the last one since the last break,
// 0 before it, and the error that ends the stream.
func (q *Queue[T]) told() (first, last uint64, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.first, q.pulse, q.err
}
