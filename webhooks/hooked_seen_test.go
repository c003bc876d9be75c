package webhooks_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

// A hookedSeen is a Seen whose claims hold for three seconds. It calls a hook before each
// statement, whose error is returned.
type hookedSeen struct {
	*claims
	hook *atomic.Pointer[hook]
}

// claims are the claims of several processes.
type claims struct {
	mu  sync.Mutex
	all map[types.Signature]*claimOf
}

type claimOf struct {
	owner *hookedSeen
	until time.Time
	done  bool
}

type hook func(ctx context.Context, call string) error

// newSeen returns a Seen of a new store.
func newSeen() *hookedSeen {
	return &hookedSeen{&claims{all: make(map[types.Signature]*claimOf)}, new(atomic.Pointer[hook])}
}

// seen returns a Seen as another process has it.
func (s *hookedSeen) seen() *hookedSeen { return &hookedSeen{s.claims, s.hook} }

// set sets the hook; nil ends it.
func (s *hookedSeen) set(h hook) { s.hook.Store(&h) }

// fail makes a call fail.
func (s *hookedSeen) fail(call, text string) {
	s.set(func(_ context.Context, c string) error {
		if c == call {
			return errors.New(text)
		}
		return nil
	})
}

// state returns whether sig1 is new, open or done.
func (s *hookedSeen) state() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch c := s.all[sig1]; {
	case c == nil:
		return "new"
	case c.done:
		return "done"
	}
	return "open"
}

// call calls f with the claim of an event, after the hook.
func (s *hookedSeen) call(ctx context.Context, name string, e *webhooks.Event, f func(*claimOf) error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if h := s.hook.Load(); h != nil && *h != nil {
		if err := (*h)(ctx, name); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all[e.Signature] == nil {
		s.all[e.Signature] = new(claimOf)
	}
	return f(s.all[e.Signature])
}

func (s *hookedSeen) Claim(ctx context.Context, e *webhooks.Event) (isNew bool, err error) {
	err = s.call(ctx, "Claim", e, func(c *claimOf) error {
		if !c.done && time.Now().Before(c.until) {
			return webhooks.ErrClaimed
		}
		isNew, c.owner, c.until = !c.done, s, time.Now().Add(3*time.Second)
		return nil
	})
	return isNew, err
}

func (s *hookedSeen) Renew(ctx context.Context, e *webhooks.Event) error {
	return s.call(ctx, "Renew", e, func(c *claimOf) error {
		if c.owner != s {
			return webhooks.ErrClaimed
		}
		c.until = time.Now().Add(3 * time.Second)
		return nil
	})
}

func (s *hookedSeen) Done(ctx context.Context, e *webhooks.Event) error {
	return s.call(ctx, "Done", e, func(c *claimOf) error { c.done = true; return nil })
}

func (s *hookedSeen) Release(ctx context.Context, e *webhooks.Event, _ string) error {
	return s.call(ctx, "Release", e, func(c *claimOf) error {
		if c.owner == s {
			c.until = time.Time{}
		}
		return nil
	})
}
