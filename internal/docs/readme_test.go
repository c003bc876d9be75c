package docs_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/docs/hosts"
	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/wallet"
	"github.com/solwire/solwire-go/webhooks"
)

// The names that the snippets take for granted.
const (
	key             = fake.Key
	owner, delegate = types.Address(fake.Wallet), types.Address(fake.Delegate)
	secret          = webhooks.Secret("known to the service and to us")
	unknown         = types.Address("4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R")
	holder          = types.Address(fake.Owner)
)

var (
	ctx = context.Background()
	cfg = types.Config{APIKey: key}
)

func TestMain(m *testing.M) { hosts.Main(m) }

// show runs a snippet and prints its error.
func show(snippet func() error) {
	if err := snippet(); err != nil {
		fmt.Println(err)
	}
}

func Example_firstCall() {
	show(func() error {
		wallets, err := wallet.New(types.Config{APIKey: key})
		if err != nil {
			return err
		}
		page, err := wallets.Balances(ctx, "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY", &wallet.BalancesOptions{Limit: 3})
		if err != nil {
			return err
		}
		for _, b := range page.Items {
			fmt.Println(b.Symbol, b.Amount)
		}
		return nil
	})
	// Output:
	// SOL 1523.754213877
	// USDC 25310.123456
	// JitoSOL 120.000000001
}

func Example_devnet() {
	devnet := cfg
	devnet.RPCURL = types.DevnetRPCURL
	fmt.Println(devnet.RPCURL, cfg.RPCURL == "")
	// Output:
	// https://devnet.helius-rpc.com true
}

func Example_items() {
	show(func() error {
		var total decimal.Decimal
		wallets, err := wallet.New(cfg)
		if err != nil {
			return err
		}
		for b, err := range wallets.AllBalances(ctx, owner, nil) {
			if err != nil {
				return err
			}
			total = total.Add(b.USDValue.Decimal)
		}
		fmt.Println(total.StringFixed(2))
		return nil
	})
	// Output:
	// 355060.51
}

// A program that crashes after every third page and starts again.
func Example_resume() {
	var (
		saved    string
		done     bool
		accounts int
		crash    = errors.New("crash")
	)
	client, err := compressed.New(cfg)
	if err != nil {
		fmt.Println(err)
	}
	walk := func() error {
		pages := 0
		store := func(items []compressed.Account, cursor string) error {
			accounts += len(items)
			saved = cursor
			pages++
			if pages == 3 {
				return crash
			}
			return nil
		}
		owner := holder
		opts := &compressed.AccountsByOwnerOptions{Cursor: saved}
		for page, err := range client.AccountsByOwnerPages(ctx, owner, opts) {
			if err != nil {
				return err
			}
			if err := store(page.Items, page.Cursor); err != nil {
				return err
			}
		}
		done = true
		return nil
	}
	for !done {
		err := walk()
		fmt.Println(accounts, err)
	}
	// Output:
	// 3000 crash
	// 3500 <nil>
}

func Example_errors() {
	wallets, err := wallet.New(cfg)
	if err != nil {
		fmt.Println(err)
	}
	look := func(ctx context.Context, owner types.Address) error {
		who, err := wallets.Identity(ctx, owner)
		var refused *types.APIError
		switch {
		case errors.Is(err, types.ErrNotFound):
			fmt.Println("nobody knows")
		case errors.As(err, &refused):
			fmt.Println(refused.Op, refused.StatusCode, refused.Message, refused.Attempts)
		case err != nil:
			return err // such as a connection that broke, or a context that ended
		default:
			fmt.Println(who.Name)
		}
		return nil
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	fmt.Println(look(ctx, "toly.sol"))
	fmt.Println(look(ctx, unknown))
	fmt.Println(look(canceled, owner))
	wallets, err = wallet.New(types.Config{APIKey: fake.ExpiredKey})
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(look(ctx, owner))
	// Output:
	// toly.sol
	// <nil>
	// nobody knows
	// <nil>
	// GET /v1/wallet/86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY/identity: context canceled
	// GET /v1/wallet/86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY/identity 401 API key required. Pass via ?api-key=xxx or X-Api-Key header 1
	// <nil>
}

func Example_prices() {
	wallets, err := wallet.New(cfg)
	if err != nil {
		fmt.Println(err)
	}
	page, err := wallets.Balances(ctx, owner, &wallet.BalancesOptions{Limit: 4, Page: 42}) // the last is without a price
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, b := range page.Items {
		if b.PricePerToken.Valid {
			fmt.Println(b.Symbol, b.PricePerToken.Decimal)
		}
	}
	// Output:
	// 30.5
	// ATTO 0.000000123456
	// MITE 0.03
}

func Example_receiver() {
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Secrets: []webhooks.Secret{secret}, // the AuthHeader of the webhook
		Handle: func(ctx context.Context, e *webhooks.Event) error {
			fmt.Println(e.Enhanced.Type, e.Enhanced.Description)
			return nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	service := fake.New()
	hooks, err := webhooks.New(service.Config())
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = hooks.Create(ctx, webhooks.Settings{
		URL:              "https://example.com/events",
		Type:             webhooks.Enhanced,
		TransactionTypes: []txtype.Type{txtype.Any},
		AccountAddresses: []types.Address{owner},
		AuthHeader:       secret,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	courier := fake.Courier{
		Service:   service,
		Client:    &http.Client{Transport: fake.Handler(receiver)},
		Duplicate: 1, // each of them twice
	}
	courier.Deliver(ctx, fake.TransferEvent(1, fake.Wallet), fake.SwapEvent(2, fake.Wallet))
	// Unordered output:
	// TRANSFER 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY transferred 3.519 SOL to HPno5MB3HaxEBErgrGsD3ntk9rzp5WFr8haMW1DfcSFd.
	// SWAP 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY swapped 826 USDC for 5.782 SOL
}

func Example_logger() {
	os.Stderr = os.Stdout
	var cfg types.Config
	cfg.Logger = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	fmt.Println(cfg.Logger.Enabled(ctx, slog.LevelDebug))
	// Output:
	// true
}
