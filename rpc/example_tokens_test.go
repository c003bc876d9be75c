package rpc_test

import (
	"fmt"
	"log"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

func ExampleClient_TokenAccountsByOwner() {
	items, err := client.TokenAccountsByOwner(ctx, fake.WalletAddress, rpc.ByProgram(types.Token2022Program), nil).Collect(3)
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range items {
		info, err := item.Account.Data.TokenAccount()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(info.TokenAmount.UIAmountString, "of", info.Mint)
	}
	// Output:
	// 26795.10521 of 2EkP84gnAKjHJ8VSQLKBgGDyrSZXx9EqhDx6AAdqEvF2
	// 1782815446 of HvwYeB6J96k5RPuTdxXcP2TaYTPjVRcucQjmdUK1Bda2
	// 506593503 of 54skrEhS5Dpt6gBENTPqQzJcBTvQGZCJ74pMZzSJHyBT
}

// The accounts of both token programs, one after the other.
func ExampleClient_TokenAccountsByOwner_anyProgram() {
	client, err := rpc.New(results(
		`{"context":{"slot":5},"value":[{"pubkey":"GG5aSuQszHXUqC1q44A5sEL7ZckDqoJ1ft5A6cYotc1","account":{"lamports":1,"owner":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"}}]}`,
		`{"context":{"slot":6},"value":[{"pubkey":"VgJkLmdAZhUUmjrwtYwgCHWsE6h35qsJKsVr88QW52y","account":{"lamports":1,"owner":"TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"}}]}`,
	))
	if err != nil {
		log.Fatal(err)
	}
	for item, err := range client.TokenAccountsByOwner(ctx, "811Dv5AuND19q48ZS1nhnqmTSpXEXvvciUA1DEXiJaiu", rpc.AnyProgram(), nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(item.Address, "of program", item.Account.Owner)
	}
	// Output:
	// GG5aSuQszHXUqC1q44A5sEL7ZckDqoJ1ft5A6cYotc1 of program TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA
	// VgJkLmdAZhUUmjrwtYwgCHWsE6h35qsJKsVr88QW52y of program TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb
}

func ExampleClient_TokenAccountBalance() {
	accounts, err := client.TokenAccountsByOwner(ctx, fake.WalletAddress, rpc.ByMint("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"), nil).Collect(1)
	if err != nil {
		log.Fatal(err)
	}
	amount, err := client.TokenAccountBalance(ctx, accounts[0].Address, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(amount.RawAmount, "units,", amount.UIAmountString, "tokens")
	// Output:
	// 25310123456 units, 25310.123456 tokens
}

func ExampleClient_TokenSupply() {
	supply, err := client.TokenSupply(ctx, "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(supply.UIAmountString, "tokens with", supply.Decimals, "decimals")
	// Output:
	// 72112533834.716325 tokens with 6 decimals
}

func ExampleClient_TokenLargestAccounts() {
	holdings, err := client.TokenLargestAccounts(ctx, "Gwmg8XpefX5xKr3eGDDHWhBKREcyBwmgvb4uZVYqL8hS", nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, holding := range holdings[:2] {
		fmt.Println(holding.RawAmount, holding.UIAmountString)
	}
	// Output:
	// 12345678123456789012 12345678.123456789012
	// 300252477101767325 300252.477101767325
}
