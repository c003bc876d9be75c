// Package pubsub keeps JSON-RPC subscriptions over WebSocket connections that it opens,
// watches and replaces. It knows nothing of what the notifications contain.
//
// manager.go assigns subscriptions to connections, connection.go runs a connection, and
// frame.go reads messages.
package pubsub

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// A Sink receives what a subscription delivers. Its methods must not block. They may be
// called after the subscription was cancelled.
type Sink interface {
	Notify(result json.RawMessage) // the result member of a notification
	Pulse(slot uint64)             // the connection is alive, and complete after this slot
	Break(reason error)            // notifications may be missing until the next Pulse
	Fail(err error)                // the subscription has ended
}

// Options are the options of a Manager.
type Options struct {
	// Dial opens a connection, and returns what ends all its reads and writes at once.
	Dial    func(ctx context.Context) (ws *websocket.Conn, end func() error, err error)
	Slot    func(ctx context.Context) (uint64, error)       // the current slot, from elsewhere
	Refusal func(method string, params, frame []byte) error // the error in the answer to a request
	Final   func(err error, worked bool) error              // the error with what to do if dialing again is useless; nil for others
	Retry   func(err error) bool                            // whether a refused request may be repeated
	Clean   func(err error) error                           // hides secrets that the server may have sent back
	Charge  func(op string, credits uint64)                 // counts credits

	BytesPerCredit   int // 0 means that bytes cost nothing
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

// ErrClosed is the reason for which a closed Manager fails subscriptions.
var ErrClosed = errors.New("the client is closed")

// New returns a Manager without connections.
func New(opts Options) *Manager {
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	m := &Manager{opts: opts}
	m.ctx, m.cancel = context.WithCancelCause(context.Background())
	return m
}

// Bind returns a context that ends when the Manager closes too.
func (m *Manager) Bind(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(m.ctx, func() { cancel(ErrClosed) })
	return ctx, func() { stop(); cancel(nil) }
}

// Close ends all subscriptions and waits for the connections to close.
func (m *Manager) Close() {
	m.cancel(ErrClosed)
	m.mu.Lock()
	list := slices.Clone(m.connections)
	m.mu.Unlock()
	for _, c := range list {
		m.endAll(c, ErrClosed)
	}
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

// A subscription is a request that each connection begins with, and where its
// notifications go.
type subscription struct {
	method string
	params json.RawMessage
	sink   Sink
	conn   *connection

	// Guarded by the lock of the connection.
	id         uint64
	answered   bool
	removed    bool
	unanswered int // connections in a row that ended before the answer
	blamed     int // of these, the ones on which nothing else was waiting
	blamedAt   time.Time
}

// equal reports whether a server may give both one id.
func (s *subscription) equal(other *subscription) bool {
	return s.method == other.method && bytes.Equal(s.params, other.params)
}

// notification returns the method of the notifications of a method.
func notification(method string) string {
	return strings.TrimSuffix(method, "Subscribe") + "Notification"
}

// Subscribe starts a subscription and returns the function that ends it, which does not
// wait. Params are its positional params.
func (m *Manager) Subscribe(method string, params []any, sink Sink) (cancel func()) {
	if params == nil {
		params = []any{}
	}
	encoded, err := json.Marshal(params)
	if err != nil {
		sink.Fail(err)
		return func() {}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ctx.Err() != nil {
		sink.Fail(ErrClosed)
		return func() {}
	}
	c := m.room()
	if c == nil {
		sink.Fail(fmt.Errorf("%d connections with %d subscriptions each are in use; raise types.Config.MaxWebSockets if the plan allows it", m.opts.MaxConnections, m.opts.MaxSubscriptions))
		return func() {}
	}
	s := &subscription{method: method, params: encoded, conn: c, sink: sink}
	c.add(s)
	return sync.OnceFunc(func() { m.end(s, nil) })
}

// room returns a connection for another subscription; nil if all are full.
func (m *Manager) room() *connection {
	for _, c := range m.connections {
		if c.users()+1 < m.opts.MaxSubscriptions {
			return c
		}
	}
	if len(m.connections) >= m.opts.MaxConnections {
		return nil
	}
	c := newConnection(m)
	m.connections = append(m.connections, c)
	m.running.Go(c.run)
	return c
}

// end ends a subscription, with an error if the user did not. The last one closes its
// connection.
func (m *Manager) end(s *subscription, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s.conn.drop(s) && err != nil {
		s.sink.Fail(err)
	}
	if s.conn.users() == 0 {
		m.remove(s.conn)
	}
}

func (m *Manager) remove(c *connection) {
	m.connections = slices.DeleteFunc(m.connections, func(other *connection) bool { return other == c })
	c.cancel()
}

// endAll fails all subscriptions of a connection.
func (m *Manager) endAll(c *connection, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range c.all() {
		c.drop(s)
		s.sink.Fail(err)
	}
	m.remove(c)
}
