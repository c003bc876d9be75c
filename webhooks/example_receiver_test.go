package webhooks_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
)

// oneTransfer is a delivery of one event.
const oneTransfer = `[{
	"signature": "5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exv8kt2W",
	"slot": 312000000,
	"timestamp": 1735689600,
	"type": "TRANSFER",
	"nativeTransfers": [{"toUserAccount": "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY", "amount": 1500000000}]
}]`

// postTransfer posts oneTransfer as the service does and returns the status of the response.
func postTransfer(receiver http.Handler, secret string) int {
	request := httptest.NewRequest(http.MethodPost, "/transfers", strings.NewReader(oneTransfer))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", secret)
	response := httptest.NewRecorder()
	receiver.ServeHTTP(response, request)
	return response.Code
}

// A webhook delivers a swap twice. The Receiver handles it once.
func Example() {
	ctx := context.Background()
	handled := 0
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Secrets: []webhooks.Secret{hookToken},
		Handle: func(_ context.Context, e *webhooks.Event) error {
			handled++
			fmt.Println(e.Enhanced.Type, "by", e.Enhanced.FeePayer)
			return nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	service := fake.New(nil)
	hooks, err := webhooks.New(service.Config()) // or types.Config{APIKey: types.Key(key)}
	if err != nil {
		log.Fatal(err)
	}
	_, err = hooks.Create(ctx, webhooks.Settings{
		URL:              "https://example.com/swaps", // where the Receiver is
		Type:             webhooks.TypeEnhanced,
		TransactionTypes: []txtype.Type{txtype.Swap},
		AccountAddresses: []types.Address{fake.WalletAddress},
		AuthHeader:       hookToken,
	})
	if err != nil {
		log.Fatal(err)
	}
	transfer, swap := service.Transfer(fake.WalletAddress, fake.ExchangeAddress, 1), service.Swap(fake.WalletAddress)
	report := service.Deliver(ctx, &fake.Delivery{Handler: receiver}, transfer, swap, swap)
	fmt.Println(report.Acknowledged, "acknowledged,", handled, "handled")
	// Output:
	// SWAP by 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY
	// 2 acknowledged, 1 handled
}

func ExampleNewReceiver() {
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Secrets: []webhooks.Secret{hookToken},
		Handle: func(_ context.Context, e *webhooks.Event) error {
			for _, transfer := range e.Enhanced.NativeTransfers {
				fmt.Println(transfer.Lamports, "lamports for", transfer.ToUserAccount)
			}
			return nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("POST /transfers", receiver)

	fmt.Println(postTransfer(mux, hookToken))
	fmt.Println(postTransfer(mux, hookToken), "for a duplicate")
	fmt.Println(postTransfer(mux, "another secret"), "for a wrong secret")
	// Output:
	// 1500000000 lamports for 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY
	// 200
	// 200 for a duplicate
	// 401 for a wrong secret
}

// To rotate a secret, accept both, change the webhook, and then remove the old one.
func ExampleNewReceiver_rotation() {
	const old, current = "Bearer 1f0e41d0b7c5", "Bearer 93d7a8f2c604"
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Secrets: []webhooks.Secret{current, old},
		Handle:  func(context.Context, *webhooks.Event) error { return nil },
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(postTransfer(receiver, old), postTransfer(receiver, current))
	// Output:
	// 200 200
}

// ErrSkip acknowledges an event that can never be handled, which is logged. With any
// other error, the service delivers it again.
func ExampleNewReceiver_skip() {
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Secrets: []webhooks.Secret{hookToken},
		Handle: func(_ context.Context, e *webhooks.Event) error {
			if e.Enhanced.Events.Swap == nil {
				return fmt.Errorf("%s: %w", e.Enhanced.Type, webhooks.ErrSkip)
			}
			return nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(postTransfer(receiver, hookToken))
	// Output:
	// 200
}

// A backfill without a webhook.
func ExampleClient_Backfill() {
	ctx := context.Background()
	hooks, err := webhooks.New(fake.Config()) // or types.Config{APIKey: types.Key(key)}
	if err != nil {
		log.Fatal(err)
	}
	err = hooks.Backfill(ctx, webhooks.BackfillConfig{
		Handle: func(_ context.Context, e *webhooks.Event) error {
			fmt.Println(e.Slot, e.Enhanced.Type)
			return nil
		},
		Settings: webhooks.Settings{
			Type:             webhooks.TypeEnhanced,
			TransactionTypes: []txtype.Type{txtype.Swap},
			AccountAddresses: []types.Address{fake.WalletAddress},
		},
		SinceSlot: 343_600_000,
	})
	if err != nil {
		log.Print(err) // some events were not handled
	}
	// Output:
	// 344069945 SWAP
	// 344112233 SWAP
}

// ParseEvents decodes stored events again.
func ExampleParseEvents() {
	events, err := webhooks.ParseEvents([]byte(oneTransfer))
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range events {
		fmt.Println(e.Slot, e.BlockTime.UTC().Format(time.RFC3339), e.Enhanced.Type)
	}
	// Output:
	// 312000000 2025-01-01T00:00:00Z TRANSFER
}

// An empty Secret matches nothing, not even a request without the header.
func ExampleSecret_Matches() {
	secret := webhooks.Secret(hookToken)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !secret.Matches(r.Header.Get("Authorization")) {
			w.WriteHeader(http.StatusUnauthorized)
		}
	})
	fmt.Println(postTransfer(handler, hookToken), postTransfer(handler, "another secret"))
	fmt.Println(secret, webhooks.Secret("").Matches(""))
	// Output:
	// 200 401
	// *** false
}
