package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"

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
	api, parsedAPI *transport.Client // parsedAPI is nil on devnet
	rpc            *rpc.Client
	parsed         *parsed.Client
	subs           *pubsub.Manager
	parsedSubs     *pubsub.Manager
	logger         *slog.Logger
}

// New returns a Client for cfg. It opens no connection before the first loop begins. An
// invalid Config fails with [types.ErrInvalid].
func New(cfg types.Config) (*Client, error) {
	if err := argument.NotNegative("types.Config: MaxWebSockets", cfg.MaxWebSockets); err != nil {
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
	opts := pubsub.Options{
		Slot: func(ctx context.Context) (uint64, error) {
			return c.rpc.Slot(ctx, &rpc.ReadOptions{Commitment: types.CommitmentProcessed})
		},
		Final:            func(err error) bool { return errors.Is(err, types.ErrUnauthorized) || errors.Is(err, types.ErrInvalid) },
		Retry:            transient,
		Dial:             dial(api),
		Refusal:          api.Refusal,
		Clean:            api.Clean,
		Charge:           api.Charge,
		BytesPerCredit:   bytesPerCredit,
		MaxConnections:   cmp.Or(cfg.MaxWebSockets, defaultConnections),
		MaxSubscriptions: maxSubscriptions,
		Logger:           c.logger,
	}
	c.subs = pubsub.New(opts)
	if cfg.Network == types.NetworkDevnet {
		return c, nil
	}
	if c.parsed, err = parsed.New(cfg); err != nil {
		return nil, err
	}
	if c.parsedAPI, err = transport.New(cfg, transport.ParsedStreams, nil); err != nil {
		return nil, err
	}
	opts.Dial, opts.Refusal, opts.Clean = dial(c.parsedAPI), c.parsedAPI.Refusal, c.parsedAPI.Clean
	opts.BytesPerCredit, opts.MaxSubscriptions = 0, maxParsedSubscriptions
	opts.MaxConnections = min(opts.MaxConnections, maxParsedConnections)
	c.parsedSubs = pubsub.New(opts)
	return c, nil
}

// Close ends all loops with an error, and waits until the connections are closed.
func (c *Client) Close() {
	if c.subs == nil { // not made by New
		return
	}
	c.subs.Close()
	if c.parsedSubs != nil {
		c.parsedSubs.Close()
	}
}

// check refuses invalid arguments, and a nil context.
func (c *Client) check(ctx context.Context, op transport.Op, invalid error) error {
	if ctx == nil && invalid == nil {
		invalid = argument.Invalid("ctx", "is nil")
	}
	return c.api.Check(op, invalid)
}

// cancelled returns the error of a cancelled context with its cause; nil for others.
func cancelled(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(err, cause) { // also of two nils
		return err
	}
	return fmt.Errorf("%w: %w", err, cause)
}

// Codes of refused subscriptions.
const (
	codeTooMany  = -32603 // the node has too many subscriptions
	codeNotReady = -32001 // of Parsed Streams
	codeTooFast  = -32002 // of Parsed Streams
)

// transient reports whether a refused subscription may be accepted later.
func transient(err error) bool {
	var refusal *types.APIError
	return errors.As(err, &refusal) &&
		(refusal.Code == codeTooMany || refusal.Code == codeNotReady || refusal.Code == codeTooFast)
}
