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

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/wait"
)

const (
	silence       = 15 * time.Second // without a slot, after which a connection is dead
	answerTimeout = 15 * time.Second
	writeTimeout  = 15 * time.Second
	pingInterval  = 30 * time.Second
	lagInterval   = time.Minute
	maxLag        = 100    // slots, twice in a row
	maxLead       = 10_000 // slots, which only a node of another cluster is ahead
	firstBackoff  = time.Second
	maxBackoff    = 30 * time.Second
	maxEarly      = 1 << 20          // bytes of notifications before the answer to their request
	maxBuffer     = 1 << 20          // bytes that are kept for further messages
	maxUnanswered = 2                // connections in a row, after which a request is sent alone
	maxBlamed     = 5                // connections in a row that ended with that request
	goodTime      = 30 * time.Second // of slots, after which the backoff begins anew
	finalTime     = 2 * time.Minute  // after which a failure that waiting may not change is believed
	closeTimeout  = time.Second
	levelInfo     = slog.LevelInfo

	slotSubscribe    = "slotSubscribe"
	slotNotification = "slotNotification"
)

// A connection keeps a WebSocket connection open and subscribed until it is cancelled.
type connection struct {
	m      *Manager
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
	open      bool
	lastID    uint64
	requests  map[uint64]waiting       // without an answer yet
	byID      map[name][]*subscription // nodes may give equal subscriptions one id
	early     map[name][]json.RawMessage
	unclaimed int                         // bytes of notifications of unknown ids
	unsubs    []*subscription             // to be ended on the server
	retries   map[*subscription]time.Time // when to repeat a refused request
	pulseID   uint64
	pulsing   bool
	slot      uint64
	pulseAt   time.Time
	bytes     int       // received and not yet charged
	since     time.Time // of the first slot
}

// A name is what notifications are known by. Gateways over several nodes may have ids that
// are unique by method only.
type name struct {
	method string // of the notification
	id     uint64
}

// waiting is a request that waits for its answer. Without a subscription it is the pulse.
type waiting struct {
	sub  *subscription
	sent time.Time
}

func newConnection(m *Manager) *connection {
	c := &connection{m: m, wake: make(chan struct{}, 1), subs: map[*subscription]bool{}}
	c.ctx, c.cancel = context.WithCancel(m.ctx)
	return c
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

func (c *connection) users() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.subs)
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
	if c.open {
		c.retries[s] = time.Time{}
	}
	c.signal()
}

// drop ends s on the server, or lets the answer to its request do so. It reports whether s
// was there.
func (c *connection) drop(s *subscription) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.removed {
		return false
	}
	delete(c.subs, s)
	delete(c.retries, s)
	s.removed = true
	if c.open && s.answered && s.method != slotSubscribe {
		c.unsubscribe(s)
	}
	return true
}

func (s *subscription) name() name { return name{notification(s.method), s.id} }

func (c *connection) unsubscribe(s *subscription) {
	n := s.name()
	c.byID[n] = slices.DeleteFunc(c.byID[n], func(other *subscription) bool { return other == s })
	c.unsubs = append(c.unsubs, s)
	c.signal()
}

// nextUnsubscribe returns the next request to unsubscribe. An id that other subscriptions
// have too is kept, and one that the answer to an equal request may bring waits for it.
func (c *connection) nextUnsubscribe() (r request, ok bool) {
	c.unsubs = slices.DeleteFunc(c.unsubs, func(s *subscription) bool {
		if ok {
			return false
		}
		for _, w := range c.requests {
			if w.sub != nil && w.sub.equal(s) {
				return false
			}
		}
		if len(c.byID[s.name()]) > 0 {
			return true
		}
		delete(c.byID, s.name())
		r = request{
			Method: strings.TrimSuffix(s.method, "Subscribe") + "Unsubscribe",
			Params: json.RawMessage(fmt.Sprintf("[%d]", s.id)),
		}
		ok = true
		return true
	})
	return r, ok
}

// run connects again and again. Its end is the end of the connection. What waiting does
// not change ends it: at once where no connection was ever good, otherwise when it has
// lasted, since balancers that restart answer anything for a while.
func (c *connection) run() {
	defer c.cancel()
	var finalSince time.Time
	good := false
	for failures := 0; c.ctx.Err() == nil; {
		err := c.m.opts.Clean(c.connect())
		if c.ctx.Err() != nil {
			return
		}
		lived := c.disconnected(err)
		good = good || lived > 0
		failures++
		if lived >= goodTime {
			failures = 1
		}
		final := c.m.opts.Final(err, good)
		switch {
		case final == nil:
			finalSince = time.Time{}
		case finalSince.IsZero():
			finalSince = time.Now()
		}
		if final != nil && (!good || time.Since(finalSince) >= finalTime) {
			c.m.endAll(c, final)
			return
		}
		pause := max(wait.Backoff(failures, firstBackoff, maxBackoff), retryAfter(err))
		c.m.opts.Logger.LogAttrs(c.ctx, levelInfo, "stream disconnected", attrs(c.slot, err, pause, failures-1)...)
		for _, s := range c.all() {
			s.sink.Break(err)
		}
		c.blame(err)
		_ = wait.For(c.ctx, pause)
	}
}

