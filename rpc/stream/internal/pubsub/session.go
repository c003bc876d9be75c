package pubsub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
)

// A subscription is a request that each socket sends first, and the sink of its notifications.
type subscription struct {
	method string
	params []any // positional
	sink   Sink  // nil for the pulse

	// Guarded by the lock of the connection.
	state      state
	at         time.Time // when the request is due, or was sent; of the pulse, its last slot
	id         uint64
	unanswered int // sockets in a row that ended before the answer
}

// A state is how far a subscription is on the socket.
type state int

const (
	due state = iota
	sent
	answered
)

// A session is the state of one socket.
type session struct {
	pulse    *subscription // to the slots, which show that the socket is alive
	lastID   uint64
	requests map[uint64]*subscription   // without an answer yet
	byID     map[uint64][]*subscription // nodes may give equal subscriptions one id
	unsubs   []*subscription            // to be ended on the server
	bytes    int                        // received and not yet charged
}

// reset begins a session.
func (c *connection) reset() {
	c.session = session{
		pulse:    &subscription{method: slotSubscribe, params: []any{}},
		requests: map[uint64]*subscription{}, byID: map[uint64][]*subscription{},
	}
	for s := range c.subs {
		s.state, s.at = due, time.Time{}
	}
}

// unsubscribe ends s on the server, unless other subscriptions share its id, or will share it after
// the answer to an equal request.
func (c *connection) unsubscribe(s *subscription) {
	c.byID[s.id] = slices.DeleteFunc(c.byID[s.id], func(other *subscription) bool { return other == s })
	shared := len(c.byID[s.id]) > 0
	for _, other := range c.requests {
		shared = shared || other.method == s.method && reflect.DeepEqual(other.params, s.params)
	}
	if !shared {
		delete(c.byID, s.id)
		c.unsubs = append(c.unsubs, s)
		c.signal()
	}
}

// A request is a message to the server.
type request struct {
	Version string `json:"jsonrpc"`
	ID      uint64 `json:"id"`
	Method  string `json:"method"`
	Params  []any  `json:"params"`
}

func send(ctx context.Context, ws *websocket.Conn, r request) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	return wsjson.Write(ctx, ws, r)
}

// next returns the next request to send.
func (c *connection) next() (r request, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lastID++
	if len(c.unsubs) > 0 {
		s := c.unsubs[0]
		c.unsubs = c.unsubs[1:]
		return request{"2.0", c.lastID, strings.TrimSuffix(s.method, "Subscribe") + "Unsubscribe", []any{s.id}}, true
	}
	s := c.ready()
	if s == nil {
		return request{}, false
	}
	s.state, s.at = sent, time.Now()
	c.requests[c.lastID] = s
	return request{"2.0", c.lastID, s.method, s.params}, true
}

// ready returns a subscription whose request can be sent; nil if there is none.
func (c *connection) ready() *subscription {
	if c.pulse.state == due {
		return c.pulse
	}
	for s := range c.subs {
		switch {
		// the pulse serves slotSubscribe
		case s.state != due || time.Now().Before(s.at) || s.method == slotSubscribe:
		case s.unanswered >= maxTogether && (len(c.requests) > 0 || c.Slot == 0): // later, alone
		default:
			return s
		}
	}
	return nil
}

// overdue returns the reason why the socket counts as dead.
func (c *connection) overdue() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.requests {
		if time.Since(s.at) > silence {
			return fmt.Errorf("no answer for %v", silence)
		}
	}
	if time.Since(c.pulse.at) > silence {
		return fmt.Errorf("no slot for %v", silence)
	}
	return nil
}

// A frame is a message of the server: an answer, or a notification, which has a method.
type frame struct {
	ID     *uint64         `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
	Method string          `json:"method"`
	Params struct {
		Subscription *uint64         `json:"subscription"`
		Result       json.RawMessage `json:"result"`
	} `json:"params"`
}

func (c *connection) charge(n int) {
	for c.bytes += n; c.bytes >= c.opts.BytesPerCredit; c.bytes -= c.opts.BytesPerCredit {
		c.opts.API.Charge("WebSocket messages", 1)
	}
}

// notified passes a notification on. Notifications before the answer to a request are left
// out: nothing counts as complete before the next pulse.
func (c *connection) notified(f *frame) {
	if f.Params.Subscription == nil || f.Params.Result == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.byID[*f.Params.Subscription] {
		if s.sink == nil {
			c.alive(f.Params.Result)
		} else {
			s.sink.Notify(f.Params.Result)
		}
	}
}

// alive passes a slot on to all subscriptions of the connection.
func (c *connection) alive(result json.RawMessage) {
	var in struct {
		Slot *uint64 `json:"slot"`
	}
	if err := decode.JSON(result, &in); err != nil || in.Slot == nil {
		return
	}
	c.Slot, c.pulse.at = max(*in.Slot, c.Slot), time.Now()
	if c.Since.IsZero() {
		c.Since = c.pulse.at
	}
	for s := range c.subs {
		if s.method == slotSubscribe {
			s.sink.Notify(result)
		}
		if s.state == answered || s.method == slotSubscribe {
			s.sink.Pulse(*in.Slot)
		}
	}
}

// answered handles the answer to a request. A permanent refusal ends the subscription; after other
// refusals, the request is repeated. A refused pulse ends the socket.
func (c *connection) answered(f *frame, message []byte) error {
	defer c.signal() // for requests that wait to be alone
	refused := decode.Present(f.Error) != nil
	s, id := c.request(f, refused)
	switch {
	case s == nil && (id != 0 || !refused): // to a request to unsubscribe
		return nil
	case s == nil:
		err := c.opts.API.Refusal("WebSocket", nil, message)
		if !errors.Is(err, types.ErrQuotaExceeded) && !errors.Is(err, types.ErrUnauthorized) {
			err = errors.New(err.Error()) // no reason to end other subscriptions than the refused one
		}
		return err
	case !refused:
		return c.accept(s, f.Result)
	}
	err := c.opts.API.Refusal(s.method, s.params, message)
	if s.sink == nil {
		return err
	}
	if final := c.opts.Final(err, true); final != nil {
		c.m.end(c, final, s)
		return nil
	}
	s.sink.Break(err)
	c.opts.Logger.InfoContext(c.ctx, "stream refused", "method", s.method, "reason", err, "wait", maxBackoff.String())
	return nil
}

// request removes the request that a frame answers. It returns the subscription, nil for none, and
// the id of the request. Gateways send refusals without the id of a request: they answer the only
// open request; if there are several, the id is 0.
func (c *connection) request(f *frame, refused bool) (s *subscription, id uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.ID != nil && *f.ID <= c.lastID {
		id = *f.ID
	}
	if id == 0 && refused && len(c.requests) == 1 {
		for id = range c.requests { //nolint:revive // its only key
		}
	}
	if s = c.requests[id]; s != nil {
		delete(c.requests, id)
		s.unanswered = 0
	}
	if s != nil && refused {
		s.state, s.at = due, time.Now().Add(maxBackoff)
	}
	return s, id
}

func (c *connection) accept(s *subscription, result json.RawMessage) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var id *uint64
	if err := json.Unmarshal(result, &id); err != nil || id == nil {
		return errors.New("an answer has no subscription")
	}
	s.state, s.id = answered, *id
	switch {
	case s.sink == nil:
		c.opts.Logger.InfoContext(c.ctx, "stream connected")
	case !c.subs[s]: // it ended before the answer
		c.unsubscribe(s)
		return nil
	}
	c.byID[*id] = append(c.byID[*id], s)
	return nil
}
