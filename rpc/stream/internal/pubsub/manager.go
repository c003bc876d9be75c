// Package pubsub keeps JSON-RPC subscriptions over WebSocket connections that it opens,
// watches and replaces. It knows nothing of what the notifications contain.
//
// manager.go assigns subscriptions to connections, connection.go runs a connection, and
// frame.go reads messages.
package pubsub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"

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
	Dial    func(ctx context.Context) (*websocket.Conn, error)
	Slot    func(ctx context.Context) (uint64, error) // the current slot, from elsewhere
	Refusal func(method string, frame []byte) error   // the error in the answer to a request
	Final   func(err error) bool                      // whether dialing again is useless
	Retry   func(err error) bool                      // whether a refused request may be repeated
	Clean   func(err error) error                     // hides secrets that the server may have sent back
	Charge  func(op string, credits uint64)           // counts credits

	BytesPerCredit   int // 0 means that bytes cost nothing
	MaxConnections   int
	MaxSubscriptions int // per connection, with the slotSubscribe that each has
	Logger           *slog.Logger
}

// A Manager has the connections of a client. It is safe for concurrent use.
type Manager struct {
	opts    Options
	ctx     context.Context //nolint:containedctx // of the connections
	cancel  context.CancelFunc
	running sync.WaitGroup

	mu          sync.Mutex
	connections map[*connection]bool
	shared      map[string]*subscription // by method and params
}

// errClosed is the reason for which a closed Manager fails subscriptions.
var errClosed = errors.New("the client is closed")

// New returns a Manager without connections.
func New(opts Options) *Manager {
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	m := &Manager{opts: opts, connections: map[*connection]bool{}, shared: map[string]*subscription{}}
	m.ctx, m.cancel = context.WithCancel(context.Background())
	return m
}

// Close ends all subscriptions and waits for the connections to close.
func (m *Manager) Close() {
	m.cancel()
	m.mu.Lock()
	for _, s := range m.shared {
		s.fail(errClosed)
	}
	clear(m.shared)
	m.mu.Unlock()
	m.running.Wait()
}

// A member is a user of a subscription.
type member struct{ sink Sink }

// A subscription is shared by all sinks with the same method and params.
type subscription struct {
	key, method string
	params      json.RawMessage
	conn        *connection

	mu    sync.Mutex
	sinks map[*member]bool

	// The connection's, guarded by its lock.
	id         uint64
	answered   bool
	removed    bool
	unanswered int // connections in a row that ended before the answer
	blamed     int // of these, the ones on which nothing else was waiting
}

func (s *subscription) each(f func(Sink)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for member := range s.sinks {
		f(member.sink)
	}
}

func (s *subscription) fail(err error) { s.each(func(sink Sink) { sink.Fail(err) }) }

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
		sink.Fail(errClosed)
		return func() {}
	}
	key := method + string(encoded)
	joined := &member{sink}
	s := m.shared[key]
	if s != nil {
		s.mu.Lock()
		s.sinks[joined] = true
		s.mu.Unlock()
	} else {
		c, err := m.room()
		if err != nil {
			sink.Fail(err)
			return func() {}
		}
		s = &subscription{key: key, method: method, params: encoded, conn: c, sinks: map[*member]bool{joined: true}}
		m.shared[key] = s
		c.add(s)
		if c.users == 1 { // a new connection
			m.running.Go(c.run)
		}
	}
	return sync.OnceFunc(func() { m.leave(s, joined) })
}

// room returns a connection for another subscription. A new one does not run yet.
func (m *Manager) room() (*connection, error) {
	for c := range m.connections {
		if c.users+1 < m.opts.MaxSubscriptions {
			c.users++
			return c, nil
		}
	}
	if len(m.connections) >= m.opts.MaxConnections {
		return nil, fmt.Errorf("%d connections with %d subscriptions each are in use; raise types.Config.MaxWebSockets if the plan allows it", m.opts.MaxConnections, m.opts.MaxSubscriptions)
	}
	c := newConnection(m)
	c.users = 1
	m.connections[c] = true
	return c, nil
}

func (m *Manager) leave(s *subscription, who *member) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s.mu.Lock()
	delete(s.sinks, who)
	users := len(s.sinks)
	s.mu.Unlock()
	if users == 0 && m.shared[s.key] == s {
		m.remove(s)
	}
}

// end fails one subscription.
func (m *Manager) end(s *subscription, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.shared[s.key] == s {
		s.fail(err)
		m.remove(s)
	}
}

// remove closes the connection of s with its last subscription. The caller holds the lock.
func (m *Manager) remove(s *subscription) {
	delete(m.shared, s.key)
	c := s.conn
	c.users--
	if c.users > 0 {
		c.drop(s)
		return
	}
	delete(m.connections, c)
	c.cancel()
}

// endAll fails all subscriptions of a connection.
func (m *Manager) endAll(c *connection, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.shared {
		if s.conn == c {
			s.fail(err)
			delete(m.shared, s.key)
		}
	}
	delete(m.connections, c)
	c.cancel()
}
