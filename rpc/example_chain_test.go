package rpc_test

import (
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

func ExampleClient_Slot() {
	slot, err := client.Slot(ctx, &rpc.ReadOptions{Commitment: types.CommitmentConfirmed})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("slot", slot)
	// Output:
	// slot 344112233
}

func ExampleClient_BlockHeight() {
	height, err := client.BlockHeight(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(height, "blocks")
	// Output:
	// 322712233 blocks
}

func ExampleClient_EpochInfo() {
	info, err := client.EpochInfo(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("slot %d of the %d in epoch %d\n", info.SlotIndex, info.SlotsInEpoch, info.Epoch)
	// Output:
	// slot 240233 of the 432000 in epoch 796
}

func ExampleClient_LatestBlockhash() {
	latest, err := client.LatestBlockhash(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(latest.Hash, "until block", latest.LastValidBlockHeight)
	// Output:
	// 6qsayELu1TmpfsUrEzY5dKzw2XRbwuYNwM5jtNYXLWBX until block 322712383
}

func ExampleClient_IsBlockhashValid() {
	latest, err := client.LatestBlockhash(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	valid, err := client.IsBlockhashValid(ctx, latest.Hash, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(valid)
	// Output:
	// true
}

func ExampleClient_FirstAvailableBlock() {
	slot, err := client.FirstAvailableBlock(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("blocks from slot", slot)
	// Output:
	// blocks from slot 0
}

func ExampleClient_GenesisHash() {
	hash, err := client.GenesisHash(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(hash)
	// Output:
	// 5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d
}

func ExampleClient_Health() {
	if err := client.Health(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Println("the node keeps up")
	// Output:
	// the node keeps up
}

func ExampleClient_Health_behind() {
	client, err := rpc.New(failing(fake.NodeBehind()))
	if err != nil {
		log.Fatal(err)
	}
	err = client.Health(ctx)
	var apiErr *types.APIError
	if errors.As(err, &apiErr) && apiErr.Code == -32005 {
		fmt.Println(apiErr.Message)
	}
	// Output:
	// Node is behind by 42 slots
}

func ExampleClient_Version() {
	version, err := client.Version(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(version.Core)
	// Output:
	// 4.4.0
}

func ExampleClient_Supply() {
	supply, err := client.Supply(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(supply.CirculatingLamports, "of", supply.TotalLamports, "lamports circulate")
	// Output:
	// 600006631171555072 of 600006631171555072 lamports circulate
}

func ExampleClient_VoteAccounts() {
	votes, err := client.VoteAccounts(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range votes.Current {
		fmt.Println(v.Node, "votes with", v.ActivatedStakeLamports, "lamports")
	}
	fmt.Println(len(votes.Delinquent), "delinquent")
	// Output:
	// 7xhyV1ytoW2V1rtPq4QQDbL8rcqZXr2ZB75RVwfmQY2w votes with 1411732807907750 lamports
	// 0 delinquent
}

func ExampleClient_InflationRewards() {
	stake := types.AddressOf([32]byte{1})
	newYear := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	service := fake.New(&fake.Options{
		Clock: func() time.Time { return newYear }, // the epochs of the World follow its clock
		World: &fake.World{
			ProgramAccounts: []fake.ProgramAccount{{Address: stake, Program: types.StakeProgram, Lamports: 5_000_000_000}},
		},
	})
	client, err := rpc.New(service.Config())
	if err != nil {
		log.Fatal(err)
	}
	accounts := []types.Address{stake, fake.WalletAddress}
	rewards, err := client.InflationRewards(ctx, accounts, nil)
	if err != nil {
		log.Fatal(err)
	}
	for i, reward := range rewards {
		if reward != nil {
			fmt.Println(accounts[i], "was paid", reward.Lamports, "lamports in epoch", reward.Epoch)
		}
	}
	// Output:
	// 4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM was paid 1923076 lamports in epoch 901
}

func ExampleClient_PriorityFeeEstimate() {
	fee, err := client.PriorityFeeEstimate(ctx, &rpc.PriorityFeeOptions{
		Accounts: []types.Address{"JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4"},
		Level:    rpc.PriorityLevelHigh,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fee.Ceil(), "micro-lamports per compute unit")
	// Output:
	// 10083 micro-lamports per compute unit
}

func ExampleClient_PriorityFeeLevels() {
	fees, err := client.PriorityFeeLevels(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("medium", fees.Medium, "very high", fees.VeryHigh)
	// Output:
	// medium 10082.5 very high 1000000
}

func ExampleClient_RecentPrioritizationFees() {
	fees, err := client.RecentPrioritizationFees(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, fee := range fees {
		fmt.Println("slot", fee.Slot, "took", fee.MicroLamports)
	}
	// Output:
	// slot 344112231 took 1000
	// slot 344112232 took 2000
	// slot 344112233 took 3000
}
