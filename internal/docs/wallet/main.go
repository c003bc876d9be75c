// Holdings prints the three most valuable holdings of a wallet.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

func main() {
	wallets, err := wallet.New(types.Config{APIKey: os.Getenv("HELIUS_API_KEY")})
	if err != nil {
		log.Fatal(err)
	}
	opts := &wallet.BalancesOptions{Limit: 3}
	page, err := wallets.Balances(context.Background(), "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY", opts)
	if err != nil {
		log.Fatal(err)
	}
	for _, b := range page.Items {
		fmt.Println(b.Symbol, b.Amount)
	}
}
