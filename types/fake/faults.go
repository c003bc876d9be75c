package fake

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/solwire/solwire-go/internal/fakeapi"
)

// A Fault replaces the response of a [Service]. The functions of this package return the
// usual faults. A Fault with only a Delay is followed by the response.
type Fault struct {
	Status     int           // HTTP status; 0 means 200
	Code       int           // JSON-RPC code; 0 means the usual one for the status
	Message    string        // text of the error; empty means the usual one for the status
	RetryAfter time.Duration // sent in whole seconds; 0 means that it is not sent
	Body       string        // the body of the response, instead of an error
	Execute    bool          // executes the request before it fails
	Truncate   bool          // sends the first half of the response
	Drop       bool          // closes the connection without a response
	Hang       bool          // waits until the request is cancelled
	Delay      time.Duration // waits first
}

// A rule says which requests for an operation get a fault.
type rule struct {
	caller    string             // how it was set, for Unused
	operation string             // empty for any
	first     int                // the first of the requests, from 1
	last      int                // 0 for no end
	share     float64            // 0 for all
	match     func(Request) bool // nil for all
	faults    []Fault

	seen int // requests for the operation so far
	used int
}

// Fail makes the nth of the next requests for an operation fail; 1 is the next one. An empty
// operation means any. The names of two versions, such as getCompressedAccountsByOwner and
// getCompressedAccountsByOwnerV2, mean the same. Retries are requests too. Fail panics for an
// unknown operation. Of several due faults, only the first one set happens.
func (s *Service) Fail(operation string, nth int, f Fault) {
	s.add(fmt.Sprintf("Fail(%q, %d)", operation, nth), rule{operation: operation, first: nth, last: nth, faults: []Fault{f}})
}

// FailFrom is like [Service.Fail] for the nth of the next requests and all later ones.
func (s *Service) FailFrom(operation string, nth int, f Fault) {
	s.add(fmt.Sprintf("FailFrom(%q, %d)", operation, nth), rule{operation: operation, first: nth, faults: []Fault{f}})
}

// FailIf is like [Service.Fail] for all further requests that match accepts. The parameters are in
// the Body, the Path and the Query of the request.
func (s *Service) FailIf(operation string, match func(Request) bool, f Fault) {
	s.add(fmt.Sprintf("FailIf(%q)", operation), rule{operation: operation, first: 1, match: match, faults: []Fault{f}})
}

// FailShare is like [Service.Fail] for a random share of all further requests: 1 means all, 0.1 one
// in ten. Each failing request gets one of the faults at random. FailShare panics without a fault.
func (s *Service) FailShare(operation string, share float64, faults ...Fault) {
	if len(faults) == 0 || !(share > 0 && share <= 1) {
		panic("fake.Service.FailShare: needs a share above 0 up to 1, and a fault")
	}
	s.add(fmt.Sprintf("FailShare(%q, %v)", operation, share), rule{operation: operation, first: 1, share: share, faults: faults})
}

func (s *Service) add(caller string, r rule) {
	check(r.operation)
	if r.first < 1 {
		panic(fmt.Sprintf("fake.Service.%s: nth is %d, not 1 or more", caller, r.first))
	}
	for i := range r.faults {
		r.faults[i].check()
	}
	r.caller = caller
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = append(s.rules, &r)
}

// Recover removes all faults.
func (s *Service) Recover() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = nil
}

// Unused returns the calls whose faults have not happened, such as Fail("getSlot", 2).
func (s *Service) Unused() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for _, r := range s.rules {
		if r.used == 0 {
			all = append(all, r.caller)
		}
	}
	return all
}

// A TB is a *testing.T, *testing.B or *testing.F.
type TB interface {
	Helper()
	Cleanup(f func())
	Errorf(format string, args ...any)
}

// CheckFaults fails a test at its end if a fault of s has not happened.
func (s *Service) CheckFaults(t TB) {
	t.Helper()
	t.Cleanup(func() {
		for _, caller := range s.Unused() {
			t.Errorf("the fault of %s did not happen", caller)
		}
	})
}

// check panics for an unknown operation.
func check(operation string) {
	known := fakeapi.Operations()
	if operation == "" || slices.Contains(known, operation) {
		return
	}
	near := slices.DeleteFunc(known, func(name string) bool {
		a, b := noun(name), noun(operation)
		return !strings.Contains(a, b) && !strings.Contains(b, a)
	})
	slices.SortStableFunc(near, func(a, b string) int { return len(noun(a)) - len(noun(b)) })
	if strings.EqualFold(operation, "upgrade") {
		near = []string{Upgrade}
	}
	similar := ""
	if len(near) > 0 {
		similar = "; similar ones are " + strings.Join(near[:min(len(near), 3)], ", ")
	}
	panic(fmt.Sprintf("fake: no operation %q%s. Routes are written like GET /v1/wallet/{wallet}/balances", operation, similar))
}

