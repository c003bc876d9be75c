package fake

import (
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Fault replaces or damages an answer.
type Fault struct {
	Status     int           // HTTP status; 0 means 200
	Code       int           // JSON-RPC code; 0 means the usual one for the status
	Message    string        // text of the error; empty means the usual one for the status
	RetryAfter time.Duration // the header of that name; 0 means none
	Body       string        // the body in place of an error
	Act        bool          // does what was asked before it fails
	Cut        bool          // sends the first half of the real answer
	Drop       bool          // closes the connection without an answer
	Hang       bool          // waits until the request is cancelled
	Delay      time.Duration // waits first
}

// A rule says which requests meet a fault: the nth one of an operation, or a
// share of them.
type rule struct {
	operation string
	nth       int
	share     float64
	faults    []Fault
}

// Fail lets the nth of the next requests for an operation meet a fault, 1 being
// the next one. An operation is a JSON-RPC method or an HTTP method and a route;
// empty means any.
func (s *Service) Fail(operation string, nth int, f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = append(s.rules, rule{operation: operation, nth: nth, faults: []Fault{f}})
}

// FailShare lets a share of all further requests for an operation meet one of the
// faults.
func (s *Service) FailShare(operation string, share float64, faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = append(s.rules, rule{operation: operation, share: share, faults: faults})
}

// Recover removes all faults.
func (s *Service) Recover() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = nil
}

// HasOperation reports whether requests can be for an operation. Every text
// without a space may be a JSON-RPC method.
func HasOperation(name string) bool {
	return operations()[name] != nil || !strings.ContainsAny(name, " /")
}

// fault returns the fault that a request meets, if it meets one. Each rule counts
// every request for its operation.
func (s *Service) fault(names []string) (hit Fault, met bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = slices.DeleteFunc(s.rules, func(r rule) bool { return r.share == 0 && r.nth <= 0 })
	for i := range s.rules {
		r := &s.rules[i]
		if r.operation != "" && !slices.Contains(names, r.operation) {
			continue
		}
		r.nth-- // below 0 for a share
		chosen := r.nth == 0 || r.share > 0 && s.random().Float64() < r.share
		if chosen && !met {
			hit, met = r.faults[s.random().IntN(len(r.faults))], true
		}
	}
	return hit, met
}

// random returns the source of random faults and signatures. The caller holds mu.
func (s *Service) random() *rand.Rand {
	if s.rand == nil {
		s.rand = rand.New(rand.NewPCG(s.Seed, 1))
	}
	return s.rand
}

// meet applies a fault to a request. Respond makes the answer of the service.
func (f *Fault) meet(w http.ResponseWriter, r *http.Request, respond func() answer, refusal func(status, code int, message string) answer) {
	if f.Delay > 0 {
		timer := time.NewTimer(f.Delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-r.Context().Done():
		}
	}
	if f.Hang {
		if f.Act {
			respond()
		}
		<-r.Context().Done()
		return
	}
	canned := f.Status != 0 || f.Code != 0 || f.Message != "" || f.Body != ""
	var a answer
	if f.Act || f.Cut || !canned && !f.Drop {
		a = respond()
	}
	switch {
	case f.Drop:
		panic(http.ErrAbortHandler)
	case canned && f.Body != "":
		a = answer{status: max(f.Status, http.StatusOK), body: []byte(f.Body)}
		if strings.HasPrefix(f.Body, "<") {
			a.header = []string{"Content-Type", "text/html"}
		}
	case canned:
		a = refusal(max(f.Status, http.StatusOK), f.Code, f.Message)
		a.header = nil
	}
	if f.RetryAfter > 0 {
		a.header = append(a.header, "Retry-After", strconv.Itoa(int((f.RetryAfter+time.Second-1)/time.Second)))
	}
	if f.Cut {
		a.header = append(a.header, "Content-Length", strconv.Itoa(len(a.body)))
		a.body = a.body[:len(a.body)/2]
	}
	a.write(w)
}

// refusal is an error in the words of the API that a request is for.
func (s *Service) refusal(r *http.Request, body []byte) func(status, code int, message string) answer {
	return func(status, code int, message string) answer {
		if message == "" {
			message = usual(status)
		}
		switch {
		case strings.HasPrefix(r.URL.Path, "/v0/"), strings.HasPrefix(r.URL.Path, "/v1/parsed-events/"):
			return webhookRefusal(&refusal{status, message, ""})
		case r.URL.Path != "/":
			return walletRefusal(&refusal{status, message, ""})
		}
		if code == 0 {
			code = map[int]int{400: -32600, 401: -32001, 403: -32003, 404: -32601, 429: -32005, 503: -32002, 504: -32003}[status]
		}
		if code == 0 {
			code = -32603
		}
		return answer{status: status, body: failure(&refusal{code, message, ""}, firstID(body))}
	}
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
