package compressed_test

import (
	"context"
	"fmt"
	"log"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/types"
)

func ExampleClient_TokenAccountsByOwner() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	page, err := client.TokenAccountsByOwner(context.Background(), "FhmztfqCThd7GnAt88WCsbBXCVTqztvYfPdJhobZVJgo", nil).Page()
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range page.Items {
		fmt.Println(item.TokenData.Mint, item.TokenData.RawAmount, item.TokenData.State)
	}
	// Output:
	// 45r15Yr89ikVNBfXZFBrGaM7kscRai9Ykehb3oirGZnd 18446744073709551615 initialized
}

func ExampleClient_TokenBalancesByOwner() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	const wallet = "FhmztfqCThd7GnAt88WCsbBXCVTqztvYfPdJhobZVJgo"
	for balance, err := range client.TokenBalancesByOwner(context.Background(), wallet, nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(balance.Mint, balance.RawAmount)
	}
	// Output:
	// 45r15Yr89ikVNBfXZFBrGaM7kscRai9Ykehb3oirGZnd 18446744073709551615
}

// An owner whose amount shrinks during the walk comes again: the last amount counts.
func ExampleClient_MintTokenHolders() {
	client, err := compressed.New(results(
		`{"context":{"slot":5},"value":{"items":[
			{"owner":"GUErHXtbLPZeomU9vSybAjU5xZLW64HxqtooDEdUtgUz","balance":9},
			{"owner":"GBcwbbhvKYW9vcx5b3Sk5YS49gqK9fRD8zPK6pgrTn57","balance":7}],"cursor":"2"}}`,
		`{"context":{"slot":6},"value":{"items":[
			{"owner":"GUErHXtbLPZeomU9vSybAjU5xZLW64HxqtooDEdUtgUz","balance":4}],"cursor":null}}`,
	))
	if err != nil {
		log.Fatal(err)
	}
	const mint = "45r15Yr89ikVNBfXZFBrGaM7kscRai9Ykehb3oirGZnd"
	amounts := map[types.Address]uint64{}
	for holder, err := range client.MintTokenHolders(context.Background(), mint, nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		amounts[holder.Owner] = holder.RawAmount
	}
	fmt.Println(amounts)
	// Output:
	// map[GBcwbbhvKYW9vcx5b3Sk5YS49gqK9fRD8zPK6pgrTn57:7 GUErHXtbLPZeomU9vSybAjU5xZLW64HxqtooDEdUtgUz:4]
}

func ExampleClient_SignaturesForAccount() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	list, err := client.SignaturesForAccount(context.Background(), "whceFTCicZnpaVAErC9aZH4qzKUFHzSTe7JDqZi5YZJ")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("spent in slot", list[0].Slot)
	fmt.Println("created in slot", list[1].Slot)
	// Output:
	// spent in slot 345678901
	// created in slot 345678892
}

func ExampleClient_SignaturesForAddress() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	page, err := client.SignaturesForAddress(context.Background(), "FhE5PzyiEkY5Woumjf9B5iT8TB4wbReBDEqhzQ4sv7hK", &compressed.ListingOptions{Limit: 2}).Page()
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range page.Items {
		fmt.Println(item.BlockTime.UTC(), item.Signature[:8])
	}
	// Output:
	// 2026-09-21 14:13:20 +0000 UTC VaaabFcX
	// 2026-09-21 14:13:11 +0000 UTC VaByX5fR
}

func ExampleClient_SignaturesForOwner() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	page, err := client.SignaturesForOwner(context.Background(), "BEXisBt161X9d4Bd4oVfbUK6LmQEkTJD4odmZkf52G5D", &compressed.ListingOptions{Limit: 2}).Page()
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range page.Items {
		fmt.Println(item.Slot, item.Signature[:8])
	}
	// Output:
	// 345678901 VaaabFcX
	// 345678900 Tx3H6s9N
}

func ExampleClient_SignaturesForTokenOwner() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	const wallet = "FhmztfqCThd7GnAt88WCsbBXCVTqztvYfPdJhobZVJgo"
	for item, err := range client.SignaturesForTokenOwner(context.Background(), wallet, nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(item.Slot, item.Signature[:8])
	}
	// Output:
	// 345678893 92bvzahP
}

func ExampleClient_LatestCompressionSignatures() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	for item, err := range client.LatestCompressionSignatures(context.Background(), nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		if item.Slot < 345678901 { // handled before
			break
		}
		fmt.Println(item.Slot, item.Signature[:8])
	}
	// Output:
	// 345678901 VaaabFcX
}

func ExampleClient_LatestNonVotingSignatures() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	for item, err := range client.LatestNonVotingSignatures(context.Background(), nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		if item.Err != "" {
			fmt.Println(item.Signature[:8], "failed:", item.Err)
		}
	}
	// Output:
	// 9hwtMzsb failed: InstructionError(0, Custom(1))
}
