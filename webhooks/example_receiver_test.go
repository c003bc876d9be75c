package webhooks_test

import (
	"context"
	"fmt"
	"iter"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
)

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
	server := httptest.NewServer(receiver) // use https
	defer server.Close()
	service := fake.New()
	hooks, err := webhooks.New(service.Config()) // or types.Config{APIKey: key}
	if err != nil {
		log.Fatal(err)
	}
	_, err = hooks.Create(ctx, webhooks.Settings{
		URL:              server.URL,
		Type:             webhooks.TypeEnhanced,
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

func ExampleClient_Backfill() {
	ctx := context.Background()
	service := fake.New()
	service.Happen(fake.SwapEvent(1, fake.Wallet), fake.TransferEvent(2, fake.Wallet), fake.SwapEvent(3, fake.Wallet))
	hooks, err := webhooks.New(service.Config()) // or types.Config{APIKey: key}
	if err != nil {
		log.Fatal(err)
	}
	report, err := hooks.Backfill(ctx, webhooks.BackfillConfig{
		Handle: func(_ context.Context, e *webhooks.Event) error {
			fmt.Println(e.Slot, e.Enhanced.Type)
			return nil
		},
		Seen: &store{}, // or a sqlseen.Store
		Settings: webhooks.Settings{ // or the ID of a webhook
			Type:             webhooks.TypeEnhanced,
			TransactionTypes: []txtype.Type{txtype.Swap},
			AccountAddresses: []types.Address{fake.Wallet},
		},
		SinceSlot: 312_000_000,
		UntilSlot: 312_100_000,
	})
	if err != nil {
		log.Print(err) // resume at report.Checkpoint
	}
	fmt.Println(report.Handled, "handled,", report.Filtered, "filtered, up to slot", report.Checkpoint)
	// Output:
	// 312000002 SWAP
	// 312000006 SWAP
	// 2 handled, 1 filtered, up to slot 312100000
}

func ExampleRawHistory() {
	ctx := context.Background()
	service := fake.New()
	service.Answer(200, `{"jsonrpc":"2.0","id":"1","result":{"data":[`+fake.TransferEvent(1, fake.Wallet).Raw+`],"paginationToken":null}}`)
	node, err := rpc.New(service.Config()) // or types.Config{APIKey: key}
	if err != nil {
		log.Fatal(err)
	}
	hooks, err := webhooks.New(service.Config())
	if err != nil {
		log.Fatal(err)
	}
	list := func(ctx context.Context, address types.Address, r webhooks.BackfillRange) iter.Seq2[*tx.Transaction, error] {
		opts := &rpc.HistoryOptions{Ascending: true, Since: r.Since}
		switch {
		case r.UntilSlot > 0:
			opts.Slots = rpc.FromTo(r.SinceSlot, r.UntilSlot-1)
		case r.SinceSlot > 0:
			opts.Slots = rpc.From(r.SinceSlot)
		}
		return func(yield func(*tx.Transaction, error) bool) {
			for t, err := range node.AllTransactionsForAddress(ctx, address, opts) {
				if !yield(&t, err) {
					return
				}
			}
		}
	}
	report, err := hooks.Backfill(ctx, webhooks.BackfillConfig{
		Handle: func(_ context.Context, e *webhooks.Event) error {
			fmt.Println(e.Slot, e.Raw.Meta.FeeLamports)
			return nil
		},
		Seen:      &store{}, // or a sqlseen.Store
		Settings:  webhooks.Settings{Type: webhooks.TypeRaw, AccountAddresses: []types.Address{fake.Wallet}},
		SinceSlot: 312_000_000,
		Raw:       list,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Handled, "handled")
	// Output:
	// 312000002 5000
	// 1 handled
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
	mux.Handle("/transfers", receiver)

	// The service posts the event twice.
	for range 2 {
		post := httptest.NewRequest(http.MethodPost, "/transfers", strings.NewReader(`[{
			"signature": "5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exv8kt2W",
			"type": "TRANSFER",
			"nativeTransfers": [{"toUserAccount": "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY", "amount": 1500000000}]
		}]`))
		post.Header.Set("Content-Type", "application/json")
		post.Header.Set("Authorization", hookToken)
		response := httptest.NewRecorder()
		mux.ServeHTTP(response, post)
		fmt.Println(response.Code)
	}
	// Output:
	// 1500000000 lamports for 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY
	// 200
	// 200
}

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

func ExampleParseEvents() {
	stored := []byte(`{"signature":"5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exv8kt2W",
		"slot":312000000,"timestamp":1735689600,"type":"SWAP","description":"5 USDC for 0.035 SOL"}`)
	events, err := webhooks.ParseEvents(stored)
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range events {
		fmt.Println(e.Slot, e.BlockTime.Format(time.RFC3339), e.Enhanced.Description)
	}
	// Output:
	// 312000000 2025-01-01T00:00:00Z 5 USDC for 0.035 SOL
}
