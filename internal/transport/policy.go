package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/types"
)

// retryable says which calls may be retried after a failure. A create is only retried when
// the service has not executed it.
type retryable int

const (
	none       retryable = iota
	idempotent           // all calls except creates; the service may have executed the failed one
	behind               // all calls except creates; the node is behind and has executed nothing
	all                  // the service has not executed the call
)

// includes reports whether a call may be retried.
func (r retryable) includes(creates bool) bool { return r == all || r != none && !creates }

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
func afterRefusal(op Op, e *types.APIError) retryable {
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
	case op.Lasts:
		return none
	case -32014, -32016, // slot not available yet
		-32005: // node behind
		return behind
	case -32004, // block not available yet
		-32603, -32604, -32019: // internal error, busy, archive unreachable
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

// Unreachable reports whether a retry cannot reach the host: it does not exist, its certificate is
// wrong, or a proxy refuses it. The text of the error has advice.
func Unreachable(err error) bool { return kindOf(err) == permanent }

// kindOf classifies the error of a request without a response.
func kindOf(err error) kind {
	var (
		hidden    *cleaned
		proxy     *proxyError
		address   *net.AddrError
		operation *net.OpError
	)
	switch {
	case errors.As(err, &hidden):
		return hidden.kind
	case errors.As(err, &proxy):
		if proxy.status >= 500 || proxy.status == http.StatusTooManyRequests {
			return dialling
		}
		return permanent
	case unknownHost(err) != nil, errors.As(err, &address), errors.Is(err, http.ErrSchemeMismatch), inTLS(err):
		return permanent
	case errors.As(err, &operation) && (operation.Op == "dial" || operation.Op == "proxyconnect"):
		return dialling
	}
	return transient
}

// unknownHost returns the error of a host that does not exist, nil for others.
func unknownHost(err error) *net.DNSError {
	var dns *net.DNSError
	if errors.As(err, &dns) && dns.IsNotFound && !dns.IsTemporary {
		return dns
	}
	return nil
}

// inTLS reports whether err is about a certificate, an alert or another step of the handshake.
func inTLS(err error) bool { return strings.Contains(err.Error(), "tls: ") }

// explain adds advice to the error of a request without a response, where waiting does not help.
func (c *Client) explain(err error) error {
	field := c.host.Field()
	var record tls.RecordHeaderError
	if errors.As(err, &record) && string(record.RecordHeader[:]) == "HTTP/" {
		err = http.ErrSchemeMismatch
	}
	if dns := unknownHost(err); dns != nil {
		return fmt.Errorf("the host %s does not exist; check %s in types.Config, the proxy and the DNS: %w", dns.Name, field, err)
	}
	for status := http.StatusMultipleChoices; status <= http.StatusNetworkAuthenticationRequired; status++ {
		if err.Error() == http.StatusText(status) { // all that net/http says without refusalOfProxy
			return &proxyError{status}
		}
	}
	if inTLS(err) || errors.Is(err, http.ErrSchemeMismatch) {
		return fmt.Errorf("%w; check %s in types.Config, the proxy and the certificates of this machine", err, field)
	}
	return err
}

// A proxyError is the refusal of a proxy to connect to the service.
type proxyError struct{ status int }

func (e *proxyError) Error() string {
	check := "whether the proxy allows this host"
	if e.status == http.StatusProxyAuthRequired {
		check = "the user and password of the proxy"
	}
	return strings.TrimSpace(fmt.Sprintf("the proxy refused the connection: %d %s", e.status, http.StatusText(e.status))) + "; check " + check + " (HTTPS_PROXY)"
}

// refusalOfProxy returns the refusal in the response of a proxy to CONNECT, nil if it connects.
func refusalOfProxy(_ context.Context, _ *url.URL, _ *http.Request, resp *http.Response) error {
	if resp.StatusCode == http.StatusOK {
		return nil
	}
	return &proxyError{resp.StatusCode}
}

const (
	firstWait   = 500 * time.Millisecond
	longestWait = 20 * time.Second // a longer Retry-After ends the call
)
