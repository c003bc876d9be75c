package rpc_test

import (
	"context"
	"fmt"
	"log"

	"github.com/solwire/solwire-go/rpc"
)

func ExampleClient_EpochSchedule() {
	ctx := context.Background()
	client, err := rpc.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	schedule, err := client.EpochSchedule(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(schedule.SlotsPerEpoch, "slots per epoch")
	// Output:
	// 128 slots per epoch
}
