package pubsub

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/types"
)

const (
	silence      = 15 * time.Second // without a slot or an answer, after which a connection is dead
	writeTimeout = 15 * time.Second
	pingInterval = 30 * time.Second
	lagInterval  = time.Minute
	maxLag       = 100 // slots, twice in a row
	firstBackoff = time.Second
	maxBackoff   = 30 * time.Second
	maxBuffer    = 1 << 20          // bytes that are kept for further messages
	goodTime     = 30 * time.Second // of slots, after which the backoff begins anew

	// A node may close the connection instead of refusing a request, such as one that is
	// too long. These are connections in a row that ended before the answer: after the
	// first ones the request is sent while no other is open, and then it fails. That takes
	// about two minutes.
	maxTogether   = 2
	maxUnanswered = 10
	closeTimeout  = time.Second

	slotSubscribe = "slotSubscribe"
)

// A subscription is a request that each socket begins with, and where its notifications go.
type subscription struct {
	method string
	params json.RawMessage
	sink   Sink // nil for the pulse

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
	asked
	answered
)

// A name is what notifications are known by. Gateways over several nodes may have ids that
// are unique by method only.
type name struct {
	method string // of the notification
	id     uint64
}

func (s *subscription) name() name {
	return name{strings.TrimSuffix(s.method, "Subscribe") + "Notification", s.id}
}

// A connection keeps a WebSocket connection open and subscribed until it is cancelled.
type connection struct {
	m      *Manager
	opts   *Options
	ctx    context.Context //nolint:containedctx // of the connection
	cancel context.CancelFunc
	wake   chan struct{} // has an element when there is something to send

	mu         sync.Mutex
	subs       map[*subscription]bool
	reconnects int
	reason     error // of the last disconnect
	chain      uint64
	session
}

// A session is the state of one socket.
type session struct {
	pulse    *subscription // to the slots, which show that the socket is alive
	slot     uint64
	since    time.Time // of the first slot
	lastID   uint64
	requests map[uint64]*subscription // without an answer yet
	byID     map[name][]*subscription // nodes may give equal subscriptions one id
	unsubs   []*subscription          // to be ended on the server
	bytes    int                      // received and not yet charged
}

func newConnection(m *Manager) *connection {
	c := &connection{m: m, opts: &m.opts, wake: make(chan struct{}, 1), subs: map[*subscription]bool{}}
	c.ctx, c.cancel = context.WithCancel(m.ctx)
	c.reset()
	return c
}

// reset begins a session.
func (c *connection) reset() {
	c.session = session{
		pulse:    &subscription{method: slotSubscribe, params: json.RawMessage("[]")},
		requests: map[uint64]*subscription{}, byID: map[name][]*subscription{},
	}
	for s := range c.subs {
		s.state, s.at = due, time.Time{}
	}
}

func (c *connection) status() Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := Status{Since: c.since, Slot: c.slot, Subscriptions: len(c.subs), Reconnects: c.reconnects, Reason: c.reason}
	if c.slot != 0 && c.chain > c.slot {
		s.Behind = c.chain - c.slot
	}
	return s
}

func (c *connection) all() []*subscription {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Collect(maps.Keys(c.subs))
}

func (c *connection) signal() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

func (c *connection) add(s *subscription) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.subs[s] = true
	c.signal()
}

// drop ends s on the server, or lets the answer to its request do so. It reports whether s
// was there.
func (c *connection) drop(s *subscription) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.subs[s] {
		return false
	}
	delete(c.subs, s)
	if s.state == answered {
		c.unsubscribe(s)
	}
	return true
}

// unsubscribe ends s on the server, unless others have its id, or get it with the answer to
// an equal request.
func (c *connection) unsubscribe(s *subscription) {
	n := s.name()
	c.byID[n] = slices.DeleteFunc(c.byID[n], func(other *subscription) bool { return other == s })
	shared := len(c.byID[n]) > 0
	for _, other := range c.requests {
		shared = shared || other.method == s.method && bytes.Equal(other.params, s.params)
	}
	if !shared {
		delete(c.byID, n)
		c.unsubs = append(c.unsubs, s)
		c.signal()
	}
}

