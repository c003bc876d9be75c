// Package transport is the way from the clients of this module to the service
// and back: it adds the key, speaks REST and JSON-RPC, retries and paces.
package transport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/types"
)

// Version is that of this module, for the User-Agent header.
const Version = "0.1.0"

const (
	defaultAttempts = 4
	defaultTimeout  = 30 * time.Second // of one attempt
)

// A Host is one of the three that the service answers on.
type Host int

// The hosts, each with a URL of its own in types.Config.
const (
	RPC Host = iota
	Wallet
	Webhooks
)

// errNotMade is what a client says that New has not made.
var errNotMade = argument.Invalid("client", "not made by New")

// A Client talks to one host. It is safe for concurrent use.
type Client struct {
	base     string // scheme, host and path; what comes behind begins with a slash
	http     *http.Client
	header   http.Header // of every request
	attempts int
	limiter  types.Limiter
	logger   *slog.Logger
	secret   *secret
	budget   budget
	lastID   atomic.Uint64
}

// New returns a client for one host. It fails when the key is missing or the
// URL cannot work; the error never quotes either.
func New(cfg types.Config, host Host) (*Client, error) {
	if err := checkKey(cfg.APIKey); err != nil {
		return nil, err
	}
	if err := argument.NotNegative("MaxAttempts", cfg.MaxAttempts); err != nil {
		return nil, err
	}
	base, err := endpoint(cfg, host)
	if err != nil {
		return nil, err
	}
	c := &Client{
		base:     base.String(),
		http:     new(http.Client),
		attempts: cfg.MaxAttempts,
		limiter:  cfg.Limiter,
		logger:   cfg.Logger,
		secret:   newSecret(cfg.APIKey),
		header: http.Header{
			"Accept":     {"application/json"},
			"User-Agent": {userAgent},
		},
	}
	if c.attempts == 0 {
		c.attempts = defaultAttempts
	}
	if cfg.HTTPClient != nil {
		*c.http = *cfg.HTTPClient
	}
	c.http.Transport = newAttempt(c.http, base, host, cfg.APIKey)
	c.http.Timeout = 0 // the attempt has it
	if host != RPC {   // there the URL is all there is, and its last slash counts
		c.base = strings.TrimRight(c.base, "/")
	}
	c.http.CheckRedirect = refuseRedirect
	c.budget.tokens.Store(budgetSize)
	return c, nil
}

// checkKey refuses a key that a header could not carry. It is most often one
// that was read from a file together with the end of its line.
func checkKey(key string) error {
	if key == "" {
		return argument.Invalid("APIKey", "missing")
	}
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return argument.Invalid("APIKey", "has white space or a character beyond ASCII")
		}
	}
	return nil
}

// endpoint returns the URL of host. What url.Parse says of a bad one is
// dropped, since it quotes the whole.
func endpoint(cfg types.Config, host Host) (*url.URL, error) {
	field, raw, fallback := "RPCURL", cfg.RPCURL, types.MainnetRPCURL
	switch host {
	case Wallet:
		field, raw, fallback = "WalletURL", cfg.WalletURL, types.MainnetWalletURL
	case Webhooks:
		field, raw, fallback = "WebhooksURL", cfg.WebhooksURL, types.MainnetWebhooksURL
	}
	if raw == "" {
		raw = fallback
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Hostname() == "":
		return nil, argument.Invalid(field, "not a URL with scheme and host")
	case u.User != nil || strings.ContainsAny(raw, "?#"):
		return nil, argument.Invalid(field, "has a user, query or fragment; the key belongs into APIKey")
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, argument.Invalid(field, "scheme is not https")
	case u.Port() != "" && !validPort(u.Port()):
		return nil, argument.Invalid(field, "port is not within 1 to 65535")
	case u.Scheme == "http" && !loopback(u.Hostname()):
		return nil, argument.Invalid(field, "http is for loopback hosts; use https")
	}
	u.Host = strings.TrimSuffix(u.Host, ":") // as net/http does
	return u, nil
}

func validPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
}

func loopback(host string) bool {
	return strings.EqualFold(host, "localhost") || net.ParseIP(host).IsLoopback()
}

