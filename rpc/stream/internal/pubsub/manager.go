// Package pubsub keeps JSON-RPC subscriptions over WebSocket connections that it opens,
// watches and replaces. It does not read the notifications.
//
// manager.go assigns subscriptions to connections, connection.go keeps a connection open, and
// session.go speaks JSON-RPC over one socket.
package pubsub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/solwire/solwire-go/internal/transport"
)

// A Sink receives the notifications of a subscription. Its methods must neither block nor call the
// Manager. They may be called after the subscription was cancelled.
type Sink interface {
	Notify(result json.RawMessage) // the result member of a notification
	Pulse(slot uint64)             // the connection is alive, and complete after this slot
	Break(reason error)            // notifications may be missing until the next Pulse
	Fail(err error)                // the subscription has ended
}

// Options are the options of a Manager.
type Options struct {
	API *transport.Client

	// Dial opens a connection. End ends all its reads and writes at once.
	Dial  func(ctx context.Context) (ws *websocket.Conn, end func() error, err error)
	Slot  func(ctx context.Context) (uint64, error) // the current slot of another node
	Final func(err error, worked bool) error        // a permanent error with advice; nil for others

	BytesPerCredit   int // math.MaxInt means that bytes cost nothing
	MaxConnections   int
	MaxSubscriptions int // per connection, with the slotSubscribe that each has
	Logger           *slog.Logger
}

// A Manager has the connections of a client. It is safe for concurrent use.
type Manager struct {
	opts    Options
	ctx     context.Context //nolint:containedctx // of the connections
	cancel  context.CancelCauseFunc
	running sync.WaitGroup

	mu          sync.Mutex
	connections []*connection
}

// ErrClosed is the cause of a context that ends with a closed Manager.
var ErrClosed = errors.New("the client is closed")

// New returns a Manager without connections.
func New(opts Options) *Manager {
	m := &Manager{opts: opts}
	m.ctx, m.cancel = context.WithCancelCause(context.Background())
	return m
}

// Close ends the contexts of Subscribe and waits for the connections to close.
func (m *Manager) Close() {
	m.mu.Lock()
	m.cancel(ErrClosed) // no connection is opened after it
	m.mu.Unlock()
	m.running.Wait()
}

// A Status is the state of a connection.
type Status struct {
	Since         time.Time // zero while it is not connected
	Slot, Behind  uint64
	Subscriptions int
	Reconnects    int
	Reason        error // of the last disconnect
}

// Status returns the states of the connections.
func (m *Manager) Status() []Status {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := make([]Status, len(m.connections))
	for i, c := range m.connections {
		list[i] = c.status()
	}
	return list
}

// Subscribe starts a subscription with positional params. Calling end ends it, without waiting. The
// returned context ends with ctx, and when the Manager closes: Close does not call Sink.Fail.
func (m *Manager) Subscribe(ctx context.Context, method string, params []any, sink Sink) (_ context.Context, end func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(m.ctx, func() { cancel(ErrClosed) })
	s := &subscription{method: method, params: append([]any{}, params...), sink: sink}
	m.mu.Lock()
	defer m.mu.Unlock()
	c, err := m.assign(s)
	if err != nil {
		sink.Fail(err)
	}
	return ctx, func() {
		stop()
		cancel(nil)
		if c != nil {
			m.end(c, nil, s)
		}
	}
}

// assign adds a subscription to a connection that has room for it, or to a new one.
func (m *Manager) assign(s *subscription) (*connection, error) {
	if m.ctx.Err() != nil {
		return nil, ErrClosed
	}
	for _, c := range m.connections {
		if c.status().Subscriptions+1 < m.opts.MaxSubscriptions {
			c.add(s)
			return c, nil
		}
	}
	if len(m.connections) >= m.opts.MaxConnections {
		return nil, fmt.Errorf("%d connections with %d subscriptions each are in use; raise types.Config.MaxWebSockets if the plan allows it", m.opts.MaxConnections, m.opts.MaxSubscriptions)
	}
	c := &connection{m: m, opts: &m.opts, wake: make(chan struct{}, 1), subs: map[*subscription]bool{}}
	c.ctx, c.cancel = context.WithCancel(m.ctx)
	c.reset()
	c.add(s)
	m.connections = append(m.connections, c)
	m.running.Go(c.run)
	return c, nil
}

// end ends some subscriptions of a connection, or all if some is empty. A non-nil err is the error
// of their sinks. The server is told at once, or after its answer to the request. The connection
// ends with its last subscription.
func (m *Manager) end(c *connection, err error, some ...*subscription) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if some == nil {
		some = slices.Collect(maps.Keys(c.subs))
	}
	for _, s := range some {
		if !c.subs[s] {
			continue
		}
		delete(c.subs, s)
		if s.state == answered {
			c.unsubscribe(s)
		}
		if err != nil {
			s.sink.Fail(err)
		}
	}
	if len(c.subs) == 0 {
		m.connections = slices.DeleteFunc(m.connections, func(other *connection) bool { return other == c })
		c.cancel()
	}
}
