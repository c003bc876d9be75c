package docs_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/wallet"
	"github.com/solwire/solwire-go/webhooks"
)

// What the package comments show, in their order. A snippet that prints much
// prints to a printer that goes by the name of fmt.

type printer struct{ lines []string }

func (p *printer) Println(values ...any) { p.lines = append(p.lines, fmt.Sprint(values...)) }

func TestTutorialOfWallet(t *testing.T) {
	var fmt printer
	require.NoError(t, func() error {
		wallets, err := wallet.New(types.Config{APIKey: key})
		if err != nil {
			return err
		}
		page, err := wallets.Balances(ctx, owner, nil)
		if err != nil {
			return err
		}
		require.Len(t, page.Items, 100)
		for b, err := range wallets.AllBalances(ctx, owner, nil) {
			if err != nil {
				return err
			}
			fmt.Println(b.Symbol, b.Amount)
		}
		require.Greater(t, len(fmt.lines), 200)
		var saved string
		var done bool
		stored := 0
		store := func(items []wallet.Transaction) { stored += len(items) }
		opts := &wallet.HistoryOptions{Cursor: saved}
		for page, err := range wallets.HistoryPages(ctx, owner, opts) {
			if err != nil {
				return err
			}
			store(page.Items)
			saved, done = page.Cursor, !page.HasMore
		}
		require.Greater(t, stored, 200)
		require.True(t, done)
		require.Empty(t, saved)
		var total decimal.Decimal
		for _, b := range page.Items {
			if b.USDValue.Valid {
				total = total.Add(b.USDValue.Decimal)
			}
		}
		require.True(t, total.Equal(page.TotalUSDValue))
		fmt.lines = nil
		addresses := []types.Address{"HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664", unknown, "toly.sol"}
		all, err := wallets.Identities(ctx, addresses)
		if err != nil {
			log.Println(err)
		}
		for i, who := range all {
			if who.Known() {
				fmt.Println(addresses[i], who.Name)
			}
		}
		require.Len(t, fmt.lines, 2)
		return err
	}())
}

func TestTutorialOfCompressed(t *testing.T) {
	var fmt printer
	require.NoError(t, func() error {
		owner := holder
		client, err := compressed.New(types.Config{APIKey: key})
		if err != nil {
			return err
		}
		for account, err := range client.AllAccountsByOwner(ctx, owner, nil) {
			if err != nil {
				return err
			}
			fmt.Println(account.Hash, account.Lamports)
		}
		require.Len(t, fmt.lines, 3500)
		var saved string
		var done bool
		stored := 0
		store := func(items []compressed.Account) { stored += len(items) }
		{
			opts := &compressed.AccountsByOwnerOptions{Cursor: saved}
			for page, err := range client.AccountsByOwnerPages(ctx, owner, opts) {
				if err != nil {
					return err
				}
				store(page.Items)
				saved, done = page.Cursor, page.Cursor == ""
			}
		}
		require.Equal(t, 3500, stored)
		require.True(t, done)
		require.Empty(t, saved)
		mint := []byte{2} // what some accounts of this owner begin with
		opts := &compressed.AccountsByOwnerOptions{
			Filters: []compressed.Filter{compressed.Memcmp(0, mint)},
		}
		filtered := 0
		for account, err := range client.AllAccountsByOwner(ctx, owner, opts) {
			if err != nil {
				return err
			}
			require.Equal(t, mint, account.Data.Bytes[:1])
			filtered++
		}
		require.Positive(t, filtered)
		require.Less(t, filtered, stored)
		return nil
	}())
}

func TestTutorialOfRPC(t *testing.T) {
	const mint = types.Address("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
	var fmt printer
	require.NoError(t, func() error {
		client, err := rpc.New(types.Config{APIKey: key})
		if err != nil {
			return err
		}
		{
			list, err := client.TokenAccountsByDelegate(ctx, delegate, rpc.ByMint(mint), nil)
			if err != nil {
				return err
			}
			for _, item := range list.Items {
				if info := item.Account.Data.Parsed; info != nil {
					fmt.Println(info.Owner, info.DelegatedAmount.UIAmountString)
				}
			}
			require.Len(t, fmt.lines, len(list.Items))
		}
		ofOne := len(fmt.lines)
		require.Positive(t, ofOne)
		for item, err := range client.AllTokenAccountsByDelegate(ctx, delegate, nil) {
			if err != nil {
				return err
			}
			fmt.Println(item.Address, item.Account.Owner)
		}
		require.Greater(t, len(fmt.lines), 2*ofOne)
		opts := &rpc.TokenAccountsOptions{
			Encoding:  rpc.Base64,
			DataSlice: &types.DataSlice{Offset: 32, Length: 32}, // the owner
		}
		list, err := client.TokenAccountsByDelegate(ctx, delegate, rpc.ByMint(mint), opts)
		if err != nil {
			return err
		}
		owner, err := list.Items[0].Account.Data.Bytes()
		require.Len(t, owner, 32)
		return err
	}())
}

func TestTutorialOfWebhooks(t *testing.T) {
	const wallet, another = owner, holder
	var saved []string
	save := func(ctx context.Context, e *webhooks.EnhancedTransaction) error {
		saved = append(saved, e.Description)
		return ctx.Err()
	}
	require.NoError(t, func() error {
		service := fake.New()
		hooks, err := webhooks.New(service.Config())
		if err != nil {
			return err
		}
		hook, err := hooks.Create(ctx, webhooks.Settings{
			URL:              "https://example.com/swaps",
			Type:             webhooks.Enhanced,
			TransactionTypes: []txtype.Type{txtype.Swap},
			AccountAddresses: []types.Address{wallet},
			AuthHeader:       secret,
		})
		require.NoError(t, err)
		hook, err = hooks.AddAddresses(ctx, hook.ID, another)
		if err != nil {
			return err
		}
		hook, err = hooks.Update(ctx, hook.ID, func(s *webhooks.Settings) error {
			s.TransactionTypes = append(s.TransactionTypes, txtype.NFTSale)
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, []types.Address{wallet, another}, hook.AccountAddresses)
		require.Equal(t, []txtype.Type{txtype.Swap, txtype.NFTSale}, hook.TransactionTypes)
		receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
			Secrets: []webhooks.Secret{secret},
			Handle: func(ctx context.Context, e *webhooks.Event) error {
				return save(ctx, e.Enhanced)
			},
		})
		if err != nil {
			return err
		}
		http.Handle("POST /swaps", receiver)
		courier := fake.Courier{Service: service, Client: &http.Client{Transport: fake.Handler(http.DefaultServeMux)}}
		courier.Deliver(ctx, fake.TransferEvent(1, fake.Wallet), fake.SwapEvent(2, fake.Wallet))
		require.Len(t, saved, 1, "a swap")
		return nil
	}())
}
