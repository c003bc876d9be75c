package compressed

import (
	"context"
	"fmt"
	"time"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/internal/wait"
)

var (
	opIndexerHealth = transport.Op{Method: "compressed.Client.IndexerHealth", Wire: "getIndexerHealth"}
	opIndexerSlot   = transport.Op{Method: "compressed.Client.IndexerSlot", Wire: "getIndexerSlot"}
)

// IndexerHealth returns nil if the indexer is healthy. An indexer that is more than
// 20 slots behind the chain fails with [ErrNodeBehind], after types.Config.MaxAttempts
// attempts. It costs 10 credits.
//
// JSON-RPC method: getIndexerHealth.
func (c *Client) IndexerHealth(ctx context.Context) error {
	_, err := transport.Result(ctx, c.api, transport.Query[string]{Op: opIndexerHealth, Check: func(status *string) error {
		if *status != "ok" {
			return fmt.Errorf("the indexer is not healthy: %.60q", *status)
		}
		return nil
	}})
	return err
}

// IndexerSlot returns the last slot that the indexer has processed. It costs 10
// credits.
//
// JSON-RPC method: getIndexerSlot.
func (c *Client) IndexerSlot(ctx context.Context) (uint64, error) {
	slot, err := transport.Result(ctx, c.api, transport.Query[uint64]{Op: opIndexerSlot})
	if err != nil {
		return 0, err
	}
	return *slot, nil
}

const (
	slotTime    = 400 * time.Millisecond // the shortest pause of WaitForSlot
	longestPoll = 5 * time.Second        // the longest one
)

// WaitForSlot waits until the indexer has processed a slot, such as the slot of a transaction
// that you sent. It calls [Client.IndexerSlot] after pauses of 0.4 to 5 s, shorter ones near the
// slot. Each call costs 10 credits. It fails if ctx is cancelled or a call fails. Another indexer
// may answer the next read: see [Client.WithMinSlot].
func (c *Client) WaitForSlot(ctx context.Context, slot uint64) error {
	var indexed uint64
	late := func(err error) error {
		return c.api.WithOp(opIndexerSlot, fmt.Errorf("slot %d is not processed yet, the last one is %d: %w", slot, indexed, err))
	}
	for {
		latest, err := c.IndexerSlot(ctx)
		switch {
		case err != nil && indexed > 0 && ctx.Err() != nil:
			return late(err)
		case err != nil || latest >= slot:
			return err
		}
		indexed = latest
		missing := min(slot-indexed, uint64(2*longestPoll/slotTime))
		pause := max(slotTime, time.Duration(missing)*slotTime/2)
		if err := wait.For(ctx, pause); err != nil {
			return late(err)
		}
	}
}
