package compressed

import (
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
	api, err := transport.New(cfg, transport.RPC, explained)
	if err != nil {
		return nil, err
	}
	return &Client{api: api, lacks: new(sync.Map)}, nil
}
