// Package pubsub serves subscriptions of the world over WebSocket connections: hub.go has
// the connections and how they misbehave, subscription.go what is subscribed to.
package pubsub

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
)

// slotTime is how often a connection tells the slot.
const slotTime = 400 * time.Millisecond

// Streams says how connections misbehave. The zero value is a good connection.
type Streams struct {
	Silent     bool    // delivers nothing, but answers requests and pings
	Early      bool    // delivers for a second before the answer to a request
	Lag        uint64  // how many slots notifications come late
	Repeat     float64 // the share of notifications that come twice
	Disorder   bool    // lets slots go back now and then
	Unreadable float64 // the share of notifications that are no JSON
	Padding    int     // bytes of white space in each notification
	FirstID    uint64  // the first id; others follow
	HistoryLag uint64  // how many slots histories are behind
}

// A Hub has the connections of a fake. It is safe for concurrent use.
type Hub struct {
	World   *world.World
	Lenient bool
	Random  func(func(*rand.Rand))

	mu      sync.Mutex
	streams Streams
	conns   map[*Conn]bool
	ids     map[string]uint64 // of equal subscriptions
	made    uint64            // ids
}

// Set says how connections misbehave from now on.
func (h *Hub) Set(s Streams) {
	h.mu.Lock()
	h.streams = s
	h.mu.Unlock()
	h.World.Lock()
	h.World.HistoryLag = s.HistoryLag
	h.World.Unlock()
}

func (h *Hub) behavior() Streams {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.streams
}

// Cut closes all connections with a code, 0 meaning without a close frame, and returns how
// many there were.
func (h *Hub) Cut(code int) int {
	h.mu.Lock()
	conns := make([]*Conn, 0, len(h.conns))
	for c := range h.conns {
		conns = append(conns, c)
	}
	h.mu.Unlock()
	for _, c := range conns {
		c.close(websocket.StatusCode(code))
	}
	return len(conns)
}

// id returns the id of a subscription. As on a node, equal ones share it; those that only
// the service has do not.
func (h *Hub) id(key string, own bool) uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	if id, known := h.ids[key]; known && !own {
		return id
	}
	id := h.made + h.streams.FirstID
	h.made++
	if own {
		const large = 4743323479349712
		return id + large
	}
	if h.ids == nil {
		h.ids = map[string]uint64{}
	}
	h.ids[key] = id
	return id
}

// A Conn is a connection.
type Conn struct {
	hub  *Hub
	ws   *websocket.Conn
	ctx  context.Context //nolint:containedctx // of the connection
	wake chan struct{}   // has an element when there are updates
	done chan struct{}   // closed when the feed has ended
	stop func()          // ends the connection

	mu      sync.Mutex
	updates []world.Update
	subs    []*subscription
	added   *subscription // by the request that is handled
	ticks   int
}

// Serve handles the messages of a connection until it ends. Answer returns the answer to a
// message, nil for none; it calls [Conn.Call] or refuses the request.
func (h *Hub) Serve(ctx context.Context, ws *websocket.Conn, answer func(c *Conn, message []byte) []byte) {
	ctx, cancel := context.WithCancel(ctx)
	c := &Conn{hub: h, ws: ws, ctx: ctx, wake: make(chan struct{}, 1), done: make(chan struct{}), stop: cancel}
	unwatch := h.World.Watch(c.note)
	h.mu.Lock()
	if h.conns == nil {
		h.conns = map[*Conn]bool{}
	}
	h.conns[c] = true
	h.mu.Unlock()
	go c.feed()
	defer func() {
		unwatch()
		h.mu.Lock()
		delete(h.conns, c)
		h.mu.Unlock()
		cancel()
		_ = ws.CloseNow()
		<-c.done
	}()
	ws.SetReadLimit(-1)
	for {
		_, message, err := ws.Read(ctx)
		if err != nil {
			return
		}
		c.mu.Lock()
		c.added = nil
		c.mu.Unlock()
		got := answer(c, message)
		c.mu.Lock()
		added := c.added
		c.mu.Unlock()
		early := h.behavior().Early && added != nil
		if early {
			c.activate(added)
			c.wait(time.Second)
		}
		if len(got) > 0 && ws.Write(ctx, websocket.MessageText, got) != nil {
			return
		}
		if added != nil && !early {
			c.activate(added)
		}
	}
}

func (c *Conn) wait(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-c.ctx.Done():
	}
}

// Drop ends the connection without a close frame.
func (c *Conn) Drop() { c.close(0) }

func (c *Conn) close(code websocket.StatusCode) {
	if code == 0 {
		_ = c.ws.CloseNow()
	} else {
		_ = c.ws.Close(code, "")
	}
	c.stop()
}

