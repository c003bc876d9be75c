package types

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"time"
)

// A Network is a Solana network.
type Network string

// The networks of the service.
const (
	NetworkMainnet Network = "mainnet"
	NetworkDevnet  Network = "devnet" // without the Wallet API and Parsed Events
)

// The public hosts of the service, which the Network of a [Config] selects.
const (
	MainnetRPCURL      = "https://mainnet.helius-rpc.com"
	DevnetRPCURL       = "https://devnet.helius-rpc.com"
	MainnetWalletURL   = "https://api.helius.xyz"
	MainnetWebhooksURL = "https://api-mainnet.helius-rpc.com"
	DevnetWebhooksURL  = "https://api-devnet.helius-rpc.com"

	// MainnetParsedStreamsURL is the host of stream.Client.ParsedTransactions.
	MainnetParsedStreamsURL = "https://beta.helius-rpc.com"

	// MainnetSenderURL is the host of sends with Sender in their options.
	MainnetSenderURL = "https://sender.helius-rpc.com/fast"
)

// Config configures all clients of this module: pass it to the New function of each
// package. The zero value of every field except APIKey means its default.
//
// To vary a Config, copy it. Clients of the copies share the HTTPClient, the Limiter and the Meter.
//
// A Config is safe to print, log and encode as JSON: its key prints as ***, and New refuses URLs
// with a user or a query.
type Config struct {
	// APIKey is your API key for the service, made by [Key]. It is required. Errors and log
	// records of this module never contain it.
	APIKey APIKey

	// Network selects the public hosts; empty means NetworkMainnet. New fails with
	// [ErrInvalid] for an API that the network does not have.
	Network Network

	// RPCURL, WalletURL, WebhooksURL, ParsedStreamsURL and SenderURL override the hosts of Network,
	// which then get neither the key nor a request. A path in a URL comes before the path of each
	// request. The scheme is https, or http for a loopback host. New fails with [ErrInvalid] for
	// the public host of another network, and for a user, a query or a fragment: the key belongs in
	// APIKey.
	//
	// RPCURL is for packages compressed, rpc, rpc/das, rpc/parsedapi and rpc/stream, and for the
	// listings and raw transactions of package webhooks.
	RPCURL      string
	WalletURL   string // for package wallet
	WebhooksURL string // for packages webhooks and webhooks/enhancedapi

	// ParsedStreamsURL is for stream.Client.ParsedTransactions. Empty means RPCURL if that is
	// set, and otherwise MainnetParsedStreamsURL, another host.
	ParsedStreamsURL string

	// SenderURL is for rpc.Client.SendTransaction with the option Sender. Empty means RPCURL
	// if that is set, and otherwise MainnetSenderURL, another host.
	SenderURL string

	// HTTPClient provides the Transport and the Timeout of requests; it is not modified. Timeout
	// limits one attempt, including the response body; 0 or less means 30 s. If the last attempt
	// times out, the error matches [os.ErrDeadlineExceeded]; [context.DeadlineExceeded] is for your
	// own deadline. CheckRedirect has no effect: redirects are not followed, because they would
	// send the key to another host. Nil means a Transport that all clients of the process share.
	//
	// The Transport sees the key, so trace and record requests with WrapTransport. Set HTTP2 of
	// your own http.Transport to &http.HTTP2Config{SendPingTimeout: 15 * time.Second,
	// PingTimeout: 15 * time.Second}. Without pings, all calls on a dead HTTP/2 connection time
	// out until the operating system closes it.
	HTTPClient *http.Client `json:"-"`

	// WrapTransport returns a Transport around the HTTPClient's, for spans and metrics of each
	// attempt, such as otelhttp.NewTransport(next). It sees requests without the key, and
	// responses as they came, often compressed. It may change anything but the scheme and
	// the host. WebSocket connections do not use it. Nil means none.
	WrapTransport func(next http.RoundTripper) http.RoundTripper `json:"-"`

	// MaxAttempts is the maximum number of attempts of a call. 0 means 4, 1 disables retries.
	MaxAttempts int

	// MaxWebSockets limits the connections of a client of package rpc/stream, with up to 1000
	// subscriptions each. 0 means 5, the limit of the smallest plan.
	MaxWebSockets int

	// FillCredits limits the credits that a client of package rpc/stream spends on filling gaps. It
	// spends at most this many at once, and then as many per hour, evenly. Loops wait for credits.
	// 0 means 20 000.
	FillCredits int

	// OnItemError is called for each unreadable item of a listing, before the loop gets the page of
	// the item. The listing then continues. Nil ends the listing with the error after the readable
	// items of the page. Batches and streams do not call it: they have the error in place of the
	// item. It may be called by several goroutines at the same time.
	OnItemError func(*ItemError) `json:"-"`

	// OnResponse is called with each response, before the call returns. It is for members that the
	// types of this module lack. Op is the operation as errors name it, such as "getBalance of
	// 86xCnPeV…", and body the JSON of the whole response, decompressed. Error responses and
	// messages of streams are left out. It may be called by several goroutines at the same time.
	// Nil means none.
	OnResponse func(op string, body json.RawMessage) `json:"-"`

	// Limiter delays attempts, so that a program stays within the rate limit of its plan. It is
	// called before every attempt, once for each operation of the request. Nil means no limit.
	Limiter Limiter `json:"-"`

	// Clock returns the current time for checks of options: the service lists only the transfers of
	// the last year, for example. Nil means time.Now. The Config of a fake has the clock of its
	// World.
	Clock func() time.Time `json:"-"`

	// Meter counts the credits that calls cost. Nil means none.
	Meter *Meter `json:"-"`

	// Logger receives a debug record for every attempt. Nil means no logging.
	Logger *slog.Logger `json:"-"`
}

// A Limiter delays requests, like a *rate.Limiter of golang.org/x/time/rate. It is
// called by several goroutines at the same time.
type Limiter interface {
	// Wait returns nil when the next request may be sent. If ctx is done first, it returns an
	// error, which the error of the call wraps.
	Wait(ctx context.Context) error
}
