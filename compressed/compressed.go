package compressed

import (
	"context"
	"sync"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A Client calls the compression API. It is safe for concurrent use.
type Client struct {
	api     *transport.Client
	version Version   // 0 for the newest that the service has
	lacks   *sync.Map // of methods of version 2: whether the service does not have them
}

// New returns a Client that sends requests to the RPC host of cfg. An invalid Config
// fails with [types.ErrInvalid].
func New(cfg types.Config) (*Client, error) {
	api, err := transport.New(cfg, transport.RPC)
	if err != nil {
		return nil, err
	}
	return &Client{api: api, lacks: new(sync.Map)}, nil
}

// transport returns nil for a Client that New did not make.
func (c *Client) transport() *transport.Client {
	if c == nil {
		return nil
	}
	return c.api
}

// value calls a method whose result is a value with the slot that it was read at.
func value[T any](ctx context.Context, c *Client, q transport.Query[T]) (*T, uint64, error) {
	v, slot, err := transport.Value(ctx, c.transport(), q)
	return v, slot, explained(err)
}

// result calls a method with a plain result.
func result[T any](ctx context.Context, c *Client, q transport.Query[T]) (*T, error) {
	v, err := transport.Result(ctx, c.transport(), q)
	return v, explained(err)
}