// refuseRedirect makes net/http return the 3xx answer itself: following it
// would carry the key to another host.
func refuseRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// sharedTransport is made once, so that all clients of the process share its
// connections. Its defaults differ where those of net/http cost too much:
// with two idle connections per host, 64 callers open one for almost every
// request, and without pings a dead HTTP/2 connection swallows all calls.
var sharedTransport = sync.OnceValue(func() http.RoundTripper {
	t := new(http.Transport)
	if std, ok := http.DefaultTransport.(*http.Transport); ok {
		t = std.Clone()
	} else { // a program replaced it with a type of its own
		t.Proxy = http.ProxyFromEnvironment
		t.ForceAttemptHTTP2 = true
		t.TLSHandshakeTimeout = 10 * time.Second
		t.IdleConnTimeout = 90 * time.Second
	}
	t.MaxIdleConns = 100
	t.MaxIdleConnsPerHost = 100
	t.MaxResponseHeaderBytes = 1 << 20
	t.HTTP2 = &http.HTTP2Config{
		MaxReadFrameSize: 1 << 20,
		SendPingTimeout:  15 * time.Second,
		PingTimeout:      15 * time.Second,
	}
	return t
})

// Path joins the elements of a path and escapes each of them.
func Path(elements ...string) string {
	var b strings.Builder
	for _, e := range elements {
		b.WriteByte('/')
		b.WriteString(url.PathEscape(e))
	}
	return b.String()
}

// Get reads a resource into out.
func (c *Client) Get(ctx context.Context, path string, query url.Values, out any) error {
	if len(query) == 0 {
		return c.rest(ctx, &call{method: http.MethodGet, url: path}, nil, out)
	}
	return c.rest(ctx, &call{method: http.MethodGet, url: path + "?" + query.Encode()}, nil, out)
}

// Post asks a question whose answer changes nothing, so that it may be repeated.
func (c *Client) Post(ctx context.Context, path string, in, out any) error {
	return c.rest(ctx, &call{method: http.MethodPost, url: path}, in, out)
}

// Create posts what makes something new. It is repeated only where the service
// has certainly not acted on it. Secrets that it carries stay out of errors and
// logs as the key does, since a refusal may quote them.
func (c *Client) Create(ctx context.Context, path string, in, out any, secrets ...string) error {
	return c.rest(ctx, &call{method: http.MethodPost, url: path, once: true}, in, out, secrets...)
}

// Put replaces a resource as a whole, so that it may be repeated. Secrets are
// those of Create.
func (c *Client) Put(ctx context.Context, path string, in, out any, secrets ...string) error {
	return c.rest(ctx, &call{method: http.MethodPut, url: path}, in, out, secrets...)
}

// Patch sets members of a resource, so that it may be repeated.
func (c *Client) Patch(ctx context.Context, path string, in, out any) error {
	return c.rest(ctx, &call{method: http.MethodPatch, url: path}, in, out)
}

// Delete removes a resource. No answer is due, and the request has neither a
// body nor a media type, which the service refuses there. A resource that is
// missing after a try that may have removed it is no error.
func (c *Client) Delete(ctx context.Context, path string) error {
	x := &call{method: http.MethodDelete, url: path}
	err := c.rest(ctx, x, nil, nil)
	if x.acted && errors.Is(err, types.ErrNotFound) {
		return nil
	}
	return err
}

// rest completes call, whose url is path and query, and runs it.
func (c *Client) rest(ctx context.Context, x *call, in, out any, secrets ...string) error {
	if c == nil {
		return errNotMade
	}
	path, _, _ := strings.Cut(x.url, "?")
	x.client, x.secret = c, c.secret.with(secrets)
	x.op = c.secret.hide(x.method + " " + path)
	x.url = c.base + x.url
	x.open = func(status int, body []byte) error { return x.openREST(status, body, out) }
	if in != nil {
		body, err := json.Marshal(in)
		if err != nil {
			return fmt.Errorf("%s: %w", x.op, err)
		}
		x.body = body
	}
	return x.do(ctx)
}

// userAgent names this module and what it runs on.
var userAgent = fmt.Sprintf("solwire-go/%s (%s; %s/%s)", Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