// disconnected notes the end of a socket, and returns for how long it has worked.
func (c *connection) disconnected(err error) (lived time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.since.IsZero() {
		lived = max(time.Since(c.since), 1)
	}
	c.since, c.reason = time.Time{}, err
	c.reconnects++
	return lived
}

// blame fails the subscription whose request ends each connection, which the others could
// not use either. It counts the connections that ended before an answer, and whether the
// request was alone on one that worked.
func (c *connection) blame(err error) {
	c.mu.Lock()
	var waits *subscription
	for _, w := range c.requests {
		if waits = w.sub; waits != nil {
			waits.unanswered++
		}
	}
	if len(c.requests) != 1 || waits == nil || c.slot == 0 {
		c.mu.Unlock()
		return
	}
	waits.blamed++
	if waits.blamed == 1 {
		waits.blamedAt = time.Now()
	}
	failed := waits.blamed >= maxBlamed && time.Since(waits.blamedAt) >= finalTime
	blamed := waits.blamed
	c.mu.Unlock()
	if failed {
		c.m.end(waits, fmt.Errorf("the request had no answer on %d connections in a row: %w", blamed, err))
	}
}

func (c *connection) all() []*subscription {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := make([]*subscription, 0, len(c.subs))
	for s := range c.subs {
		list = append(list, s)
	}
	return list
}

// connect opens a socket and serves it until it fails. Its goroutines end with it.
func (c *connection) connect() error {
	c.mu.Lock()
	c.session = session{}
	c.mu.Unlock()
	ws, end, err := c.m.opts.Dial(c.ctx)
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
		c.mu.Lock()
		c.open = false
		c.mu.Unlock()
	}()
	c.start()
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

func (c *connection) start() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.session = session{
		open: true, requests: map[uint64]waiting{}, byID: map[name][]*subscription{},
		early: map[name][]json.RawMessage{}, retries: map[*subscription]time.Time{}, pulseAt: time.Now(),
	}
	for s := range c.subs {
		s.answered = false
		c.retries[s] = time.Time{}
	}
}

// serve sends what is to be sent, and looks each second whether the connection is alive.
func (c *connection) serve(ctx context.Context, ws *websocket.Conn) error {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	if err := c.send(ctx, ws, request{Method: slotSubscribe, Params: json.RawMessage("[]")}, nil); err != nil {
		return err
	}
	for {
		for {
			r, s, ok := c.next()
			if !ok {
				break
			}
			if err := c.send(ctx, ws, r, s); err != nil {
				return reason(ctx, err)
			}
		}
		select {
		case <-ctx.Done():
			return reason(ctx, ctx.Err())
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

func reason(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// next returns the next request to send.
func (c *connection) next() (r request, s *subscription, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.unsubs) > 0 {
		if r, ok = c.nextUnsubscribe(); ok {
			return r, nil, true
		}
	}
	for s, at := range c.retries {
		switch {
		case time.Now().Before(at):
		case s.method == slotSubscribe: // the pulse serves it
			delete(c.retries, s)
			s.answered = true
		case s.unanswered >= maxUnanswered && (len(c.requests) > 0 || c.slot == 0): // later, alone
		default:
			delete(c.retries, s)
			return request{Method: s.method, Params: s.params}, s, true
		}
	}
	return request{}, nil, false
}

func (c *connection) send(ctx context.Context, ws *websocket.Conn, r request, s *subscription) error {
	c.mu.Lock()
	c.lastID++
	r.Version, r.ID = "2.0", c.lastID
	if s != nil || r.Method == slotSubscribe {
		c.requests[r.ID] = waiting{s, time.Now()}
	}
	c.mu.Unlock()
	message, err := json.Marshal(r)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	return ws.Write(ctx, websocket.MessageText, message)
}

// overdue returns the reason why the connection counts as dead.
func (c *connection) overdue() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.pulseAt) > silence {
		return fmt.Errorf("no slot for %v", silence)
	}
	for _, w := range c.requests {
		if time.Since(w.sent) > answerTimeout {
			return fmt.Errorf("no answer for %v", answerTimeout)
		}
	}
	return nil
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
			return reason(ctx, err)
		}
		message := buffer.Bytes()
		f, err := decodeFrame(message)
		if err != nil {
			return fmt.Errorf("unreadable message of %d bytes: %w", len(message), err)
		}
		c.charge(len(message))
		switch {
		case f.Method != "":
			c.notified(f)
		case f.ID != nil:
			if err := c.answered(f, message); err != nil {
				return err
			}
		}
	}
}

func (c *connection) charge(n int) {
	each := c.m.opts.BytesPerCredit
	if each == 0 {
		return
	}
	for c.bytes += n; c.bytes >= each; c.bytes -= each {
		c.m.opts.Charge("WebSocket messages", 1)
	}
}

