package webhooks

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// grace is how long callbacks have to return after Shutdown has given up.
const grace = 2 * time.Second

// A queue passes events to workers, which run until it is drained.
type queue struct {
	events  chan *Event
	left    atomic.Int64 // events that are waiting or being handled
	work    func(context.Context, *Event)
	workers sync.WaitGroup
	cancel  context.CancelFunc // of the workers

	mu     sync.RWMutex // held for writing to close
	closed bool
}

//nolint:contextcheck,nolintlint // events outlive their requests; the linter reports it at callers only
func newQueue(size, workers int, work func(context.Context, *Event)) *queue {
	ctx, cancel := context.WithCancel(context.Background())
	q := &queue{events: make(chan *Event, size), work: work, cancel: cancel}
	for range workers {
		q.workers.Go(func() { q.run(ctx) }) // ends when drain closes the channel
	}
	return q
}

// run handles events until the queue is closed and empty, each in a new goroutine,
// since a callback may call runtime.Goexit.
func (q *queue) run(ctx context.Context) {
	for e := range q.events {
		var one sync.WaitGroup
		one.Go(func() { q.work(ctx, e) })
		one.Wait()
		q.left.Add(-1)
	}
}

// put reports whether there was room for e.
func (q *queue) put(e *Event) bool {
	q.mu.RLock()
	defer q.mu.RUnlock()
	if q.closed {
		return false
	}
	q.left.Add(1)
	select {
	case q.events <- e:
		return true
	default:
		q.left.Add(-1)
		return false
	}
}

// drain waits until the workers have handled the queue. If ctx ends first, it ends their
// context and skips the remaining events.
func (q *queue) drain(ctx context.Context) error {
	q.mu.Lock()
	if !q.closed {
		q.closed = true
		close(q.events)
	}
	q.mu.Unlock()
	defer q.cancel()
	done := make(chan struct{})
	go func() { // ends with the last callback
		q.workers.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	}
	if q.left.Load() == 0 {
		return nil
	}
	q.cancel()
	told := make(chan struct{})
	go func() { // ends with the last callback
		q.run(ctx) // instead of workers that are stuck
		<-done
		close(told)
	}()
	select {
	case <-told:
	case <-time.After(grace):
	}
	return fmt.Errorf("webhooks.Receiver.Shutdown: events in the queue were not handled: %w", reason(ctx))
}