// note takes an update of the world, which is locked.
func (c *Conn) note(u world.Update) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.updates = append(c.updates, u)
	c.signal()
}

func (c *Conn) signal() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// feed delivers notifications until the connection ends.
func (c *Conn) feed() {
	defer close(c.done)
	ticker := time.NewTicker(slotTime)
	defer ticker.Stop()
	for {
		select {
		case <-c.ctx.Done():
			return
		case <-ticker.C:
			c.tell(nil)
		case <-c.wake:
		}
		for _, u := range c.due() {
			c.tell(&u)
		}
	}
}

// due returns the updates to deliver now.
func (c *Conn) due() []world.Update {
	lag := c.hub.behavior().Lag
	c.hub.World.Lock()
	slot := c.hub.World.Slot()
	c.hub.World.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.updates)
	if lag > 0 {
		n = 0
		for n < len(c.updates) && c.updates[n].Transaction.Slot+lag <= slot {
			n++
		}
	}
	now := c.updates[:n]
	c.updates = slices.Clone(c.updates[n:])
	return now
}

// tell delivers what the subscriptions have to say of an update, or of the slot.
func (c *Conn) tell(u *world.Update) {
	how := c.hub.behavior()
	c.mu.Lock()
	subs := slices.Clone(c.subs)
	c.ticks++
	back := how.Disorder && c.ticks%7 == 0
	c.mu.Unlock()
	for _, s := range subs {
		c.hub.World.Lock()
		slot := c.hub.World.Slot() - how.Lag
		if back {
			slot -= 3
		}
		results := s.notices(c.hub.World, slot, u)
		c.hub.World.Unlock()
		if s.once && len(results) > 0 && !c.remove(s.id) {
			continue // told already
		}
		for _, result := range results {
			c.deliver(s, result, how)
		}
	}
}

func (c *Conn) deliver(s *subscription, result json.RawMessage, how Streams) {
	if how.Silent {
		return
	}
	message := fmt.Appendf(nil, `{"jsonrpc":"2.0","method":%q,"params":{"result":%s,"subscription":%d}}`, s.notification, result, s.id)
	times := 1
	c.hub.Random(func(r *rand.Rand) {
		switch {
		case how.Unreadable > 0 && r.Float64() < how.Unreadable:
			message = message[:len(message)/2]
		case how.Repeat > 0 && r.Float64() < how.Repeat:
			times = 2
		}
	})
	if how.Padding > 0 {
		message = append(message, bytes.Repeat([]byte(" "), how.Padding)...)
	}
	for range times {
		if c.ws.Write(c.ctx, websocket.MessageText, message) != nil {
			return
		}
	}
}

// activate begins to deliver.
func (c *Conn) activate(s *subscription) {
	c.mu.Lock()
	if !slices.ContainsFunc(c.subs, func(other *subscription) bool { return other.id == s.id }) {
		c.subs = append(c.subs, s)
	}
	c.mu.Unlock()
	if !s.once {
		return
	}
	c.hub.World.Lock() // what happened before is told too
	var results []json.RawMessage
	if known := c.hub.World.Transaction(s.key); known != nil {
		results = s.notices(c.hub.World, 0, &world.Update{Transaction: known})
	}
	c.hub.World.Unlock()
	if len(results) > 0 && c.remove(s.id) {
		c.deliver(s, results[0], c.hub.behavior())
	}
}

func (c *Conn) remove(id uint64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.subs)
	c.subs = slices.DeleteFunc(c.subs, func(s *subscription) bool { return s.id == id })
	return len(c.subs) < n
}

// Call executes a request to subscribe or to unsubscribe.
func (c *Conn) Call(method string, params json.RawMessage) (result []byte, refused *wire.Refusal) {
	call := &wire.Call{World: c.hub.World, Lenient: c.hub.Lenient, Params: params}
	if isUnsubscribe(method) {
		var ids []uint64
		if json.Unmarshal(params, &ids) != nil || len(ids) != 1 {
			return nil, wire.InvalidParams("Invalid params: expected a subscription id")
		}
		if !c.remove(ids[0]) {
			return nil, wire.InvalidParams("Invalid subscription id.")
		}
		return []byte("true"), nil
	}
	subscribe := subscriptions()[method]
	if subscribe == nil {
		return nil, &wire.Refusal{Code: -32601, Message: "Method not found"}
	}
	c.hub.World.Lock()
	s, refused := subscribe(call)
	c.hub.World.Unlock()
	if refused != nil {
		return nil, refused
	}
	s.notification = notificationOf(method)
	s.id = c.hub.id(method+string(params), s.own)
	c.mu.Lock()
	c.added = s
	c.mu.Unlock()
	return world.Encode(s.id), nil
}
