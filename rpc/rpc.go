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

	sender   *transport.Client // nil where the network has none
	noSender error             // why
}

// op returns the operation of a Go method.
func op(method, wire string) transport.Op { return transport.Op{Method: method, Wire: wire} }

// New returns a Client for cfg. An invalid Config fails with [types.ErrInvalid].
func New(cfg types.Config) (*Client, error) {
	api, err := transport.New(cfg, transport.RPC, nil)
	if err != nil {
		return nil, err
	}
	sender, noSender := transport.New(cfg, transport.Sender, nil)
	return &Client{api: api, sender: sender, noSender: noSender}, nil
}
