package docs_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/wallet"
	"github.com/solwire/solwire-go/webhooks"
)

// What the snippets of the documentation do not declare.
const (
	key             = fake.Key
	owner, delegate = fake.WalletAddress, fake.DelegateAddress
	holder          = fake.OwnerAddress
	unknown         = types.Address("4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R")
	secret          = webhooks.Secret("known to the service and to us")
)

var (
	ctx = context.Background()
	cfg = types.Config{APIKey: key}
)

// show runs a snippet and prints its error.
func show(snippet func() error) {
	if err := snippet(); err != nil {
		fmt.Println(err)
	}
}

func Example_items() {
	show(func() error {
		var total decimal.Decimal
		wallets, err := wallet.New(cfg)
		if err != nil {
			return err
		}
		for b, err := range wallets.Balances(ctx, owner, nil).All() {
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

// A program that crashes after its third page and starts again.
func Example_resume() {
	var saved struct {
		Cursor  string
		HasMore bool
	}
	accounts, pages := 0, 0
	save := func(items []compressed.Account, cursor string, hasMore bool) error {
		if pages++; pages == 4 {
			return errors.New("crash")
		}
		accounts += len(items)
		saved.Cursor, saved.HasMore = cursor, hasMore
		return nil
	}
	owner := holder
	walk := func() error {
		client, err := compressed.New(cfg)
		if err != nil {
			return err
		}
		opts := &compressed.AccountsByOwnerOptions{Cursor: saved.Cursor}
		for page, err := range client.AccountsByOwnerPages(ctx, owner, opts) {
			if err != nil {
				return err
			}
			if err := save(page.Items, page.Cursor, page.HasMore); err != nil {
				return err
			}
		}
		return nil
	}
	fmt.Println(walk(), accounts, saved.HasMore)
	fmt.Println(walk(), accounts, saved.HasMore)
	// Output:
	// crash 3000 true
	// <nil> 3500 false
}

func Example_errors() {
	lookUp := func(ctx context.Context, cfg types.Config, name string) error {
		wallets, err := wallet.New(cfg)
		if err != nil {
			return err
		}
		id, err := wallets.Identity(ctx, name)
		var apiErr *types.APIError
		switch {
		case errors.Is(err, types.ErrNotFound):
			fmt.Println("unknown")
		case errors.As(err, &apiErr):
			fmt.Println(apiErr.Op, apiErr.StatusCode, apiErr.Message, apiErr.Attempts)
		case err != nil:
			return err // a broken connection, a cancelled context
		default:
			fmt.Println(id.Name)
		}
		return nil
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	fmt.Println(lookUp(ctx, cfg, "toly.sol"))
	fmt.Println(lookUp(ctx, cfg, string(unknown)))
	fmt.Println(lookUp(ctx, types.Config{APIKey: fake.ExpiredKey}, "toly.sol"))
	fmt.Println(lookUp(cancelled, cfg, "toly.sol"))
	// Output:
	// toly.sol
	// <nil>
	// unknown
	// <nil>
	// GET /v1/wallet/{wallet}/identity 401 API key required. Pass via ?api-key=xxx or X-Api-Key header 1
	// <nil>
	// GET /v1/wallet/{wallet}/identity: context canceled
}

func Example_receiver() {
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Secrets: []webhooks.Secret{secret}, // AuthHeader of the webhook
		Handle: func(ctx context.Context, e *webhooks.Event) error {
			fmt.Println(e.Enhanced.Type, e.Enhanced.Description)
			return nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	service := fake.New(nil)
	hooks, err := webhooks.New(service.Config())
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = hooks.Create(ctx, webhooks.Settings{
		URL:              "https://example.com/events",
		Type:             webhooks.TypeEnhanced,
		TransactionTypes: []txtype.Type{txtype.Any},
		AccountAddresses: []types.Address{owner},
		AuthHeader:       secret,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	twice := &fake.Delivery{Handler: receiver, Duplicate: 1}
	service.Deliver(ctx, twice, service.Transfer(owner, fake.ExchangeAddress, 3_519_000_000))
	// Output:
	// TRANSFER 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY transferred 3.519 SOL to HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664.
}

func TestFaultInTheReadme(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		require.NoError(t, func() error {
			service := fake.New(nil)
			service.Fail("GET /v1/wallet/{wallet}/balances", 2, fake.RateLimited(2*time.Second))
			wallets, err := wallet.New(service.Config())
			if err != nil {
				return err
			}
			for range 2 {
				if _, err := wallets.Balances(t.Context(), owner, nil).Page(); err != nil {
					return err
				}
			}
			require.Len(t, service.Requests(), 3)
			return nil
		}())
	})
}
