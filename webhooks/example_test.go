package webhooks_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
)

const (
	usdcMint  types.Address = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
	bonkMint  types.Address = "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263"
	hookToken               = "Bearer 8c6976e5b5410415bde908bd4dee15df" // 32 random bytes, in a program of yours
)

// exampleHook makes a client and a webhook to show what can be done with one.
// The examples run against made-up data; a program of yours has a key here:
// types.Config{APIKey: key}.
func exampleHook(ctx context.Context) (*webhooks.Client, string) {
	hooks, err := webhooks.New(fake.New().Config())
	if err != nil {
		panic(err)
	}
	hook, err := hooks.Create(ctx, webhooks.Settings{
		URL:              "https://example.com/swaps",
		Type:             webhooks.Enhanced,
		TransactionTypes: []txtype.Type{txtype.Swap},
		AccountAddresses: []types.Address{usdcMint},
		AuthHeader:       hookToken,
	})
	if err != nil {
		panic(err)
	}
	return hooks, hook.ID
}

// From a webhook to its events: the receiver listens, the webhook is made, the
// service delivers what happens, some of it twice.
func Example() {
	ctx := context.Background()
	handled := 0
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Secrets: []webhooks.Secret{hookToken},
		Handle: func(_ context.Context, e *webhooks.Event) error {
			handled++
			fmt.Println(e.Enhanced.Description)
			return nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	server := httptest.NewServer(receiver) // in a program of yours: behind https
	defer server.Close()
	service := fake.New()
	hooks, err := webhooks.New(service.Config()) // in a program of yours: types.Config{APIKey: key}
	if err != nil {
		log.Fatal(err)
	}
	_, err = hooks.Create(ctx, webhooks.Settings{
		URL:              server.URL,
		Type:             webhooks.Enhanced,
		TransactionTypes: []txtype.Type{txtype.Swap},
		AccountAddresses: []types.Address{fake.Wallet},
		AuthHeader:       hookToken,
	})
	if err != nil {
		log.Fatal(err)
	}
	courier := fake.Courier{Service: service, Duplicate: 1}
	report := courier.Deliver(ctx, fake.TransferEvent(1, fake.Wallet), fake.SwapEvent(2, fake.Wallet))
	fmt.Println(report.Acknowledged, "acknowledged,", handled, "handled")
	// Output:
	// 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY swapped 826 USDC for 5.782 SOL
	// 2 acknowledged, 1 handled
}

func ExampleClient_Create() {
	ctx := context.Background()
	hooks, err := webhooks.New(fake.New().Config()) // in a program of yours: types.Config{APIKey: key}
	if err != nil {
		log.Fatal(err)
	}
	hook, err := hooks.Create(ctx, webhooks.Settings{
		URL:              "https://example.com/swaps",
		Type:             webhooks.Enhanced,
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

func ExampleClient_Edit() {
	ctx := context.Background()
	hooks, id := exampleHook(ctx)
	hook, err := hooks.Edit(ctx, id, webhooks.Settings{ // all of them: what is left out is lost
		URL:              "https://example.com/everything",
		Type:             webhooks.Raw,
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
	hook, err := hooks.AddAddresses(ctx, id, bonkMint, usdcMint) // the second is there already
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
	_, err := hooks.RemoveAddresses(ctx, id, usdcMint) // the only one
	fmt.Println(err)
	// Output:
	// AccountAddresses: none, but the service wants at least one; use Delete or SetActive instead: invalid
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
	all, err := hooks.List(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(all), "webhooks")
	// Output:
	// 0 webhooks
}

func ExampleNewReceiver() {
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Secrets: []webhooks.Secret{hookToken},
		Handle: func(_ context.Context, e *webhooks.Event) error {
			for _, transfer := range e.Enhanced.NativeTransfers {
				fmt.Println(transfer.Amount, "lamports for", transfer.ToUserAccount)
			}
			return nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/transfers", receiver) // in a program of yours: http.ListenAndServeTLS(…, mux)

	// What the service posts, twice.
	for range 2 {
		post := httptest.NewRequest(http.MethodPost, "/transfers", strings.NewReader(`[{
			"signature": "5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exv8kt2W",
			"type": "TRANSFER",
			"nativeTransfers": [{"toUserAccount": "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY", "amount": 1500000000}]
		}]`))
		post.Header.Set("Content-Type", "application/json")
		post.Header.Set("Authorization", hookToken)
		answer := httptest.NewRecorder()
		mux.ServeHTTP(answer, post)
		fmt.Println(answer.Code)
	}
	// Output:
	// 1500000000 lamports for 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY
	// 200
	// 200
}

// With a queue the service is answered at once, and Shutdown handles what is
// left before the program ends.
func ExampleReceiver_Shutdown() {
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Secrets: []webhooks.Secret{hookToken},
		Queue:   1000,
		Handle: func(_ context.Context, e *webhooks.Event) error {
			fmt.Println("handled", e.Signature[:8])
			return nil
		},
		Skipped: func(_ context.Context, e *webhooks.Event, err error) {
			fmt.Println("lost", e.Signature[:8], err)
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	post := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(
		`{"signature":"5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exv8kt2W"}`))
	post.Header.Set("Content-Type", "application/json")
	post.Header.Set("Authorization", hookToken)
	receiver.ServeHTTP(httptest.NewRecorder(), post)

	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := receiver.Shutdown(ctx); err != nil {
		log.Print(err)
	}
	// Output:
	// handled 5wHu1qwD
}

// An event that was kept as JSON, in a queue outside the process for example,
// is read again.
func ExampleParseEvents() {
	kept := []byte(`{"signature":"5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exv8kt2W",
		"slot":312000000,"timestamp":1735689600,"type":"SWAP","description":"5 USDC for 0.035 SOL"}`)
	events, err := webhooks.ParseEvents(kept)
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range events {
		fmt.Println(e.Slot, e.Time.Format(time.RFC3339), e.Enhanced.Description)
	}
	// Output:
	// 312000000 2025-01-01T00:00:00Z 5 USDC for 0.035 SOL
}

func ExampleRawTokenAmount_Tokens() {
	events, err := webhooks.ParseEvents([]byte(`{
		"signature": "5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exv8kt2W",
		"accountData": [{"tokenBalanceChanges": [{"rawTokenAmount": {"tokenAmount": "-150000001", "decimals": 6}}]}]
	}`))
	if err != nil {
		log.Fatal(err)
	}
	for _, change := range events[0].Enhanced.AccountData[0].TokenBalanceChanges {
		fmt.Println(change.RawTokenAmount.Tokens())
	}
	// Output:
	// -150.000001
}

func ExampleRawTransaction_Accounts() {
	events, err := webhooks.ParseEvents([]byte(`{
		"slot": 312000000,
		"meta": {"err": null, "preBalances": [5000000, 1], "postBalances": [4995000, 1]},
		"transaction": {
			"signatures": ["5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exv8kt2W"],
			"message": {"accountKeys": ["86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY", "ComputeBudget111111111111111111111111111111"]}
		}
	}`))
	if err != nil {
		log.Fatal(err)
	}
	raw := events[0].Raw
	for i, account := range raw.Accounts() {
		fmt.Println(account, raw.Meta.PreBalances[i], raw.Meta.PostBalances[i])
	}
	// Output:
	// 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY 5000000 4995000
	// ComputeBudget111111111111111111111111111111 1 1
}
