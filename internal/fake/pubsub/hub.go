// Package pubsub serves subscriptions of the world over WebSocket connections: hub.go has
// the connections and how they misbehave, subscription.go what is subscribed to.
package pubsub

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
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

// Streams is what types/fake.Streams documents.
type Streams struct {
	Silent, Early          bool
	Lag                    uint64
	Repeat                 float64
	Disorder               bool
	Unreadable             float64
	Padding                int
	FirstID                uint64
	HistoryLag, BalanceLag uint64
}

// A Hub has the connections of a fake. The lock of the World guards it and its connections.
type Hub struct {
	World   *world.World
	Lenient bool
	Random  func(func(*rand.Rand))

	streams Streams
	conns   map[*Conn]bool
	updates []world.Update    // that subscriptions may still have to tell
	first   int               // the number of the first of them
	ids     map[string]uint64 // of equal subscriptions
	made    uint64            // ids
}

// Set says how connections misbehave from now on.
func (h *Hub) Set(s Streams) {
	h.World.Lock()
	defer h.World.Unlock()
	h.streams, h.World.HistoryLag, h.World.BalanceLag = s, s.HistoryLag, s.BalanceLag
}

// Cut closes all connections with a code, 0 meaning without a close frame, and returns how
// many there were.
func (h *Hub) Cut(code int) int {
	h.World.Lock()
	conns := slices.Collect(maps.Keys(h.conns))
	h.World.Unlock()
	for _, c := range conns {
		c.Close(websocket.StatusCode(code))
	}
	return len(conns)
}

// id returns the id of a subscription. As on a node, equal ones share it; those that only
// the service has do not.
func (h *Hub) id(key string, own bool) uint64 {
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
	hub   *Hub
	ws    *websocket.Conn
	ctx   context.Context //nolint:containedctx // of the connection
	wake  chan struct{}   // has an element when there are updates
	ticks int             // of the feed
	stop  func()          // ends the connection
	subs  []*subscription
}

// Serve handles the messages of a connection until it ends. Answer returns the answer to a
// message, nil for none; it calls [Conn.Call] or refuses the request.
func (h *Hub) Serve(ctx context.Context, ws *websocket.Conn, answer func(c *Conn, message []byte) []byte) {
	ctx, cancel := context.WithCancel(ctx)
	c := &Conn{hub: h, ws: ws, ctx: ctx, wake: make(chan struct{}, 1), stop: cancel}
	h.World.Lock()
	if h.conns == nil {
		h.conns = map[*Conn]bool{}
	}
	h.conns[c] = true
	h.World.Unlock()
	var feed sync.WaitGroup
	feed.Go(c.feed)
	defer func() {
		h.World.Lock()
		delete(h.conns, c)
		h.World.Unlock()
		cancel()
		_ = ws.CloseNow()
		feed.Wait()
	}()
	ws.SetReadLimit(-1)
	for {
		_, message, err := ws.Read(ctx)
		if err != nil {
			return
		}
		got := answer(c, message)
		if c.begin(true) {
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
			}
		}
		if len(got) > 0 && ws.Write(ctx, websocket.MessageText, got) != nil {
			return
		}
		c.begin(false)
	}
}

// Close ends the connection with a code, 0 meaning without a close frame.
func (c *Conn) Close(code websocket.StatusCode) {
	if code == 0 {
		_ = c.ws.CloseNow()
	} else {
		_ = c.ws.Close(code, "")
	}
	c.stop()
}

// Note takes an update of the world, which is locked.
func (h *Hub) Note(u world.Update) {
	keep := h.first + len(h.updates)
	for c := range h.conns {
		for _, s := range c.subs {
			keep = min(keep, s.next)
		}
		c.signal()
	}
	final := h.World.SlotOf("finalized")
	for h.first < keep && h.updates[0].Transaction.Slot <= final {
		h.updates, h.first = h.updates[1:], h.first+1
	}
	h.updates = append(h.updates, u)
}

func (c *Conn) signal() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// feed delivers notifications until the connection ends.
func (c *Conn) feed() {
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
	messages, how := c.messages(slot)
	for _, message := range messages {
		c.deliver(message, how)
	}
}

