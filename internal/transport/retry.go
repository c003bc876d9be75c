package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/types"
)

const (
	firstWait   = 500 * time.Millisecond
	longestWait = 20 * time.Second // before another try; a longer one is the caller's to wait

	maxBody      = 64 << 20 // after decompression; an edit of 100 000 addresses answers about 5 MB
	maxErrorBody = 1 << 20  // the rest of a longer refusal is not read
	maxPooled    = 4 << 20  // larger buffers are left to the collector
)

// A call is one call on its way through the retry loop.
type call struct {
	client *Client
	secret *secret // that no error and no record shows
	op     string  // how errors name the call
	method string
	url    string
	body   []byte
	once   bool                                // must not act twice
	open   func(status int, body []byte) error // makes the result of a body

	request retryablehttp.Request // these three are here to be allocated with the call
	loop    retryablehttp.Client
	answer  io.LimitedReader // the body of the last try

	tries   int
	acted   bool      // whether the service may have acted on a try before the last
	started time.Time // of the last try
	stopped error     // what ended the loop from outside: the limiter
	settled bool      // whether the last answer ended it
	err     error     // of the last try that failed by itself, not by the context
}

// A failure is why a try did not bring a result.
type failure struct {
	err   error
	retry bool          // whether another try may
	slow  bool          // whether the service asked for patience
	after time.Duration // how much; 0 when it did not say
	cut   bool          // whether the answer could not be read to its end
}

func (f *failure) Error() string { return f.err.Error() }

// do runs the call. go-retryablehttp is the loop; what is tried again, and
// when, is decided here.
func (x *call) do(ctx context.Context) error {
	if ctx == nil {
		return x.named(argument.Invalid("ctx", "nil"))
	}
	if err := over(ctx); err != nil {
		return x.named(err)
	}
	req, err := http.NewRequestWithContext(ctx, x.method, x.url, nil)
	if err != nil {
		return x.named(x.secret.clean(withoutURL(err)))
	}
	maps.Copy(req.Header, x.client.header)
	x.request.Request = req
	if x.body != nil {
		req.Header["Content-Type"] = req.Header["Accept"]
		if err := x.request.SetBody(x.body); err != nil {
			return x.named(err)
		}
	}
	if !x.once && x.method != http.MethodDelete {
		// Lets net/http itself repeat a request whose reused connection turns
		// out to be closed. Nil keeps the header from being sent. A delete that
		// was sent twice may find nothing, so each sending counts as a try.
		req.Header["Idempotency-Key"] = nil
	}
	x.request.SetResponseHandler(x.read)
	x.loop = retryablehttp.Client{
		HTTPClient:   x.client.http,
		RetryMax:     x.client.attempts - 1,
		CheckRetry:   x.check,
		Backoff:      leastWait,
		PrepareRetry: func(req *http.Request) error { return x.prepare(req.Context()) },
		ErrorHandler: func(_ *http.Response, err error, _ int) (*http.Response, error) { return nil, err },
	}
	if err := x.prepare(ctx); err != nil {
		return x.named(err)
	}
	if _, err := x.loop.Do(&x.request); err == nil { //nolint:bodyclose // read closes it
		return nil
	}
	switch {
	case x.settled:
		return x.named(x.err)
	case x.stopped != nil:
		return x.ended(x.stopped)
	case over(ctx) != nil:
		return x.ended(over(ctx))
	default:
		return x.named(x.err)
	}
}

// leastWait makes the loop wait what affordable has set.
func leastWait(least, _ time.Duration, _ int, _ *http.Response) time.Duration { return least }

// prepare waits for the limiter before a try, so that queueing does not eat
// the time of the attempt.
func (x *call) prepare(ctx context.Context) error {
	if x.client.limiter != nil {
		if err := x.client.limiter.Wait(ctx); err != nil {
			if reason := over(ctx); reason != nil && errors.Is(err, ctx.Err()) {
				err = reason
			}
			x.stopped = x.secret.clean(err)
			return x.stopped
		}
	}
	x.tries++
	x.started = time.Now()
	return nil
}

// check decides whether to try again. The loop asks twice per try: after
// sending, where an answer without an error is still to be read, and after
// reading it.
func (x *call) check(ctx context.Context, _ *http.Response, err error) (bool, error) {
	if err == nil {
		return false, nil
	}
	var f *failure
	if !errors.As(err, &f) {
		err = withoutURL(err)
		f = &failure{err: err, retry: !permanent(err) && (!x.once || unsent(err))}
	}
	var refusal *types.APIError
	if !errors.As(f.err, &refusal) { // its words are clean
		f.err = x.secret.clean(f.err)
	}
	again := f.retry && ctx.Err() == nil && x.tries < x.client.attempts && x.affordable(ctx, f)
	x.acted = x.acted || again && !unsent(f.err) && !errors.Is(f.err, types.ErrRateLimited)
	x.log(ctx, 0, 0, f.err, again)
	if ctx.Err() == nil || !errors.Is(f.err, ctx.Err()) && !errors.Is(f.err, context.Cause(ctx)) {
		x.err = f.err
		x.settled = !f.retry && (!f.cut || over(ctx) == nil)
	}
	return again, nil
}

// affordable sets the wait before the next try and reports whether there is
// time and budget for it.
func (x *call) affordable(ctx context.Context, f *failure) bool {
	if f.after > longestWait {
		return false
	}
	wait := pause(x.tries, f.slow)
	if f.after > 0 { // at least, and not all of those who were told the same at once
		wait = max(wait, f.after+rand.N(firstWait))
	}
	x.loop.RetryWaitMin = wait
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= wait {
		return false
	}
	return x.client.budget.take()
}

