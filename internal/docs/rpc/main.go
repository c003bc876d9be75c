// Allowed prints who allows a delegate to spend how much of a token.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

func main() {
	client, err := rpc.New(types.Config{APIKey: os.Getenv("HELIUS_API_KEY")})
	if err != nil {
		log.Fatal(err)
	}
	delegate := types.Address("4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T")
	usdc := types.Address("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
	list, err := client.TokenAccountsByDelegate(context.Background(), delegate, rpc.ByMint(usdc), nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range list.Items {
		if info := item.Account.Data.Parsed; info != nil {
			fmt.Println(info.Owner, "allows", info.DelegatedAmount.UIAmountString)
		}
	}
}
