package stream

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/parsed"
	"github.com/solwire/solwire-go/rpc/stream/internal/pubsub"
	"github.com/solwire/solwire-go/types"
)

const (
	defaultConnections = 5    // of the smallest plan
	maxSubscriptions   = 1000 // per connection
	bytesPerCredit     = 50_000

	// Parsed Streams have their own limits, and are charged by event.
	maxParsedConnections   = 5
	maxParsedSubscriptions = 25
)

// A Client has subscriptions. It is safe for concurrent use.
type Client struct {
	api    *transport.Client
	rpc    *rpc.Client
	subs   *pubsub.Manager
	logger *slog.Logger

	parsed     *parsed.Client
	parsedSubs *pubsub.Manager // nil on devnet

	// For histories, whose requests the budget limits: pages cost more.
	budget       *budget
	pages, reads *rpc.Client

	mu    sync.Mutex
	loops []*loop
}

// New returns a Client for cfg. It opens no connection before the first loop begins. An
// invalid Config fails with [types.ErrInvalid].
func New(cfg types.Config) (*Client, error) {
	if err := cmp.Or(argument.NotNegative("types.Config: MaxWebSockets", cfg.MaxWebSockets), argument.NotNegative("types.Config: FillCredits", cfg.FillCredits)); err != nil {
		return nil, err
	}
	api, err := transport.New(cfg, transport.RPC, nil)
	if err != nil {
		return nil, err
	}
	c := &Client{api: api, logger: cfg.Logger}
	if c.rpc, err = rpc.New(cfg); err != nil {
		return nil, err
	}
	if c.logger == nil {
		c.logger = slog.New(slog.DiscardHandler)
	}
	c.budget = newBudget(cmp.Or(cfg.FillCredits, defaultFillCredits), c.logger)
	limited := func(price float64) types.Config {
		cfg := cfg
		cfg.Limiter = priced{c.budget, price, cfg.Limiter}
		return cfg
	}
	if c.pages, err = rpc.New(limited(pagePrice)); err != nil {
		return nil, err
	}
	if c.reads, err = rpc.New(limited(readPrice)); err != nil {
		return nil, err
	}
	opts := pubsub.Options{
		Slot: func(ctx context.Context) (uint64, error) {
			return c.rpc.Slot(ctx, &rpc.ReadOptions{Commitment: types.CommitmentProcessed})
		},
		Final:            func(err error, worked bool) error { return final(err, "RPCURL", worked) },
		Dial:             dial(api),
		API:              api,
		BytesPerCredit:   bytesPerCredit,
		MaxConnections:   cmp.Or(cfg.MaxWebSockets, defaultConnections),
		MaxSubscriptions: maxSubscriptions,
		Logger:           c.logger,
	}
	c.subs = pubsub.New(opts)
	if cfg.Network == types.NetworkDevnet {
		return c, nil
	}
	if c.parsed, err = parsed.New(limited(pagePrice)); err != nil {
		return nil, err
	}
	if opts.API, err = transport.New(cfg, transport.ParsedStreams, nil); err != nil {
		return nil, err
	}
	opts.Dial = dial(opts.API)
	if cfg.ParsedStreamsURL != "" || cfg.RPCURL == "" {
		opts.Final = func(err error, worked bool) error { return final(err, "ParsedStreamsURL", worked) }
	}
	opts.BytesPerCredit, opts.MaxSubscriptions = 0, maxParsedSubscriptions
	opts.MaxConnections = min(opts.MaxConnections, maxParsedConnections)
	c.parsedSubs = pubsub.New(opts)
	return c, nil
}

// Close ends all loops with an error, and closes the connections within two seconds,
// whatever the server does. A loop that handles an event ends after it.
func (c *Client) Close() {
	if c.subs == nil { // not made by New
		return
	}
	var closing sync.WaitGroup
	closing.Go(c.subs.Close)
	if c.parsedSubs != nil {
		closing.Go(c.parsedSubs.Close)
	}
	closing.Wait()
}

// check refuses invalid arguments, and a nil context.
func (c *Client) check(ctx context.Context, op transport.Op, invalid error) error {
	if ctx == nil && invalid == nil {
		invalid = argument.Invalid("ctx", "is nil")
	}
	return c.api.Check(op, invalid)
}

// Codes of refusals.
const (
	codeInvalidRequest = -32600 // also of methods that are not in the plan
	codeNoMethod       = -32601
	codeInvalidParams  = -32602
	codeTooManyFilters = -32000 // of Parsed Streams
	codeNoHistory      = -32011 // of a node that keeps no transactions
)

// final returns the error of a connection, a subscription or a history with what to do, if
// waiting does not change it; nil for others. The URL is the field of types.Config that has
// the host. Where it has worked before, only refusals count: a network that is down has no
// hosts.
func final(err error, url string, worked bool) error {
	var (
		refusal  *types.APIError
		unknown  *net.DNSError
		record   tls.RecordHeaderError
		alert    tls.AlertError
		name     x509.HostnameError
		issuer   x509.UnknownAuthorityError
		validity x509.CertificateInvalidError
	)
	switch {
	case errors.As(err, &refusal):
		return finalRefusal(err, refusal, url)
	case errors.Is(err, types.ErrInvalid):
		return err
	case worked:
		return nil
	case errors.As(err, &unknown) && unknown.IsNotFound:
		return fmt.Errorf("%w; check types.Config.%s and the network", err, url)
	case errors.As(err, &record), errors.As(err, &alert), errors.As(err, &name), errors.As(err, &issuer), errors.As(err, &validity):
		return fmt.Errorf("%w; check types.Config.%s, the proxy and the certificates of this machine", err, url)
	}
	return nil
}

func finalRefusal(err error, refusal *types.APIError, url string) error {
	switch code, status := refusal.Code, refusal.StatusCode; {
	case errors.Is(err, types.ErrUnauthorized), errors.Is(err, types.ErrQuotaExceeded), code == codeInvalidParams, code == codeTooManyFilters:
		return err
	case code == codeNoHistory:
		return fmt.Errorf("%w (set types.Config.RPCURL to a node with a history)", err)
	case (code == codeInvalidRequest || code == codeNoMethod) && refusal.Op == opTransactions.Wire:
		return fmt.Errorf("%w (the plan may not include it; Logs of an address works on every plan)", err)
	case code == codeInvalidRequest, code == codeNoMethod:
		return fmt.Errorf("%w (the plan or the node may not include it)", err)
	case code != 0 && status == http.StatusOK, status == http.StatusRequestTimeout, status == http.StatusTooEarly,
		status == http.StatusTooManyRequests, status >= http.StatusInternalServerError:
		return nil
	case status == http.StatusPaymentRequired, status == http.StatusForbidden:
		return fmt.Errorf("%w; check the plan of the key, and firewalls", err)
	}
	return fmt.Errorf("%w; types.Config.%s may be another service", err, url)
}
