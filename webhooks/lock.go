package webhooks

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/solwire/solwire-go/internal/argument"
)

// locks lets calls that change the same webhook run one after another. It
// holds an entry only for webhooks that are being changed.
type locks struct {
	mu   sync.Mutex
	byID map[string]*lock
}

type lock struct {
	turn  chan struct{} // full while someone has the lock
	users int           // who has it or waits for it
}

// lock waits for the lock of a webhook, at most until ctx ends. Errors begin
// with the request that is to follow.
func (l *locks) lock(ctx context.Context, method, id string) (unlock func(), err error) {
	op := method + " " + path(id)
	if ctx == nil {
		return nil, fmt.Errorf("%s: %w", op, argument.Invalid("ctx", "nil"))
	}
	id = strings.ToLower(id)
	k := l.enter(id)
	unlock = func() {
		<-k.turn
		l.leave(id, k)
	}
	select {
	case k.turn <- struct{}{}: // at once, though ctx may be over
		return unlock, nil
	default:
	}
	select {
	case k.turn <- struct{}{}:
		return unlock, nil
	case <-ctx.Done():
		l.leave(id, k)
		return nil, fmt.Errorf("%s: waiting for another change of the webhook: %w", op, reason(ctx))
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

// reason is why ctx is done, with the cause that its owner gave.
func reason(ctx context.Context) error {
	if cause := context.Cause(ctx); !errors.Is(ctx.Err(), cause) {
		return fmt.Errorf("%w: %w", ctx.Err(), cause)
	}
	return ctx.Err()
}
