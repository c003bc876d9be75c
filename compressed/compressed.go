package compressed

import (
	"context"
	"fmt"
	"sync"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A Client calls the compression API. It is safe for concurrent use.
type Client struct {
	api     *transport.Client
	version WireVersion // 0 for version 2, or version 1 if the service lacks it
	lacks   *sync.Map   // whether the service lacks a method of version 2, by wire name
	minSlot uint64      // of the state of responses
}

// New returns a Client that sends requests to the RPC host of cfg. An invalid Config
// fails with [types.ErrInvalid].
func New(cfg types.Config) (*Client, error) {
	api, err := transport.New(cfg, transport.RPC, classify)
	if err != nil {
		return nil, err
	}
	return &Client{api: api, lacks: new(sync.Map)}, nil
}

// WithMinSlot returns a client whose reads fail with [ErrNotIndexed] if the response shows a
// state before slot. Set it to the slot of a transaction that you sent: after
// [Client.WaitForSlot], an indexer further behind may answer. Transaction, IndexerHealth,
// IndexerSlot and WaitForSlot ignore it. The client shares everything else with c.
func (c *Client) WithMinSlot(slot uint64) *Client {
	restricted := *c
	restricted.minSlot = slot
	return &restricted
}

// ask calls a method whose result has the slot of its state.
func ask[T any](ctx context.Context, c *Client, op operation, q transport.Query[T]) (v *T, slot uint64, err error) {
	err = c.withFallback(op, func(op transport.Op) (err error) {
		q.Op = op
		v, slot, err = transport.Value(ctx, c.api, q)
		if err == nil && slot < c.minSlot {
			v, err = nil, c.api.WithOp(op, fmt.Errorf("the response shows slot %d, before %d: %w", slot, c.minSlot, ErrNotIndexed))
		}
		return err
	})
	return v, slot, err
}
