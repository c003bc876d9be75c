package transport

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/types"
)

// retryable is which calls may be retried after a failure. A create is only retried when
// the service has not executed it.
type retryable int

const (
	none       retryable = iota
	idempotent           // all calls except creates; the service may have executed the failed one
	all                  // the service has not executed the call
)

// includes reports whether a call is among those that may be retried.
func (r retryable) includes(creates bool) bool { return r == all || r == idempotent && !creates }

// nextAttempt reports whether to make another attempt after f, and how long to wait
// before. It takes the retry from the budget.
func (c *call) nextAttempt(ctx context.Context, f *failure) (delay time.Duration, retry bool) {
	if !f.retry.includes(c.creates) || c.attempt >= c.maxAttempts || f.retryAfter > longestWait || ctx.Err() != nil {
		return 0, false
	}
	first := firstWait
	if f.slow {
		first *= 2
	}
	delay = wait.Backoff(c.attempt, first, longestWait)
	if f.retryAfter > 0 { // a lower bound, with jitter for the callers that got the same one
		delay = max(delay, f.retryAfter+rand.N(firstWait))
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= delay {
		return 0, false
	}
	if !c.budget.take() {
		return 0, false
	}
	return delay, true
}

// afterRefusal returns which calls may be retried after e. An HTTP status of 300 or more
// decides alone, since the gateway uses JSON-RPC codes with other meanings than nodes do.
func afterRefusal(e *types.APIError) retryable {
	status, code := e.StatusCode, e.Code
	success := 200 <= status && status <= 299
	if success {
		status = code // REST errors carry their status as code
	}
	switch {
	case errors.Is(e, types.ErrQuotaExceeded):
		return none
	case errors.Is(e, types.ErrRateLimited):
		return all
	case status == http.StatusNotImplemented, status == http.StatusHTTPVersionNotSupported:
		return none
	case status == http.StatusRequestTimeout, 500 <= status && status <= 599:
		return idempotent
	case !success:
		return none
	}
	switch code {
	case -32004: // block not available yet; of an epoch that is not over, which may take days, no rewards
		if e.Op == "getInflationReward" {
			return none
		}
		return idempotent
	case -32014, -32016, // slot not available yet
		-32005: // node behind
		return all
	case -32603, -32604, -32019: // internal error, busy, archive unreachable
		return idempotent
	case -32000: // all errors of the indexer
		if strings.HasPrefix(e.Message, "Internal server error") || strings.HasPrefix(e.Message, "Node is behind") {
			return idempotent
		}
	}
	return none
}

// A kind classifies the error of a request without a response.
type kind int

const (
	transient kind = iota
	permanent      // a retry would fail in the same way
	dialling       // there was no connection, so nothing was sent
)

// Unreachable reports whether err is of a host that cannot be reached, such as one that does
// not exist or has a wrong certificate.
func Unreachable(err error) bool { return kindOf(err) == permanent }

// kindOf classifies the error of a request without a response.
func kindOf(err error) kind {
	var (
		hidden    *cleaned
		dns       *net.DNSError
		address   *net.AddrError
		operation *net.OpError
	)
	switch {
	case errors.As(err, &hidden):
		return hidden.kind
	case errors.As(err, &dns) && dns.IsNotFound && !dns.IsTemporary, // the host does not exist
		errors.As(err, &address), errors.Is(err, http.ErrSchemeMismatch),
		strings.Contains(err.Error(), "tls: "): // a certificate, an alert or another error of the handshake
		return permanent
	case errors.As(err, &operation) && operation.Op == "dial":
		return dialling
	}
	return transient
}

const (
	firstWait   = 500 * time.Millisecond
	longestWait = 20 * time.Second // a longer Retry-After ends the call
)
