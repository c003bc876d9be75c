package conformance_test

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

const (
	hash = "CqutGHbuqyfhwXsL9n8JaMVjoDNKxdcF5QEYgMk2wrKd"
	sig1 = "caDyTGu8dJ3qFfZpxhyni8DKjgWQapcfiX7MpJ8R67FdiSMcyNHyKjwskBCv45X4CVFZK4nrCCATdW9zysMQFoJ"
	sig2 = "5G7Zzq8J63xVUVheNVuW9KaXmXvFB8Zh6kLEmoRiedVTXTN5crxWY9qZiyPfaWM6xpWf3aMTtGaQZsc1xPt8fHVi"
)

func rpcChainRows() []row {
	return slices.Concat(nodeRows(), stakeRows(), feeRows())
}

func nodeRows() []row {
	sent := func(b *rpc.Blockhash) any {
		return rpc.Blockhash{Hash: b.Hash, LastValidBlockHeight: b.LastValidBlockHeight}
	}
	return []row{
		{method: "rpc.Client.Slot", wire: "getSlot", options: read},
		{method: "rpc.Client.BlockHeight", wire: "getBlockHeight", options: read},
		{method: "rpc.Client.EpochInfo", wire: "getEpochInfo", options: read, needs: []string{"result.slotsInEpoch"}},
		{method: "rpc.Client.LatestBlockhash", wire: "getLatestBlockhash", options: read, shape: as(sent), needs: []string{"result.value.blockhash"}},
		{method: "rpc.Client.IsBlockhashValid", wire: "isBlockhashValid", args: []any{hash}, options: read},
		{method: "rpc.Client.FirstAvailableBlock", wire: "getFirstAvailableBlock"},
		{method: "rpc.Client.GenesisHash", wire: "getGenesisHash"},
		{method: "rpc.Client.Health", wire: "getHealth", keys: []string{"result"}},
		{method: "rpc.Client.Version", wire: "getVersion", needs: []string{"result.solana-core"}},
	}
}

func stakeRows() []row {
	rewarded := []types.Address{owner, mint, owner, mint}
	return []row{
		{
			method: "rpc.Client.Supply", wire: "getSupply",
			options: &rpc.SupplyOptions{Commitment: types.CommitmentConfirmed, ShowAccounts: true},
			needs:   []string{"result.value.total"},
		},
		{
			method: "rpc.Client.VoteAccounts", wire: "getVoteAccounts",
			options: &rpc.VoteAccountsOptions{
				Commitment: types.CommitmentConfirmed, Vote: owner, ShowUnstakedDelinquent: true, DelinquentSlotDistance: 10,
			},
			needs: []string{"result.current"},
		},
		{
			method: "rpc.Client.InflationRewards", wire: "getInflationReward",
			args: []any{rewarded}, needs: []string{"result", "result.0.amount", "result.1.amount"},
			options: &rpc.InflationRewardsOptions{Commitment: types.CommitmentConfirmed, MinContextSlot: 5, Epoch: 3},
			refused: []refusal{{calling("rpc.Client.InflationRewards", rewarded, &rpc.InflationRewardsOptions{Commitment: types.CommitmentProcessed}), notProcessed}},
		},
	}
}

