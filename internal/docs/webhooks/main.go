// Watch makes a webhook for the swaps of a wallet, and prints all webhooks.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
)

func main() {
	ctx := context.Background()
	hooks, err := webhooks.New(types.Config{APIKey: os.Getenv("HELIUS_API_KEY")})
	if err != nil {
		log.Fatal(err)
	}
	_, err = hooks.Create(ctx, webhooks.Settings{
		URL:              "https://example.com/swaps",
		Type:             webhooks.Enhanced,
		TransactionTypes: []txtype.Type{txtype.Swap},
		AccountAddresses: []types.Address{"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"},
		AuthHeader:       webhooks.Secret(os.Getenv("WEBHOOK_SECRET")),
	})
	if err != nil {
		log.Fatal(err)
	}
	all, err := hooks.List(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, h := range all {
		fmt.Println(h.URL, h.TransactionTypes, h.AccountAddresses)
	}
}
