package webhooks_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
)

const (
	usdcMint  types.Address = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
	bonkMint  types.Address = "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263"
	hookToken               = "Bearer 8c6976e5b5410415bde908bd4dee15df" // use 32 random bytes
)

// swaps are the settings of a webhook for the swaps of an address.
var swaps = webhooks.Settings{
	URL:              "https://example.com/swaps",
	Type:             webhooks.TypeEnhanced,
	TransactionTypes: []txtype.Type{txtype.Swap},
	AccountAddresses: []types.Address{usdcMint},
	AuthHeader:       hookToken,
}

// exampleHook returns a client of a fake of the service, and the ID of a webhook. A
// real client has a key: webhooks.New(types.Config{APIKey: types.Key(key)}).
func exampleHook(ctx context.Context) (*webhooks.Client, string) {
	hooks, err := webhooks.New(fake.Config())
	if err != nil {
		panic(err)
	}
	hook, err := hooks.Create(ctx, swaps)
	if err != nil {
		panic(err)
	}
	return hooks, hook.ID
}

func ExampleClient_Create() {
	ctx := context.Background()
	hooks, err := webhooks.New(fake.Config()) // or types.Config{APIKey: types.Key(key)}
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
	fmt.Println(hook.URL, hook.TransactionTypes, hook.AuthHeader)
	// Output:
	// https://example.com/swaps [SWAP] ***
}

// The response to a Create is lost. Create is not retried, because the service may have
// created the webhook: Webhooks tells.
func ExampleClient_Create_lost() {
	ctx := context.Background()
	service := fake.New(nil)
	service.Fail("POST /v0/webhooks", 1, fake.Lost())
	hooks, err := webhooks.New(service.Config())
	if err != nil {
		log.Fatal(err)
	}
	_, err = hooks.Create(ctx, swaps)
	fmt.Println("may have been executed:", errors.Is(err, types.ErrMayHaveExecuted))
	all, err := hooks.Webhooks(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("webhooks:", len(all))
	// Output:
	// may have been executed: true
	// webhooks: 1
}

// Webhooks returns at most 100 addresses of each webhook, Get returns all.
func ExampleClient_Webhooks() {
	ctx := context.Background()
	hooks, id := exampleHook(ctx)
	var addresses []types.Address
	for i := range 150 {
		addresses = append(addresses, types.AddressOf([32]byte{1, byte(i)}))
	}
	if _, err := hooks.AddAddresses(ctx, id, addresses...); err != nil {
		log.Fatal(err)
	}
	all, err := hooks.Webhooks(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, h := range all {
		hook, err := hooks.Get(ctx, h.ID)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(h.URL, *h.Active, len(h.AccountAddresses), "of", len(hook.AccountAddresses))
	}
	// Output:
	// https://example.com/swaps true 100 of 151
}

func ExampleClient_Get() {
	ctx := context.Background()
	hooks, id := exampleHook(ctx)
	hook, err := hooks.Get(ctx, id)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(hook.URL, hook.AccountAddresses)

	_, err = hooks.Get(ctx, "00000000-0000-4000-8000-000000000000")
	fmt.Println(errors.Is(err, types.ErrNotFound))
	// Output:
	// https://example.com/swaps [EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v]
	// true
}

// Replace resets the settings that are not set: here the secret, and the addresses but
// one. Update keeps them.
func ExampleClient_Replace() {
	ctx := context.Background()
	hooks, id := exampleHook(ctx)
	hook, err := hooks.Replace(ctx, id, webhooks.Settings{
		URL:              "https://example.com/everything",
		Type:             webhooks.TypeRaw,
		AccountAddresses: []types.Address{bonkMint},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(hook.URL, hook.Type, hook.AccountAddresses, "without a secret:", hook.AuthHeader == "")
	// Output:
	// https://example.com/everything raw [DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263] without a secret: true
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
	fmt.Println(hook.URL, hook.TransactionTypes, hook.AuthHeader)
	// Output:
	// https://example.com/swaps [SWAP NFT_SALE] ***
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

// The last address cannot be removed.
func ExampleClient_RemoveAddresses() {
	ctx := context.Background()
	hooks, id := exampleHook(ctx)
	_, err := hooks.RemoveAddresses(ctx, id, usdcMint)
	fmt.Println(err)
	// Output:
	// webhooks.Client.RemoveAddresses: AccountAddresses is empty, and the service wants at least one; use Delete or SetActive instead: invalid argument
}

// An address has vanished from the webhook. The first call reports it, the second one
// adds it again.
func ExampleClient_Reconcile() {
	ctx := context.Background()
	hooks, id := exampleHook(ctx)
	want := webhooks.Settings{AccountAddresses: []types.Address{usdcMint, bonkMint}}
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
	// [AccountAddresses: 1 missing, 0 unwanted]
	// []
}

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
	all, err := hooks.Webhooks(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(all), "webhooks")
	// Output:
	// 0 webhooks
}

// A delivery was lost: its transaction is listed, and requested as the webhook delivers it.
func ExampleClient_Events() {
	ctx := context.Background()
	hooks, err := webhooks.New(fake.Config()) // or types.Config{APIKey: types.Key(key)}
	if err != nil {
		log.Fatal(err)
	}
	var lost []types.Signature
	since := webhooks.Listing{Address: fake.WalletAddress, SinceSlot: 344_112_233}
	err = hooks.Signatures(ctx, since, func(page []webhooks.Listed) error {
		for _, x := range page {
			lost = append(lost, x.Signature)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	events, err := hooks.Events(ctx, webhooks.TypeEnhanced, lost)
	if err != nil {
		log.Print(err) // some requests failed; the other events are valid
	}
	for i, e := range events {
		if e == nil {
			fmt.Println(lost[i], "is not returned")
			continue
		}
		fmt.Println(e.Slot, e.Enhanced.Type)
	}
	// Output:
	// 344112233 SWAP
}

// The signatures of an address, with the transactions of its token accounts.
func ExampleClient_Signatures() {
	hooks, err := webhooks.New(fake.Config()) // or types.Config{APIKey: types.Key(key)}
	if err != nil {
		log.Fatal(err)
	}
	all := webhooks.Listing{Address: fake.WalletAddress, SinceSlot: 344_000_000, TokenAccounts: types.TokenAccountHistoryChanged}
	slots := 0
	err = hooks.Signatures(context.Background(), all, func(page []webhooks.Listed) error {
		slots += len(page)
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(slots > 0)
	// Output:
	// true
}

// Settings are checked before a webhook is created.
func ExampleClient_Check() {
	hooks, err := webhooks.New(fake.Config()) // or types.Config{APIKey: types.Key(key)}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(hooks.Check(webhooks.Settings{Type: webhooks.TypeRawDevnet}))
	// Output:
	// webhooks.Client.Check: Type "rawDevnet" does not fit the Config, whose Network is mainnet: invalid argument
}
