// Package fake is a fake of the service for tests and examples. It answers every
// operation of this module with made-up data: keys, limits, paging, webhooks and
// deliveries are simulated, and methods that only read are answered from the
// golden files of internal/golden. Requests that a client should not send are
// refused even where the service ignores the mistake, such as unknown members.
package fake

import (
	"bytes"
	"context"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/solwire/solwire-go/types"
)

// The keys of a Service.
const (
	Key        = "3f1c9a52-7d04-4e6b-9b8f-1d2a60c7e5f4" // valid
	DemoKey    = "demo-key"                             // valid, and easy to type
	LimitedKey = "limited-key"                          // always over its rate limit: 429
	ExpiredKey = "expired-key"                          // refused like an unknown key: 401
)

// A host for each area; .test exists on no network.
const (
	rpcHost      = "rpc.solwire.test"
	walletHost   = "wallet.solwire.test"
	webhooksHost = "webhooks.solwire.test"
)

// maxBody is the largest request that is accepted.
const maxBody = 10 << 20

// A Service is a fake of the service. As an http.Handler it serves all areas on
// one host; through [Service.Config] each area has its own host. Set the fields
// before the first request.
type Service struct {
	// Before is called for each request without a queued answer, before the
	// service reads the body. If it returns true, it has answered. Panic with
	// http.ErrAbortHandler to close the connection without an answer. A Before
	// that waits should also wait for the context of the request.
	Before func(w http.ResponseWriter, r *http.Request) bool

	// LeafIndexOrder lists compressed accounts by owner in the order of their
	// leaf indexes, as the published indexer does. Its cursors then skip and
	// repeat accounts as soon as there is more than one page.
	LeafIndexOrder bool

	// Compress answers with zstd or gzip if the request accepts it. Queued
	// answers and those of Before are sent as they are.
	Compress bool

	// Clock tells the time of the world. Nil means that it stands still, so that
	// answers are the same in every run.
	Clock func() time.Time

	// Seed determines the signatures of events and the random faults.
	Seed uint64

	// Lenient accepts what the service accepts although a client of this module
	// should never send it, such as unknown members.
	Lenient bool

	// Elsewhere answers JSON-RPC calls of methods that the Service does not have. It
	// gets the call and returns the whole answer. Nil means none.
	Elsewhere func(ctx context.Context, call []byte) ([]byte, error)

	// Keep is the number of requests that are recorded and of events in parsed
	// histories, the latest. 0 means all.
	Keep int

	// Unrecorded leaves Requests empty, for programs that send many requests.
	Unrecorded bool

	once  sync.Once
	start time.Time // of the world

	keys  map[string]int // the HTTP status for each key
	world *world
	owned map[string][]delegation // the token accounts of the world by owner, sorted by address

	mu       sync.Mutex
	answers  []answer
	requests []Request
	foreign  []Request
	rules    []rule
	rand     *rand.Rand
	recent   map[string]*activity // of wallets, since the start
	happened map[string]bool      // the signatures of events
	past     []pastEvent          // of parsed histories, sorted by slot
	parsed   []pastEvent          // those of the world; nil until they are needed
	hooks    []*webhook           // in the order of creation
	made     int                  // webhooks created so far
}

// A Request is a request that was received. Operations are the JSON-RPC methods
// that it calls, or the HTTP method and the route. Path is still escaped.
type Request struct {
	Operations []string

	Method string
	Host   string
	Path   string
	Query  url.Values
	Header http.Header
	Body   string
}

// New returns a Service. Its data is the same in every run.
func New() *Service { return newService(defaultWorld()) }

// NewSized returns a Service in which [Owner] has another number of compressed
// accounts, up to a million. They are generated on request.
func NewSized(compressed int) *Service {
	w := *defaultWorld()
	w.owners = maps.Clone(w.owners)
	w.owners[Owner] = &accounts{seed: 5, owner: Owner, count: compressed}
	return newService(&w)
}

// NewHostile returns a Service whose default world has data that strict clients may
// refuse, for Delegate and Collector.
func NewHostile() *Service { return newService(hostileWorld()) }

func newService(w *world) *Service {
	owned := map[string][]delegation{}
	for _, list := range w.delegates {
		for _, d := range list {
			owned[d.owner] = append(owned[d.owner], d)
		}
	}
	for _, list := range owned {
		slices.SortFunc(list, byAddress)
	}
	return &Service{
		world: w,
		owned: owned,
		keys: map[string]int{
			Key:        http.StatusOK,
			DemoKey:    http.StatusOK,
			LimitedKey: http.StatusTooManyRequests,
			ExpiredKey: http.StatusUnauthorized,
		},
	}
}

