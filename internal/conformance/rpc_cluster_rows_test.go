package conformance_test

import (
	"context"

	"github.com/solwire/solwire-go/rpc"
)

// Rows of what a node says about the network and itself.
func rpcClusterRows() []row {
	return []row{
		{
			method: "rpc.Client.EpochSchedule", wire: "getEpochSchedule", golden: "rpc/getEpochSchedule", does: "the lengths of epochs",
			minimal: rpcCall(func(ctx context.Context, c *rpc.Client) (*rpc.EpochSchedule, error) { return c.EpochSchedule(ctx) }),
			answer:  "result", needs: []string{"result.slotsPerEpoch"},
		},
	}
}
