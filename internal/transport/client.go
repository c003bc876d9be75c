// Package transport sends REST and JSON-RPC requests with the API key, decodes the
// responses, retries and paces.
//
// The files follow a call: request.go, jsonrpc.go and batch.go build it, loop.go runs its
// attempts with go-retryablehttp, attempt.go makes one, roundtrip.go adds the key,
// policy.go decides on retries, refusal.go parses errors of the service, and secret.go
// removes the key from errors.
package transport

import (
	"cmp"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
)

// Version is the version of this module, for the User-Agent header.
const Version = "0.1.0"

const (
	defaultAttempts = 4
	defaultTimeout  = 30 * time.Second // of one attempt
)

// A Host is one of the hosts of the service.
type Host int

// The hosts, each with its URL in types.Config.
const (
	RPC Host = iota
	Wallet
	Webhooks
	ParsedStreams
	Sender
)

// An api is the name of a host's API, its field in types.Config, and its public URLs, empty
// where devnet lacks it.
type api struct{ name, field, mainnet, devnet string }

var hosts = [...]api{
	RPC:           {"RPC", "RPCURL", types.MainnetRPCURL, types.DevnetRPCURL},
	Wallet:        {"Wallet", "WalletURL", types.MainnetWalletURL, ""},
	Webhooks:      {"Webhooks", "WebhooksURL", types.MainnetWebhooksURL, types.DevnetWebhooksURL},
	ParsedStreams: {"Parsed Streams", "ParsedStreamsURL", types.MainnetParsedStreamsURL, ""},
	Sender:        {"Sender", "SenderURL", types.MainnetSenderURL, ""},
}

// A Client sends requests to one host. It is safe for concurrent use.
type Client struct {
	host         Host
	base         *url.URL // scheme, host and path
	transport    *keyTransport
	attempts     int
	limiter      types.Limiter
	meter        *types.Meter
	logger       *slog.Logger
	secret       *secret
	classify     func(error) error // nil for none
	onItemError  func(*types.ItemError)
	onResponse   func(op string, body json.RawMessage)
	clock        func() time.Time // nil means time.Now
	budget       budget
	decompressor decode.Decompressor
}

// New returns a Client for one host. Its errors quote neither the key nor a URL. Classify,
// unless nil, adds the meaning of an error of a query to it.
func New(cfg types.Config, host Host, classify func(error) error) (*Client, error) {
	key := cfg.APIKey.Reveal()
	if err := checkKey(key); err != nil {
		return nil, err
	}
	if cfg.MaxAttempts < 0 {
		return nil, configError(fmt.Sprintf("MaxAttempts %d", cfg.MaxAttempts), "is negative; 0 means 4 and 1 turns retries off")
	}
	secret := newSecret(key)
	base, err := endpoint(cfg, host)
	if err != nil {
		return nil, secret.clean(err) // it quotes the Network
	}
	c := &Client{
		host:     host,
		base:     base,
		attempts: cmp.Or(cfg.MaxAttempts, defaultAttempts),
		limiter:  cfg.Limiter,
		meter:    cfg.Meter,
		logger:   cfg.Logger,
		secret:   secret,
		classify: classify,

		onItemError: cfg.OnItemError,
		onResponse:  cfg.OnResponse,
		clock:       cfg.Clock,
	}
	c.transport = newKeyTransport(cmp.Or(cfg.HTTPClient, new(http.Client)), host, key, cfg.WrapTransport)
	c.transport.host, c.transport.secret = base.Host, secret
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

func configError(field, problem string) error {
	return fmt.Errorf("types.Config: %s %s: %w", field, problem, types.ErrInvalid)
}

// checkKey refuses a key that is not valid in a header, such as one read from a file
// with its trailing newline, and what is often mistaken for it.
func checkKey(key string) error {
	switch {
	case key == "":
		return configError("APIKey", "is empty")
	case strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return configError("APIKey", "contains white space or a character outside ASCII; trim it")
	case strings.Contains(key, "://"):
		return configError("APIKey", "is a URL; set it to the part after api-key=")
	case key == types.Key(key).String():
		return configError("APIKey", "is ***, the printed form of a key")
	case strings.Trim(key, "\"'`") != key:
		return configError("APIKey", "is in quotes; remove them")
	}
	return nil
}

// endpoint returns the URL of host. It discards the error of url.Parse, which quotes
// the URL.
func endpoint(cfg types.Config, host Host) (*url.URL, error) {
	network := cmp.Or(cfg.Network, types.NetworkMainnet)
	h := hosts[host]
	public := h.mainnet
	switch network {
	case types.NetworkMainnet:
	case types.NetworkDevnet:
		public = h.devnet
	default:
		return nil, configError(fmt.Sprintf("Network %q", network), "is neither mainnet nor devnet")
	}
	urls := [...]string{cfg.RPCURL, cfg.WalletURL, cfg.WebhooksURL, cmp.Or(cfg.ParsedStreamsURL, cfg.RPCURL), cmp.Or(cfg.SenderURL, cfg.RPCURL)}
	raw := urls[host]
	switch {
	case raw != "":
	case public == "":
		return nil, configError("Network", fmt.Sprintf("%s has no %s API; set Network to mainnet, or %s to a host that has it", network, h.name, h.field))
	case slices.ContainsFunc(urls[:], func(other string) bool { return foreign(other, network) }): // defaulting this one would be a mistake
		return nil, configError(h.field, fmt.Sprintf("is empty, which means %s, and another URL belongs to another network; set Network", network))
	default:
		raw = public
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Hostname() == "":
		return nil, configError(h.field, "is not a URL with a scheme and a host")
	case u.User != nil || strings.ContainsAny(raw, "?#"):
		return nil, configError(h.field, "has a user, query or fragment; set the key in APIKey")
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, configError(h.field, "does not start with https://")
	case u.Scheme == "http" && !loopback(u.Hostname()):
		return nil, configError(h.field, "uses http for a host that is not loopback; use https")
	case foreign(raw, network):
		return nil, configError(h.field, fmt.Sprintf("is a host of another network than %s; set Network", network))
	}
	return u, nil
}

// foreign reports whether a URL is on the public host of another network.
func foreign(raw string, network types.Network) bool {
	u, err := url.Parse(raw)
	return err == nil && u.Host != "" && slices.ContainsFunc(hosts[:], func(h api) bool {
		other := h.devnet
		if network == types.NetworkDevnet {
			other = h.mainnet
		}
		host, _, _ := strings.Cut(strings.TrimPrefix(other, "https://"), "/")
		return strings.EqualFold(u.Hostname(), host)
	})
}

func loopback(host string) bool {
	return strings.EqualFold(host, "localhost") || net.ParseIP(host).IsLoopback()
}

// Check returns the first non-nil argument error, prefixed by the Go method of op and
// without the key, which may have been passed as an argument.
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

// Clean returns err without the key.
func (c *Client) Clean(err error) error { return c.secret.clean(err) }

// Holds reports whether text contains the key.
func (c *Client) Holds(text string) bool { return c.secret.hide(text) != text }

var userAgent = fmt.Sprintf("solwire-go/%s (%s; %s/%s)", Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)

// sharedTransport is the default Transport of all clients, so that they share
// connections. With the two idle connections per host of net/http, 64 callers open a
// new one for almost every request; without pings, every call on a dead HTTP/2
// connection times out.
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
