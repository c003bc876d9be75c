package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
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

// mayRetry reports whether c may be retried.
func (c *call) mayRetry(r retryable) bool { return r.includes(c.creates) }

// nextAttempt reports whether to make another attempt after f, and how long to wait
// before. It takes the retry from the budget.
func (c *call) nextAttempt(ctx context.Context, f *failure) (delay time.Duration, retry bool) {
	if !c.mayRetry(f.retry) || c.attempt >= c.maxAttempts || f.retryAfter > longestWait || ctx.Err() != nil {
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

// A rule says which calls are retried after a refusal. The first match wins.
type rule struct {
	when  func(*types.APIError) bool
	retry retryable
}

// refusals are the rules for refusals. An HTTP status of 300 or more decides alone,
// since the gateway uses JSON-RPC codes with other meanings than nodes do.
var refusals = []rule{
	{is(types.ErrQuotaExceeded), none},
	{is(types.ErrRateLimited), all},
	{status(http.StatusRequestTimeout), idempotent},
	{status(http.StatusNotImplemented, http.StatusHTTPVersionNotSupported), none},
	{statusFrom(500, 599), idempotent},
	{statusFrom(100, 199), none},
	{statusFrom(300, 999), none},

	// With a 2xx status the code decides.
	{epochNotComplete, none},
	{code200(-32004, -32014, -32016), idempotent}, // block or slot not available yet
	{code200(-32005), idempotent},                 // node behind; with status 429, too many requests
	{code200(-32603, -32604, -32019), idempotent}, // internal error, busy, archive unreachable
	{message(-32000, "Internal server error", "Node is behind"), idempotent},
	{code200(http.StatusRequestTimeout), idempotent}, // REST errors carry their status as code
	{code200(http.StatusNotImplemented, http.StatusHTTPVersionNotSupported), none},
	{codeFrom(500, 599), idempotent},
}

// afterRefusal returns which calls may be retried after e.
func afterRefusal(e *types.APIError) retryable {
	for _, r := range refusals {
		if r.when(e) {
			return r.retry
		}
	}
	return none
}

func is(target error) func(*types.APIError) bool {
	return func(e *types.APIError) bool { return errors.Is(e, target) }
}

func status(list ...int) func(*types.APIError) bool {
	return func(e *types.APIError) bool { return slices.Contains(list, e.StatusCode) }
}

func statusFrom(lowest, highest int) func(*types.APIError) bool {
	return func(e *types.APIError) bool { return lowest <= e.StatusCode && e.StatusCode <= highest }
}

func code200(list ...int) func(*types.APIError) bool {
	return func(e *types.APIError) bool { return slices.Contains(list, e.Code) }
}

func codeFrom(lowest, highest int) func(*types.APIError) bool {
	return func(e *types.APIError) bool { return lowest <= e.Code && e.Code <= highest }
}

// epochNotComplete matches the refusal of the rewards of an epoch that is not over,
// which may take days. Elsewhere, the code is for a block that may be there in a second.
func epochNotComplete(e *types.APIError) bool {
	return e.Op == "getInflationReward" && e.Code == -32004
}

// message matches errors of the indexer, which uses one code for all of them.
func message(code int, prefixes ...string) func(*types.APIError) bool {
	return func(e *types.APIError) bool {
		return e.Code == code && slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(e.Message, p) })
	}
}

// A kind classifies the error of a request without a response.
type kind int

const (
	transient kind = iota
	permanent      // a retry would fail in the same way
	dialling       // there was no connection, so nothing was sent
)

// kindOf classifies the error of a request without a response.
func kindOf(err error) kind {
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
		return hidden.kind
	case errors.As(err, &dns) && dns.IsNotFound && !dns.IsTemporary, // the host does not exist
		errors.As(err, &address), errors.As(err, &cert), errors.As(err, &record),
		errors.Is(err, http.ErrSchemeMismatch),
		errors.As(err, &operation) && operation.Op == "remote error", // a TLS alert, such as no common version
		strings.HasPrefix(err.Error(), "tls: "):                      // other handshake errors have no type
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
