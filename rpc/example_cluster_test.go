package rpc_test

import (
	"errors"
	"fmt"
	"log"
	"slices"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

func ExampleClient_EpochSchedule() {
	schedule, err := client.EpochSchedule(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(schedule.SlotsPerEpoch, "slots per epoch")
	// Output:
	// 432000 slots per epoch
}

func ExampleClient_LeaderSchedule() {
	schedule, err := client.LeaderSchedule(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	for leader, slots := range schedule {
		fmt.Println(leader, "leads from slot", slots[0], "of the epoch")
	}
	// Output:
	// 7xhyV1ytoW2V1rtPq4QQDbL8rcqZXr2ZB75RVwfmQY2w leads from slot 0 of the epoch
}

func ExampleClient_SlotLeader() {
	leader, err := client.SlotLeader(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(leader)
	// Output:
	// 7xhyV1ytoW2V1rtPq4QQDbL8rcqZXr2ZB75RVwfmQY2w
}

func ExampleClient_SlotLeaders() {
	leaders, err := client.SlotLeaders(ctx, 515, 3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(leaders[0], "leads slot 515")
	// Output:
	// 7xhyV1ytoW2V1rtPq4QQDbL8rcqZXr2ZB75RVwfmQY2w leads slot 515
}

func ExampleClient_BlockProduction() {
	production, err := client.BlockProduction(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	for leader, n := range production.ByIdentity {
		slots, blocks := n[0], n[1]
		fmt.Println(leader, "skipped", slots-blocks, "of", slots, "slots")
	}
	// Output:
	// 7xhyV1ytoW2V1rtPq4QQDbL8rcqZXr2ZB75RVwfmQY2w skipped 0 of 3 slots
}

func ExampleClient_BlockCommitment() {
	votes, err := client.BlockCommitment(ctx, 545)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(types.Amount(votes.Lamports[0], 9), "SOL voted for the block")
	// Output:
	// 1411732.80790775 SOL voted for the block
}

func ExampleClient_ClusterNodes() {
	nodes, err := client.ClusterNodes(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, node := range nodes {
		fmt.Println(node.Identity, node.ClientID, node.Version)
	}
	// Output:
	// 7xhyV1ytoW2V1rtPq4QQDbL8rcqZXr2ZB75RVwfmQY2w Agave 4.4.0
}

func ExampleClient_RecentPerformanceSamples() {
	samples, err := client.RecentPerformanceSamples(ctx, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(samples[0].Transactions/samples[0].Seconds, "transactions per second")
	// Output:
	// 2825 transactions per second
}

func ExampleClient_LargestAccounts() {
	accounts, err := client.LargestAccounts(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(accounts[0].Address, types.Amount(accounts[0].Lamports, 9), "SOL")
	// Output:
	// HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664 5000 SOL
}

func ExampleClient_InflationGovernor() {
	inflation, err := client.InflationGovernor(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("from", inflation.Initial, "to", inflation.Terminal, "per year")
	// Output:
	// from 0.08 to 0.015 per year
}

func ExampleClient_InflationRate() {
	rate, err := client.InflationRate(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s %% per year in epoch %d\n", rate.Total.Shift(2).StringFixed(2), rate.Epoch)
	// Output:
	// 8.00 % per year in epoch 796
}

func ExampleClient_TransactionCount() {
	count, err := client.TransactionCount(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(count, "transactions")
	// Output:
	// 388846823293 transactions
}

func ExampleClient_MinimumLedgerSlot() {
	slot, err := client.MinimumLedgerSlot(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("slot", slot)
	// Output:
	// slot 0
}

func ExampleClient_StakeMinimumDelegation() {
	lamports, err := client.StakeMinimumDelegation(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(types.Amount(lamports, 9), "SOL")
	// Output:
	// 1 SOL
}

// messageWith returns a message without instructions. Your library for transactions makes it.
func messageWith(blockhash types.Hash) []byte {
	hash, _ := blockhash.Bytes()
	payer, _ := fake.WalletAddress.Bytes()
	return slices.Concat([]byte{1, 0, 0, 1}, payer, hash, []byte{0})
}

func ExampleClient_FeeForMessage() {
	latest, err := client.LatestBlockhash(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	lamports, err := client.FeeForMessage(ctx, messageWith(latest.Hash), nil)
	if errors.Is(err, types.ErrNotFound) {
		log.Fatal("the blockhash is too old")
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(lamports, "lamports")
	// Output:
	// 5000 lamports
}

func ExampleClient_Identity() {
	identity, err := client.Identity(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(identity)
	// Output:
	// 7xhyV1ytoW2V1rtPq4QQDbL8rcqZXr2ZB75RVwfmQY2w
}

func ExampleClient_HighestSnapshotSlot() {
	slots, err := client.HighestSnapshotSlot(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("slot", slots.Full)
	// Output:
	// slot 344100000
}
