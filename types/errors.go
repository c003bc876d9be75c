package types

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// What errors.Is tells apart. The first four are properties of an [APIError];
// the others are errors of the client itself.
var (
	// ErrUnauthorized says that the key is missing, wrong or expired: status 401.
	// The service's words may be those for a missing key in each of these cases.
	ErrUnauthorized = errors.New("unauthorized")

	// ErrNotFound says that the service knows nothing of what was asked for: status 404.
	ErrNotFound = errors.New("not found")

	// ErrRateLimited says that the plan's rate or its credits are used up:
	// status 429, or JSON-RPC code -32429.
	ErrRateLimited = errors.New("rate limited")

	// ErrQuotaExceeded says that the plan's credits are used up. Such an error
	// matches ErrRateLimited too, but waiting does not help and the call was
	// not tried again.
	ErrQuotaExceeded = errors.New("quota exceeded")

	// ErrInvalid says that an argument or a Config cannot work. Nothing was sent.
	ErrInvalid = errors.New("invalid")

	// ErrIncomplete says that a listing cannot be walked to its end, though
	// the service promises more.
	ErrIncomplete = errors.New("incomplete listing")

	// ErrTooLarge says that an answer, or compressed account data, is above the
	// size that this module reads.
	ErrTooLarge = errors.New("too large")
)

// An APIError is an answer of the service that refuses a call: an HTTP status
// of 300 or more, a JSON-RPC error, or both. Find it with errors.As, and tell
// the common cases apart with errors.Is.
type APIError struct {
	Op         string        // what was asked: the JSON-RPC method, or "GET /v1/…"
	StatusCode int           // HTTP status; 200 for most JSON-RPC errors
	Code       int           // JSON-RPC code, or that of an error inside a REST answer with status 200; 0 when there is none
	Message    string        // the service's words
	Details    string        // more of them, as text or JSON; often empty
	RetryAfter time.Duration // how long the service asked to wait; 0 when it did not say
	Attempts   int           // tries made, this answer included
}

// Error returns the operation, the status and code, and the service's words.
func (e *APIError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d", e.Op, e.StatusCode)
	if text := http.StatusText(e.StatusCode); text != "" {
		b.WriteString(" " + text)
	}
	if e.Code != 0 {
		fmt.Fprintf(&b, ": code %d", e.Code)
	}
	if e.Message != "" {
		b.WriteString(": " + e.Message)
	}
	if e.Details != "" {
		b.WriteString(": " + e.Details)
	}
	if e.Attempts > 1 {
		fmt.Fprintf(&b, " (%d attempts)", e.Attempts)
	}
	return b.String()
}

// Is reports whether e is one of [ErrUnauthorized], [ErrNotFound],
// [ErrRateLimited] and [ErrQuotaExceeded].
func (e *APIError) Is(target error) bool {
	switch target {
	case ErrUnauthorized:
		return e.status() == http.StatusUnauthorized
	case ErrNotFound:
		return e.status() == http.StatusNotFound
	case ErrRateLimited:
		return e.status() == http.StatusTooManyRequests || e.quotaExceeded()
	case ErrQuotaExceeded:
		return e.quotaExceeded()
	}
	return false
}

// status is the HTTP status, or what stands for it where that says success: a
// REST error carries the status as its code, and -32429 is 429.
func (e *APIError) status() int {
	switch {
	case e.StatusCode < 200 || e.StatusCode > 299:
		return e.StatusCode
	case e.Code == -32429:
		return http.StatusTooManyRequests
	default:
		return e.Code
	}
}

// quotaExceeded knows a used-up quota by its words: the service has no status
// and no code of its own for it.
func (e *APIError) quotaExceeded() bool {
	const words = "max usage reached"
	return strings.Contains(strings.ToLower(e.Message), words) || strings.Contains(strings.ToLower(e.Details), words)
}
