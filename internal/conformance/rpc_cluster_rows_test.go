package conformance_test

import (
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

// Rows of what a node says about the network and itself.
func rpcClusterRows() []row {
	const message = "\x80\x01\x02\x03" // which JSON has in base64
	return []row{
		{method: "rpc.Client.EpochSchedule", wire: "getEpochSchedule", needs: []string{"result.slotsPerEpoch"}},
		{
			method: "rpc.Client.LeaderSchedule", wire: "getLeaderSchedule",
			options: &rpc.LeaderScheduleOptions{Commitment: types.CommitmentConfirmed, Slot: 515, Identity: owner},
			maps:    []string{"result"}, null: nullIsNotFound,
		},
		{method: "rpc.Client.SlotLeader", wire: "getSlotLeader", options: read},
		{
			method: "rpc.Client.SlotLeaders", wire: "getSlotLeaders",
			args:    []any{515, 3},
			refused: []refusal{{calling("rpc.Client.SlotLeaders", 515, 0), "count 0 is not positive"}, {calling("rpc.Client.SlotLeaders", 515, -1), "count -1 is not positive"}},
		},
		{
			method: "rpc.Client.BlockProduction", wire: "getBlockProduction",
			options: &rpc.BlockProductionOptions{
				Commitment: types.CommitmentConfirmed, Identity: owner, SinceSlot: 512, UntilSlot: 516,
			},
			needs: []string{"result.value.byIdentity"}, maps: []string{"result.value.byIdentity"},
			refused: []refusal{
				{calling("rpc.Client.BlockProduction", &rpc.BlockProductionOptions{UntilSlot: 5}), "UntilSlot requires SinceSlot"},
				{calling("rpc.Client.BlockProduction", &rpc.BlockProductionOptions{SinceSlot: 5, UntilSlot: 5}), "SinceSlot 5 is not before UntilSlot 5"},
			},
		},
		{
			method: "rpc.Client.BlockCommitment", wire: "getBlockCommitment",
			args:  []any{545},
			needs: []string{"result.totalStake"},
		},
		{method: "rpc.Client.ClusterNodes", wire: "getClusterNodes"},
		{
			method: "rpc.Client.RecentPerformanceSamples", wire: "getRecentPerformanceSamples", options: 3,
			refused: []refusal{{calling("rpc.Client.RecentPerformanceSamples", -1), "limit -1 is negative; 0 means the default"}},
		},
		{
			method: "rpc.Client.LargestAccounts", wire: "getLargestAccounts",
			options: &rpc.LargestAccountsOptions{Commitment: types.CommitmentConfirmed, Filter: rpc.LargestAccountsCirculating},
		},
		{
			method: "rpc.Client.InflationGovernor", wire: "getInflationGovernor",
			options: confirmed,
			needs:   []string{"result.initial"},
		},
		{method: "rpc.Client.InflationRate", wire: "getInflationRate", needs: []string{"result.total"}},
		{method: "rpc.Client.TransactionCount", wire: "getTransactionCount", options: read},
		{method: "rpc.Client.MinimumLedgerSlot", wire: "minimumLedgerSlot"},
		{method: "rpc.Client.StakeMinimumDelegation", wire: "getStakeMinimumDelegation", options: confirmed},
		{
			method: "rpc.Client.FeeForMessage", wire: "getFeeForMessage",
			args: []any{[]byte(message)}, options: read, null: nullIsNotFound,
			refused: []refusal{
				{calling("rpc.Client.FeeForMessage", []byte(nil)), "message is empty"},
			},
		},
		{method: "rpc.Client.Identity", wire: "getIdentity", answer: "result.identity", needs: []string{"result.identity"}},
		{method: "rpc.Client.HighestSnapshotSlot", wire: "getHighestSnapshotSlot", needs: []string{"result.full"}},
	}
}
