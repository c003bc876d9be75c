// Package types holds what all clients of this module share: the [Config] that
// makes them, the errors they return, and the values that several of them
// carry.
package types

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
)

// The public hosts of the service. The mainnet ones are the defaults of [Config].
const (
	MainnetRPCURL      = "https://mainnet.helius-rpc.com"
	DevnetRPCURL       = "https://devnet.helius-rpc.com" // for Config.RPCURL
	MainnetWalletURL   = "https://api.helius.xyz"        // there is no devnet host for wallets
	MainnetWebhooksURL = "https://api-mainnet.helius-rpc.com"
)

// Config configures every client in this module. Build one and pass it to the
// New function of each package you need. The zero value of each field but
// APIKey means its default.
//
// A Config is a value: to vary one, copy it and change the copy. Clients made
// from one Config share its HTTPClient and its Limiter.
//
// fmt, slog and encoding/json print a Config without its key. In two cases fmt
// does not ask the Config and prints every field as it is: where the Config is
// an unexported field of another struct, and under the verbs %p and %w, which
// vet reports, since they fit no Config.
type Config struct {
	// APIKey is the key of your account with the service. It is required. No
	// error, log record or printed value of this module contains it.
	APIKey string `json:"-"`

	// RPCURL, WalletURL and WebhooksURL are the hosts to ask, each with an
	// optional path before that of the operation. Empty means the public
	// mainnet host. The scheme is https, or http for a loopback host. The key
	// is added later and never belongs here, so a query is refused, as are a
	// user and a fragment.
	RPCURL      string // for rpc and compressed
	WalletURL   string // for wallet
	WebhooksURL string // for webhooks

	// HTTPClient sends the requests; it is copied, never changed. Its Timeout
	// bounds one attempt from the first byte sent to the last byte read; 0 or
	// less means 30 s. Redirects are not followed, whatever its CheckRedirect
	// says, since they would carry the key to another host. Its Transport sees
	// the key: tracing or logging belongs around the calls of this module, not
	// in a Transport beneath them. Nil means a client on a transport that all
	// clients of the process share.
	HTTPClient *http.Client `json:"-"`

	// MaxAttempts is the number of tries a call may make. 0 means 4, 1 turns
	// retries off.
	MaxAttempts int

	// Limiter is asked before every attempt, so that a program stays within
	// the rate of its plan. Nil means none.
	Limiter Limiter `json:"-"`

	// Logger gets one debug record per attempt. Nil means none.
	Logger *slog.Logger `json:"-"`
}

// A Limiter paces requests: Wait returns when the next one may be sent, or
// with an error when ctx ends first. A *rate.Limiter of golang.org/x/time is
// one. Its methods are called by many goroutines at once.
type Limiter interface {
	// Wait returns nil when the next request may be sent. Its error ends the
	// call, which wraps it.
	Wait(ctx context.Context) error
}

// Format prints c without its key, whatever the verb.
func (c Config) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "{APIKey:%s RPCURL:%s WalletURL:%s WebhooksURL:%s MaxAttempts:%d}",
		masked(c.APIKey), c.shown(c.RPCURL), c.shown(c.WalletURL), c.shown(c.WebhooksURL), c.MaxAttempts)
}

// LogValue returns c without its key, for slog.
func (c Config) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("APIKey", masked(c.APIKey)),
		slog.String("RPCURL", c.shown(c.RPCURL)),
		slog.String("WalletURL", c.shown(c.WalletURL)),
		slog.String("WebhooksURL", c.shown(c.WebhooksURL)),
		slog.Int("MaxAttempts", c.MaxAttempts),
	)
}

// MarshalJSON encodes what of c is plain data, without the key.
func (c Config) MarshalJSON() ([]byte, error) {
	type plain Config // without this method
	p := plain(c)
	p.RPCURL, p.WalletURL, p.WebhooksURL = c.shown(c.RPCURL), c.shown(c.WalletURL), c.shown(c.WebhooksURL)
	return json.Marshal(p)
}

// shown returns a URL as it may be printed: not at all if it has a place in
// which a URL pasted from a dashboard holds the key.
func (c Config) shown(address string) string {
	plain, err := url.PathUnescape(address)
	if err != nil || strings.ContainsAny(address, "?#@") ||
		c.APIKey != "" && (strings.Contains(address, c.APIKey) || strings.Contains(plain, c.APIKey)) {
		return masked(address)
	}
	return address
}

func masked(secret string) string {
	if secret == "" {
		return ""
	}
	return "***"
}
