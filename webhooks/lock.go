package webhooks

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/internal/wait"
)

// locks serializes the changes of each webhook. It has an entry only for webhooks
// that are being changed.
type locks struct {
	mu   sync.Mutex
	byID map[string]*lock
}

type lock struct {
	turn  chan struct{} // full while the lock is held
	users int           // holders and waiters
}

// lock checks the arguments of op and acquires the lock of the webhook. Invalid are further
// reasons why an argument is invalid.
func (c *Client) lock(ctx context.Context, op transport.Op, id string, invalid ...error) (unlock func(), err error) {
	if err := c.api.Check(op, append([]error{checkContext(ctx), checkID(id)}, invalid...)...); err != nil {
		return nil, err
	}
	return c.locks.lock(ctx, op, id)
}

// lock acquires the lock of a webhook, or fails when ctx ends first. The error
// begins with op.
func (l *locks) lock(ctx context.Context, op transport.Op, id string) (unlock func(), err error) {
	id = strings.ToLower(id)
	k := l.enter(id)
	unlock = func() {
		<-k.turn
		l.leave(id, k)
	}
	select {
	case k.turn <- struct{}{}: // a free lock is taken even if ctx has ended, so that the call reports it
		return unlock, nil
	default:
	}
	select {
	case k.turn <- struct{}{}:
		return unlock, nil
	case <-ctx.Done():
		l.leave(id, k)
		return nil, fmt.Errorf("%s: waiting for another change of the webhook: %w", op, wait.Ended(ctx))
	}
}

func (l *locks) enter(id string) *lock {
	l.mu.Lock()
	defer l.mu.Unlock()
	k := l.byID[id]
	if k == nil {
		k = &lock{turn: make(chan struct{}, 1)}
		if l.byID == nil {
			l.byID = make(map[string]*lock)
		}
		l.byID[id] = k
	}
	k.users++
	return k
}

func (l *locks) leave(id string, k *lock) {
	l.mu.Lock()
	defer l.mu.Unlock()
	k.users--
	if k.users == 0 {
		delete(l.byID, id)
	}
}
