package transport

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/types"
)

// run makes attempts until one succeeds or none may follow. The loop is go-retryablehttp,
// which calls for each attempt
//
//	RoundTrip     inside http.Client.Do: sends, reads, decodes and classifies (attempt.go)
//	CheckRetry    with the failure of the attempt, nil if it succeeded: decides (policy.go)
//	Backoff       before another attempt: the wait that CheckRetry chose
//	PrepareRetry  after that wait: asks the limiter
//
// and ErrorHandler after a failure, except when ctx ends during a wait. The loop only sees
// a request without key and body, and an empty response.
func (c *call) run(ctx context.Context) error {
	if ctx == nil {
		return c.Check(c.op, fmt.Errorf("ctx is nil: %w", types.ErrInvalid))
	}
	if err := wait.Ended(ctx); err != nil {
		return c.interrupted(err)
	}
	if c.limiter != nil {
		// here, so that it does not count toward the timeout of the attempt
		if err := c.waitForLimiter(ctx); err != nil {
			return c.outcome(ctx, err)
		}
	}
	c.response.StatusCode, c.response.Body = http.StatusOK, http.NoBody
	req := http.Request{Method: c.method, URL: c.url, Host: c.url.Host, Header: http.Header{}}
	loop := retryablehttp.Client{
		HTTPClient:   &http.Client{Transport: c},
		Logger:       nil, // it would print URLs
		RetryMax:     c.maxAttempts - 1,
		CheckRetry:   c.checkRetry,
		Backoff:      func(time.Duration, time.Duration, int, *http.Response) time.Duration { return c.wait },
		ErrorHandler: retryablehttp.PassthroughErrorHandler, // the default quotes the URL
	}
	if c.limiter != nil {
		loop.PrepareRetry = func(*http.Request) error { return c.waitForLimiter(ctx) }
	}
	resp, err := loop.Do(&retryablehttp.Request{Request: req.WithContext(ctx)})
	if err == nil {
		return resp.Body.Close()
	}
	if err = c.outcome(ctx, err); c.classify != nil {
		err = c.classify(err)
	}
	if c.changes && c.unsure {
		err = executed(err)
	}
	return err
}

// checkRetry reports whether another attempt follows. The loop also asks it after the last
// one.
func (c *call) checkRetry(ctx context.Context, _ *http.Response, err error) (bool, error) {
	if err == nil {
		if c.budget.tokens.Load() < budgetSize { // calls that return at once may exceed it a little
			c.budget.tokens.Add(1)
		}
		if c.logger != nil {
			c.log(ctx, nil)
		}
		return false, nil
	}
	var f *failure
	errors.As(err, &f) // RoundTrip returns no other error
	if errors.Is(f.err, context.DeadlineExceeded) && wait.Ended(ctx) == nil {
		f.err = timeoutError(f.err.Error())
	}
	delay, retry := c.nextAttempt(ctx, f)
	c.wait = delay
	if c.logger != nil {
		c.log(ctx, f.err)
	}
	if !endedBy(ctx, f.err) {
		c.last = f.err
	}
	c.unsure = c.unsure || f.executed
	return retry, nil
}

// outcome returns the error of a call that failed with err, in the loop or before it.
func (c *call) outcome(ctx context.Context, err error) error {
	var f *failure
	reason := wait.Ended(ctx)
	if !errors.As(err, &f) { // the limiter or ctx ended a wait
		if reason != nil && errors.Is(err, ctx.Err()) {
			err = reason
		}
		return c.interrupted(err)
	}
	final := !f.retry.includes(c.creates) && !endedBy(ctx, f.err) && !f.truncated
	if reason != nil && !final {
		return c.interrupted(reason)
	}
	return c.withOp(f.err)
}
