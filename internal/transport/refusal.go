package transport

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/solwire/solwire-go/types"
)

// An errorBody has the members of all error shapes of the service. They are raw
// because their types differ between the shapes.
type errorBody struct {
	Error      json.RawMessage `json:"error"`   // a string, or an object with the members below
	Message    json.RawMessage `json:"message"` // a string or an array of strings
	Details    json.RawMessage `json:"details"`
	Data       json.RawMessage `json:"data"` // in a JSON-RPC error
	Code       json.RawMessage `json:"code"`
	StatusCode json.RawMessage `json:"statusCode"`
}

// refusal parses the body of a response with an error status. Whole reports whether
// body is all of it.
func (c *call) refusal(resp *http.Response, body []byte, whole bool) *types.APIError {
	e := &types.APIError{StatusCode: resp.StatusCode}
	var b errorBody
	switch {
	case 300 <= resp.StatusCode && resp.StatusCode <= 399:
		e.Message, e.Details = "a redirect", c.elsewhere()
	case len(bytes.TrimSpace(body)) == 0:
	case json.Unmarshal(body, &b) == nil:
		c.fill(e, b)
	default:
		c.page(e, resp.Header, body, whole)
	}
	return e
}

// refusalInside parses the error in a response with a 2xx status. The error of malformed
// JSON is not an APIError: the response may be truncated behind its error member.
func (c *call) refusalInside(status int, body []byte) error {
	e := &types.APIError{StatusCode: status}
	var b errorBody
	if err := json.Unmarshal(body, &b); err != nil {
		return err
	}
	c.fill(e, b)
	return e
}

// refused completes e and applies the retry policy.
func (c *call) refused(e *types.APIError, header http.Header) *failure {
	if e.Op == "" { // a call of a batch has set its own
		e.Op, e.Input = c.op.Wire, c.input()
	}
	e.Attempts = c.attempt
	e.RetryAfter = retryAfter(header, time.Now())
	retry := afterRefusal(c.op, e)
	return &failure{
		err:        e,
		retry:      retry,
		slow:       errors.Is(e, types.ErrRateLimited) || e.StatusCode == http.StatusServiceUnavailable,
		retryAfter: e.RetryAfter,
		executed:   retry == idempotent,
	}
}

// fill sets the code, message and details of e.
func (c *call) fill(e *types.APIError, b errorBody) {
	var inner errorBody
	// JSON-RPC, or a REST error of the same shape
	if bytes.HasPrefix(bytes.TrimSpace(b.Error), []byte("{")) && json.Unmarshal(b.Error, &inner) == nil {
		e.Code = number(inner.Code)
		e.Message = c.text(inner.Message)
		e.Details = cmp.Or(c.text(inner.Data), c.text(inner.Details))
		if c.data != nil {
			c.data([]byte(c.secret.hide(string(inner.Data))))
		}
		return
	}
	if code := cmp.Or(number(b.Code), number(b.StatusCode)); code != e.StatusCode {
		e.Code = code
	}
	e.Message = c.text(b.Error)
	e.Details = c.text(b.Details)
	// With a message, the error member is usually the name of the status.
	if message := c.text(b.Message); message != "" {
		if e.Details == "" && e.Message != http.StatusText(e.StatusCode) {
			e.Details = e.Message
		}
		e.Message = message
	}
}

// page sets the message of e for a body that is not JSON: plain text as it is, anything else
// by its media type. Text that is not whole is not quoted, since it may end within the key.
func (c *call) page(e *types.APIError, header http.Header, body []byte, whole bool) {
	media, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	text := bytes.TrimSpace(body)
	if err != nil || strings.HasSuffix(media, "json") && bytes.HasPrefix(text, []byte("<")) { // some portals send pages as JSON
		media, _, _ = strings.Cut(http.DetectContentType(body), ";")
	}
	switch {
	case strings.HasSuffix(media, "json"):
		e.Message = "unreadable JSON"
	// a longer one may be cut
	case whole && strings.HasPrefix(media, "text/plain") && len(text) > 0 && text[0] != '<' && len(text) < maxText:
		e.Message = c.secret.words(string(text))
	default:
		e.Message = c.secret.words(media) + " instead of JSON"
		if e.StatusCode < http.StatusInternalServerError || e.StatusCode == http.StatusNetworkAuthenticationRequired { // else the service is down
			e.Details = c.elsewhere()
		}
	}
}

// elsewhere returns advice for a page or a redirect in place of a response.
func (c *call) elsewhere() string {
	return fmt.Sprintf("%s may be another service; check %s in types.Config, the proxy, and whether the network wants a login", c.url.Host, c.host.Field())
}

// text returns the value of a JSON string, the joined values of an array of strings,
// and any other value as JSON.
func (c *call) text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return c.secret.words(s)
	}
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		return c.secret.words(strings.Join(list, "; "))
	}
	return c.secret.words(string(raw))
}

// number parses a code, which some proxies quote. Other text is 0.
func number(raw json.RawMessage) int {
	n, _ := strconv.Atoi(strings.Trim(string(raw), `" `))
	return n
}

// present reports whether a member has a value.
func present(raw json.RawMessage) bool {
	s := string(bytes.TrimSpace(raw))
	return s != "" && s != "null" && s != `""` && s != "false"
}

const longestRetryAfter = 9e9 // seconds, which fit a Duration

// retryAfter parses the Retry-After header; 0 without one. A date is relative to the
// Date header, not to the local clock.
func retryAfter(header http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(header.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(value, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		if seconds > 0 { // and a number
			return time.Duration(min(seconds, longestRetryAfter) * float64(time.Second))
		}
		return 0
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	if date, err := http.ParseTime(header.Get("Date")); err == nil {
		now = date
	}
	return max(0, at.Sub(now))
}
