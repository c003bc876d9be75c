// Package fake is the service in small, for tests and examples: it answers
// every operation of this module with made-up data, by the rules of the
// service. It refuses what a client should not send also where the service is
// silent or ignores it, such as unknown members and misspelt words.
package fake

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/solwire/solwire-go/types"
)

// The keys of a Service.
const (
	Key        = "3f1c9a52-7d04-4e6b-9b8f-1d2a60c7e5f4" // works
	DemoKey    = "demo-key"                             // works too, and is easily typed
	LimitedKey = "limited-key"                          // always over its rate: 429
	ExpiredKey = "expired-key"                          // refused like an unknown one: 401
)

// A host for each area; .test exists on no network.
const (
	rpcHost      = "rpc.solwire.test"
	walletHost   = "wallet.solwire.test"
	webhooksHost = "webhooks.solwire.test"
)

// maxBody is the largest request that is read.
const maxBody = 10 << 20

// A Service answers as the real one does. As an http.Handler it serves all
// areas on one host; through [Service.Config] each has a host of its own. Set
// its fields before the first request.
type Service struct {
	// Before sees each request that no canned answer was queued for, its body
	// unread, ahead of the service. If it returns true, it has answered.
	// It ends the connection without an answer by panicking with
	// http.ErrAbortHandler. A Before that waits should wait for the request's
	// context too.
	Before func(w http.ResponseWriter, r *http.Request) bool

	// LeafIndexOrder lists compressed accounts by owner in the order of their
	// leaf indexes, as the published server does. Its cursors are unsound:
	// they skip and repeat accounts as soon as there is more than one page.
	LeafIndexOrder bool

	// Unrecorded leaves Requests empty, for programs that send many.
	Unrecorded bool

	keys     map[string]int // the status that each key is answered with
	accounts *accounts      // what Owner has

	mu       sync.Mutex
	answers  []answer
	requests []Request
	foreign  []Request
	hooks    []*webhook // in the order in which they were made
	made     int        // webhooks so far
}

// A Request is what came in. Path is as it was sent, still escaped.
type Request struct {
	Method string
	Host   string
	Path   string
	Query  url.Values
	Header http.Header
	Body   string
}

// New returns a Service with its data, which is the same in every run.
func New() *Service { return NewSized(3500) }

// NewSized returns a Service with another number of compressed accounts of
// [Owner], up to a million. They are made as they are asked for.
func NewSized(compressed int) *Service {
	return &Service{
		accounts: &accounts{seed: 5, count: compressed},
		keys: map[string]int{
			Key:        http.StatusOK,
			DemoKey:    http.StatusOK,
			LimitedKey: http.StatusTooManyRequests,
			ExpiredKey: http.StatusUnauthorized,
		},
	}
}

// Config returns a Config that reaches s without a network. What is sent to a
// host that is not of s fails as if that did not exist, and [Service.Foreign]
// tells of it.
func (s *Service) Config() types.Config {
	return types.Config{
		APIKey:      Key,
		RPCURL:      "https://" + rpcHost,
		WalletURL:   "https://" + walletHost,
		WebhooksURL: "https://" + webhooksHost,
		HTTPClient:  &http.Client{Transport: inProcess{s}},
	}
}

// Of returns the Service that cfg reaches without a network, nil if it reaches
// none.
func Of(cfg types.Config) *Service {
	if cfg.HTTPClient == nil {
		return nil
	}
	t, _ := cfg.HTTPClient.Transport.(inProcess)
	return t.s
}

// Answer queues an answer for the next request that comes in, whatever it
// asks. Several are given in the order in which they were queued. Headers are
// names and values in turn; a Content-Length above that of the body makes the
// answer end early.
func (s *Service) Answer(status int, body string, headers ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = append(s.answers, answer{status, []byte(body), headers})
}

// Requests returns what came in so far, refused or not.
func (s *Service) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Foreign returns what was sent by way of [Service.Config] to other hosts.
func (s *Service) Foreign() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.foreign...)
}

// ServeHTTP answers one request.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		http.Error(w, "unreadable body", http.StatusBadRequest)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	a, canned := s.receive(r, body)
	if !canned {
		if s.Before != nil && s.Before(w, r) {
			return
		}
		a = s.serve(r, body)
	}
	a.write(w)
}

// receive notes a request and takes the canned answer that is next, if any.
func (s *Service) receive(r *http.Request, body []byte) (a answer, canned bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.Unrecorded {
		s.requests = append(s.requests, record(r, body))
	}
	if len(s.answers) == 0 {
		return answer{}, false
	}
	a = s.answers[0]
	s.answers = s.answers[1:]
	return a, true
}

func record(r *http.Request, body []byte) Request {
	return Request{r.Method, r.Host, r.URL.EscapedPath(), r.URL.Query(), r.Header.Clone(), string(body)}
}

// serve finds the area that a request is for.
func (s *Service) serve(r *http.Request, body []byte) answer {
	at := func(host string) bool {
		switch r.Host {
		case rpcHost, walletHost, webhooksHost:
			return r.Host == host
		}
		return true // an ordinary listener
	}
	switch path := r.URL.Path; {
	case path == "/" && at(rpcHost):
		return s.rpc(r, body)
	case strings.HasPrefix(path, "/v1/wallet/") && at(walletHost):
		return s.wallet(r, body)
	case strings.HasPrefix(path, "/v0/webhooks") && at(webhooksHost):
		return s.webhooks(r, body)
	}
	return invalidPath()
}

// keyStatus returns the status that the key of a request is answered with.
func (s *Service) keyStatus(keys ...string) int {
	for _, key := range keys {
		if status, known := s.keys[key]; known {
			return status
		}
	}
	return http.StatusUnauthorized
}

// An answer is one response.
type answer struct {
	status int
	body   []byte
	header []string // names and values in turn
}

// ok answers with JSON.
func ok(body []byte) answer { return answer{status: http.StatusOK, body: body} }

// invalidPath is how the gateway answers where there is nothing.
func invalidPath() answer {
	return answer{status: http.StatusBadRequest, body: []byte(`{"error":"invalid path"}`)}
}

func (a answer) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	for i := 0; i+1 < len(a.header); i += 2 {
		w.Header().Set(a.header[i], a.header[i+1])
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // a client that went away needs no answer
}
