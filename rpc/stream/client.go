package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"sync"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/parsedapi"
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

// A Client opens streams, and shares its connections between their loops: see the package comment.
// It is safe for concurrent use.
type Client struct {
	api    *transport.Client
	rpc    *rpc.Client
	subs   *pubsub.Manager
	logger *slog.Logger

	parsed     *parsedapi.Client
	parsedSubs *pubsub.Manager // nil on devnet
	managers   []*pubsub.Manager

	budget budget // of the requests for histories

	mu    sync.Mutex
	loops []*loop
}

// op returns the operation of a Go method.
func op(method, wire string) transport.Op { return transport.Op{Method: method, Wire: wire} }

// New returns a Client for cfg. It opens no connection before the first loop begins. An
// invalid Config fails with [types.ErrInvalid].
func New(cfg types.Config) (*Client, error) {
	if err := cmp.Or(argument.NotNegative("types.Config: MaxWebSockets", cfg.MaxWebSockets), argument.NotNegative("types.Config: FillCredits", cfg.FillCredits)); err != nil {
		return nil, err
	}
	cfg.OnItemError = nil // events have the errors of their items
	c := &Client{logger: cmp.Or(cfg.Logger, slog.New(slog.DiscardHandler))}
	c.budget = budget{credit: time.Hour / time.Duration(cmp.Or(cfg.FillCredits, defaultFillCredits)), began: time.Now(), due: -time.Hour, logger: c.logger}
	var errs [4]error
	c.rpc, errs[0] = rpc.New(cfg)
	connections := cmp.Or(cfg.MaxWebSockets, defaultConnections)
	c.api, c.subs, errs[1] = c.manager(cfg, transport.RPC, pubsub.Options{
		BytesPerCredit: bytesPerCredit, MaxConnections: connections, MaxSubscriptions: maxSubscriptions,
	})
	if cfg.Network != types.NetworkDevnet {
		c.parsed, errs[2] = parsedapi.New(cfg)
		_, c.parsedSubs, errs[3] = c.manager(cfg, transport.ParsedStreams, pubsub.Options{
			BytesPerCredit: math.MaxInt, MaxConnections: min(connections, maxParsedConnections), MaxSubscriptions: maxParsedSubscriptions,
		})
	}
	if err := cmp.Or(errs[:]...); err != nil {
		return nil, err
	}
	return c, nil
}

// manager returns a manager of connections to a host.
func (c *Client) manager(cfg types.Config, host transport.Host, opts pubsub.Options) (*transport.Client, *pubsub.Manager, error) {
	api, err := transport.New(cfg, host, nil)
	if err != nil {
		return nil, nil, err
	}
	opts.API, opts.Dial, opts.Final, opts.Logger = api, dial(api, host.Field()), final, c.logger
	opts.Slot = func(ctx context.Context) (uint64, error) {
		return c.rpc.Slot(ctx, &rpc.ReadOptions{Commitment: types.CommitmentProcessed})
	}
	m := pubsub.New(opts)
	c.managers = append(c.managers, m)
	return api, m, nil
}

// Close ends all loops with an error, and closes the connections within two seconds, even if the
// server does not answer. It does not interrupt the body of a loop: the loop ends after the body.
func (c *Client) Close() {
	var closing sync.WaitGroup
	for _, m := range c.managers {
		closing.Go(m.Close)
	}
	closing.Wait()
}

// Codes of refusals.
const (
	codeInvalidRequest = -32600 // also of methods that are not in the plan
	codeNoMethod       = -32601
	codeInvalidParams  = -32602
	codeTooManyFilters = -32000 // of Parsed Streams
	codeNoHistory      = -32011 // of a node that keeps no transactions
)

// final returns the error of a connection, a subscription or a history with advice, if it is
// permanent; nil for others. After a success, only refusals are permanent: without a network,
// every host is unknown.
func final(err error, worked bool) error {
	var refusal *types.APIError
	switch refused := errors.As(err, &refusal); {
	case errors.Is(err, types.ErrInvalid), errors.Is(err, types.ErrBudget), !refused && !worked && transport.Unreachable(err):
		return err
	case !refused:
		return nil
	}
	advice := "; the URL in types.Config may be another service"
	switch code, status := refusal.Code, refusal.StatusCode; {
	case errors.Is(err, types.ErrUnauthorized), errors.Is(err, types.ErrQuotaExceeded), code == codeInvalidParams, code == codeTooManyFilters:
		return err
	case code == codeNoHistory:
		advice = " (set types.Config.RPCURL to a node with a history)"
	case (code == codeInvalidRequest || code == codeNoMethod) && refusal.Op == opTransactions.Wire:
		advice = " (the plan may not include it; Logs of an address works on every plan)"
	case code == codeInvalidRequest, code == codeNoMethod:
		advice = " (the plan or the node may not include it)"
	case code != 0 && status == http.StatusOK, status == http.StatusRequestTimeout, status == http.StatusTooManyRequests,
		status >= http.StatusInternalServerError:
		return nil
	case status == http.StatusPaymentRequired, status == http.StatusForbidden:
		advice = "; check the plan of the key, and firewalls"
	case refusal.Details != "": // advice on the host, or more than that
		return err
	}
	return fmt.Errorf("%w%s", err, advice)
}
