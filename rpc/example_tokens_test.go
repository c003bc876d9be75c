package rpc_test

import (
	"fmt"
	"log"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

func ExampleClient_TokenAccountsByOwner() {
	const wallet = "811Dv5AuND19q48ZS1nhnqmTSpXEXvvciUA1DEXiJaiu"
	for item, err := range client.TokenAccountsByOwner(ctx, wallet, rpc.ByProgram(types.Token2022Program), nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		info, err := item.Account.Data.TokenAccount()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(info.TokenAmount.UIAmountString, "of", info.Mint)
	}
	// Output:
	// 123.45862 of HtoAJf8sieGCxLtirC6VHWpeQJyNbn5nQB8UoXKYT2ZT
	// 0.5 of FKg51G6SX8N3A7j1WHkWFRfuRMAhHtA7TDomhzzfYhMv
	// 0.0012 of 7otHSQJqR6vL3uf295UDB9d3VBAo7u94a7WMrQFTg4QB
}

// The accounts of both token programs, one after the other.
func ExampleClient_TokenAccountsByOwner_anyProgram() {
	client, err := rpc.New(results(
		`{"context":{"slot":5},"value":[{"pubkey":"GG5aSuQszHXUqC1q44A5sEL7ZckDqoJ1ft5A6cYotc1","account":{"owner":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"}}]}`,
		`{"context":{"slot":6},"value":[{"pubkey":"VgJkLmdAZhUUmjrwtYwgCHWsE6h35qsJKsVr88QW52y","account":{"owner":"TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"}}]}`,
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
	amount, err := client.TokenAccountBalance(ctx, "6uADcmQrpS7iWquAMcw7Ej1KsFpRLHwXdRBkC4WyS8HH", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(amount.RawAmount, "units,", amount.UIAmountString, "tokens")
	// Output:
	// 18446744073709551615 units, 0.18446744073709551615 tokens
}

func ExampleClient_TokenSupply() {
	supply, err := client.TokenSupply(ctx, "6z1mzhrMJALQptWKW4cHHGxW9M7k6SudzuivEicAiomS", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(supply.UIAmountString, "tokens with", supply.Decimals, "decimals")
	// Output:
	// 0.18446744073709551615 tokens with 20 decimals
}

func ExampleClient_TokenLargestAccounts() {
	holdings, err := client.TokenLargestAccounts(ctx, "6nQztsh181HQhDQnCpgEnoF1stWmjg8eXuetVw4YQSwV", nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, holding := range holdings {
		fmt.Println(holding.Address, holding.UIAmountString)
	}
	// Output:
	// APQXmjUpibwXQS18oaW55kAoraDxtJZs6bWHbi5qtVps 9007197.254740992
	// BZX1s1C9fXpRnUfYpA85BoLsY6WUdD6Y9UJSPsycAHVN 2.000000005
	// GocaWZynYPT1a2NEhLgqSvQr99bX6zr3ftZugSXddENk 0.000001002
}
