package transport

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/solwire/solwire-go/internal/decode"
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
	c.started, c.received, c.wait = time.Now(), received{}, 0
	t := &roundTrip{
		keyTransport: c.transport, budget: &c.budget, hasID: c.hasID,
		repeatable: !c.creates && c.method != http.MethodDelete,
	}
	resp, err := c.send(req, t)
	c.received.requests = t.requests()
	if err != nil {
		return nil, c.unanswered(err, c.received.requests > 0 || t.watched != nil && t.watched.read.Load())
	}
	defer func() { _ = resp.Body.Close() }()
	c.received.status = resp.StatusCode

	raw, plain := takeBuffer(), takeBuffer()
	defer func() { // in this order, so that the next attempt takes each for the same use
		raw.release()
		plain.release()
	}()
	content, err := c.read(t, resp, raw, plain)
	c.received.bytes, c.received.compressed = len(content), len(raw.b)
	if resp.StatusCode < 200 || resp.StatusCode > 299 { // the status counts even if the body is truncated
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
	c.response.StatusCode, c.response.Body = http.StatusOK, http.NoBody
	return &c.response, nil
}

// A watchedBody is the body of a request to a Transport that is not net/http's own and may
// call no hooks. It may be read after the Transport has failed.
type watchedBody struct {
	io.Reader
	read atomic.Bool // whether anything was read
}

func (b *watchedBody) Read(p []byte) (int, error) {
	b.read.Store(true)
	return b.Reader.Read(p)
}

// send sends a copy of req with header, body and key.
func (c *call) send(req *http.Request, t *roundTrip) (*http.Response, error) {
	r := req.WithContext(t.start(req.Context()))
	over := true // also after a panic of the Transport
	defer func() {
		if over {
			t.end()
		}
	}()
	r.Header = t.header(form{body: c.body != nil, repeatable: t.repeatable})
	t.addKey(r)
	if c.body != nil {
		// With a bytes.Reader, net/http writes header and body in one packet.
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(c.body)), int64(len(c.body))
		if t.layered {
			t.watched = &watchedBody{Reader: bytes.NewReader(c.body)}
			r.Body = io.NopCloser(t.watched)
		}
		if t.repeatable {
			r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(c.body)), nil }
		}
	}
	if c.jar != nil {
		for _, cookie := range c.jar.Cookies(req.URL) {
			r.AddCookie(cookie)
		}
	}
	resp, err := t.next.RoundTrip(r)
	if err == nil && resp == nil {
		err = errors.New("the Transport returned neither a response nor an error")
	}
	if err != nil {
		return nil, t.reason(err)
	}
	if resp.Body == nil {
		resp.Body = http.NoBody
	}
	t.body = timedBody{resp.Body, t}
	resp.Body = &t.body
	if c.jar != nil {
		c.jar.SetCookies(req.URL, resp.Cookies())
	}
	over = false
	return resp, nil
}

// A buffer holds a body while it is decoded. Decoded values do not refer to it.
type buffer struct{ b []byte }

var buffers = sync.Pool{New: func() any { return new(buffer) }}

func takeBuffer() *buffer {
	b, _ := buffers.Get().(*buffer)
	return b
}

// release returns b to the pool, unless it is so large that it would waste memory
// there.
func (b *buffer) release() {
	if cap(b.b) <= maxPooled {
		b.b = b.b[:0]
		buffers.Put(b)
	}
}

// read reads and decompresses the body. With an error it returns the part it read.
func (c *call) read(t *roundTrip, resp *http.Response, raw, plain *buffer) ([]byte, error) {
	if resp.StatusCode < 200 {
		return nil, nil // the body of a 101 is the connection, whose reads ignore the context
	}
	limit := decode.MaxContent
	if resp.StatusCode > 299 {
		limit = maxRefusal
	}
	if n := resp.ContentLength; n > int64(cap(raw.b)) {
		raw.b = make([]byte, 0, min(n, maxPooled, int64(limit))+512)
	}
	var err error
	raw.b, err = decode.Append(raw.b, resp.Body, limit)
	if err != nil || resp.Uncompressed || c.transport.browser {
		return raw.b, err
	}
	content, err := c.decompressor.Content(t.ctx, &plain.b, raw.b, strings.Join(resp.Header["Content-Encoding"], ","))
	if err != nil {
		return nil, t.reason(err)
	}
	return content[:min(len(content), limit)], nil
}

// unanswered is the failure of a request without a response. Sent is whether any part of
// the request may have been written: a Transport with retries may fail to dial after that.
func (c *call) unanswered(err error, sent bool) *failure {
	f := &failure{err: c.secret.clean(err), retry: idempotent, executed: true}
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
		f.err = fmt.Errorf("the response of %w", err)
	case errors.Is(err, decode.ErrCoding):
		f.err = fmt.Errorf("the response with an %w", err)
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
	if errors.Is(err, types.ErrTooLarge) && decode.IsBomb(len(content), c.received.compressed) {
		err = fmt.Errorf("%w: %w", decode.ErrBomb, err)
	}
	f := &failure{err: c.secret.clean(err), executed: true}
	if errors.Is(err, types.ErrTooLarge) {
		return f
	}
	switch flaw := decode.Check(content); {
	case flaw == nil: // JSON of the wrong shape, which a retry would not change
	case errors.Is(flaw, decode.ErrNotJSON):
		page := &types.APIError{StatusCode: resp.StatusCode, Message: c.plain(resp, content, true)}
		if errors.Is(page, types.ErrQuotaExceeded) {
			return c.refused(page, resp.Header)
		}
		f.err, f.retry = fmt.Errorf("%d %s: %s", page.StatusCode, http.StatusText(page.StatusCode), page.Message), idempotent
	default:
		f.err, f.retry = fmt.Errorf("truncated response: %w", flaw), idempotent
	}
	return f
}
