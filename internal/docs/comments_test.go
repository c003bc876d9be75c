package docs_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/enhanced"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/wallet"
	"github.com/solwire/solwire-go/webhooks"
)

// The fragments of the package comments, in their order. Where they print much,
// a printer stands for fmt.

type printer struct{ lines []string }

func (p *printer) Println(values ...any) { p.lines = append(p.lines, fmt.Sprint(values...)) }

func TestCommentOfWallet(t *testing.T) {
	var fmt printer
	require.NoError(t, func() error {
		wallets, err := wallet.New(cfg)
		if err != nil {
			return err
		}
		page, err := wallets.Balances(ctx, owner, nil).Page()
		if err != nil {
			return err
		}
		for b, err := range wallets.Balances(ctx, owner, nil).All() {
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
		for page, err := range wallets.History(ctx, owner, opts).Pages() {
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
		addresses := []string{"HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664", string(unknown), "toly.sol"}
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

func TestCommentOfCompressed(t *testing.T) {
	const mint types.Address = "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"
	var fmt printer
	require.NoError(t, func() error {
		owner := holder
		client, err := compressed.New(cfg)
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
				saved, done = page.Cursor, !page.HasMore
			}
		}
		require.Equal(t, 3500, stored)
		require.True(t, done)
		require.Empty(t, saved)
		opts := &compressed.AccountsByOwnerOptions{
			Filters: []compressed.Filter{compressed.MemcmpAddress(0, mint)},
		}
		page, err := client.AccountsByOwner(ctx, owner, opts)
		if err != nil {
			return err
		}
		require.Less(t, len(page.Items), stored)
		return nil
	}())
}

func TestCommentOfRPC(t *testing.T) {
	const mint = types.Address("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
	var fmt printer
	require.NoError(t, func() error {
		client, err := rpc.New(cfg)
		if err != nil {
			return err
		}
		for item, err := range client.AllTokenAccountsByDelegate(ctx, delegate, nil) {
			if err != nil {
				return err
			}
			fmt.Println(item.Address, item.Account.Owner)
		}
		require.Greater(t, len(fmt.lines), 20)
		opts := &rpc.TokenAccountsOptions{
			Encoding:  rpc.EncodingBase64,
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

func TestCommentOfDAS(t *testing.T) {
	var fmt printer
	require.NoError(t, func() error {
		client, err := das.New(cfg)
		if err != nil {
			return err
		}
		for asset, err := range client.AllAssetsByOwner(ctx, owner, nil) {
			if err != nil {
				return err
			}
			if asset.Err != "" {
				fmt.Println(asset.ID, "cannot be shown:", asset.Err)
				continue
			}
			fmt.Println(asset.ID, asset.Content.Name())
		}
		require.NotEmpty(t, fmt.lines)
		const mint types.Address = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
		amounts := map[types.Address]uint64{}
		listed := map[types.Address]bool{}
		for account, err := range client.AllTokenAccounts(ctx, das.ByMint(mint), nil) {
			if err != nil {
				return err
			}
			if account.Err != "" || listed[account.Address] {
				continue // its amount is unknown, or it is listed twice
			}
			listed[account.Address] = true
			amounts[account.Owner] += account.RawAmount
		}
		require.NotEmpty(t, amounts)
		asset, err := client.Asset(ctx, owner, nil)
		if err != nil {
			return err
		}
		held, err := client.Proof(ctx, asset.ID)
		if err != nil {
			return err
		}
		asset.Compression.AssetHash = held.Leaf
		proof, err := client.Proof(ctx, asset.ID)
		if err != nil {
			return err
		}
		if err := proof.Verify(); err != nil {
			return err
		}
		if proof.Leaf != asset.Compression.AssetHash {
			return errors.New("the asset is not what the tree holds")
		}
		return nil
	}())
}

func TestCommentOfWebhooks(t *testing.T) {
	const another = holder
	var saved []string
	save := func(ctx context.Context, tx enhanced.Transaction) error {
		saved = append(saved, tx.Description)
		return ctx.Err()
	}
	require.NoError(t, func() error {
		service := fake.New(nil)
		hooks, err := webhooks.New(service.Config())
		if err != nil {
			return err
		}
		hook, err := hooks.Create(ctx, webhooks.Settings{
			URL:              "https://example.com/swaps",
			Type:             webhooks.TypeEnhanced,
			TransactionTypes: []txtype.Type{txtype.Swap},
			AccountAddresses: []types.Address{owner},
			AuthHeader:       secret,
		})
		if err != nil {
			return err
		}
		changed, err := hooks.AddAddresses(ctx, hook.ID, another)
		if err != nil {
			return err // changed is nil, and hook is still valid
		}
		changed, err = hooks.Update(ctx, changed.ID, func(s *webhooks.Settings) error {
			s.TransactionTypes = append(s.TransactionTypes, txtype.NFTSale)
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, []types.Address{owner, another}, changed.AccountAddresses)
		require.Equal(t, []txtype.Type{txtype.Swap, txtype.NFTSale}, changed.TransactionTypes)
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
		service.Deliver(ctx, &fake.Delivery{Handler: http.DefaultServeMux}, service.Transfer(owner, holder, 1), service.Swap(owner))
		require.Len(t, saved, 1, "only the swap")
		return missed(t, service, hooks, hook)
	}())
}

func TestCommentOfFake(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cfg := fake.Config()
		wallets, err := wallet.New(cfg)
		require.NoError(t, err)
		page, err := wallets.Balances(t.Context(), fake.WalletAddress, nil).Page()
		require.NoError(t, err)
		require.NotEmpty(t, page.Items)
	})
	synctest.Test(t, func(t *testing.T) {
		const owner types.Address = "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R"
		service := fake.New(&fake.Options{World: &fake.World{
			Wallets: []fake.Wallet{{Address: owner, SOL: decimal.NewFromInt(2)}},
		}})
		service.Fail("GET /v1/wallet/{wallet}/balances", 2, fake.RateLimited(2*time.Second))
		wallets, err := wallet.New(service.Config())
		require.NoError(t, err)
		for range 2 {
			page, err := wallets.Balances(t.Context(), owner, nil).Page()
			require.NoError(t, err)
			require.Equal(t, "2", page.Items[0].Amount.String())
		}
		require.Len(t, service.Requests(), 3)
	})
}

// missed is the rest of the comment: a receiver whose Seen keeps slots.
func missed(t *testing.T, service *fake.Service, hooks *webhooks.Client, hook *webhooks.Webhook) error {
	t.Helper()
	var fmt printer
	const address = owner
	created := time.Now()
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Secrets: []webhooks.Secret{secret},
		Handle:  func(context.Context, *webhooks.Event) error { return nil },
		Seen:    &latest{},
	})
	require.NoError(t, err)
	service.Deliver(ctx, &fake.Delivery{Handler: receiver}, service.Swap(owner))
	service.Deliver(ctx, &fake.Delivery{Handler: receiver, Drop: 1}, service.Swap(owner))
	slot, err := receiver.SafeSlot(ctx)
	if err != nil {
		return err
	}
	report, err := hooks.Backfill(ctx, webhooks.BackfillConfig{
		Receiver:  receiver,
		Webhook:   hook.ID,
		SinceSlot: slot,
		Since:     created, // used if slot is 0: no event was handled yet
	})
	if err != nil {
		return err
	}
	log.Printf("backfill: %+v", *report)
	require.Positive(t, report.Handled)
	for t, err := range hooks.AllHistory(ctx, address, nil) {
		if err != nil {
			return err
		}
		fmt.Println(t.BlockTime, t.Description)
	}
	return nil
}

// latest is a Seen that knows the latest event.
type latest struct {
	signature types.Signature
	slot      uint64
}

func (l *latest) Claim(_ context.Context, signature types.Signature, slot uint64) (bool, error) {
	if signature == l.signature {
		return false, nil
	}
	l.signature, l.slot = signature, slot
	return true, nil
}
func (*latest) Done(context.Context, types.Signature) error    { return nil }
func (*latest) Release(context.Context, types.Signature) error { return nil }
func (l *latest) SafeSlot(context.Context) (uint64, error)     { return l.slot, nil }
func (*latest) HoldSlot(context.Context, uint64) error         { return nil }
