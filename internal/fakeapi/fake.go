// Package fakeapi is a fake of the service for tests and examples. It routes requests to packages
// that answer them from one world: node, indexer, assets, walletapi and hooks.
package fakeapi

import (
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/solwire/solwire-go/internal/fakeapi/hooks"
	"github.com/solwire/solwire-go/internal/fakeapi/notify"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
	"github.com/solwire/solwire-go/types"
)

// The keys of a Service.
const (
	Key        = "3f1c9a52-7d04-4e6b-9b8f-1d2a60c7e5f4" // valid
	DemoKey    = "demo-key"                             // valid, and easy to type
	LimitedKey = "limited-key"                          // always over its rate limit: 429
	ExpiredKey = "expired-key"                          // refused like an unknown key: 401
)

// The addresses of the default world.
const (
	Wallet     = world.Demo
	Collector  = world.Collector
	Exchange   = world.Exchange
	Owner      = world.Owner
	Program    = world.Program
	Delegate   = world.Delegate
	V2Delegate = world.V2Delegate
)

// A host for each area; .test exists on no network.
const (
	rpcHost      = "rpc.solwire.test"
	walletHost   = "wallet.solwire.test"
	webhooksHost = "webhooks.solwire.test"
)

// A Service is a fake of the service. As an http.Handler it serves all areas on one host;
// through [Service.Config] each area has its own host. Set the fields before the first
// request.
type Service struct {
	// Intercept is called for each request without a queued answer. If it returns true, it has
	// answered. Panic with http.ErrAbortHandler to close the connection without an answer. An
	// Intercept that waits should also wait for the context of the request.
	Intercept func(w http.ResponseWriter, x *Incoming) bool

	// Clock returns the time of the world. Nil means that time stands still, so that answers
	// are the same in every run.
	Clock func() time.Time

	// Seed determines the signatures of events and the random faults.
	Seed uint64

	// Agave42 makes the node answer as version 4.2 does, and not 4.4, where they differ.
	Agave42 bool

	// Network is the network of the world.
	Network types.Network

	// Keep is the number of requests that are recorded and of transactions that happen later,
	// the latest. 0 means all.
	Keep int

	// Public wraps the Service.
	Public any

	build   func() *world.World
	begin   sync.Once
	world   *world.World
	mistake error // in it
	book    hooks.Book
	hub     *notify.Hub

	route sync.Once
	mux   *http.ServeMux

	mu       sync.Mutex
	answers  []Answer
	requests []Request
	rand     *rand.Rand
}

// A Request is a request that was received. Operations are the JSON-RPC methods that it
// calls, or the HTTP method and the route. Path is still escaped.
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
func New() *Service { return &Service{build: func() *world.World { return world.Default("default") }} }

// NewOf returns a Service with a world and active webhooks.
func NewOf(w *world.World, webhooks ...hooks.Webhook) *Service {
	s := &Service{build: func() *world.World { return w }}
	for _, h := range webhooks {
		s.book.Add(h.ID, h.Settings)
	}
	return s
}

// NewSized returns a Service in which [Owner] has another number of compressed accounts, up
// to a million.
func NewSized(compressed int) *Service {
	b := world.NewBuilder("default")
	b.Generate(compressed)
	w, err := b.World()
	if err != nil {
		panic(err)
	}
	return NewOf(w)
}

// Start fixes the moment up to which the world has a past, and returns a mistake in it. The
// first request does so otherwise.
func (s *Service) Start() error {
	s.begin.Do(func() {
		s.world = s.build()
		s.book.World = s.world
		s.hub = &notify.Hub{World: s.world, Random: s.Random}
		s.world.Lock()
		defer s.world.Unlock()
		s.world.Clock, s.world.Keep, s.world.Network = s.Clock, s.Keep, s.Network
		s.mistake = s.world.Begin()
		s.world.Watch = s.hub.Note
	})
	return s.mistake
}

// World returns the data of s, for subscriptions. It has begun.
func (s *Service) World() *world.World {
	if err := s.Start(); err != nil {
		panic(err)
	}
	return s.world
}

// Book returns the webhooks of s.
func (s *Service) Book() *hooks.Book {
	s.World()
	return &s.book
}

// Config returns a Config that reaches s without a network. Requests to other hosts fail as
// if the host did not exist.
func (s *Service) Config() types.Config {
	cfg := types.Config{
		APIKey:      types.Key(Key),
		Network:     s.Network,
		RPCURL:      "https://" + rpcHost,
		WebhooksURL: "https://" + webhooksHost,
		HTTPClient:  &http.Client{Transport: InProcess{s}},
		Clock:       s.now,
	}
	if s.Network != types.NetworkDevnet { // which has no Wallet API
		cfg.WalletURL = "https://" + walletHost
	}
	return cfg
}

// now returns the time of the world.
func (s *Service) now() time.Time { return s.World().Now() }

// Answer queues an answer for the next request, whatever it asks for. Queued answers are given
// in order. Headers are alternating names and values; a Content-Length that is longer than
// the body truncates the answer.
func (s *Service) Answer(status int, body string, headers ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = append(s.answers, Answer{Status: status, Body: []byte(body), Header: headers})
}

// Requests returns the requests received so far, including refused ones.
func (s *Service) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Random calls f with the source of random faults and signatures.
func (s *Service) Random(f func(*rand.Rand)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rand == nil {
		s.rand = rand.New(rand.NewPCG(s.Seed, 1))
	}
	f(s.rand)
}

// source returns a source of one event.
func (s *Service) source() *world.Source {
	var x world.Source
	s.Random(func(r *rand.Rand) { x = world.Source(r.Uint64()) })
	return &x
}

// Make adds a transaction to the world, now.
func (s *Service) Make(add func(*world.Builder)) (*world.Transaction, error) {
	w, source := s.World(), s.source()
	w.Lock()
	defer w.Unlock()
	return w.Happen(source, add)
}

// Swap swaps USDC of owner for SOL with a pool, at about 143 USDC, now. An owner who has less
// receives them first.
func (s *Service) Swap(owner string) (*world.Transaction, error) {
	source := s.source()
	usdc := uint64(5 + source.Below(90))
	// not more, so that events do not fill the memory
	pools := world.Seed(44).Item(source.Below(4000))
	in := world.Leg{From: owner, To: pools.Address(), Mint: world.USDC, Amount: world.Text(usdc, 0)}
	out := world.Leg{From: in.To, To: owner, Amount: world.Text(7_000_000*usdc, 9)}
	pay := func(kind, payer string, legs ...world.Leg) (*world.Transaction, error) {
		return s.Make(func(b *world.Builder) {
			b.Check("owner", types.Address(owner))
			b.Transact(world.Transaction{Kind: kind, FeePayer: payer}, legs)
		})
	}
	x, err := pay("SWAP", owner, in, out)
	if err != nil {
		_, _ = pay("TRANSFER", in.To, world.Leg{From: in.To, To: owner, Mint: world.USDC, Amount: in.Amount})
		return pay("SWAP", owner, in, out)
	}
	return x, nil
}
