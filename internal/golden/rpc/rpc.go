// Package answers holds the golden responses that the fake serves in every world: facts of a
// chain and fee estimates. Other goldens are not linked into programs that use the fake.
package answers

import "embed"

//go:embed getBlockCommitment.json getBlockProduction.json getClusterNodes.json
//go:embed getEpochSchedule.json
//go:embed getFirstAvailableBlock.json getHealth.json getHighestSnapshotSlot.json getIdentity.json
//go:embed getInflationGovernor.json getInflationRate.json getLeaderSchedule.json getSlotLeader.json
//go:embed getSlotLeaders.json getStakeMinimumDelegation.json getVersion.json getVoteAccounts.json
//go:embed getPriorityFeeEstimate.json getPriorityFeeEstimate-levels.json
//go:embed getPriorityFeeEstimate-recommended.json
//go:embed minimumLedgerSlot.json
var files embed.FS

// Of returns the response of a JSON-RPC method.
func Of(method string) []byte {
	body, _ := files.ReadFile(method + ".json")
	return body
}
