package parsedapi

import (
	"fmt"
	"sync"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A Client calls Parsed Events. It is safe for concurrent use.
type Client struct {
	api     *transport.Client
	refused sync.Map // the names of members that the host does not know
}

// New returns a Client for cfg. An invalid Config fails with [types.ErrInvalid], and so does
// devnet: it lacks Parsed Events.
func New(cfg types.Config) (*Client, error) {
	if cfg.Network == types.NetworkDevnet {
		return nil, fmt.Errorf("types.Config: Network devnet has no Parsed Events; set Network to mainnet: %w", types.ErrInvalid)
	}
	api, err := transport.New(cfg, transport.RPC, nil)
	if err != nil {
		return nil, err
	}
	return &Client{api: api}, nil
}