// Config returns a Config that reaches s without a network. Requests to other
// hosts fail as if the host did not exist, and are recorded in [Service.Foreign].
func (s *Service) Config() types.Config {
	return types.Config{
		APIKey:      Key,
		RPCURL:      "https://" + rpcHost,
		WalletURL:   "https://" + walletHost,
		WebhooksURL: "https://" + webhooksHost,
		HTTPClient:  &http.Client{Transport: inProcess{s}},
	}
}

// Of returns the Service that cfg reaches without a network, or nil.
func Of(cfg types.Config) *Service {
	if cfg.HTTPClient == nil {
		return nil
	}
	t, _ := cfg.HTTPClient.Transport.(inProcess)
	return t.s
}

// Answer queues an answer for the next request, whatever it asks for. Queued
// answers are given in order. Headers are alternating names and values; a
// Content-Length above that of the body truncates the answer.
func (s *Service) Answer(status int, body string, headers ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = append(s.answers, answer{status, []byte(body), headers})
}

// Requests returns the requests received so far, including refused ones.
func (s *Service) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Foreign returns the requests that were sent through [Service.Config] to hosts
// other than those of the Service.
func (s *Service) Foreign() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.foreign...)
}

// ServeHTTP answers one request. Pages of any origin may read the answers in a
// browser.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	if r.Method == http.MethodOptions {
		w.Header().Set("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE, OPTIONS")
		w.Header().Set("Access-Control-Allow-Headers", "*, "+r.Header.Get("Access-Control-Request-Headers"))
		w.WriteHeader(http.StatusNoContent)
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		http.Error(w, "unreadable body", http.StatusBadRequest)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	names := operationsOf(r, body)
	if a, queued := s.receive(r, body, names); queued {
		a.write(w)
		return
	}
	if s.Before != nil && s.Before(w, r) {
		return
	}
	respond := func() answer {
		a := s.serve(r, body)
		if s.Compress {
			a = a.compressed(r.Header.Get("Accept-Encoding"))
		}
		return a
	}
	f, met := s.fault(names)
	if !met && continues(r, body) {
		f, met = Fault{Body: Incomplete}, true
	}
	if met {
		if f.Body == Incomplete {
			f.Body = string(incomplete(r, body))
		}
		f.meet(w, r, respond, s.refusal(r, body))
		return
	}
	respond().write(w)
}

// receive records a request and takes the next queued answer, if there is one.
func (s *Service) receive(r *http.Request, body []byte, names []string) (a answer, queued bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.Unrecorded {
		s.requests = append(s.requests, record(r, body, names))
		if s.Keep > 0 && len(s.requests) > s.Keep {
			s.requests = slices.Delete(s.requests, 0, len(s.requests)-s.Keep)
		}
	}
	if len(s.answers) == 0 {
		return answer{}, false
	}
	a = s.answers[0]
	s.answers = s.answers[1:]
	return a, true
}

func record(r *http.Request, body []byte, names []string) Request {
	return Request{names, r.Method, r.Host, r.URL.EscapedPath(), r.URL.Query(), r.Header.Clone(), string(body)}
}

// serve passes a request on to its area.
func (s *Service) serve(r *http.Request, body []byte) answer {
	at := func(host string) bool {
		switch r.Host {
		case rpcHost, walletHost, webhooksHost:
			return r.Host == host
		}
		return true // an ordinary listener serves all areas
	}
	switch path := r.URL.Path; {
	case path == "/" && at(rpcHost):
		return s.rpc(r, body)
	case strings.HasPrefix(path, "/v1/wallet/") && at(walletHost):
		return s.wallet(r, body)
	case strings.HasPrefix(path, "/v0/webhooks") && at(webhooksHost):
		return s.webhooks(r, body)
	case strings.HasPrefix(path, "/v0/") && at(webhooksHost), strings.HasPrefix(path, "/v1/parsed-events/") && at(rpcHost):
		return s.enhanced(r, body)
	}
	return invalidPath()
}

// keyStatus returns the HTTP status for a request with these keys.
func (s *Service) keyStatus(keys ...string) int {
	for _, key := range keys {
		if status, known := s.keys[key]; known {
			return status
		}
	}
	return http.StatusUnauthorized
}
