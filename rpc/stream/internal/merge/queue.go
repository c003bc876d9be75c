package merge

import (
	"cmp"
	"errors"
	"slices"
	"sync"
)

// ErrOverflow is the reason of a gap that a slow loop caused.
var ErrOverflow = errors.New("the loop is slower than the stream")

// A Queue holds live items until the loop takes them. Its methods never block, so that one reader
// can serve many queues. A full Queue drops items and has a break in their place.
type Queue[T any] struct {
	maxItems, maxBytes int

	mu      sync.Mutex
	entries []*entry[T]
	bytes   int
	source
	wake chan struct{} // has an element after a change
}

// A source is the state of the live source.
type source struct {
	first uint64 // the first pulse of all; 0 before it
	pulse uint64 // the highest pulse since the last break; 0 before it
	err   error  // the end of the stream
}

// An entry is an item, or a break if the reason is set.
type entry[T any] struct {
	item   Item[T]
	reason error
}

// NewQueue returns a Queue that holds at most items and bytes.
func NewQueue[T any](items, bytes int) *Queue[T] {
	return &Queue[T]{maxItems: items, maxBytes: bytes, wake: make(chan struct{}, 1)}
}

// Push adds a live item.
func (q *Queue[T]) Push(item Item[T]) {
	q.mu.Lock()
	defer q.changed()
	if len(q.entries) >= q.maxItems || q.bytes+item.Size > q.maxBytes && len(q.entries) > 0 {
		q.breakOff(ErrOverflow)
		return
	}
	q.entries = append(q.entries, &entry[T]{item: item})
	q.bytes += item.Size
}

// Break says that items may be missing from now on, until the next Pulse. Before the first item
// and Pulse, nothing can be missing.
func (q *Queue[T]) Break(reason error) {
	q.mu.Lock()
	defer q.changed()
	q.pulse = 0
	if q.first != 0 || len(q.entries) > 0 {
		q.breakOff(reason)
	}
}

func (q *Queue[T]) breakOff(reason error) {
	if n := len(q.entries); n == 0 || q.entries[n-1].reason == nil {
		q.entries = append(q.entries, &entry[T]{reason: reason})
	}
}

// Pulse says that the source delivers all items of later slots. It is called again and again, also
// without items.
func (q *Queue[T]) Pulse(slot uint64) {
	q.mu.Lock()
	defer q.changed()
	q.pulse = max(q.pulse, slot)
	q.first = cmp.Or(q.first, slot)
}

// Fail ends the stream with an error, after the items in the Queue.
func (q *Queue[T]) Fail(err error) {
	q.mu.Lock()
	defer q.changed()
	q.err = cmp.Or(q.err, err)
}

// changed unlocks the queue and wakes the loop.
func (q *Queue[T]) changed() {
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// take removes the first entry, nil if there is none.
func (q *Queue[T]) take() (*entry[T], error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.entries) == 0 {
		return nil, q.err
	}
	e := q.entries[0]
	q.entries[0] = nil
	if q.entries = q.entries[1:]; len(q.entries) == 0 {
		q.entries = nil
	}
	q.bytes -= e.item.Size
	return e, nil
}

// complete returns the slot after which the source delivers all items, and 0 during a break. It
// removes the earlier breaks.
func (q *Queue[T]) complete() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.pulse != 0 {
		q.entries = slices.DeleteFunc(q.entries, func(e *entry[T]) bool { return e.reason != nil })
	}
	return q.pulse
}

func (q *Queue[T]) state() source {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.source
}
