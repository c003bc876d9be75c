// Package transport sends REST and JSON-RPC requests with the API key, decodes the
// responses, retries and paces.
//
// The files follow a call: request.go, jsonrpc.go and batch.go build it, and loop.go runs its
// attempts with go-retryablehttp. An attempt is in attempt.go, and roundtrip.go adds the key.
// The policy of retries is in policy.go; refusal.go parses errors of the service. The key is
// removed from errors in secret.go.
package transport

import (
	"cmp"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"runtime"
	"sync"
	"time"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/endpoint"
	"github.com/solwire/solwire-go/types"
)

// Version is the version of this module, for the User-Agent header.
const Version = "0.2.0"

const (
	defaultAttempts = 4
	defaultTimeout  = 30 * time.Second // of one attempt
)

// A Host is one of the hosts of the service.
type Host = endpoint.Host

// The hosts, each with its URL in types.Config.
const (
	RPC           = endpoint.RPC
	Wallet        = endpoint.Wallet
	Webhooks      = endpoint.Webhooks
	ParsedStreams = endpoint.ParsedStreams
	Sender        = endpoint.Sender
)

// A Client sends requests to one host. It is safe for concurrent use.
type Client struct {
	Attempts    int                    // the most of a call
	OnItemError func(*types.ItemError) // of the Config

	host         Host
	base         *url.URL // scheme, host and path
	transport    *keyTransport
	limiter      types.Limiter
	meter        *types.Meter
	logger       *slog.Logger
	secret       *secret
	classify     func(error) error // nil for none
	onResponse   func(op string, body json.RawMessage)
	clock        func() time.Time // nil means time.Now
	budget       budget
	decompressor decode.Decompressor
}

// New returns a Client for one host. Its errors quote neither the key nor a URL. Classify,
// unless nil, adds the meaning of an error of a query to it.
func New(cfg types.Config, host Host, classify func(error) error) (*Client, error) {
	key := cfg.APIKey.Reveal()
	secret := newSecret(key)
	base, err := endpoint.Of(cfg, host)
	if err != nil && key != "" {
		err = secret.clean(err) // it quotes the Network
	}
	if err != nil {
		return nil, err
	}
	c := &Client{
		Attempts:    cmp.Or(cfg.MaxAttempts, defaultAttempts),
		OnItemError: cfg.OnItemError,

		host:     host,
		base:     base,
		limiter:  cfg.Limiter,
		meter:    cfg.Meter,
		logger:   cfg.Logger,
		secret:   secret,
		classify: classify,

		onResponse: cfg.OnResponse,
		clock:      cfg.Clock,
	}
	c.transport = newKeyTransport(cmp.Or(cfg.HTTPClient, new(http.Client)), host, key, cfg.WrapTransport)
	c.transport.scheme, c.transport.host, c.transport.secret = base.Scheme, base.Host, secret
	c.budget.tokens.Store(budgetSize)
	return c, nil
}

// Now returns the time with which options are compared.
func (c *Client) Now() time.Time {
	if c == nil || c.clock == nil {
		return time.Now()
	}
	return c.clock()
}

// Check returns the first non-nil argument error, prefixed by the Go method of op. An argument
// may contain the key: it is removed.
func (c *Client) Check(op Op, errs ...error) error {
	if c == nil {
		return fmt.Errorf("%s: the client was not made by New: %w", op.Method, types.ErrInvalid)
	}
	if err := cmp.Or(errs...); err != nil {
		return c.secret.clean(fmt.Errorf("%s: %w", op.Method, err))
	}
	return nil
}

// WithOp returns err prefixed by the wire name of op, without the key.
func (c *Client) WithOp(op Op, err error) error {
	if err == nil {
		return nil
	}
	return c.secret.clean(fmt.Errorf("%s: %w", op.Wire, err))
}

// Clean returns err without the key. A listing of listings has no client.
func (c *Client) Clean(err error) error {
	if c == nil {
		return err
	}
	return c.secret.clean(err)
}

// Holds reports whether text contains the key.
func (c *Client) Holds(text string) bool { return c.secret.hide(text) != text }

var userAgent = fmt.Sprintf("solwire-go/%s (%s; %s/%s)", Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)

// sharedTransport is the default Transport of all clients, so that they share connections. With
// the two idle connections per host of net/http, 64 callers open a connection for almost every
// request. Without pings, every call on a dead HTTP/2 connection times out.
var sharedTransport = sync.OnceValue(func() http.RoundTripper {
	t := new(http.Transport)
	if std, ok := http.DefaultTransport.(*http.Transport); ok {
		t = std.Clone()
	} else { // a program replaced it with another type
		t.Proxy, t.ForceAttemptHTTP2 = http.ProxyFromEnvironment, true
	}
	t.MaxIdleConns = 100
	t.MaxIdleConnsPerHost = 100
	t.MaxResponseHeaderBytes = 1 << 20
	t.OnProxyConnectResponse = refusalOfProxy
	t.HTTP2 = &http.HTTP2Config{
		MaxReadFrameSize: 1 << 20,
		SendPingTimeout:  15 * time.Second,
		PingTimeout:      15 * time.Second,
	}
	return t
})
