package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"sync"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
)

const (
	maxRefusal = 1 << 20  // bytes that are read of an error response
	maxPooled  = 16 << 20 // largest buffer that returns to the pool; the service sends up to 10 MiB
)

// received describes the response of an attempt, for the log.
type received struct {
	status   int // HTTP status; 0 without a response
	bytes    int // of the decompressed body
	requests int // that were sent: 2 when net/http repeated one
}

// try makes one attempt: it sends the request, reads the whole response and decodes
// it, so that a truncated body is retried.
func (c *call) try(ctx context.Context) (received, *failure) {
	body := bytes.NewReader(c.body)
	t := &trip{wire: c.wire, budget: &c.budget, repeatable: !c.once && c.method != http.MethodDelete, hasID: c.hasID}
	resp, err := c.send(ctx, t, body)
	got := received{requests: t.requests()}
	if err != nil {
		return got, c.unanswered(err, func() bool { return got.requests > 0 || body.Len() < len(c.body) })
	}
	defer func() { _ = resp.Body.Close() }()
	got.status = resp.StatusCode

	raw, plain := takeBuffer(), takeBuffer()
	defer func() { // in this order, so that the next attempt takes each for the same use
		raw.release()
		plain.release()
	}()
	content, err := c.read(resp, raw, plain)
	got.bytes = len(content)
	if resp.StatusCode < 200 || resp.StatusCode > 299 { // the status counts even if the body is truncated
		f := c.refused(c.refusal(resp, content, err == nil), resp.Header)
		f.cut = err != nil
		return got, f
	}
	c.pay()
	if err != nil {
		return got, c.unread(err)
	}
	if err := c.open(resp.StatusCode, content); err != nil {
		return got, c.unopened(err, resp, content)
	}
	return got, nil
}

// send sends the request. It calls the RoundTripper directly, since an http.Client
// would follow redirects and carry the key to other hosts.
func (c *call) send(ctx context.Context, t *trip, body *bytes.Reader) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, c.method, c.url, nil)
	if err != nil {
		return nil, errors.New("the request has no valid URL") // err quotes it
	}
	maps.Copy(req.Header, c.wire.header)
	if c.body != nil {
		req.Header["Content-Type"] = req.Header["Accept"]
		// With a bytes.Reader, net/http writes header and body in one packet.
		req.Body, req.ContentLength = io.NopCloser(body), int64(len(c.body))
	}
	if t.repeatable {
		// Lets net/http repeat the request when an idle connection turns out to be
		// closed. A nil value is not sent.
		req.Header["Idempotency-Key"] = nil
		if c.body != nil {
			req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(c.body)), nil }
		}
	}
	if c.jar != nil {
		for _, cookie := range c.jar.Cookies(req.URL) {
			req.AddCookie(cookie)
		}
	}
	resp, err := t.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if c.jar != nil {
		c.jar.SetCookies(req.URL, resp.Cookies())
	}
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
func (c *call) read(resp *http.Response, raw, plain *buffer) ([]byte, error) {
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
	if err != nil || resp.Uncompressed || c.wire.browser {
		return raw.b, err
	}
	content, err := decode.Content(&plain.b, raw.b, strings.Join(resp.Header["Content-Encoding"], ","))
	if err != nil {
		return nil, err
	}
	return content[:min(len(content), limit)], nil
}

// unanswered is the failure of a request without a response. Sent reports whether
// any part of the request may have been written; it is called for dial errors.
func (c *call) unanswered(err error, sent func() bool) *failure {
	f := &failure{err: c.secret.clean(err), again: reads, sent: true}
	switch kindOf(f.err) {
	case permanent:
		f.again = never
	case dialling:
		if !sent() { // a Transport with retries may fail to dial after it has sent
			f.again, f.sent = creates, false
		}
	}
	return f
}

// unread is the failure of a response whose body could not be read or decompressed.
func (c *call) unread(err error) *failure {
	f := &failure{sent: true}
	switch {
	case errors.Is(err, types.ErrTooLarge):
		f.err = fmt.Errorf("the response of %w", err)
	case errors.Is(err, decode.ErrCoding):
		f.err = fmt.Errorf("the response with an %w", err)
	default:
		f.err, f.again = fmt.Errorf("truncated response: %w", err), reads
	}
	f.err = c.secret.clean(f.err)
	return f
}

// unopened is the failure of a response with a 2xx status that open does not accept.
func (c *call) unopened(err error, resp *http.Response, content []byte) *failure {
	var refusal *types.APIError
	if errors.As(err, &refusal) {
		return c.refused(refusal, resp.Header)
	}
	f := &failure{err: c.secret.clean(err), sent: true}
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
		f.err, f.again = fmt.Errorf("%d %s: %s", page.StatusCode, http.StatusText(page.StatusCode), page.Message), reads
	default:
		f.err, f.again = fmt.Errorf("truncated response: %w", flaw), reads
	}
	return f
}
