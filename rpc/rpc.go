package rpc

import (
	"sync"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A Client calls the JSON-RPC API. It is safe for concurrent use.
type Client struct {
	api   *transport.Client
	lacks sync.Map // by transport.Op of a paged method: whether the host lacks it
}

// New returns a Client for cfg. An invalid Config fails with [types.ErrInvalid].
func New(cfg types.Config) (*Client, error) {
	api, err := transport.New(cfg, transport.RPC, nil)
	if err != nil {
		return nil, err
	}
	return &Client{api: api}, nil
}
