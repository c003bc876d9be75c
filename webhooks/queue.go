package webhooks

import (
	"context"
	"fmt"
	"sync"
)

// A queue hands events over to workers, which run until it is drained.
type queue struct {
	events  chan *Event
	work    func(context.Context, *Event)
	workers sync.WaitGroup
	cancel  context.CancelFunc // of the workers

	mu     sync.RWMutex // held for writing to close
	closed bool
}

//nolint:contextcheck,nolintlint // its events outlive the requests that brought them; the linter asks for this at callers only
func newQueue(size, workers int, work func(context.Context, *Event)) *queue {
	ctx, cancel := context.WithCancel(context.Background())
	q := &queue{events: make(chan *Event, size), work: work, cancel: cancel}
	for range workers {
		q.workers.Go(func() { q.run(ctx) }) // ends when drain closes the channel
	}
	return q
}

// run handles what is in the queue until that is closed and empty. Each event
// has a goroutine of its own, since a callback may end that.
func (q *queue) run(ctx context.Context) {
	for e := range q.events {
		var one sync.WaitGroup
		one.Go(func() { q.work(ctx, e) })
		one.Wait()
	}
}

// put reports whether there was room for e.
func (q *queue) put(e *Event) bool {
	q.mu.RLock()
	defer q.mu.RUnlock()
	if q.closed {
		return false
	}
	select {
	case q.events <- e:
		return true
	default:
		return false
	}
}

// drain waits until the workers are done with the queue. When ctx ends first,
// it gives up what is left.
func (q *queue) drain(ctx context.Context) error {
	q.mu.Lock()
	if !q.closed {
		q.closed = true
		close(q.events)
	}
	q.mu.Unlock()
	done := make(chan struct{})
	go func() { // ends with the last callback
		q.workers.Wait()
		close(done)
	}()
	select {
	case <-done:
		q.cancel()
		return nil
	case <-ctx.Done():
	}
	q.cancel()
	q.run(ctx)
	return fmt.Errorf("events of the queue are not handled: %w", reason(ctx))
}
