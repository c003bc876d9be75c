package transport

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/solwire/solwire-go/types"
)

// A call is one call of an operation, with all of its attempts.
type call struct {
	*Client
	op          Op
	method      string   // of HTTP
	url         *url.URL // without the key; shared
	about       any      // the input that errors name, or a list of inputs; nil for none
	body        []byte
	size        int     // number of JSON-RPC calls in body: more than 1 in a batch
	creates     bool    // not idempotent
	changes     bool    // changes something: its error says whether it may have been executed
	secret      *secret // never in errors and log records: the key, and secrets of the request
	maxAttempts int     // from 1
	timeout     time.Duration
	late        error  // of an attempt that exceeds timeout
	reserved    uint64 // credits of the Meter
	charges     []Op   // the price of a response; nil means op

	// decode decodes the body of a response with a 2xx status. It runs once per
	// response. An APIError is a refusal by the service; any other error means that
	// the JSON has the wrong shape.
	decode func(status int, body []byte) error

	data func([]byte)                                  // gets the data of a JSON-RPC error; or nil
	dial func(context.Context) (*http.Response, error) // opens a WebSocket; nil for others

	response http.Response // empty, for the loop

	attempt int // the running attempt, from 1
	started time.Time
	status  int           // of the response, from HTTP; 0 without one
	bytes   int           // of the decompressed body
	wait    time.Duration // before the next attempt; 0 without one
	last    error         // of the last attempt that failed for another reason than the context
	unsure  bool          // whether the service may have executed any attempt
}

// waitForLimiter asks the limiter once for each call of a batch.
func (c *call) waitForLimiter(ctx context.Context) error {
	for range c.size {
		if err := c.limiter.Wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

// endedBy reports whether err is the end of ctx.
func endedBy(ctx context.Context, err error) bool {
	return ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx)))
}

// withOp prefixes err with the operation and adds the number of attempts. The refusal of an
// attempt has both already. A refusal inside an error of the caller's code is from another call.
func (c *call) withOp(err error) error {
	if refusal, own := err.(*types.APIError); own { //nolint:errorlint // see above
		return refusal
	}
	if c.attempt > 1 {
		return fmt.Errorf("%s: %w (%d attempts)", c.name(), err, c.attempt)
	}
	return fmt.Errorf("%s: %w", c.name(), err)
}

// interrupted is the error of a call that the context or the limiter ended. It wraps
// the reason and the failure of the last attempt, if any.
func (c *call) interrupted(reason error) error {
	reason = c.secret.clean(reason) // the cause of a context is the caller's
	if c.last == nil {
		return c.withOp(reason)
	}
	return &interruptedError{c.name(), reason, c.last}
}

type interruptedError struct {
	op           string
	reason, last error
}

func (e *interruptedError) Error() string {
	return e.op + ": " + e.reason.Error() + "; before that: " + strings.TrimPrefix(e.last.Error(), e.op+": ")
}

func (e *interruptedError) Unwrap() []error { return []error{e.reason, e.last} }

// executed is the error of a call that the service may have executed.
func executed(err error) error { return fmt.Errorf("%w; it %w", err, types.ErrMayHaveExecuted) }

// log writes the record of an attempt. Err is nil when the attempt succeeded.
func (c *call) log(ctx context.Context, err error) {
	if !c.logger.Enabled(ctx, slog.LevelDebug) {
		return
	}
	attrs := []any{"op", c.op.Wire, "attempt", c.attempt, "duration", time.Since(c.started).String()}
	if input := c.input(); input != "" {
		attrs = append(attrs, "input", input)
	}
	if c.size > 1 {
		attrs = append(attrs, "calls", c.size)
	}
	if c.status != 0 {
		attrs = append(attrs, "status", c.status)
	}
	if err == nil {
		attrs = append(attrs, "bytes", c.bytes)
	} else {
		attrs = append(attrs, "error", err.Error())
	}
	if c.wait > 0 {
		attrs = append(attrs, "wait", c.wait.String())
	}
	c.logger.DebugContext(ctx, "request", attrs...)
}