// pause is the wait after try n when the service did not say: doubling, half
// of it random, so that clients that failed together do not come back together.
func pause(n int, slow bool) time.Duration {
	d := firstWait
	if slow {
		d *= 2
	}
	for ; n > 1 && d < longestWait; n-- {
		d *= 2
	}
	d = min(d, longestWait)
	return d/2 + rand.N(d/2)
}

// buffers hold the bodies of answers while they are decoded. Nothing decoded
// refers to them.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// release empties buf for the next answer, unless it is so large that it would
// hold its memory for small ones.
func release(buf *bytes.Buffer) {
	if buf.Cap() <= maxPooled {
		buf.Reset()
		buffers.Put(buf)
	}
}

// read makes a result or a failure of an answer. It belongs to the try, so
// that a body that breaks off is asked for again.
func (x *call) read(resp *http.Response) error {
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode < http.StatusOK { // the body of a 101 is the connection, and ends with no context
		return x.refused(&types.APIError{StatusCode: resp.StatusCode}, resp.Header)
	}
	buf, _ := buffers.Get().(*bytes.Buffer)
	defer release(buf)
	limit := int64(maxBody)
	if resp.StatusCode >= http.StatusMultipleChoices {
		limit = maxErrorBody
	}
	if n := resp.ContentLength; n > 0 {
		buf.Grow(int(min(n, maxPooled/2)) + bytes.MinRead)
	}
	x.answer = io.LimitedReader{R: resp.Body, N: limit + 1}
	_, err := buf.ReadFrom(&x.answer)
	switch {
	case resp.StatusCode >= http.StatusMultipleChoices:
		f := x.refusal(resp, buf.Bytes()) // whatever became of the body, the status says it
		f.cut = err != nil
		err = f
	case err != nil:
		err = &failure{err: fmt.Errorf("answer breaks off: %w", err), retry: !x.once}
	case buf.Len() > maxBody:
		err = &failure{err: fmt.Errorf("answer above 64 MiB: %w", types.ErrTooLarge)}
	default:
		err = x.opened(resp, buf.Bytes())
	}
	if err != nil {
		return err
	}
	x.client.budget.give()
	x.log(resp.Request.Context(), resp.StatusCode, buf.Len(), nil, false)
	return nil
}

// named puts the call's name before what ended it. An APIError has it already.
func (x *call) named(err error) error {
	var refusal *types.APIError
	if errors.As(err, &refusal) {
		return err
	}
	if x.tries > 1 {
		return fmt.Errorf("%s: %w (%d attempts)", x.op, err, x.tries)
	}
	return fmt.Errorf("%s: %w", x.op, err)
}

// ended is the error of a call that the context or the limiter ended. It wraps
// what did, and the failure of the last try if there was one.
func (x *call) ended(by error) error {
	if x.err == nil {
		return x.named(by)
	}
	return &endedError{op: x.op, by: by, last: x.err}
}

// over says why ctx has ended, with the cause that its owner gave; nil while it
// has not. A connection may notice a deadline a moment before the context does.
func over(ctx context.Context) error {
	err := ctx.Err()
	if deadline, ok := ctx.Deadline(); err == nil && ok && time.Until(deadline) <= 0 {
		err = context.DeadlineExceeded
	}
	if cause := context.Cause(ctx); cause != nil && !errors.Is(err, cause) {
		return fmt.Errorf("%w: %w", err, cause)
	}
	return err
}

type endedError struct {
	op       string
	by, last error
}

func (e *endedError) Error() string {
	return e.op + ": " + e.by.Error() + "; before that: " + strings.TrimPrefix(e.last.Error(), e.op+": ")
}

func (e *endedError) Unwrap() []error { return []error{e.by, e.last} }

// withoutURL returns what a url.Error wraps: its own text quotes the URL.
func withoutURL(err error) error {
	if quoting, ok := err.(*url.Error); ok { //nolint:errorlint // only the outermost, which is net/http's
		return quoting.Err
	}
	return err
}

// log writes the record of a try.
func (x *call) log(ctx context.Context, status, size int, err error, again bool) {
	logger := x.client.logger
	if logger == nil || !logger.Enabled(ctx, slog.LevelDebug) {
		return
	}
	attrs := []slog.Attr{
		slog.String("op", x.op),
		slog.Int("attempt", x.tries),
		slog.Duration("duration", time.Since(x.started)),
	}
	var refusal *types.APIError
	if errors.As(err, &refusal) {
		status = refusal.StatusCode
	}
	if status != 0 {
		attrs = append(attrs, slog.Int("status", status))
	}
	if err == nil {
		attrs = append(attrs, slog.Int("bytes", size))
	} else {
		attrs = append(attrs, slog.String("error", err.Error()))
	}
	if again {
		attrs = append(attrs, slog.Duration("wait", x.loop.RetryWaitMin))
	}
	logger.LogAttrs(ctx, slog.LevelDebug, "request", attrs...)
}

const (
	budgetSize = 500
	retryCost  = 5
)

// A budget bounds the retries of a client: each costs five tokens and each
// success brings one back. In an outage it runs dry, and the load on the
// service stays near what it would be without retries.
type budget struct{ tokens atomic.Int64 }

func (b *budget) take() bool {
	for {
		n := b.tokens.Load()
		if n < retryCost {
			return false
		}
		if b.tokens.CompareAndSwap(n, n-retryCost) {
			return true
		}
	}
}

func (b *budget) give() {
	for {
		n := b.tokens.Load()
		if n >= budgetSize || b.tokens.CompareAndSwap(n, n+1) {
			return
		}
	}
}
