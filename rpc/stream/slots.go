package stream

import (
	"context"
	"fmt"
	"iter"
	"strconv"

	"github.com/solwire/solwire-go/rpc/stream/internal/merge"
)

var (
	opSlots = op("stream.Client.Slots", "slotSubscribe")
	opRoots = op("stream.Client.Roots", "rootSubscribe")
)

// A SlotEvent is a slot that a node begins to process.
type SlotEvent struct {
	Parent uint64 `json:"parent"` // the slot of the previous block
	Root   uint64 `json:"root"`   // the latest root

	Position
}

// A RootEvent is a slot that became a root.
type RootEvent struct{ Position }

// Slots iterates over the slots that a node begins to process. Slots without a block are left out.
// On a fork, the next event may be a lower slot, which is Late, or the same slot with another
// Parent.
//
// It costs no credits beyond its connection.
//
// WebSocket method: slotSubscribe.
func (c *Client) Slots(ctx context.Context) iter.Seq2[SlotEvent, error] {
	return follow(ctx, c, subscription{op: opSlots}, notified(opSlots, slotItem), nil, merge.Merge[SlotEvent]{})
}

// Roots iterates over the roots of a node: slots that it can no longer roll back. They ascend, and
// none is Late. Slots without a block are left out. Earlier blocks of the chain are final too,
// including the blocks of a gap.
//
// Its notifications cost about 1000 credits per day.
//
// WebSocket method: rootSubscribe.
func (c *Client) Roots(ctx context.Context) iter.Seq2[RootEvent, error] {
	// another node may be behind
	return follow(ctx, c, subscription{op: opRoots}, notified(opRoots, rootItem), nil,
		merge.Merge[RootEvent]{Ascending: true, Finalized: true})
}

func slotItem(in *SlotEvent) merge.Item[SlotEvent] {
	return merge.Item[SlotEvent]{ID: fmt.Sprint(in.Slot, in.Parent), Slot: in.Slot, Value: *in}
}

func rootItem(in *uint64) merge.Item[RootEvent] {
	return merge.Item[RootEvent]{ID: strconv.FormatUint(*in, 10), Slot: *in}
}
