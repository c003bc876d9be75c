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
		q.workers.Go(func() { // ends when drain closes the channel
			for e := range q.events {
				work(ctx, e)
			}
		})
	}
	return q
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
	for e := range q.events {
		q.work(ctx, e)
	}
	return fmt.Errorf("events of the queue are not handled: %w", reason(ctx))
}
