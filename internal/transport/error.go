package transport

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/solwire/solwire-go/types"
)

// errorBody is every shape in which the service refuses a call. Members are
// raw because their types differ from shape to shape.
type errorBody struct {
	Error      json.RawMessage `json:"error"`   // text, or an object as below
	Message    json.RawMessage `json:"message"` // text or a list of texts
	Details    json.RawMessage `json:"details"`
	Data       json.RawMessage `json:"data"` // in a JSON-RPC error
	Code       json.RawMessage `json:"code"`
	StatusCode json.RawMessage `json:"statusCode"`
}

// refusal makes the failure of an answer with a status of 300 or more.
func (x *call) refusal(resp *http.Response, body []byte) *failure {
	e := &types.APIError{StatusCode: resp.StatusCode}
	var b errorBody
	switch {
	case len(bytes.TrimSpace(body)) == 0:
	case json.Unmarshal(body, &b) == nil:
		x.fill(e, b)
	default:
		e.Message = x.plain(resp, body)
	}
	return x.refused(e, resp.Header)
}

// refused completes e and decides whether it is tried again.
func (x *call) refused(e *types.APIError, header http.Header) *failure {
	e.Op = x.op
	e.Attempts = x.tries
	e.RetryAfter = retryAfter(header, time.Now())
	f := &failure{err: e, retry: retryable(e), after: e.RetryAfter}
	f.slow = errors.Is(e, types.ErrRateLimited) || e.StatusCode == http.StatusServiceUnavailable
	if x.once {
		f.retry = f.retry && errors.Is(e, types.ErrRateLimited)
	}
	return f
}

// fill takes the service's words and code out of an error body.
func (x *call) fill(e *types.APIError, b errorBody) {
	if inner, ok := object(b.Error); ok { // JSON-RPC, or REST in its manner
		e.Code = number(inner.Code)
		e.Message = x.text(inner.Message)
		e.Details = x.text(inner.Data)
		if e.Details == "" {
			e.Details = x.text(inner.Details)
		}
		return
	}
	code := number(b.Code)
	if code == 0 {
		code = number(b.StatusCode)
	}
	if code != e.StatusCode {
		e.Code = code
	}
	e.Message = x.text(b.Error)
	e.Details = x.text(b.Details)
	// Where there is a message, the error member repeats the status's name.
	if message := x.text(b.Message); message != "" {
		if e.Details == "" && e.Message != http.StatusText(e.StatusCode) {
			e.Details = e.Message
		}
		e.Message = message
	}
}

// plain is what an error says of a body that is no JSON: a line of plain text
// as it is, of anything else only its kind.
func (x *call) plain(resp *http.Response, body []byte) string {
	media, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil {
		media, _, _ = strings.Cut(http.DetectContentType(body), ";")
	}
	text := bytes.TrimSpace(body)
	if strings.HasSuffix(media, "json") {
		return "unreadable JSON"
	}
	if strings.HasPrefix(media, "text/plain") && len(text) > 0 && text[0] != '<' && len(text) <= maxText {
		return x.secret.words(string(text))
	}
	return x.secret.words(media) + " instead of JSON"
}

// text returns a JSON text without its quotes, a list of texts joined, and any
// other value as its JSON.
func (x *call) text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return x.secret.words(s)
	}
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		return x.secret.words(strings.Join(list, "; "))
	}
	return x.secret.words(string(raw))
}

// object opens an error member that is a JSON object.
func object(raw json.RawMessage) (errorBody, bool) {
	var b errorBody
	ok := bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) && json.Unmarshal(raw, &b) == nil
	return b, ok
}

// number reads a code, which some proxies quote; 0 when it is none.
func number(raw json.RawMessage) int {
	n, err := strconv.Atoi(strings.Trim(string(raw), `" `))
	if err != nil {
		return 0
	}
	return n
}

// present reports whether a member stands in the answer with a value.
func present(raw json.RawMessage) bool {
	s := string(bytes.TrimSpace(raw))
	return s != "" && s != "null" && s != `""` && s != "false"
}

// retryable reports whether another try may bring what this refusal did not.
// An HTTP status of 300 or more decides alone: the gateway gives its errors
// JSON-RPC codes that mean something else at a node.
func retryable(e *types.APIError) bool {
	switch {
	case errors.Is(e, types.ErrQuotaExceeded):
		return false
	case errors.Is(e, types.ErrRateLimited):
		return true
	case e.StatusCode >= http.StatusMultipleChoices:
		return passing(e.StatusCode)
	}
	switch e.Code {
	case -32004, -32005, -32014, -32016: // the node is behind; -32005 is a rate limit only with status 429
		return true
	case -32603, -32604, -32019: // internal, busy, archive unreachable
		return true
	case -32000: // every error of the indexer; only the text tells them apart
		return strings.HasPrefix(e.Message, "Internal server error") || strings.HasPrefix(e.Message, "Node is behind")
	}
	return passing(e.Code) // a REST error in an answer with status 200
}

// passing reports whether an HTTP status may pass by itself.
func passing(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooManyRequests:
		return true
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
		return false
	}
	return status >= 500 && status <= 599
}

// retryAfter returns how long the service asks to wait, 0 when it does not
// say. A date counts from the answer's own, whatever the clock here says.
func retryAfter(header http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(header.Get("Retry-After"))
	if value == "" {
		return 0
	}
	if strings.Trim(value, "0123456789.") == "" {
		seconds, err := strconv.ParseFloat(value, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return 0
		}
		const longest = float64(1<<63-1) / float64(time.Second)
		return time.Duration(min(seconds, longest-1) * float64(time.Second))
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

// permanent reports whether sending failed for a reason that the next try
// would meet again.
func permanent(err error) bool {
	var (
		hidden    *cleaned
		dns       *net.DNSError
		address   *net.AddrError
		cert      *tls.CertificateVerificationError
		record    tls.RecordHeaderError
		operation *net.OpError
	)
	switch {
	case errors.As(err, &hidden):
		return hidden.permanent
	case errors.As(err, &dns):
		return dns.IsNotFound && !dns.IsTemporary
	case errors.As(err, &address), errors.As(err, &cert), errors.As(err, &record):
		return true
	case errors.Is(err, http.ErrSchemeMismatch), errors.Is(err, errOtherHost):
		return true
	case errors.As(err, &operation) && operation.Op == "remote error": // a TLS alert: no common version or cipher
		return true
	}
	// What else crypto/tls refuses in a handshake has no type, only this prefix.
	return err != nil && strings.HasPrefix(err.Error(), "tls: ")
}

// unsent reports whether the request certainly never left: there was no
// connection to send it on.
func unsent(err error) bool {
	var (
		hidden    *cleaned
		operation *net.OpError
	)
	if errors.As(err, &hidden) {
		return hidden.unsent
	}
	return errors.As(err, &operation) && operation.Op == "dial"
}

// noValue is the failure of an answer that leaves out what is due.
func noValue(what string) error { return &failure{err: fmt.Errorf("answer has no %s", what)} }

// NoList is the error of an answer without the list that it is asked for, or
// another member without which it is none. Op is the operation as errors name it.
func NoList(op, member string) error { return fmt.Errorf("%s: answer has no %s", op, member) }
