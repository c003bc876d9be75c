package conformance_test

import (
	"context"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

// Rows of what a node says about the network and itself.
func rpcClusterRows() []row {
	leaders := func(o *rpc.LeaderScheduleOptions) call {
		return rpcCall(func(ctx context.Context, c *rpc.Client) (map[types.Address][]uint64, error) {
			return c.LeaderSchedule(ctx, o)
		})
	}
	leader := func(o *rpc.ReadOptions) call {
		return rpcCall(func(ctx context.Context, c *rpc.Client) (types.Address, error) { return c.SlotLeader(ctx, o) })
	}
	slotLeaders := func(count int) call {
		return rpcCall(func(ctx context.Context, c *rpc.Client) ([]types.Address, error) {
			return c.SlotLeaders(ctx, 515, count)
		})
	}
	production := func(o *rpc.BlockProductionOptions) call {
		return rpcCall(func(ctx context.Context, c *rpc.Client) (*rpc.BlockProduction, error) {
			return c.BlockProduction(ctx, o)
		})
	}
	samples := func(limit int) call {
		return rpcCall(func(ctx context.Context, c *rpc.Client) ([]rpc.PerformanceSample, error) {
			return c.RecentPerformanceSamples(ctx, limit)
		})
	}
	largest := func(o *rpc.LargestAccountsOptions) call {
		return rpcCall(func(ctx context.Context, c *rpc.Client) ([]rpc.LargestAccount, error) {
			return c.LargestAccounts(ctx, o)
		})
	}
	governor := func(o *rpc.CommitmentOptions) call {
		return rpcCall(func(ctx context.Context, c *rpc.Client) (*rpc.InflationGovernor, error) {
			return c.InflationGovernor(ctx, o)
		})
	}
	count := func(o *rpc.ReadOptions) call {
		return rpcCall(func(ctx context.Context, c *rpc.Client) (uint64, error) { return c.TransactionCount(ctx, o) })
	}
	delegation := func(o *rpc.CommitmentOptions) call {
		return rpcCall(func(ctx context.Context, c *rpc.Client) (uint64, error) { return c.StakeMinimumDelegation(ctx, o) })
	}
	const message = "\x80\x01\x02\x03" // which JSON has in base64
	fee := func(message string, o *rpc.ReadOptions) call {
		return rpcCall(func(ctx context.Context, c *rpc.Client) (uint64, error) {
			return c.FeeForMessage(ctx, []byte(message), o)
		})
	}
	return []row{
		{
			method: "rpc.Client.EpochSchedule", wire: "getEpochSchedule", golden: "rpc/getEpochSchedule", section: "Network", does: "the lengths of epochs",
			minimal: rpcCall(func(ctx context.Context, c *rpc.Client) (*rpc.EpochSchedule, error) { return c.EpochSchedule(ctx) }),
			answer:  "result", needs: []string{"result.slotsPerEpoch"},
		},
		{
			method: "rpc.Client.LeaderSchedule", wire: "getLeaderSchedule", golden: "rpc/getLeaderSchedule", section: "Network", does: "the leaders of an epoch",
			minimal: leaders(nil), full: leaders(&rpc.LeaderScheduleOptions{Commitment: types.CommitmentConfirmed, Slot: 515, Identity: owner}),
			answer: "result", needs: []string{"result"}, maps: []string{"result"}, null: nullIsNotFound,
			refused: []refusal{
				{leaders(&rpc.LeaderScheduleOptions{Identity: "x"}), `Identity "x": address has length 1, not 32 to 44`},
			},
		},
		{
			method: "rpc.Client.SlotLeader", wire: "getSlotLeader", golden: "rpc/getSlotLeader", section: "Network", does: "the current leader",
			minimal: leader(nil), full: leader(read), answer: "result", needs: []string{"result"},
		},
		{
			method: "rpc.Client.SlotLeaders", wire: "getSlotLeaders", golden: "rpc/getSlotLeaders", section: "Network", does: "the leaders of some slots",
			minimal: slotLeaders(3), answer: "result", needs: []string{"result"},
			refused: []refusal{{slotLeaders(0), "count 0 is not positive"}, {slotLeaders(-1), "count -1 is not positive"}},
		},
		{
			method: "rpc.Client.BlockProduction", wire: "getBlockProduction", golden: "rpc/getBlockProduction", section: "Network", does: "which leaders skipped slots",
			minimal: production(nil),
			full: production(&rpc.BlockProductionOptions{
				Commitment: types.CommitmentConfirmed, Identity: owner, SinceSlot: 512, UntilSlot: 516,
			}),
			answer: "result.value", needs: []string{"result.value.byIdentity"}, maps: []string{"result.value.byIdentity"},
			refused: []refusal{
				{production(&rpc.BlockProductionOptions{Identity: "x"}), `Identity "x": address has length 1, not 32 to 44`},
				{production(&rpc.BlockProductionOptions{UntilSlot: 5}), "UntilSlot requires SinceSlot"},
				{production(&rpc.BlockProductionOptions{SinceSlot: 5, UntilSlot: 5}), "SinceSlot 5 is not before UntilSlot"},
			},
		},
		{
			method: "rpc.Client.BlockCommitment", wire: "getBlockCommitment", golden: "rpc/getBlockCommitment", section: "Network", does: "the votes for a block",
			minimal: rpcCall(func(ctx context.Context, c *rpc.Client) (*rpc.BlockCommitment, error) {
				return c.BlockCommitment(ctx, 545)
			}),
			answer: "result", needs: []string{"result.totalStake"},
		},
		{
			method: "rpc.Client.ClusterNodes", wire: "getClusterNodes", golden: "rpc/getClusterNodes", section: "Network", does: "the nodes of the network",
			minimal: rpcCall(func(ctx context.Context, c *rpc.Client) ([]rpc.ClusterNode, error) { return c.ClusterNodes(ctx) }),
			answer:  "result", needs: []string{"result"},
		},
		{
			method: "rpc.Client.RecentPerformanceSamples", wire: "getRecentPerformanceSamples", golden: "rpc/getRecentPerformanceSamples",
			section: "Network", does: "transactions per second", minimal: samples(0), full: samples(3), answer: "result", needs: []string{"result"},
			refused: []refusal{{samples(-1), "limit -1 is negative; 0 means the default"}},
		},
		{
			method: "rpc.Client.LargestAccounts", wire: "getLargestAccounts", golden: "rpc/getLargestAccounts", section: "Accounts", does: "the accounts with the most SOL",
			minimal: largest(nil),
			full:    largest(&rpc.LargestAccountsOptions{Commitment: types.CommitmentConfirmed, Filter: rpc.LargestAccountsCirculating}),
			answer:  "result.value", needs: []string{"result.value"},
		},
		{
			method: "rpc.Client.InflationGovernor", wire: "getInflationGovernor", golden: "rpc/getInflationGovernor", section: "Network", does: "how inflation falls",
			minimal: governor(nil), full: governor(&rpc.CommitmentOptions{Commitment: types.CommitmentConfirmed}),
			answer: "result", needs: []string{"result.initial"},
		},
		{
			method: "rpc.Client.InflationRate", wire: "getInflationRate", golden: "rpc/getInflationRate", section: "Network", does: "inflation in the current epoch",
			minimal: rpcCall(func(ctx context.Context, c *rpc.Client) (*rpc.InflationRate, error) { return c.InflationRate(ctx) }),
			answer:  "result", needs: []string{"result.total"},
		},
		{
			method: "rpc.Client.TransactionCount", wire: "getTransactionCount", golden: "rpc/getTransactionCount",
			section: "Network", does: "the number of transactions since genesis", minimal: count(nil), full: count(read), answer: "result", needs: []string{"result"},
		},
		{
			method: "rpc.Client.MinimumLedgerSlot", wire: "minimumLedgerSlot", golden: "rpc/minimumLedgerSlot",
			section: "Network", does: "the oldest slot that the node stores",
			minimal: rpcCall(func(ctx context.Context, c *rpc.Client) (uint64, error) { return c.MinimumLedgerSlot(ctx) }),
			answer:  "result", needs: []string{"result"},
		},
		{
			method: "rpc.Client.StakeMinimumDelegation", wire: "getStakeMinimumDelegation", golden: "rpc/getStakeMinimumDelegation",
			section: "Network", does: "the least stake that can be delegated",
			minimal: delegation(nil), full: delegation(&rpc.CommitmentOptions{Commitment: types.CommitmentConfirmed}),
			answer: "result.value", needs: []string{"result.value"},
		},
		{
			method: "rpc.Client.FeeForMessage", wire: "getFeeForMessage", golden: "rpc/getFeeForMessage", section: "For a new transaction", does: "the fee of a message",
			minimal: fee(message, nil), full: fee(message, read), answer: "result.value", needs: []string{"result.value"}, null: nullIsNotFound,
			refused: []refusal{
				{fee("", nil), "message is empty"},
			},
		},
		{
			method: "rpc.Client.Identity", wire: "getIdentity", golden: "rpc/getIdentity", section: "Network", does: "the identity of the node",
			minimal: rpcCall(func(ctx context.Context, c *rpc.Client) (types.Address, error) { return c.Identity(ctx) }),
			answer:  "result.identity", needs: []string{"result.identity"},
		},
		{
			method: "rpc.Client.HighestSnapshotSlot", wire: "getHighestSnapshotSlot", golden: "rpc/getHighestSnapshotSlot",
			section: "Network", does: "the latest snapshots of the node",
			minimal: rpcCall(func(ctx context.Context, c *rpc.Client) (*rpc.SnapshotSlots, error) {
				return c.HighestSnapshotSlot(ctx)
			}),
			answer: "result", needs: []string{"result.full"},
		},
	}
}
