package compressed_test

import (
	"context"
	"fmt"
	"log"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

func ExampleClient_TokenAccountsByOwner() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	usdc := &compressed.TokenListingOptions{Mint: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"}
	page, err := client.TokenAccountsByOwner(context.Background(), "AedhxwSGZwaKGnMDxBt6P6Pbtb99Fu6uUQJ87iai1fwM", usdc).Page()
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range page.Items {
		fmt.Println(item.TokenData.Mint, item.TokenData.RawAmount, item.TokenData.State)
	}
	// Output:
	// EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v 30 initialized
}

func ExampleClient_TokenBalancesByOwner() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	const wallet = "AedhxwSGZwaKGnMDxBt6P6Pbtb99Fu6uUQJ87iai1fwM"
	for balance, err := range client.TokenBalancesByOwner(context.Background(), wallet, nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(balance.Mint, balance.RawAmount)
	}
	// Output:
	// USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA 14434305813641
	// 2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo 9012415885741773
	// EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v 30
	// Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB 9788457506709
	// HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr 9017485333387709
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
	list, err := client.SignaturesForAccount(context.Background(), "212gqJpZfyuwWQwx4NdbqiRGiFpxuXZUnZo3usaeLkUW")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("created in slot", list[0].Slot)
	// Output:
	// created in slot 333312233
}

func ExampleClient_SignaturesForAddress() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	page, err := client.SignaturesForAddress(context.Background(), "211X3FxzwhzZ24q994NVo9gSWJ44SrhWjPkEwiGEWKFY", &compressed.ListingOptions{PageOptions: types.PageOptions{Limit: 2}}).Page()
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range page.Items {
		fmt.Println(item.BlockTime.UTC(), item.Signature[:8])
	}
	// Output:
	// 2025-04-13 15:04:05 +0000 UTC 5zeiXbqJ
}

func ExampleClient_SignaturesForOwner() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	page, err := client.SignaturesForOwner(context.Background(), fake.OwnerAddress, &compressed.ListingOptions{PageOptions: types.PageOptions{Limit: 2}}).Page()
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range page.Items {
		fmt.Println(item.Slot, item.Signature[:8])
	}
	// Output:
	// 333312233 5zeiXbqJ
	// 333312083 4gA9NaKQ
}

func ExampleClient_SignaturesForTokenOwner() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	const wallet = "AedhxwSGZwaKGnMDxBt6P6Pbtb99Fu6uUQJ87iai1fwM"
	page, err := client.SignaturesForTokenOwner(context.Background(), wallet, &compressed.ListingOptions{PageOptions: types.PageOptions{Limit: 2}}).Page()
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range page.Items {
		fmt.Println(item.Slot, item.Signature[:8])
	}
	// Output:
	// 333312233 5Ek2GQXF
	// 333312233 4rx4c8Aj
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
		fmt.Println(item.Slot, item.Signature[:8])
		if item.Slot <= 333312233 { // handled before
			break
		}
	}
	// Output:
	// 333312233 5zeiXbqJ
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
		if item.Slot < 334365393 { // handled before
			break
		}
		if item.TransactionError != "" {
			fmt.Println(item.Signature[:8], "failed:", item.TransactionError)
		}
	}
	// Output:
	// 33zbSt9e failed: InstructionError: [3, Custom(6001)]
}
