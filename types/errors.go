package types

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Errors for errors.Is. [APIError.Is] says which of them an APIError matches.
var (
	// ErrUnauthorized means that the key is wrong or has expired: status 401. The message of the
	// service may say that the key is missing.
	ErrUnauthorized = errors.New("unauthorized")

	// ErrNotFound means that there is nothing at the requested address, hash, signature, slot or
	// ID. The service responds with status 404, null in place of a result, or the error of a
	// node.
	ErrNotFound = errors.New("not found")

	// ErrRateLimited means that the rate limit or the credits of the plan are
	// exceeded: status 429, or JSON-RPC code -32429.
	ErrRateLimited = errors.New("rate limited")

	// ErrQuotaExceeded means that the credits of the plan are used up. Such an error
	// also matches ErrRateLimited, but waiting does not help, and the call was not
	// retried.
	ErrQuotaExceeded = errors.New("quota exceeded")

	// ErrInvalid means that an argument or a Config is invalid. Nothing was sent.
	ErrInvalid = errors.New("invalid argument")

	// ErrIncomplete means that a listing lacks items: it has more but cannot be
	// continued, or it may have skipped some.
	ErrIncomplete = errors.New("incomplete listing")

	// ErrTooLarge means that a request or its response is too large for the service (status 413,
	// JSON-RPC code -32702, "Response is too big"). Responses above 64 MiB match it too, and
	// account data above 16 MiB. Send or request fewer items, or a slice of the data.
	ErrTooLarge = errors.New("too large")

	// ErrBudget means that an attempt was not sent because it would have exceeded the Limit of the
	// [Meter].
	ErrBudget = errors.New("budget exceeded")

	// ErrMayHaveExecuted means that a change failed, but the service may have executed it. The
	// connection broke, the response was truncated, or the status was 408 or 5xx. Look at the state
	// before you repeat the call. A failed call without this error has changed nothing.
	ErrMayHaveExecuted = errors.New("may have been executed")
)

// An APIError is an error response of the service: an HTTP status of 300 or more, a
// JSON-RPC error, or both. Get it with errors.As.
type APIError struct {
	Op         string        // the JSON-RPC method, or the HTTP method and the route
	Input      string        // requested address, hash, signature, slot or ID; the first of several
	StatusCode int           // the HTTP status; 200 for most JSON-RPC errors
	Code       int           // of a JSON-RPC error, or of a REST error with status 200; else 0
	Message    string        // by the service
	Details    string        // text or JSON by the service, or advice on a wrong host; often empty
	RetryAfter time.Duration // the wait that the service asked for; 0 without one
	Attempts   int           // number of attempts made
}

// Error returns the operation and its input, the status or code, the message of the service, and
// advice where there is any.
func (e *APIError) Error() string {
	parts := []string{e.Op}
	if e.Input != "" {
		parts[0] += " of " + e.Input
	}
	if !e.success() {
		parts = append(parts, strings.TrimSpace(strconv.Itoa(e.StatusCode)+" "+http.StatusText(e.StatusCode)))
	}
	if e.Code != 0 {
		parts = append(parts, "code "+strconv.Itoa(e.Code))
	}
	for _, text := range []string{e.Message, e.Details} {
		if text != "" && text != http.StatusText(e.StatusCode) { // which is there already
			parts = append(parts, text)
		}
	}
	if len(parts) == 1 {
		parts = append(parts, "an error without a code and a message")
	}
	text := strings.Join(parts, ": ") + e.hint()
	if e.Attempts > 1 {
		text += fmt.Sprintf(" (%d attempts)", e.Attempts)
	}
	return text
}

// hint returns advice for errors whose messages have none.
func (e *APIError) hint() string {
	switch {
	case errors.Is(e, ErrUnauthorized):
		return " (a key was sent; it is wrong or expired)"
	case errors.Is(e, ErrQuotaExceeded):
		return " (the plan's credits are used up; waiting does not help)"
	case errors.Is(e, ErrTooLarge):
		return " (send or request fewer items, or a slice of the data)"
	case e.success() && e.Code == -32015:
		return " (set MaxVersion)"
	case e.RetryAfter > 0:
		return fmt.Sprintf(" (retry after %s)", e.RetryAfter.Round(time.Millisecond))
	}
	return ""
}

// Is reports whether e matches [ErrUnauthorized], [ErrNotFound], [ErrRateLimited],
// [ErrQuotaExceeded] or [ErrTooLarge]. It judges by the status, the code and the message.
func (e *APIError) Is(target error) bool {
	switch target {
	case ErrUnauthorized:
		return e.status() == http.StatusUnauthorized
	case ErrNotFound:
		return e.status() == http.StatusNotFound || e.nodeHasNone()
	case ErrRateLimited:
		return e.status() == http.StatusTooManyRequests || e.quotaExceeded()
	case ErrQuotaExceeded:
		return e.quotaExceeded()
	case ErrTooLarge:
		return e.status() == http.StatusRequestEntityTooLarge || e.Code == -32702 || e.responseTooBig()
	}
	return false
}

// status returns the HTTP status. In a response with a success status it is the code:
// the code of a REST error, or -32429 for 429.
func (e *APIError) status() int {
	switch {
	case !e.success():
		return e.StatusCode
	case e.Code == -32429:
		return http.StatusTooManyRequests
	default:
		return e.Code
	}
}

func (e *APIError) success() bool { return 200 <= e.StatusCode && e.StatusCode <= 299 }

// nodeHasNone reports whether a node lacks the requested account, mint, block, leader or cursor. A
// missing account or mint has no code of its own.
func (e *APIError) nodeHasNone() bool {
	switch e.Code {
	case -32007, -32009, -32020, -32022:
		return e.success()
	case -32602:
		return e.success() && strings.Contains(e.Message, "could not find ")
	}
	return false
}

// responseTooBig recognizes the refusal of the indexer by its text, since nodes use the
// code for a snapshot that does not exist.
func (e *APIError) responseTooBig() bool {
	return e.Code == -32008 && e.success() && strings.Contains(e.Message, "too big")
}

// quotaExceeded recognizes exhausted credits by the message text, because they have
// no status or code that other errors do not have.
func (e *APIError) quotaExceeded() bool {
	const text = "max usage reached"
	return strings.Contains(strings.ToLower(e.Message), text) || strings.Contains(strings.ToLower(e.Details), text)
}
