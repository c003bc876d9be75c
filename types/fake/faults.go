package fake

import (
	"fmt"
	"net/http"
	"time"

	"github.com/solwire/solwire-go/internal/fake"
)

// A Fault replaces the response of a [Service]. The functions of this package return the
// usual faults. A Fault with only a Delay is followed by the response.
type Fault struct {
	Status     int           // HTTP status; 0 means 200
	Code       int           // JSON-RPC code; 0 means the usual one for the status
	Message    string        // text of the error; empty means the usual one for the status
	RetryAfter time.Duration // sent in whole seconds; 0 means that it is not sent
	Body       string        // the body of the response, instead of an error
	Act        bool          // executes the request before it fails
	Cut        bool          // sends the first half of the response
	Drop       bool          // closes the connection without a response
	Hang       bool          // waits until the request is cancelled
	Delay      time.Duration // waits first
}

// Fail lets the nth of the next requests for an operation meet a fault, 1 being the
// next one. An empty operation means any. Retries are requests too. It panics for an
// unknown route; any other text may be a JSON-RPC method. If several faults are due,
// only the first one set happens.
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
// instead of adding [Slow]. It panics for an unknown route and for a missing fault.
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

// QuotaExceeded fails like a plan without credits: [types.ErrQuotaExceeded]. Only the
// message differs from RateLimited.
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

// Incomplete sends a page of a listing after which the listing cannot be continued:
// [types.ErrIncomplete]. In a listing by cursor, this is seen with the following page,
// which is incomplete too, so use a method that iterates. In listings that continue after
// their last item, the page has an item in slot 1 that is not in the World.
func Incomplete() Fault { return Fault{Body: fake.Incomplete} }

// Truncated executes the request, sends the first half of the response and closes the
// connection.
func Truncated() Fault { return Fault{Cut: true} }

// Lost executes the request, such as creating a webhook, and closes the connection
// without a response.
func Lost() Fault { return Fault{Act: true, Drop: true} }

// Dropped closes the connection without executing the request.
func Dropped() Fault { return Fault{Drop: true} }

// Hang sends nothing until the request is cancelled.
func Hang() Fault { return Fault{Hang: true} }

// Slow delays the response.
func Slow(delay time.Duration) Fault { return Fault{Delay: delay} }