func (c *Conn) messages(slot bool) (all [][]byte, how Streams) {
	h, w := c.hub, c.hub.World
	w.Lock()
	defer w.Unlock()
	how = h.streams
	back := uint64(0)
	if slot {
		c.ticks++
		if how.Disorder && c.ticks%7 == 0 {
			back = 3
		}
	}
	newest := func(commitment string) uint64 { return w.SlotOf(commitment) - how.Lag }
	for _, s := range slices.Clone(c.subs) {
		tells := func(x *world.Transaction) bool {
			return x != nil && x.Slot <= newest(s.commitment) && (!x.Dropped || s.commitment == "processed")
		}
		var results []json.RawMessage
		switch {
		case s.after.IsZero() || time.Now().Before(s.after):
		case s.slots != nil && slot:
			results = s.slots(func(commitment string) uint64 { return newest(commitment) - back })
		case s.slots != nil:
		case s.key != "":
			if x := w.Status(s.key); tells(x) {
				results = s.notices(w, world.Update{Transaction: x})
				c.remove(s.id)
				maps.DeleteFunc(h.ids, func(_ string, id uint64) bool { return id == s.id }) // the next one has another
			}
		default:
			for _, u := range h.updates[s.next-h.first:] {
				if u.Transaction.Slot > newest(s.commitment) {
					break
				}
				s.next++
				if tells(u.Transaction) {
					results = append(results, s.notices(w, u)...)
				}
			}
		}
		for _, result := range results {
			all = append(all, fmt.Appendf(nil, `{"jsonrpc":"2.0","method":%q,"params":{"result":%s,"subscription":%d}}`, s.notification, result, s.id))
		}
	}
	return all, how
}

func (c *Conn) deliver(message []byte, how Streams) {
	if how.Silent {
		return
	}
	times := 1
	c.hub.Random(func(r *rand.Rand) {
		switch {
		case how.Unreadable > 0 && r.Float64() < how.Unreadable:
			message = message[:len(message)/2]
		case how.Repeat > 0 && r.Float64() < how.Repeat:
			times = 2
		}
	})
	message = append(message, bytes.Repeat([]byte(" "), how.Padding)...)
	for range times {
		if c.ws.Write(c.ctx, websocket.MessageText, message) != nil {
			return
		}
	}
}

// unhurried is how long after the answer to its request the notification about a signature that
// is known comes. Some clients miss one that comes with the answer; after 10 ms, kit missed one in 14
// on a busy machine.
const unhurried = 50 * time.Millisecond

// add lets a subscription wait for what reaches its commitment from now on, before a client that
// has read the response can make it happen.
func (c *Conn) add(s *subscription) {
	if slices.ContainsFunc(c.subs, func(other *subscription) bool { return other.id == s.id }) {
		return
	}
	h := c.hub
	s.next = h.first + len(h.updates)
	for s.next > h.first && h.updates[s.next-1-h.first].Transaction.Slot > h.World.SlotOf(s.commitment) {
		s.next--
	}
	if s.key != "" || s.slots != nil {
		s.next = math.MaxInt // which needs no updates
	}
	c.subs = append(c.subs, s)
}

// begin lets the new subscriptions notify, and reports whether there are some: the response to
// their request has been written, or will be later by a connection that is early.
func (c *Conn) begin(early bool) (begun bool) {
	c.hub.World.Lock()
	defer c.hub.World.Unlock()
	if early && !c.hub.streams.Early {
		return false
	}
	for _, s := range c.subs {
		if s.after.IsZero() {
			s.after, begun = time.Now(), true
			if s.key != "" {
				s.after = s.after.Add(unhurried)
			}
		}
	}
	if begun {
		c.signal()
		time.AfterFunc(unhurried, c.signal)
	}
	return begun
}

func (c *Conn) remove(id uint64) bool {
	n := len(c.subs)
	c.subs = slices.DeleteFunc(c.subs, func(s *subscription) bool { return s.id == id })
	return len(c.subs) < n
}

// Call executes a request to subscribe or to unsubscribe.
func (c *Conn) Call(method string, params json.RawMessage) (result []byte, refused *wire.Refusal) {
	call := &wire.Call{World: c.hub.World, Lenient: c.hub.Lenient, Params: params}
	c.hub.World.Lock()
	defer c.hub.World.Unlock()
	if isUnsubscribe(method) {
		var ids []uint64
		if json.Unmarshal(params, &ids) != nil || len(ids) != 1 || !c.remove(ids[0]) {
			call.Invalid("Invalid subscription id.")
		}
		return []byte("true"), call.Refused
	}
	subscribe, args := subscriptions()[method], call.List()
	if subscribe == nil {
		call.Fail(-32601, "Method not found")
	} else if len(args) == 0 && method != "slotSubscribe" && method != "rootSubscribe" {
		call.Invalid("`params` should have at least 1 argument(s)")
	}
	if call.Refused != nil {
		return nil, call.Refused
	}
	s := subscribe(call, args)
	if call.Refused != nil {
		return nil, call.Refused
	}
	s.notification = notificationOf(method)
	s.id = c.hub.id(method+string(params), s.own)
	c.add(s)
	return world.Encode(s.id), nil
}
