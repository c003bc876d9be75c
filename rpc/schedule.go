package rpc

import (
	"context"

	"github.com/solwire/solwire-go/internal/transport"
)

const opEpochSchedule transport.Op = "rpc.Client.EpochSchedule getEpochSchedule"

// An EpochSchedule says when epochs begin.
type EpochSchedule struct {
	SlotsPerEpoch uint64 `json:"slotsPerEpoch"` // once warmup is over

	// LeaderScheduleSlotOffset is how many slots before an epoch its leader schedule is
	// made.
	LeaderScheduleSlotOffset uint64 `json:"leaderScheduleSlotOffset"`

	Warmup           bool   `json:"warmup"` // whether the first epochs are shorter
	FirstNormalEpoch Epoch  `json:"firstNormalEpoch"`
	FirstNormalSlot  uint64 `json:"firstNormalSlot"`
}

// EpochSchedule returns the lengths of epochs, which do not change. It costs 1 credit.
//
// JSON-RPC method: getEpochSchedule.
func (c *Client) EpochSchedule(ctx context.Context) (*EpochSchedule, error) {
	return transport.Result(ctx, c.api, transport.Query[EpochSchedule]{
		Op: opEpochSchedule, Check: func(s *EpochSchedule) error { return transport.Require(s.SlotsPerEpoch != 0, "slotsPerEpoch") },
	})
}
