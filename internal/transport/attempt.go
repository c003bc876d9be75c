package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/meter"
	"github.com/solwire/solwire-go/types"
)

const (
	maxRefusal = 1 << 20  // bytes that are read of an error response
	maxPooled  = 16 << 20 // largest buffer that returns to the pool; the service sends up to 10 MiB
)

// A failure is the failure of one attempt.
type failure struct {
	err        error
	retry      retryable     // which calls may be retried
	slow       bool          // whether the service is overloaded, so that retries wait longer
	retryAfter time.Duration // 0 without the header
	executed   bool          // whether the service may have executed the request
	truncated  bool          // whether err is a refusal whose body could not be read whole
}

func (f *failure) Error() string { return f.err.Error() }

// RoundTrip makes one attempt: it sends the request, reads the whole response and decodes
// it, so that a truncated body is retried. Req has no key, header and body. The error is a
// *failure.
func (c *call) RoundTrip(req *http.Request) (*http.Response, error) {
	c.attempt++
	c.started, c.status, c.wait = time.Now(), 0, 0
	if c.meter != nil {
		if refused := c.reserve(); refused != nil {
			return nil, refused
		}
		defer func() { meter.Release(c.meter, c.reserved) }() // if it has cost less
	}
	ctx, cancel := context.WithTimeoutCause(req.Context(), c.timeout, c.late)
	defer cancel()
	resp, sent, err := c.send(ctx, req)
	switch {
	case err != nil:
		return nil, c.unanswered(c.reason(ctx, err), sent)
	case resp == nil: // a WebSocket connection
		return &c.response, nil
	}
	defer func() { _ = resp.Body.Close() }()
	c.status = resp.StatusCode

	raw, _ := buffers.Get().(*[]byte)
	plain, _ := buffers.Get().(*[]byte)
	defer func() { // in this order, so that the next attempt takes each for the same use
		release(raw)
		release(plain)
	}()
	content, err := c.read(ctx, resp, raw, plain)
	c.bytes = len(content)
	if resp.StatusCode < 200 || resp.StatusCode > 299 { // even of a truncated body
		f := c.refused(c.refusal(resp, content, err == nil), resp.Header)
		f.truncated = err != nil
		return nil, f
	}
	if c.meter != nil {
		c.pay()
	}
	if err != nil {
		return nil, c.unread(err)
	}
	if err := c.decode(resp.StatusCode, content); err != nil {
		return nil, c.undecoded(err, resp, content)
	}
	if c.onResponse != nil {
		c.onResponse(c.name(), bytes.Clone(content))
	}
	return &c.response, nil
}

// Buffers hold bodies while they are decoded. Decoded values do not refer to them.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// release returns a buffer to the pool, unless it is so large that it would waste memory
// there.
func release(b *[]byte) {
	if cap(*b) <= maxPooled {
		*b = (*b)[:0]
		buffers.Put(b)
	}
}

// read reads and decompresses the body. With an error it returns the part it read.
func (c *call) read(ctx context.Context, resp *http.Response, raw, plain *[]byte) (content []byte, err error) {
	limit := decode.MaxContent
	if resp.StatusCode > 299 {
		limit = maxRefusal
	}
	if n := resp.ContentLength; n > int64(cap(*raw)) {
		*raw = make([]byte, 0, min(n, maxPooled, int64(limit))+512)
	}
	*raw, err = decode.Append(ctx, *raw, resp.Body, limit)
	content = *raw
	if coding := resp.Header["Content-Encoding"]; err == nil && len(coding) > 0 && !resp.Uncompressed && !c.transport.browser {
		content, err = c.decompressor.Content(ctx, plain, *raw, strings.Join(coding, ","))
	}
	if err != nil {
		return content, c.reason(ctx, err)
	}
	return content[:min(len(content), limit)], nil
}

// unanswered is the failure of a request without a response. Sent says whether a part of the
// request may have been written: a Transport with retries may fail to dial after that.
func (c *call) unanswered(err error, sent bool) *failure {
	f := &failure{err: err, retry: idempotent, executed: true}
	switch kindOf(f.err) {
	case permanent:
		f.retry, f.executed = none, sent
	case dialling:
		if !sent {
			f.retry, f.executed = all, false
		}
	}
	return f
}

// unread is the failure of a response whose body could not be read or decompressed.
func (c *call) unread(err error) *failure {
	f := &failure{executed: true}
	switch {
	case errors.Is(err, types.ErrTooLarge):
		f.err = fmt.Errorf("the response is %w", err)
	case errors.Is(err, decode.ErrCoding):
		f.err = fmt.Errorf("the response has an %w", err)
	default:
		f.err, f.retry = fmt.Errorf("truncated response: %w", err), idempotent
	}
	f.err = c.secret.clean(f.err)
	return f
}

// undecoded is the failure of a response with a 2xx status that decode does not accept.
func (c *call) undecoded(err error, resp *http.Response, content []byte) *failure {
	var refusal *types.APIError
	if errors.As(err, &refusal) {
		return c.refused(refusal, resp.Header)
	}
	f := &failure{err: c.secret.clean(err), executed: true}
	switch flaw := decode.Check(content); {
	case flaw == nil: // JSON of the wrong shape, which a retry would not change
	case errors.Is(flaw, decode.ErrNotJSON):
		page := c.refusal(resp, content, true)
		if errors.Is(page, types.ErrQuotaExceeded) {
			return c.refused(page, resp.Header)
		}
		f.err, f.retry = errors.New(strings.TrimSuffix(page.Message+": "+page.Details, ": ")), idempotent
	default:
		f.err, f.retry = fmt.Errorf("truncated response: %w", flaw), idempotent
	}
	return f
}
