package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/rpc/stream/internal/merge"
	"github.com/solwire/solwire-go/rpc/stream/internal/pubsub"
	"github.com/solwire/solwire-go/types"
)

// A Status is the state of a [Client].
type Status struct {
	Connections []ConnectionStatus
	Loops       []LoopStatus // in the order in which they began

	CreditsSpent uint64    // spent on histories, an upper bound
	FillsAt      time.Time // when the loops have credits for histories again; zero means now
}

// A ConnectionStatus is the state of a connection.
type ConnectionStatus struct {
	Since         time.Time // when its first slot came; zero while it is not connected
	Slot          uint64    // its latest slot; 0 while it is not connected
	Behind        uint64    // slots behind another node, compared once a minute
	Subscriptions int       // of loops
	Reconnects    int       // attempts to connect again
	Reason        error     // of the last disconnect or failed attempt; nil for none
}

// A LoopStatus is the state of a loop, or of a call of [Client.Confirm] or [Client.Send].
type LoopStatus struct {
	Op      string // the WebSocket method, such as logsSubscribe
	Slot    uint64 // of the last event; 0 for none
	Resume  uint64 // of the last event; 0 for none
	Filling *Gap   // the part of a gap that is not filled yet; nil for none

	Unreadable uint64 // events with an Err

	// Reason says why the loop gets no events: it is not connected, or its history fails or waits
	// for credits. Nil while it gets events.
	Reason error
}

// Status returns the state of the connections and loops.
func (c *Client) Status() Status {
	var s Status
	for _, m := range c.managers {
		for _, connection := range m.Status() {
			s.Connections = append(s.Connections, ConnectionStatus(connection))
		}
	}
	s.CreditsSpent, s.FillsAt = c.budget.status()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range c.loops {
		s.Loops = append(s.Loops, l.status())
	}
	return s
}

// A loop records its state, and passes the calls of its subscription on to its Sink.
type loop struct {
	pubsub.Sink

	budget *budget

	mu     sync.Mutex
	now    LoopStatus
	broken error // the reason of the last break, until the next pulse
	failed error // the last error of the history, until it has been read
}

// run subscribes while f runs. The context of f ends with ctx, and when the Manager closes. Invalid
// arguments and a nil context are refused.
func (c *Client) run(ctx context.Context, s subscription, sink pubsub.Sink, f func(context.Context, *loop) error) error {
	if err := c.check(ctx, s.op, s.invalid); err != nil {
		return err
	}
	if err := wait.Ended(ctx); err != nil {
		return fmt.Errorf("%s: %w", s.op, err)
	}
	l := &loop{Sink: sink, budget: &c.budget, now: LoopStatus{Op: s.op.Wire}}
	ctx, end := cmp.Or(s.subs, c.subs).Subscribe(ctx, s.op.Wire, s.params, l)
	defer end()
	c.mu.Lock()
	c.loops = append(c.loops, l)
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.loops = slices.DeleteFunc(c.loops, func(other *loop) bool { return other == l })
	}()
	return l.explain(f(ctx, l))
}

// check returns the error of an argument, of a nil context, or of a client that is not made.
func (c *Client) check(ctx context.Context, op transport.Op, invalid error) error {
	if ctx == nil {
		invalid = cmp.Or(invalid, argument.Invalid("ctx", "is nil"))
	}
	return c.api.Check(op, invalid)
}

func (l *loop) Break(reason error) {
	l.setBroken(reason)
	l.Sink.Break(reason)
}

func (l *loop) Pulse(slot uint64) {
	l.setBroken(nil)
	l.Sink.Pulse(slot)
}

func (l *loop) status() LoopStatus {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.now
	s.Reason = cmp.Or(l.broken, l.failed)
	if _, until := l.budget.status(); s.Reason == nil && s.Filling != nil && !until.IsZero() {
		s.Reason = errSpent
	}
	return s
}

func (l *loop) event(p *Position) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now.Slot, l.now.Resume = p.Slot, p.Resume
	if p.Err != nil {
		l.now.Unreadable++
	}
}

func (l *loop) setBroken(reason error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.broken = reason
}

func (l *loop) filling(g *merge.Gap, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now.Filling, l.failed = (*Gap)(g), err
}

// explain adds to the error of a loop its method, and why it had no new events.
func (l *loop) explain(err error) error {
	if err == nil {
		return nil
	}
	s := l.status()
	if s.Reason != nil && err.Error() != s.Reason.Error() {
		err = fmt.Errorf("%w (last: %v)", err, s.Reason) //nolint:errorlint // it is not the cause
	}
	if errors.As(err, new(*types.APIError)) { // which names it
		return err
	}
	return fmt.Errorf("%s: %w", s.Op, err)
}
