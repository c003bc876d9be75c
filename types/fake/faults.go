package fake

import (
	"fmt"
	"net/http"
	"time"

	"github.com/solwire/solwire-go/internal/fake"
)

// A Fault is what happens to a request in place of the response of a [Service]. The
// functions of this package make the usual ones; a Fault of your own sets the
// fields. A Fault with only a Delay is followed by the response.
type Fault struct {
	Status     int           // HTTP status; 0 means 200
	Code       int           // JSON-RPC code; 0 means the usual one for the status
	Message    string        // text of the error; empty means the usual one for the status
	RetryAfter time.Duration // sent in whole seconds; 0 means that it is not sent
	Body       string        // the body in place of that of an error
	Act        bool          // does what was asked before it fails
	Cut        bool          // sends the first half of the response
	Drop       bool          // closes the connection without a response
	Hang       bool          // waits until the request is cancelled
	Delay      time.Duration // waits first
}

// Fail lets the nth of the next requests for an operation meet a fault, 1 being the
// next one. An empty operation means any. Retries are requests too. It panics if
// the operation is unknown. If several faults are due, only the first one set happens.
func (s *Service) Fail(operation string, nth int, f Fault) {
	check(operation)
	if nth < 1 {
		panic(fmt.Sprintf("fake.Service.Fail: nth is %d, not 1 or more", nth))
	}
	s.inner.Fail(operation, nth, fake.Fault(f))
}

// FailShare lets a random share of the further requests for an operation meet one of
// the faults: 1 means all of them, 0.1 one in ten. An empty operation means any. If
// several faults are due, only the first one set happens, so give a Fault a Delay
// instead of adding [Slow]. It panics for an unknown operation and for a missing fault.
func (s *Service) FailShare(operation string, share float64, faults ...Fault) {
	check(operation)
	if len(faults) == 0 || !(share > 0 && share <= 1) {
		panic("fake.Service.FailShare: needs a share above 0 up to 1, and a fault")
	}
	var all []fake.Fault
	for _, f := range faults {
		all = append(all, fake.Fault(f))
	}
	s.inner.FailShare(operation, share, all...)
}

// Recover removes all faults.
func (s *Service) Recover() { s.inner.Recover() }

func check(operation string) {
	if operation != "" && !fake.HasOperation(operation) {
		panic(fmt.Sprintf("fake: no operation %q; routes are written like GET /v1/wallet/{wallet}/balances", operation))
	}
}

// Status fails with an HTTP status, such as 503.
func Status(status int) Fault { return Fault{Status: status} }

// Unauthorized fails like a wrong key: [types.ErrUnauthorized].
func Unauthorized() Fault { return Status(http.StatusUnauthorized) }

// NotFound fails with status 404: [types.ErrNotFound].
func NotFound() Fault { return Status(http.StatusNotFound) }

// RateLimited fails with status 429 and Retry-After: [types.ErrRateLimited].
func RateLimited(retryAfter time.Duration) Fault {
	return Fault{Status: http.StatusTooManyRequests, RetryAfter: retryAfter}
}

// QuotaExceeded fails like a plan without credits: [types.ErrQuotaExceeded]. The
// message is what tells it from RateLimited.
func QuotaExceeded() Fault {
	return Fault{Status: http.StatusTooManyRequests, Message: "max usage reached"}
}

// TooLarge fails like a response above 10 MiB: [types.ErrTooLarge].
func TooLarge() Fault { return Fault{Code: -32702, Message: "Response is too big"} }

// NodeBehind fails like a node that has not reached the requested slot. It is
// retried.
func NodeBehind() Fault { return Fault{Code: -32005, Message: "Node is behind by 42 slots"} }

// Maintenance sends an HTML page with status 502.
func Maintenance() Fault {
	return Fault{Status: http.StatusBadGateway, Body: "<html><h1>502 Bad Gateway</h1></html>"}
}

// Incomplete sends a page of a listing that says that more follows but not where:
// [types.ErrIncomplete], if all requests for the listing meet it.
func Incomplete() Fault {
	const cursor = "11111111111111111111111111111112"
	return Fault{Body: `{"data":[],"balances":[],"pagination":{"hasMore":true,"page":0},` +
		`"context":{"slot":1},"value":{"items":[],"cursor":"` + cursor + `"}}`}
}

// Truncated sends the first half of the response and closes the connection. The
// service has done what was asked.
func Truncated() Fault { return Fault{Cut: true} }

// Lost closes the connection without a response after the service has done what was
// asked, for example created a webhook.
func Lost() Fault { return Fault{Act: true, Drop: true} }

// Dropped closes the connection before the service has done anything.
func Dropped() Fault { return Fault{Drop: true} }

// Hang sends nothing until the request is cancelled.
func Hang() Fault { return Fault{Hang: true} }

// Slow delays the response.
func Slow(delay time.Duration) Fault { return Fault{Delay: delay} }
