// Package pubsub serves subscriptions of the world over WebSocket connections: hub.go has
// the connections and how they misbehave, subscription.go what is subscribed to.
package pubsub

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
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
	Unreadable float64 // the share of notifications that are not JSON
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
	updates []world.Update    // that connections may still have to tell
	first   int               // the number of the first of them
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

// release lets equal subscriptions have another id. The client may still unsubscribe from this one.
func (h *Hub) release(id uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	maps.DeleteFunc(h.ids, func(_ string, other uint64) bool { return other == id })
}

// A Conn is a connection.
type Conn struct {
	hub   *Hub
	ws    *websocket.Conn
	ctx   context.Context //nolint:containedctx // of the connection
	wake  chan struct{}   // has an element when there are updates
	done  chan struct{}   // closed when the feed has ended
	ticks int             // of the feed
	told  int             // the number of the first update that is not told; the hub has the lock
	stop  func()          // ends the connection

	mu    sync.Mutex
	subs  []*subscription
	added []*subscription // by the request that is handled
}

// Serve handles the messages of a connection until it ends. Answer returns the answer to a
// message, nil for none; it calls [Conn.Call] or refuses the request.
func (h *Hub) Serve(ctx context.Context, ws *websocket.Conn, answer func(c *Conn, message []byte) []byte) {
	ctx, cancel := context.WithCancel(ctx)
	c := &Conn{hub: h, ws: ws, ctx: ctx, wake: make(chan struct{}, 1), done: make(chan struct{}), stop: cancel}
	h.mu.Lock()
	if h.conns == nil {
		h.conns = map[*Conn]bool{}
	}
	h.conns[c], c.told = true, h.first+len(h.updates)
	h.mu.Unlock()
	go c.feed()
	defer func() {
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
		c.add(added)
		if added != nil && h.behavior().Early {
			c.begin(added)
			c.wait(time.Second)
		}
		if len(got) > 0 && ws.Write(ctx, websocket.MessageText, got) != nil {
			return
		}
		c.begin(added)
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

// Note takes an update of the world, which is locked.
func (h *Hub) Note(u world.Update) {
	h.mu.Lock()
	defer h.mu.Unlock()
	keep := h.first + len(h.updates)
	for c := range h.conns {
		keep = min(keep, c.told)
	}
	final := h.World.SlotOf("finalized")
	for h.first < keep && h.updates[0].Transaction.Slot <= final {
		h.updates, h.first = h.updates[1:], h.first+1
	}
	h.updates = append(h.updates, u)
	for c := range h.conns {
		c.signal()
	}
}

// since returns the updates from a number on.
func (h *Hub) since(number int) []world.Update {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.updates[number-h.first:]
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
			c.tell(true)
		case <-c.wake:
			c.tell(false)
		}
	}
}

// tell delivers what the subscriptions have to say: of a slot, and of the updates that have
// reached their commitments.
func (c *Conn) tell(slot bool) {
	how := c.hub.behavior()
	back := uint64(0)
	if slot {
		c.ticks++
		if how.Disorder && c.ticks%7 == 0 {
			back = 3
		}
	}
	var subs []*subscription
	c.mu.Lock()
	for _, s := range c.subs {
		if !s.after.IsZero() && !time.Now().Before(s.after) {
			subs = append(subs, s)
		}
	}
	c.mu.Unlock()
	for _, s := range subs {
		var results []json.RawMessage
		c.hub.World.Lock()
		newest := func(commitment string) uint64 { return c.hub.World.SlotOf(commitment) - how.Lag }
		switch {
		case s.slots != nil && slot:
			results = s.slots(func(commitment string) uint64 { return newest(commitment) - back })
		case s.slots != nil:
		case s.key != "":
			if x := c.hub.World.Status(s.key); x != nil && x.Slot <= newest(s.commitment) && (!x.Dropped || s.commitment == "processed") {
				results = s.notices(c.hub.World, world.Update{Transaction: x})
			}
		default:
			for _, u := range c.hub.since(s.next) {
				if u.Transaction.Slot > newest(s.commitment) {
					break
				}
				s.next++
				if !u.Transaction.Dropped || s.commitment == "processed" {
					results = append(results, s.notices(c.hub.World, u)...)
				}
			}
		}
		c.hub.World.Unlock()
		if s.key != "" && len(results) > 0 {
			if !c.remove(s.id) {
				continue // told already
			}
			c.hub.release(s.id)
		}
		for _, result := range results {
			c.deliver(s, result, how)
		}
	}
	c.settle()
}

// settle lets the hub forget the updates that all subscriptions have told.
func (c *Conn) settle() {
	c.hub.mu.Lock()
	defer c.hub.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.told = c.hub.first + len(c.hub.updates)
	for _, s := range c.subs {
		if s.notices != nil && s.key == "" {
			c.told = min(c.told, s.next)
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

// unhurried is how long after the answer to its request the notification about a signature that
// is known comes. Some clients miss one that comes with the answer.
const unhurried = 10 * time.Millisecond

// add lets subscriptions wait for what reaches their commitments from now on, before a client that
// has read the response can make it happen.
func (c *Conn) add(added []*subscription) {
	w := c.hub.World
	w.Lock()
	defer w.Unlock()
	c.hub.mu.Lock()
	defer c.hub.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range added {
		if slices.ContainsFunc(c.subs, func(other *subscription) bool { return other.id == s.id }) {
			continue
		}
		s.next = c.hub.first + len(c.hub.updates)
		for s.next > c.hub.first && c.hub.updates[s.next-1-c.hub.first].Transaction.Slot > w.SlotOf(s.commitment) {
			s.next--
		}
		c.subs, c.told = append(c.subs, s), min(c.told, s.next)
	}
}

// begin lets subscriptions notify: the response to their request has been written.
func (c *Conn) begin(added []*subscription) {
	if added == nil {
		return
	}
	c.mu.Lock()
	for _, s := range added {
		if s.after.IsZero() {
			s.after = time.Now()
			if s.key != "" {
				s.after = s.after.Add(unhurried)
			}
		}
	}
	c.mu.Unlock()
	c.signal()
	time.AfterFunc(unhurried, c.signal)
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
	c.added = append(c.added, s)
	c.mu.Unlock()
	return world.Encode(s.id), nil
}