// check panics for a fault that does nothing or cannot be sent.
func (f *Fault) check() {
	switch {
	case *f == Fault{}:
		panic("fake: the Fault does nothing")
	case f.Status != 0 && (f.Status < 200 || f.Status > 599):
		panic(fmt.Sprintf("fake: Fault.Status is %d, not 200 to 599", f.Status))
	case f.Delay < 0 || f.RetryAfter < 0:
		panic("fake: Fault.Delay or Fault.RetryAfter is negative")
	}
}

// noun returns the noun in the name of an operation or of a Go method.
func noun(operation string) string {
	name := operation[strings.LastIndexAny(operation, "/.")+1:]
	return strings.TrimPrefix(strings.ToLower(name), "get")
}

// intercept applies a fault to a request if one is due.
func (s *Service) intercept(w http.ResponseWriter, x *fakeapi.Incoming) bool {
	f, met := s.due(x)
	if !met && continues(x) {
		f, met = Incomplete(), true
	}
	if met {
		f.meet(w, x)
	}
	return met
}

// due returns the fault that a request gets, if it gets one. Each rule counts every request for its
// operation.
func (s *Service) due(x *fakeapi.Incoming) (hit Fault, met bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	version1 := func(name string) string { return strings.TrimSuffix(name, "V2") }
	for _, r := range s.rules {
		if r.operation != "" && !slices.ContainsFunc(x.Names, func(name string) bool { return version1(name) == version1(r.operation) }) ||
			r.match != nil && !r.match(entry(x.Record())) {
			continue
		}
		r.seen++
		if met || r.seen < r.first || r.last > 0 && r.seen > r.last {
			continue
		}
		s.inner.Random(func(random *rand.Rand) {
			if met = r.share == 0 || random.Float64() < r.share; met {
				hit = r.faults[random.IntN(len(r.faults))]
				r.used++
			}
		})
	}
	return hit, met
}

// meet applies a fault to a request.
func (f *Fault) meet(w http.ResponseWriter, x *fakeapi.Incoming) {
	if f.Delay > 0 {
		select {
		case <-time.After(f.Delay):
		case <-x.Context().Done():
		}
	}
	if f.Hang {
		if f.Execute {
			x.Respond()
		}
		<-x.Context().Done()
		return
	}
	canned := f.Status != 0 || f.Code != 0 || f.Message != "" || f.Body != ""
	var a fakeapi.Answer
	if f.Execute || f.Truncate || !canned && !f.Drop {
		a = x.Respond()
	}
	switch {
	case f.Drop:
		panic(http.ErrAbortHandler)
	case f.Body == incomplete:
		a = fakeapi.Answer{Status: http.StatusOK, Body: incompletePage(x)}
	case f.Body != "":
		a = fakeapi.Answer{Status: max(f.Status, http.StatusOK), Body: []byte(f.Body)}
		if strings.HasPrefix(f.Body, "<") {
			a.Header = []string{"Content-Type", "text/html"}
		}
	case canned:
		status := max(f.Status, http.StatusOK)
		a = x.Refuse(status, f.Code, cmp.Or(f.Message, usual(status)))
	}
	if f.RetryAfter > 0 {
		a.Header = append(a.Header, "Retry-After", strconv.Itoa(int((f.RetryAfter+time.Second-1)/time.Second)))
	}
	if f.Truncate {
		a.Header = append(a.Header, "Content-Length", strconv.Itoa(len(a.Body)))
		a.Body = a.Body[:len(a.Body)/2]
	}
	a.Write(w)
}

// usual returns the text of an error.
func usual(status int) string {
	switch status {
	case http.StatusBadRequest:
		return "Invalid request"
	case http.StatusTooManyRequests:
		return "Too many requests"
	}
	return http.StatusText(status)
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
// [types.ErrIncomplete]. A listing with cursors ends with it after the next page, so iterate with
// All or Pages. Where the cursor is the last item, the page has an additional item, in slot 1.
func Incomplete() Fault { return Fault{Body: incomplete} }

// Truncated executes the request, sends the first half of the response and closes the
// connection.
func Truncated() Fault { return Fault{Truncate: true} }

// Lost executes the request, such as creating a webhook, and closes the connection
// without a response.
func Lost() Fault { return Fault{Execute: true, Drop: true} }

// Dropped closes the connection without executing the request.
func Dropped() Fault { return Fault{Drop: true} }

// Hang sends nothing until the request is cancelled.
func Hang() Fault { return Fault{Hang: true} }

// Slow delays the response.
func Slow(delay time.Duration) Fault { return Fault{Delay: delay} }
