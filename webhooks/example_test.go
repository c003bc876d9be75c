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

// exampleHook returns a client of a fake of the service, and the ID of a webhook. A
// real client has a key: webhooks.New(types.Config{APIKey: key}).
func exampleHook(ctx context.Context) (*webhooks.Client, string) {
	hooks, err := webhooks.New(fake.Config())
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

func ExampleClient_Create() {
	ctx := context.Background()
	hooks, err := webhooks.New(fake.Config()) // or types.Config{APIKey: key}
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
	_, err = hooks.Create(ctx, webhooks.Settings{
		URL:              "https://example.com/swaps",
		Type:             webhooks.TypeEnhanced,
		TransactionTypes: []txtype.Type{txtype.Swap},
		AccountAddresses: []types.Address{usdcMint},
		AuthHeader:       hookToken,
	})
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
	want := webhooks.Wanted{Settings: webhooks.Settings{AccountAddresses: []types.Address{usdcMint, bonkMint}}}
	differences, err := hooks.Reconcile(ctx, id, want, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(differences, differences.Missing)

	if _, err := hooks.Reconcile(ctx, id, want, &webhooks.ReconcileOptions{Apply: true}); err != nil {
		log.Fatal(err)
	}
	differences, err = hooks.Reconcile(ctx, id, want, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(differences)
	// Output:
	// missing addresses: 1 [DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263]
	// no differences
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

// The result has one element for each signature, which is nil if the service does not
// return the transaction.
func ExampleClient_Transactions() {
	service := fake.New(nil)
	swap := service.Swap(fake.WalletAddress)
	hooks, err := webhooks.New(service.Config()) // or types.Config{APIKey: key}
	if err != nil {
		log.Fatal(err)
	}
	signatures := []types.Signature{
		swap.Signature(),
		"5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exv8kt2W",
	}
	list, err := hooks.Transactions(context.Background(), signatures, nil)
	if err != nil {
		log.Print(err) // some requests failed; the other results are valid
	}
	for i, t := range list {
		if t == nil {
			fmt.Println(i, "unknown")
		} else {
			fmt.Println(i, t.Type)
		}
	}
	// Output:
	// 0 SWAP
	// 1 unknown
}

func ExampleClient_History() {
	hooks, err := webhooks.New(fake.Config()) // or types.Config{APIKey: key}
	if err != nil {
		log.Fatal(err)
	}
	opts := &webhooks.HistoryOptions{Ascending: true, SinceSlot: 344_000_000, UntilSlot: 344_112_234}
	for t, err := range hooks.History(context.Background(), fake.WalletAddress, opts).All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(t.Slot, t.Type, t.Description)
	}
	// Output:
	// 344069945 SWAP 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY swapped 1649.27905 Bonk for 0.022378223 SOL
	// 344112233 SWAP 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY swapped 0.040656889 SOL for 3.192156933 SOL
}

// The last page is empty. A program stores HasMore with the cursor, to resume.
func ExampleClient_History_pages() {
	hooks, err := webhooks.New(fake.Config()) // or types.Config{APIKey: key}
	if err != nil {
		log.Fatal(err)
	}
	for page, err := range hooks.History(context.Background(), fake.WalletAddress, nil).Pages() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(page.Items), "transactions, more:", page.HasMore)
	}
	// Output:
	// 100 transactions, more: true
	// 100 transactions, more: true
	// 80 transactions, more: true
	// 0 transactions, more: false
}
