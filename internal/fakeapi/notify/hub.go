// Package notify serves subscriptions of the world over WebSocket connections: hub.go has
// the connections and how they misbehave, subscription.go the kinds of subscriptions.
package notify

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/solwire/solwire-go/internal/fakeapi/wire"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
)

// slotTime is the pause between two notifications of the slot.
const slotTime = 400 * time.Millisecond

// A Hub has the connections of a fake. The lock of the World guards it and its connections.
type Hub struct {
	World  *world.World
	Random func(func(*rand.Rand))

	// How connections misbehave, as types/fake.Streams documents.
	Silent bool
	Lag    uint64
	Repeat float64

	conns   map[*Conn]bool
	updates []world.Update // after the finalized slot
	made    uint64         // subscriptions
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

// A Conn is a connection.
type Conn struct {
	hub  *Hub
	ws   *websocket.Conn
	ctx  context.Context //nolint:containedctx // of the connection
	wake chan struct{}   // has an element when there are updates
	stop func()          // ends the connection
	subs []*subscription
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
		if len(got) > 0 && ws.Write(ctx, websocket.MessageText, got) != nil {
			return
		}
		c.begin()
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
	final := h.World.SlotOf("finalized")
	h.updates = append(slices.DeleteFunc(h.updates, func(u world.Update) bool { return u.Transaction.Slot <= final }), u)
	for c := range h.conns {
		for _, s := range c.subs {
			if s.key == "" && s.slots == nil {
				s.queue = append(s.queue, u)
			}
		}
		c.signal()
	}
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

// tell delivers the notifications of the subscriptions.
func (c *Conn) tell(slot bool) {
	for _, message := range c.messages(slot) {
		if c.ws.Write(c.ctx, websocket.MessageText, message) != nil {
			return
		}
	}
}

// messages returns the notifications about the updates that have reached the commitments of the
// subscriptions, and about a slot if requested.
func (c *Conn) messages(slot bool) (all [][]byte) {
	h, w := c.hub, c.hub.World
	w.Lock()
	defer w.Unlock()
	newest := func(commitment string) uint64 { return w.SlotOf(commitment) - h.Lag }
	for _, s := range slices.Clone(c.subs) {
		tells := func(x *world.Transaction) bool {
			return x != nil && x.Slot <= newest(s.commitment) && (!x.Dropped || s.commitment == "processed")
		}
		var results []json.RawMessage
		switch {
		case s.after.IsZero() || time.Now().Before(s.after):
		case s.slots != nil && slot:
			results = s.slots(newest)
		case s.slots != nil:
		case s.key != "":
			if x := w.Status(s.key); tells(x) {
				results = s.notices(world.Update{Transaction: x})
				c.remove(s.id)
			}
		default:
			for len(s.queue) > 0 && s.queue[0].Transaction.Slot <= newest(s.commitment) {
				u := s.queue[0]
				s.queue = s.queue[1:]
				if tells(u.Transaction) {
					results = append(results, s.notices(u)...)
				}
			}
		}
		for _, result := range results {
			message := fmt.Appendf(nil, `{"jsonrpc":"2.0","method":%q,"params":{"result":%s,"subscription":%d}}`, s.notification, wire.Patched(w, result), s.id)
			all = append(all, message)
			if h.Repeat > 0 {
				h.Random(func(r *rand.Rand) {
					if r.Float64() < h.Repeat {
						all = append(all, message)
					}
				})
			}
		}
	}
	if h.Silent {
		return nil
	}
	return all
}

// unhurried is the pause between the answer to a subscription and the notification about a known
// signature. Some clients miss a notification right after the answer. After 10 ms, kit missed
// one in 14 on a busy machine.
const unhurried = 50 * time.Millisecond

// add adds a subscription to the transactions that reach its commitment from now on. It is added
// before its response is sent: a client that has read the response misses nothing.
func (c *Conn) add(s *subscription) {
	h := c.hub
	s.id = h.made
	h.made++
	for _, u := range h.updates {
		if u.Transaction.Slot > h.World.SlotOf(s.commitment) {
			s.queue = append(s.queue, u)
		}
	}
	c.subs = append(c.subs, s)
}

// begin starts the new subscriptions, after the response to their request.
func (c *Conn) begin() {
	c.hub.World.Lock()
	defer c.hub.World.Unlock()
	begun := false
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
}

func (c *Conn) remove(id uint64) bool {
	n := len(c.subs)
	c.subs = slices.DeleteFunc(c.subs, func(s *subscription) bool { return s.id == id })
	return len(c.subs) < n
}

// Call executes a request to subscribe or to unsubscribe.
func (c *Conn) Call(method string, params json.RawMessage) (result []byte, refused *wire.Refusal) {
	call := &wire.Call{World: c.hub.World, Params: params}
	c.hub.World.Lock()
	defer c.hub.World.Unlock()
	name, unsubscribe := strings.CutSuffix(method, "Unsubscribe")
	if unsubscribe && subscriptions()[name] != nil {
		var ids []uint64
		if json.Unmarshal(params, &ids) != nil || len(ids) != 1 || !c.remove(ids[0]) {
			call.Invalid("Invalid subscription id.")
		}
		return []byte("true"), call.Refused
	}
	name, is := strings.CutSuffix(method, "Subscribe")
	subscribe, args := subscriptions()[name], call.List()
	if !is || subscribe == nil {
		call.Fail(-32601, "Method not found")
	} else if len(args) == 0 && name != "slot" && name != "root" {
		call.Invalid("`params` should have at least 1 argument(s)")
	}
	if call.Refused != nil {
		return nil, call.Refused
	}
	s := subscribe(call, args)
	if call.Refused != nil {
		return nil, call.Refused
	}
	s.notification = name + "Notification"
	c.add(s)
	return world.Encode(s.id), nil
}
