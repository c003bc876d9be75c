package fake_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/wallet"
	"github.com/solwire/solwire-go/webhooks"
)

func Example() {
	cfg := fake.Config() // types.Config{APIKey: types.Key(key)} for the service
	wallets, err := wallet.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	page, err := wallets.Balances(context.Background(), fake.WalletAddress, nil).Page()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.Items[0].Amount, page.Items[0].Symbol)
	// Output: 1523.754213877 SOL
}

// The first page of a history fails once and is retried; the second one ends the walk.
func ExampleService_Fail() {
	service := fake.New(nil)
	service.Fail("GET /v1/wallet/{wallet}/history", 1, fake.Status(503))
	service.Fail("GET /v1/wallet/{wallet}/history", 3, fake.Unauthorized())
	wallets, err := wallet.New(service.Config())
	if err != nil {
		log.Fatal(err)
	}
	n := 0
	for _, err := range wallets.History(context.Background(), fake.WalletAddress, nil).All() {
		if err != nil {
			fmt.Println(n, "transactions, then:", errors.Is(err, types.ErrUnauthorized))
			break
		}
		n++
	}
	fmt.Println(len(service.Requests()), "requests")
	// Output:
	// 100 transactions, then: true
	// 3 requests
}

// A webhook is created, but the response does not arrive.
func ExampleLost() {
	service := fake.New(nil)
	service.Fail("POST /v0/webhooks", 1, fake.Lost())
	hooks, err := webhooks.New(service.Config())
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	_, err = hooks.Create(ctx, webhooks.Settings{
		URL: "https://example.com/hook", Type: webhooks.TypeRaw, AccountAddresses: []types.Address{fake.WalletAddress},
	})
	fmt.Println(err != nil)
	all, err := hooks.Webhooks(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(all), "webhook")
	// Output:
	// true
	// 1 webhook
}

func ExampleNew() {
	const ann, bob = "Ann1111111111111111111111111111111111111111", "Bob1111111111111111111111111111111111111111"
	service := fake.New(&fake.Options{World: &fake.World{
		Wallets: []fake.Wallet{
			{Address: ann, SOL: decimal.RequireFromString("2.5"), Identity: &fake.Identity{Name: "Ann"}},
		},
		Transactions: []fake.Transaction{
			{Transfers: []fake.Transfer{{From: ann, To: bob, Amount: decimal.NewFromInt(1)}}},
		},
	}})
	wallets, err := wallet.New(service.Config())
	if err != nil {
		log.Fatal(err)
	}
	page, err := wallets.History(context.Background(), bob, nil).Page()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(page.Items), "transaction of Bob,", page.Items[0].BalanceChanges[0].Amount, "SOL")
	// Output: 1 transaction of Bob, 1 SOL
}

// A receiver gets a transfer, and a swap twice.
func ExampleService_Deliver() {
	service := fake.New(nil)
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Secrets: []webhooks.Secret{"the secret"},
		Handle: func(_ context.Context, e *webhooks.Event) error {
			fmt.Println("handled", e.Enhanced.Type)
			return nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	transfer, swap := service.Transfer(fake.WalletAddress, fake.CollectorAddress, 1_000_000), service.Swap(fake.WalletAddress)
	report := service.Deliver(context.Background(), &fake.Delivery{Handler: receiver, AuthHeader: "the secret"}, transfer, swap, swap)
	fmt.Println(report.Acknowledged, "acknowledged")
	// Output:
	// handled TRANSFER
	// handled SWAP
	// 3 acknowledged
}

// A Service can be served on a port, for programs in any language.
func ExampleService_ServeHTTP() {
	server := httptest.NewServer(fake.New(nil))
	defer server.Close()
	resp, err := http.Get(server.URL + "/v1/wallet/toly.sol/identity?api-key=" + fake.Key)
	if err != nil {
		log.Fatal(err)
	}
	_ = resp.Body.Close()
	fmt.Println(resp.Status)
	// Output: 200 OK
}

// Code that takes a listing is tested without a fake, here with a listing that fails after its
// second item.
func ExampleList() {
	total := func(transfers types.List[wallet.Transfer]) (sum decimal.Decimal, err error) {
		for t, err := range transfers.All() {
			if err != nil {
				return sum, err
			}
			sum = sum.Add(t.Amount)
		}
		return sum, nil
	}
	two := decimal.NewFromInt(2)
	fmt.Println(total(fake.List([]wallet.Transfer{{Amount: two}, {Amount: two}}, types.ErrIncomplete)))
	// Output: 4 incomplete listing
}

// A World can be a file, such as a fixture that tests in several languages share.
func ExampleParseWorld() {
	world, err := fake.ParseWorld([]byte(`{"wallets": [{"address": "Ann1111111111111111111111111111111111111111", "sol": "2.5"}]}`))
	if err != nil {
		log.Fatal(err)
	}
	wallets, err := wallet.New(fake.New(&fake.Options{World: world}).Config())
	if err != nil {
		log.Fatal(err)
	}
	page, err := wallets.Balances(context.Background(), "Ann1111111111111111111111111111111111111111", nil).Page()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.Items[0].Amount, page.Items[0].Symbol)
	// Output: 2.5 SOL
}