// run connects again and again. Its end is the end of the connection. What waiting does
// not change ends it.
func (c *connection) run() {
	defer c.cancel()
	var lasting wait.Lasting
	worked := false
	for failures := 1; ; failures++ {
		err := c.opts.API.Clean(c.connect())
		if c.ctx.Err() != nil {
			return
		}
		lived, unanswered := c.disconnected(err)
		worked = worked || lived > 0
		if lived >= goodTime {
			failures = 1
		}
		if final := lasting.Final(c.opts.Final(err, worked), worked); final != nil {
			c.m.end(c, final)
			return
		}
		pause := wait.Backoff(failures, firstBackoff, maxBackoff)
		var refusal *types.APIError
		if errors.As(err, &refusal) {
			pause = max(pause, min(refusal.RetryAfter, time.Minute))
		}
		c.opts.Logger.InfoContext(c.ctx, "stream disconnected", "reason", err, "wait", pause, "failures", failures-1)
		for _, s := range c.all() {
			s.sink.Break(err)
		}
		if unanswered != nil {
			c.m.end(c, fmt.Errorf("the request had no answer on %d connections in a row: %w", maxUnanswered, err), unanswered)
		}
		_ = wait.For(c.ctx, pause)
	}
}

// disconnected notes the end of a socket. It returns for how long it has worked, 0 for never,
// and the subscription whose request has ended too many sockets.
func (c *connection) disconnected(err error) (lived time.Duration, unanswered *subscription) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.slot != 0 {
		lived = max(time.Since(c.since), 1)
	}
	for _, s := range c.requests {
		if s.unanswered++; s.unanswered >= maxUnanswered {
			unanswered = s
		}
	}
	c.reason = err
	c.reconnects++
	c.reset()
	return lived, unanswered
}

// connect opens a socket and serves it until it fails. Its goroutines end with it.
func (c *connection) connect() error {
	ws, end, err := c.opts.Dial(c.ctx)
	if err != nil {
		return err
	}
	// The reader outlives c.ctx, since the end of its context would close the socket
	// without a close frame.
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(c.ctx))
	var running sync.WaitGroup
	defer func() {
		if c.ctx.Err() != nil {
			closeSocket(ws, end)
		}
		cancel(nil)
		_ = end() // also a read or write that CloseNow would wait for
		_ = ws.CloseNow()
		running.Wait()
	}()
	running.Go(func() { cancel(c.read(ctx, ws)) })
	running.Go(func() { c.ping(ctx, ws) })
	running.Go(func() { c.watch(ctx, cancel) })
	return c.serve(ctx, ws)
}

// closeSocket sends a close frame to the server, which has a second to answer.
func closeSocket(ws *websocket.Conn, end func() error) {
	timer := time.AfterFunc(closeTimeout, func() { _ = end() })
	defer timer.Stop()
	_ = ws.Close(websocket.StatusNormalClosure, "")
}

// serve sends what is to be sent, and looks each second whether the socket is alive.
func (c *connection) serve(ctx context.Context, ws *websocket.Conn) error {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		for r, ok := c.next(); ok; r, ok = c.next() {
			if err := send(ctx, ws, r); err != nil {
				return cmp.Or(context.Cause(ctx), err)
			}
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-c.ctx.Done():
			return c.ctx.Err()
		case <-c.wake:
		case <-ticker.C:
			if err := c.overdue(); err != nil {
				return err
			}
		}
	}
}

