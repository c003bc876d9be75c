package webhooks_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
)

const (
	usdcMint  types.Address = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
	bonkMint  types.Address = "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263"
	hookToken               = "Bearer 8c6976e5b5410415bde908bd4dee15df" // use 32 random bytes
)

// exampleHook returns a client of a fake of the service, and a webhook. A real
// client has a key: webhooks.New(types.Config{APIKey: key}).
func exampleHook(ctx context.Context) (*webhooks.Client, string) {
	hooks, err := webhooks.New(fake.New().Config())
	if err != nil {
		panic(err)
	}
	hook, err := hooks.Create(ctx, webhooks.Settings{
		URL:              "https://example.com/swaps",
		Type:             webhooks.TypeEnhanced,
		TransactionTypes: []txtype.Type{txtype.Swap},
		AccountAddresses: []types.Address{usdcMint},
		AuthHeader:       hookToken,
	})
	if err != nil {
		panic(err)
	}
	return hooks, hook.ID
}

// The service delivers one transaction twice; the receiver handles it once.
func ExampleClient_Create() {
	ctx := context.Background()
	hooks, err := webhooks.New(fake.New().Config()) // or types.Config{APIKey: key}
	if err != nil {
		log.Fatal(err)
	}
	hook, err := hooks.Create(ctx, webhooks.Settings{
		URL:              "https://example.com/swaps",
		Type:             webhooks.TypeEnhanced,
		TransactionTypes: []txtype.Type{txtype.Swap},
		AccountAddresses: []types.Address{usdcMint},
		AuthHeader:       hookToken,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(hook.ID, hook.TransactionTypes, hook.AuthHeader)
	// Output:
	// d714afcc-d4a4-4fc4-bec1-3604e83819e5 [SWAP] ***
}

func ExampleClient_List() {
	ctx := context.Background()
	hooks, _ := exampleHook(ctx)
	all, err := hooks.List(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, hook := range all {
		fmt.Println(hook.URL, hook.Type, *hook.Active)
	}
	// Output:
	// https://example.com/swaps enhanced true
}

func ExampleClient_Get() {
	ctx := context.Background()
	hooks, id := exampleHook(ctx)
	hook, err := hooks.Get(ctx, id)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(hook.URL, len(hook.AccountAddresses))

	_, err = hooks.Get(ctx, "00000000-0000-4000-8000-000000000000")
	fmt.Println(errors.Is(err, types.ErrNotFound))
	// Output:
	// https://example.com/swaps 1
	// true
}

func ExampleClient_Replace() {
	ctx := context.Background()
	hooks, id := exampleHook(ctx)
	hook, err := hooks.Replace(ctx, id, webhooks.Settings{
		URL:              "https://example.com/everything",
		Type:             webhooks.TypeRaw,
		AccountAddresses: []types.Address{usdcMint, bonkMint},
		AuthHeader:       hookToken,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(hook.URL, hook.Type, len(hook.AccountAddresses))
	// Output:
	// https://example.com/everything raw 2
}

func ExampleClient_Update() {
	ctx := context.Background()
	hooks, id := exampleHook(ctx)
	hook, err := hooks.Update(ctx, id, func(s *webhooks.Settings) error {
		s.TransactionTypes = append(s.TransactionTypes, txtype.NFTSale)
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(hook.URL, hook.TransactionTypes)
	// Output:
	// https://example.com/swaps [SWAP NFT_SALE]
}

func ExampleClient_AddAddresses() {
	ctx := context.Background()
	hooks, id := exampleHook(ctx)
	hook, err := hooks.AddAddresses(ctx, id, bonkMint, usdcMint)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(hook.AccountAddresses)
	// Output:
	// [EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263]
}

func ExampleClient_RemoveAddresses() {
	ctx := context.Background()
	hooks, id := exampleHook(ctx)
	_, err := hooks.RemoveAddresses(ctx, id, usdcMint)
	fmt.Println(err)
	// Output:
	// webhooks.Client.RemoveAddresses: AccountAddresses is empty, and the service wants at least one; use Delete or SetActive instead: invalid argument
}

// The first call only reports the differences; the second removes them.
func ExampleClient_Reconcile() {
	ctx := context.Background()
	hooks, id := exampleHook(ctx)
	want := webhooks.Wanted{Settings: webhooks.Settings{AccountAddresses: []types.Address{usdcMint, bonkMint}}}
	differences, err := hooks.Reconcile(ctx, id, want, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(differences)
	if _, err := hooks.Reconcile(ctx, id, want, &webhooks.ReconcileOptions{Apply: true}); err != nil {
		log.Fatal(err)
	}
	differences, err = hooks.Reconcile(ctx, id, want, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(differences)
	// Output:
	// missing addresses: 1
	// no differences
}

// Two swaps happen while no process receives. The backfill hands them to Handle.
// Package rpc lists the transactions that a raw webhook missed.
func ExampleClient_SetActive() {
	ctx := context.Background()
	hooks, id := exampleHook(ctx)
	hook, err := hooks.SetActive(ctx, id, false)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(*hook.Active)
	// Output:
	// false
}

func ExampleClient_Delete() {
	ctx := context.Background()
	hooks, id := exampleHook(ctx)
	if err := hooks.Delete(ctx, id); err != nil {
		log.Fatal(err)
	}
	all, err := hooks.List(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(all), "webhooks")
	// Output:
	// 0 webhooks
}

func ExampleClient_Transactions() {
	service := fake.New()
	event := fake.SwapEvent(2, fake.Wallet)
	service.Happen(event)
	hooks, err := webhooks.New(service.Config()) // or types.Config{APIKey: key}
	if err != nil {
		log.Fatal(err)
	}
	list, err := hooks.Transactions(context.Background(), []types.Signature{types.Signature(event.Signature)}, nil)
	if err != nil {
		log.Print(err) // the list has the transactions of the requests that succeeded
	}
	for _, t := range list {
		if t != nil {
			fmt.Println(t.Type, t.Description)
		}
	}
	// Output:
	// SWAP 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY swapped 826 USDC for 5.782 SOL
}

func ExampleClient_AllHistory() {
	service := fake.New()
	service.Happen(fake.TransferEvent(1, fake.Wallet), fake.SwapEvent(2, fake.Wallet), fake.TransferEvent(3, fake.Wallet))
	hooks, err := webhooks.New(service.Config()) // or types.Config{APIKey: key}
	if err != nil {
		log.Fatal(err)
	}
	opts := &webhooks.HistoryOptions{Ascending: true, SinceSlot: 312_000_003, UntilSlot: 312_000_007}
	for t, err := range hooks.AllHistory(context.Background(), fake.Wallet, opts) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(t.Slot, t.Type)
	}
	// Output:
	// 312000004 SWAP
	// 312000006 TRANSFER
}

// With a queue, deliveries are acknowledged immediately, and Shutdown waits until
// the queued events are handled.
// ParseEvents decodes a stored event again.