func feeRows() []row {
	estimate := func(o *rpc.PriorityFeeOptions) call { return calling("rpc.Client.PriorityFeeEstimate", o) }
	sent := func(fee decimal.Decimal) any { return map[string]decimal.Decimal{"priorityFeeEstimate": fee} }
	const excluded = "Recommended does not go with Level, LookbackSlots, ShowVotes or all levels"
	one := row{
		method: "rpc.Client.PriorityFeeEstimate", wire: "getPriorityFeeEstimate", shape: as(sent),
		minimal: estimate(nil),
		full: estimate(&rpc.PriorityFeeOptions{
			Transaction: []byte{1, 2, 3}, Level: rpc.PriorityLevelVeryHigh, LookbackSlots: 150, ShowVotes: true, HideEmptySlots: true,
		}),
		needs: []string{"result.priorityFeeEstimate"},
		refused: []refusal{
			{estimate(&rpc.PriorityFeeOptions{Transaction: []byte{1}, Accounts: []types.Address{owner}}), "Accounts does not go with Transaction"},
			{estimate(&rpc.PriorityFeeOptions{Accounts: []types.Address{"x"}}), `Accounts[0] "x": address has length 1, not 32 to 44`},
			{estimate(&rpc.PriorityFeeOptions{LookbackSlots: -1}), "LookbackSlots -1 is negative; 0 means the default"},
			{estimate(&rpc.PriorityFeeOptions{Level: "HIGH"}), `Level "HIGH" is not Min, Low, Medium, High, VeryHigh or UnsafeMax`},
			{estimate(&rpc.PriorityFeeOptions{Recommended: true, Level: rpc.PriorityLevelHigh}), excluded},
			{estimate(&rpc.PriorityFeeOptions{Recommended: true, LookbackSlots: 5}), excluded},
			{estimate(&rpc.PriorityFeeOptions{Recommended: true, ShowVotes: true}), excluded},
		},
	}
	return []row{
		one, one.variant("recommended", estimate(&rpc.PriorityFeeOptions{Accounts: []types.Address{owner}, Recommended: true})),
		{
			method: "rpc.Client.PriorityFeeLevels", wire: "getPriorityFeeEstimate", golden: "rpc/getPriorityFeeEstimate-levels",
			options: &rpc.PriorityFeeOptions{
				Accounts: []types.Address{owner, mint}, Level: rpc.PriorityLevelLow, LookbackSlots: 10, ShowVotes: true, HideEmptySlots: true,
			},
			answer: "result.priorityFeeLevels", needs: []string{"result.priorityFeeLevels.min", "result.priorityFeeLevels.low", "result.priorityFeeLevels.medium", "result.priorityFeeLevels.high", "result.priorityFeeLevels.veryHigh", "result.priorityFeeLevels.unsafeMax"},
			refused: []refusal{{calling("rpc.Client.PriorityFeeLevels", &rpc.PriorityFeeOptions{Recommended: true}), excluded}},
		},
		{
			method: "rpc.Client.RecentPrioritizationFees", wire: "getRecentPrioritizationFees", options: []types.Address{owner},
			refused: []refusal{{calling("rpc.Client.RecentPrioritizationFees", make([]types.Address, 1)), "accounts[0] is empty"}},
		},
	}
}

// Rows about the network and the node itself.
func rpcClusterRows() []row {
	const message = "\x80\x01\x02\x03" // which JSON has in base64
	return []row{
		{method: "rpc.Client.EpochSchedule", wire: "getEpochSchedule", needs: []string{"result.slotsPerEpoch"}},
		{
			method: "rpc.Client.LeaderSchedule", wire: "getLeaderSchedule",
			options: &rpc.LeaderScheduleOptions{Commitment: types.CommitmentConfirmed, Slot: 515, Identity: owner, ByVoteAccount: true},
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
			options: &rpc.BlockProductionOptions{Commitment: types.CommitmentConfirmed, Identity: owner, SinceSlot: 512, UntilSlot: 516},
			needs:   []string{"result.value.byIdentity"}, maps: []string{"result.value.byIdentity"},
			refused: []refusal{
				{calling("rpc.Client.BlockProduction", &rpc.BlockProductionOptions{UntilSlot: 5}), "UntilSlot requires SinceSlot"},
				{calling("rpc.Client.BlockProduction", &rpc.BlockProductionOptions{SinceSlot: 5, UntilSlot: 5}), "SinceSlot 5 is not before UntilSlot 5"},
			},
		},
		{method: "rpc.Client.BlockCommitment", wire: "getBlockCommitment", args: []any{545}, needs: []string{"result.totalStake"}},
		{method: "rpc.Client.ClusterNodes", wire: "getClusterNodes"},
		{
			method: "rpc.Client.RecentPerformanceSamples", wire: "getRecentPerformanceSamples", options: 3,
			refused: []refusal{{calling("rpc.Client.RecentPerformanceSamples", -1), "limit -1 is negative; 0 means the default"}},
		},
		{
			method: "rpc.Client.LargestAccounts", wire: "getLargestAccounts",
			options: &rpc.LargestAccountsOptions{Commitment: types.CommitmentConfirmed, Filter: rpc.LargestAccountsCirculating},
		},
		{method: "rpc.Client.InflationGovernor", wire: "getInflationGovernor", options: confirmed, needs: []string{"result.initial"}},
		{method: "rpc.Client.InflationRate", wire: "getInflationRate", needs: []string{"result.total"}},
		{method: "rpc.Client.TransactionCount", wire: "getTransactionCount", options: read},
		{method: "rpc.Client.MinimumLedgerSlot", wire: "minimumLedgerSlot"},
		{method: "rpc.Client.StakeMinimumDelegation", wire: "getStakeMinimumDelegation", options: confirmed},
		{
			method: "rpc.Client.FeeForMessage", wire: "getFeeForMessage",
			args: []any{[]byte(message)}, options: read, null: nullIsNotFound,
			refused: []refusal{{calling("rpc.Client.FeeForMessage", []byte(nil)), "message is empty"}},
		},
		{method: "rpc.Client.Identity", wire: "getIdentity", answer: "result.identity"},
		{method: "rpc.Client.HighestSnapshotSlot", wire: "getHighestSnapshotSlot", needs: []string{"result.full"}},
	}
}
