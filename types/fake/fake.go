package fake

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
)

// The keys that a Service knows. Every other key is unknown: 401.
const (
	Key        = fakeapi.DemoKey    // accepted
	LimitedKey = fakeapi.LimitedKey // always over its rate limit: 429
	ExpiredKey = fakeapi.ExpiredKey // refused: 401
)

// Addresses of the default world. The accounts of ProgramAddress are counters: an
// authority of 32 bytes and a count, a little-endian uint64.
const (
	WalletAddress    types.Address = fakeapi.Wallet    // holds many tokens and has a long history
	CollectorAddress types.Address = fakeapi.Collector // holds two tokens and many NFTs
	ExchangeAddress  types.Address = fakeapi.Exchange  // is known by name
	OwnerAddress     types.Address = fakeapi.Owner     // owns many compressed accounts

	// ProgramAddress owns compressed accounts with data of one layout.
	ProgramAddress types.Address = fakeapi.Program

	// DelegateAddress may spend from token accounts, compressed and uncompressed.
	DelegateAddress types.Address = fakeapi.Delegate

	// V2DelegateAddress may spend from compressed token accounts in trees of the
	// second version, which old clients of other languages refuse.
	V2DelegateAddress types.Address = fakeapi.V2Delegate
)

// Options are the options of [New]. Each zero value means the default.
type Options struct {
	World *World // the data; nil means the default world

	// Clock is the current time of the world; nil means time.Now.
	Clock func() time.Time

	// Network is the network of Service.Config and the genesis hash; empty means
	// types.NetworkMainnet. The data is the same.
	Network types.Network

	// Seed determines the signatures of events and the random faults. 0 means a random seed.
	Seed uint64

	// Journal is how many of the latest requests are kept for [Service.Requests], and how many of
	// the latest events for parsed histories. 0 means 10000.
	Journal int
}

// A Service is a fake of the service. It is also an http.Handler, and safe for concurrent use.
type Service struct {
	inner *fakeapi.Service

	mu    sync.Mutex
	rules []*rule // of faults
}

// wrap returns a Service with faults.
func wrap(inner *fakeapi.Service) *Service {
	s := &Service{inner: inner}
	inner.Intercept = s.intercept
	inner.Public = s
	return s
}

// Config returns a Config for a fake with the default world, in which it is always 2 June 2025. The
// output is the same in every run. A call that waits for a later block never returns, such as
// stream.Client.Confirm of an unknown signature. With [New], time passes, and the history of the
// default world ends now.
func Config() types.Config {
	s := fakeapi.New()
	return wrap(s).Config()
}

// FromEnv returns the Config of a program that runs with and without a key, such as the
// examples:
//
//   - with the environment variable SOLWIRE_URL, of a fake at this URL, such as
//     examples/devserver;
//   - otherwise with HELIUS_API_KEY, of the real service;
//   - with neither, of a fake as by [Config].
func FromEnv() types.Config {
	host, key := os.Getenv("SOLWIRE_URL"), os.Getenv("HELIUS_API_KEY") //nolint:forbidigo // it is asked to
	switch {
	case host != "":
		return types.Config{APIKey: types.Key(Key), RPCURL: host, WalletURL: host, WebhooksURL: host}
	case key != "":
		return types.Config{APIKey: types.Key(key)}
	}
	return Config()
}

// New returns a Service. Nil options mean the defaults. It panics if the world is invalid.
func New(opts *Options) *Service {
	opts = cmp.Or(opts, new(Options))
	s, err := opts.World.build()
	if err != nil {
		panic("fake.New: " + err.Error())
	}
	s.Clock, s.Network, s.Seed = opts.Clock, opts.Network, cmp.Or(opts.Seed, rand.Uint64())
	s.Keep = cmp.Or(max(opts.Journal, 0), 10_000)
	if s.Clock == nil {
		s.Clock = time.Now
	}
	if err := s.Start(); err != nil {
		panic("fake.New: " + err.Error())
	}
	return wrap(s)
}

// Of returns the Service of this process that cfg sends requests to. It is nil for the real
// service, and for a fake in another process.
func Of(cfg types.Config) *Service {
	if cfg.HTTPClient == nil {
		return nil
	}
	t, is := cfg.HTTPClient.Transport.(fakeapi.InProcess)
	if !is {
		return nil
	}
	s, _ := t.Service.Public.(*Service)
	return s
}

// Config returns a Config for s. Requests to other hosts fail.
func (s *Service) Config() types.Config {
	cfg := s.inner.Config()
	cfg.APIKey = types.Key(Key)
	return cfg
}

// Transport returns a Transport for a Config of your own or another HTTP client. It passes requests
// for all hosts to s.
func (s *Service) Transport() http.RoundTripper { return fakeapi.Handler(s.inner) }

// ServeHTTP serves all APIs on one host.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.inner.ServeHTTP(w, r) }

// A Request is an entry of the journal. Keys are removed.
type Request struct {
	// The JSON-RPC method (of a batch, the first one), or the HTTP method and the route.
	Operation string `json:"operation"`

	Method string      `json:"method"` // of HTTP
	Path   string      `json:"path"`   // escaped
	Query  url.Values  `json:"query"`
	Header http.Header `json:"header"`
	Body   string      `json:"body"`
}

// Requests returns the requests that s received, in order, including refused ones.
func (s *Service) Requests() []Request {
	all := []Request{}
	for _, r := range s.inner.Requests() {
		all = append(all, entry(r))
	}
	return all
}

// entry returns a request without its keys.
func entry(r fakeapi.Request) Request {
	query, header := maps.Clone(r.Query), r.Header.Clone()
	maps.DeleteFunc(query, func(name string, _ []string) bool { return strings.EqualFold(name, "api-key") })
	header.Del("X-Api-Key")
	header.Del("Authorization")
	e := Request{"", r.Method, r.Path, query, header, r.Body}
	if len(r.Operations) > 0 {
		e.Operation = r.Operations[0]
	}
	return e
}