// A request is a message to the server.
type request struct {
	Version string          `json:"jsonrpc"`
	ID      uint64          `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
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
		return request{"2.0", c.lastID, strings.TrimSuffix(s.method, "Subscribe") + "Unsubscribe", fmt.Appendf(nil, "[%d]", s.id)}, true
	}
	s := c.ready()
	if s == nil {
		return request{}, false
	}
	s.state, s.at = asked, time.Now()
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
		case s.state != due || time.Now().Before(s.at) || s.method == slotSubscribe: // which the pulse serves
		case s.unanswered >= maxTogether && (len(c.requests) > 0 || c.slot == 0): // later, alone
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

// read handles messages until the socket fails, or is closed after the end of ctx.
func (c *connection) read(ctx context.Context, ws *websocket.Conn) error {
	endless := context.WithoutCancel(ctx) // the socket would watch ctx for each piece of a message
	var buffer bytes.Buffer
	for {
		_, in, err := ws.Reader(endless)
		if err == nil {
			if buffer.Cap() > maxBuffer {
				buffer = bytes.Buffer{}
			}
			buffer.Reset()
			_, err = buffer.ReadFrom(in)
		}
		if err != nil {
			return cmp.Or(context.Cause(ctx), err)
		}
		message := buffer.Bytes()
		f := new(frame)
		if err := decode.Value(message, f); err != nil { // the sinks check the results
			return fmt.Errorf("unreadable message of %d bytes: %w", len(message), err)
		}
		c.charge(len(message))
		if f.Method != "" {
			c.notified(f)
			continue
		}
		if err := c.answered(f, message); err != nil {
			return err
		}
	}
}

func (c *connection) charge(n int) {
	for c.bytes += n; c.bytes >= c.opts.BytesPerCredit; c.bytes -= c.opts.BytesPerCredit {
		c.opts.API.Charge("WebSocket messages", 1)
	}
}

// notified passes a notification on. What comes before the answer to a request is left out:
// nothing counts as complete before the next pulse.
func (c *connection) notified(f *frame) {
	if f.Params.Subscription == nil || f.Params.Result == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.byID[name{f.Method, *f.Params.Subscription}] {
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
	c.slot, c.pulse.at = max(*in.Slot, c.slot), time.Now()
	if c.since.IsZero() {
		c.since = c.pulse.at
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

// answered handles the answer to a request. A refusal ends the subscription, or has the
// request repeated where that may help. Without a pulse the socket is useless.
func (c *connection) answered(f *frame, message []byte) error {
	refused := decode.Present(f.Error) != nil
	c.mu.Lock()
	defer c.signal() // for requests that wait to be alone
	id := c.answers(f, refused)
	s, ok := c.requests[id]
	switch {
	case !ok && refused && id == 0:
		c.mu.Unlock()
		err := c.opts.API.Refusal("WebSocket", nil, message)
		if errors.Is(err, types.ErrQuotaExceeded) || errors.Is(err, types.ErrUnauthorized) {
			return err
		}
		return errors.New(err.Error()) // no reason to end other subscriptions than the refused one
	case !ok: // to a request to unsubscribe
		c.mu.Unlock()
		return nil
	}
	delete(c.requests, id)
	s.unanswered = 0
	if !refused {
		defer c.mu.Unlock()
		var id *uint64
		if err := json.Unmarshal(f.Result, &id); err != nil || id == nil {
			return errors.New("an answer has no subscription")
		}
		c.accept(s, *id)
		return nil
	}
	s.state, s.at = due, time.Now().Add(maxBackoff)
	c.mu.Unlock()
	err := c.opts.API.Refusal(s.method, s.params, message)
	if s.sink == nil {
		return err
	}
	if final := c.opts.Final(err, true); final != nil {
		c.m.end(c, final, s)
		return nil
	}
	s.sink.Break(err)
	c.opts.Logger.InfoContext(c.ctx, "stream refused", "method", s.method, "reason", err, "wait", maxBackoff)
	return nil
}

// answers returns the id of the request that a frame answers. A refusal without the id of a
// request, as gateways send it, answers the only open request; 0 if there are several.
func (c *connection) answers(f *frame, refused bool) (id uint64) {
	if f.ID != nil && *f.ID <= c.lastID {
		id = *f.ID
	}
	if id == 0 && refused && len(c.requests) == 1 {
		for id = range c.requests { //nolint:revive // its only key
		}
	}
	return id
}

func (c *connection) accept(s *subscription, id uint64) {
	s.state, s.id = answered, id
	switch {
	case s.sink == nil:
		c.opts.Logger.InfoContext(c.ctx, "stream connected")
	case !c.subs[s]: // it ended before the answer
		c.unsubscribe(s)
		return
	}
	c.byID[s.name()] = append(c.byID[s.name()], s)
}

// ping keeps intermediaries from closing the connection. The pulse, not the answer, shows
// that it is alive.
func (c *connection) ping(ctx context.Context, ws *websocket.Conn) {
	for wait.For(ctx, pingInterval) == nil {
		if ws.Ping(ctx) != nil {
			return
		}
	}
}

// watch ends a connection that stays behind the chain.
func (c *connection) watch(ctx context.Context, end context.CancelCauseFunc) {
	for late := 0; wait.For(ctx, lagInterval) == nil; {
		chain, err := c.opts.Slot(ctx)
		if err != nil {
			continue
		}
		c.mu.Lock()
		c.chain = chain
		ours := c.slot
		c.mu.Unlock()
		if chain <= ours+maxLag {
			late = 0
			continue
		}
		if late++; late == 2 {
			end(fmt.Errorf("%d slots behind the chain", chain-ours))
			return
		}
	}
}
