package pubsub

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/coder/websocket"

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
	goodTime     = 30 * time.Second // of slots, after which the backoff begins anew

	// A node may close the connection instead of refusing a request, such as a long request.
	// After maxTogether connections without an answer, the request is sent only while no other
	// is open. After maxUnanswered in a row, some two minutes, it fails.
	maxTogether   = 2
	maxUnanswered = 10
	closeTimeout  = time.Second

	slotSubscribe = "slotSubscribe"
)

// A connection keeps a WebSocket connection open and subscribed until it is cancelled.
type connection struct {
	m      *Manager
	opts   *Options
	ctx    context.Context //nolint:containedctx // of the connection
	cancel context.CancelFunc
	wake   chan struct{} // has an element when there is something to send

	mu   sync.Mutex
	subs map[*subscription]bool
	Status
	session
}

func (c *connection) status() Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Subscriptions = len(c.subs)
	return c.Status
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

// run connects again and again, until the connection ends or a failure is permanent.
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
		pause, final := wait.Backoff(failures, firstBackoff, maxBackoff), c.opts.Final(err, worked)
		var refusal *types.APIError
		if errors.As(err, &refusal) {
			pause = max(pause, min(refusal.RetryAfter, time.Minute))
			if refusal.StatusCode/100 == 2 && refusal.Code == 0 && failures < c.opts.API.Attempts {
				final = nil // a page that stands in for the service for a while
			}
		}
		if final = lasting.Final(final, worked); final != nil {
			c.m.end(c, final)
			return
		}
		c.opts.Logger.InfoContext(c.ctx, "stream disconnected", "reason", err, "wait", pause.String(), "failures", failures-1)
		c.mu.Lock()
		for s := range c.subs {
			s.sink.Break(err)
		}
		c.mu.Unlock()
		if unanswered != nil {
			c.m.end(c, fmt.Errorf("the request had no answer on %d connections in a row: %w", maxUnanswered, err), unanswered)
		}
		_ = wait.For(c.ctx, pause)
	}
}

// disconnected records the end of a socket. It returns the time for which the socket worked, and
// a subscription that had no answer on too many sockets.
func (c *connection) disconnected(err error) (lived time.Duration, unanswered *subscription) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.Since.IsZero() {
		lived = max(time.Since(c.Since), 1)
	}
	for _, s := range c.requests {
		s.unanswered++
		if s.unanswered >= maxUnanswered {
			unanswered = s
		}
	}
	c.Status = Status{Reconnects: c.Reconnects + 1, Reason: err}
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

// serve sends requests, and checks each second that the socket is alive.
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

// read handles messages until the socket fails, or is closed after the end of ctx.
func (c *connection) read(ctx context.Context, ws *websocket.Conn) error {
	endless := context.WithoutCancel(ctx) // the socket would watch ctx for each piece of a message
	var buffer bytes.Buffer
	for {
		_, in, err := ws.Reader(endless)
		if err == nil {
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

// ping keeps intermediaries from closing the connection. The pulse, not the answer, shows
// that it is alive.
func (c *connection) ping(ctx context.Context, ws *websocket.Conn) {
	for wait.For(ctx, pingInterval) == nil {
		if ws.Ping(ctx) != nil {
			return
		}
	}
}

// watch ends a connection that stays behind the chain, or has spent the budget.
func (c *connection) watch(ctx context.Context, end context.CancelCauseFunc) {
	for late := 0; wait.For(ctx, lagInterval) == nil; {
		chain, err := c.opts.Slot(ctx)
		if errors.Is(err, types.ErrBudget) {
			end(err)
			return
		}
		if err != nil {
			continue
		}
		c.mu.Lock()
		behind := max(chain, c.Slot) - c.Slot
		c.Behind = behind
		c.mu.Unlock()
		late++
		if behind <= maxLag {
			late = 0
		}
		if late == 2 {
			end(fmt.Errorf("%d slots behind the chain", behind))
			return
		}
	}
}