func (c *connection) notified(f *frame) {
	if f.Params.Subscription == nil || f.Params.Result == nil {
		return
	}
	c.mu.Lock()
	n := name{f.Method, *f.Params.Subscription}
	if c.pulsing && n == (name{slotNotification, c.pulseID}) {
		c.mu.Unlock()
		c.pulse(f.Params.Result)
		return
	}
	list := c.byID[n]
	if len(list) == 0 && len(c.requests) > 0 {
		if c.unclaimed < maxEarly {
			c.early[n] = append(c.early[n], f.Params.Result)
		}
		c.unclaimed += len(f.Params.Result)
	}
	list = slices.Clone(list)
	c.mu.Unlock()
	for _, s := range list {
		s.sink.Notify(f.Params.Result)
	}
}

// pulse passes a slot on to all subscriptions of the connection.
func (c *connection) pulse(result json.RawMessage) {
	var in struct {
		Slot *uint64 `json:"slot"`
	}
	if err := decode.JSON(result, &in); err != nil || in.Slot == nil {
		return
	}
	c.mu.Lock()
	c.slot, c.pulseAt = max(*in.Slot, c.slot), time.Now()
	if c.since.IsZero() {
		c.since = c.pulseAt
	}
	var list []*subscription
	for s := range c.subs {
		if s.answered {
			list = append(list, s)
		}
	}
	c.mu.Unlock()
	for _, s := range list {
		if s.method == slotSubscribe {
			s.sink.Notify(result)
		}
		s.sink.Pulse(*in.Slot)
	}
}

// answered handles the answer to a request to subscribe.
func (c *connection) answered(f *frame, message []byte) error {
	c.mu.Lock()
	w, ok := c.requests[*f.ID]
	delete(c.requests, *f.ID)
	if w.sub != nil {
		w.sub.unanswered, w.sub.blamed = 0, 0
	}
	c.mu.Unlock()
	if !ok {
		return nil // to a request to unsubscribe
	}
	c.signal() // for requests that wait to be alone
	if f.Error != nil && string(f.Error) != "null" {
		c.refused(w.sub, message)
		return nil
	}
	var id *uint64
	if err := json.Unmarshal(f.Result, &id); err != nil || id == nil {
		return errors.New("an answer has no subscription")
	}
	c.accepted(w.sub, *id)
	return nil
}

func (c *connection) accepted(s *subscription, id uint64) {
	c.mu.Lock()
	switch {
	case s == nil:
		c.pulseID, c.pulsing = id, true
		c.m.opts.Logger.LogAttrs(c.ctx, levelInfo, "stream connected")
	case s.removed:
		s.id = id
		c.unsubscribe(s)
	default:
		s.id, s.answered = id, true
		c.byID[s.name()] = append(c.byID[s.name()], s)
	}
	var early []json.RawMessage
	lost := c.unclaimed > maxEarly
	if s != nil {
		early = c.early[s.name()]
		delete(c.early, s.name())
	}
	if len(c.requests) == 0 {
		clear(c.early)
		c.unclaimed = 0
	}
	c.mu.Unlock()
	if s == nil {
		return
	}
	for _, result := range early {
		s.sink.Notify(result)
	}
	if lost {
		s.sink.Break(errors.New("too many notifications before the answer"))
	}
}

// refused ends the subscription, or repeats the request where the refusal is transient.
func (c *connection) refused(s *subscription, message []byte) {
	method, params := slotSubscribe, []byte(nil)
	if s != nil {
		method, params = s.method, s.params
	}
	err := c.m.opts.Refusal(method, params, message)
	switch {
	case s == nil: // the silence of the pulse ends the connection
		c.m.opts.Logger.LogAttrs(c.ctx, levelInfo, "stream without slots", attrs(0, err, 0, 0)...)
	case c.m.opts.Retry(err):
		c.mu.Lock()
		c.retries[s] = time.Now().Add(maxBackoff)
		c.mu.Unlock()
		c.m.opts.Logger.LogAttrs(c.ctx, levelInfo, "stream refused", slog.String("method", method),
			slog.String("reason", err.Error()), slog.Duration("wait", maxBackoff))
	default:
		c.m.end(s, err)
	}
}

// ping keeps intermediaries from closing the connection. The pulse, not the answer, shows
// that it is alive.
func (c *connection) ping(ctx context.Context, ws *websocket.Conn) {
	ticker := time.NewTicker(pingInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if ws.Ping(ctx) != nil {
				return
			}
		}
	}
}

// watch ends a connection that stays behind the chain, or is of another one.
func (c *connection) watch(ctx context.Context, end context.CancelCauseFunc) {
	ticker := time.NewTicker(lagInterval)
	defer ticker.Stop()
	for wrong := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		c.mu.Lock()
		ours := c.slot
		c.mu.Unlock()
		slot, err := c.m.opts.Slot(ctx)
		if err == nil {
			c.mu.Lock()
			c.chain = slot
			c.mu.Unlock()
		}
		switch {
		case err != nil:
		case slot <= ours+maxLag && ours <= slot+maxLead:
			wrong = 0
		default:
			wrong++
		}
		if wrong == 2 {
			end(fmt.Errorf("%d slots behind the chain", int64(slot-ours)))
			return
		}
	}
}
