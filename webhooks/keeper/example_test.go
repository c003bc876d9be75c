package keeper_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/keeper"
)

// A Keeper creates the webhook, receives delivered events, and finds undelivered ones.
func ExampleNew() {
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Second) // or signal.NotifyContext
	defer stop()
	service := fake.New(&fake.Options{World: &fake.World{}})
	hooks, err := webhooks.New(service.Config()) // or types.Config{APIKey: types.Key(key)}
	if err != nil {
		log.Fatal(err)
	}
	events := 0
	k, err := keeper.New(hooks, keeper.Config{
		Settings: webhooks.Settings{
			URL:              "https://example.com/swaps",
			Type:             webhooks.TypeEnhanced,
			TransactionTypes: []txtype.Type{txtype.Swap},
			AccountAddresses: []types.Address{fake.WalletAddress},
			AuthHeader:       "Bearer 8c6976e5b5410415bde908bd4dee15df", // use 32 random bytes,
		},
		Store: new(keeper.MemoryStore), // or sqlstore.New(db, sqlstore.DialectPostgreSQL)
		Handle: func(_ context.Context, e *webhooks.Event) error {
			fmt.Println(e.Enhanced.Type)
			if events++; events == 2 {
				stop()
			}
			return nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for all, _ := hooks.Webhooks(ctx); len(all) == 0 && ctx.Err() == nil; all, _ = hooks.Webhooks(ctx) {
			time.Sleep(10 * time.Millisecond) // until there is a webhook
		}
		delivered := &fake.Delivery{Handler: k} // http.ListenAndServe(":8080", k)
		service.Deliver(ctx, delivered, service.Swap(fake.WalletAddress), service.Swap(fake.WalletAddress))
	}()
	if err := k.Run(ctx); err != nil {
		log.Fatal(err)
	}
	// Output:
	// SWAP
	// SWAP
}
