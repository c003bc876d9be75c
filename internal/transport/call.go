package transport

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/solwire/solwire-go/types"
)

// A call is one call of an operation, with all of its attempts.
type call struct {
	*Client
	op          Op
	method      string // of HTTP
	url         string
	body        []byte
	size        int      // number of JSON-RPC calls in body: more than 1 in a batch
	hasID       bool     // a response names its request, as in JSON-RPC
	once        bool     // not idempotent
	secret      *secret  // never in errors and log records: the key, and secrets of the request
	attempt     int      // the running attempt, from 1
	maxAttempts int      // 0 for no other limit than that of the Client
	charges     []charge // of a response; nil means the price of op

	// open decodes the body of a response with a 2xx status. It runs once per
	// response. An APIError is a refusal by the service; any other error means that
	// the JSON has the wrong shape.
	open func(status int, body []byte) error
}

// A failure is the failure of one attempt.
type failure struct {
	err   error
	again again         // which calls may be retried
	slow  bool          // whether the service is overloaded, so that retries wait longer
	after time.Duration // Retry-After; 0 without one
	sent  bool          // whether the service may have executed the request
	cut   bool          // whether err is a refusal whose body could not be read whole
}

// run makes attempts until one succeeds or no retry is allowed. It reports whether
// the service may have executed an attempt before the last.
func (c *call) run(ctx context.Context) (acted bool, err error) {
	if ctx == nil {
		return false, c.Check(c.op, fmt.Errorf("ctx is nil: %w", types.ErrInvalid))
	}
	if err := ended(ctx); err != nil {
		return false, c.interrupted(err, nil, 0)
	}
	var last error // of an attempt that failed for another reason than ctx
	for n := 1; ; n++ {
		if err := c.pace(ctx); err != nil {
			return acted, c.interrupted(err, last, n-1)
		}
		c.attempt = n
		start := time.Now()
		got, f := c.try(ctx)
		if f == nil {
			c.budget.give()
			c.log(ctx, record{start, got, nil, 0})
			return acted, nil
		}
		wait, again := c.another(ctx, f, n)
		c.log(ctx, record{start, got, f.err, wait})
		byContext := ctx.Err() != nil && (errors.Is(f.err, ctx.Err()) || errors.Is(f.err, context.Cause(ctx)))
		if !byContext {
			last = f.err
		}
		if !again {
			final := !c.allows(f) && !byContext && !f.cut
			if reason := ended(ctx); reason != nil && !final {
				return acted, c.interrupted(reason, last, n)
			}
			return acted, c.named(f.err, n)
		}
		acted = acted || f.sent
		if err := Sleep(ctx, wait); err != nil {
			return acted, c.interrupted(err, last, n)
		}
	}
}

// pace waits for the limiter, once for each call of a batch. The wait does not count
// toward the timeout of the attempt.
func (c *call) pace(ctx context.Context) error {
	if c.limiter == nil {
		return nil
	}
	for range c.size {
		if err := c.limiter.Wait(ctx); err != nil {
			if reason := ended(ctx); reason != nil && errors.Is(err, ctx.Err()) {
				return reason
			}
			return c.secret.clean(err)
		}
	}
	return nil
}

// allows reports whether the call may be retried after f.
func (c *call) allows(f *failure) bool { return mayRepeat(f.again, c.once) }

// another reports whether to retry after attempt n, and how long to wait before.
func (c *call) another(ctx context.Context, f *failure, n int) (wait time.Duration, again bool) {
	if !c.allows(f) || n >= c.attempts || n == c.maxAttempts || f.after > longestWait || ctx.Err() != nil {
		return 0, false
	}
	wait = pause(n, f.slow)
	if f.after > 0 { // a lower bound, with jitter for the callers that got the same one
		wait = max(wait, f.after+rand.N(firstWait))
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= wait {
		return 0, false
	}
	if !c.budget.take() {
		return 0, false
	}
	return wait, true
}

// Sleep waits for d. It returns the error of ctx, joined with its cause, if ctx ends first.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ended(ctx)
	}
}

// ended returns the error of ctx joined with its cause; nil while ctx is active. A
// connection may notice a deadline a moment before the context does.
func ended(ctx context.Context) error {
	err := ctx.Err()
	if deadline, ok := ctx.Deadline(); err == nil && ok && time.Until(deadline) <= 0 {
		err = context.DeadlineExceeded
	}
	if cause := context.Cause(ctx); cause != nil && !errors.Is(err, cause) {
		return fmt.Errorf("%w: %w", err, cause)
	}
	return err
}

// named prefixes err with the operation and adds the number of attempts. An APIError
// has both already.
func (c *call) named(err error, tries int) error {
	var refusal *types.APIError
	switch {
	case errors.As(err, &refusal):
		return err
	case tries > 1:
		return fmt.Errorf("%s: %w (%d attempts)", c.op, err, tries)
	}
	return fmt.Errorf("%s: %w", c.op, err)
}

// interrupted is the error of a call that the context or the limiter ended. It wraps
// the reason and the failure of the last attempt, if any.
func (c *call) interrupted(why, last error, tries int) error {
	why = c.secret.clean(why) // the cause of a context is the caller's
	if last == nil {
		return c.named(why, tries)
	}
	return &interruptedError{c.op.String(), why, last}
}

type interruptedError struct {
	op        string
	why, last error
}

func (e *interruptedError) Error() string {
	return e.op + ": " + e.why.Error() + "; before that: " + strings.TrimPrefix(e.last.Error(), e.op+": ")
}

func (e *interruptedError) Unwrap() []error { return []error{e.why, e.last} }

// A record is the log record of an attempt.
type record struct {
	start time.Time
	got   received
	err   error         // nil when the attempt succeeded
	wait  time.Duration // before the next attempt; 0 without one
}

func (c *call) log(ctx context.Context, r record) {
	if c.logger == nil || !c.logger.Enabled(ctx, slog.LevelDebug) {
		return
	}
	attrs := []slog.Attr{
		slog.String("op", c.op.String()),
		slog.Int("attempt", c.attempt),
		slog.Duration("duration", time.Since(r.start)),
	}
	if c.size > 1 {
		attrs = append(attrs, slog.Int("calls", c.size))
	}
	if r.got.requests > 1 {
		attrs = append(attrs, slog.Int("requests", r.got.requests))
	}
	if r.got.status != 0 {
		attrs = append(attrs, slog.Int("status", r.got.status))
	}
	if r.err == nil {
		attrs = append(attrs, slog.Int("bytes", r.got.bytes))
	} else {
		attrs = append(attrs, slog.String("error", r.err.Error()))
	}
	if r.wait > 0 {
		attrs = append(attrs, slog.Duration("wait", r.wait))
	}
	c.logger.LogAttrs(ctx, slog.LevelDebug, "request", attrs...)
}
