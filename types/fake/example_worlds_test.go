package fake_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"log"
	"time"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/wallet"
)

// numbered returns the i-th address.
func numbered(i int) types.Address {
	key := [32]byte{1}
	binary.BigEndian.PutUint64(key[8:], uint64(i))
	return types.AddressOf(key)
}

// A wallet with two NFTs of a collection, one of them compressed.
func ExampleWorld_nfts() {
	service := fake.New(&fake.Options{World: &fake.World{NFTs: []fake.NFT{
		{ID: cat, Owner: bob, Name: "Kits"},
		{Owner: ann, Name: "Kit 1", Collection: cat, Creators: []fake.Creator{{Address: bob, Share: 100, Verified: true}}},
		{Owner: ann, Name: "Kit 2", Collection: cat, Compressed: true},
	}}})
	assets, err := das.New(service.Config())
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	for a, err := range assets.AssetsByGroup(ctx, "collection", cat, nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(a.Content.Name(), a.Compression.Compressed)
		if a.Compression.Compressed {
			proof, err := assets.Proof(ctx, a.ID)
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println("proof:", proof.Verify())
		}
	}
	// Unordered output:
	// Kit 1 false
	// Kit 2 true
	// proof: <nil>
}

// A wallet with 20 000 tokens.
func ExampleWorld_manyTokens() {
	owner := fake.Wallet{Address: ann}
	for i := range 20_000 {
		owner.Tokens = append(owner.Tokens, fake.Token{Mint: numbered(i), Decimals: 2, Amount: decimal.NewFromInt(1), PriceUSD: decimal.NewFromInt(2)})
	}
	service := fake.New(&fake.Options{World: &fake.World{Wallets: []fake.Wallet{owner}}})
	wallets, err := wallet.New(service.Config())
	if err != nil {
		log.Fatal(err)
	}
	var total decimal.Decimal
	n := 0
	for b, err := range wallets.Balances(context.Background(), ann, &wallet.BalancesOptions{HideNative: true}).All() {
		if err != nil {
			log.Fatal(err)
		}
		n++
		total = total.Add(b.USDValue.Decimal)
	}
	fmt.Println(n, "tokens,", total, "US dollars,", len(service.Requests()), "requests")
	// Output: 20000 tokens, 40000 US dollars, 200 requests
}

// A token with 1 000 holders.
func ExampleWorld_holders() {
	world := &fake.World{}
	for i := range 1000 {
		world.TokenAccounts = append(world.TokenAccounts, fake.TokenAccount{Owner: numbered(i), Mint: cat, RawAmount: uint64(1 + i), Decimals: 6})
	}
	service := fake.New(&fake.Options{World: world})
	assets, err := das.New(service.Config())
	if err != nil {
		log.Fatal(err)
	}
	nodes, err := rpc.New(service.Config())
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	holders, err := assets.TokenAccounts(ctx, das.TokenAccountsFilter{Mint: cat}, nil).Collect(2000)
	if err != nil {
		log.Fatal(err)
	}
	supply, err := nodes.TokenSupply(ctx, cat, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(holders), "holders of", supply.UIAmountString)
	// Output: 1000 holders of 0.5005
}

// A month of history: 1 SOL comes in each day.
func ExampleWorld_history() {
	now := time.Date(2026, time.May, 1, 12, 0, 0, 0, time.UTC)
	world := &fake.World{Wallets: []fake.Wallet{{Address: ann, SOL: decimal.NewFromInt(50)}}}
	for day := range 30 {
		world.Transactions = append(world.Transactions, fake.Transaction{
			BlockTime: types.Time{Time: now.AddDate(0, 0, -day)},
			Transfers: []fake.Transfer{{From: bob, To: ann, Amount: decimal.NewFromInt(1)}},
		})
	}
	service := fake.New(&fake.Options{World: world, Clock: func() time.Time { return now }})
	wallets, err := wallet.New(service.Config())
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	history, err := wallets.History(ctx, ann, nil).Collect(100)
	if err != nil {
		log.Fatal(err)
	}
	past, err := wallets.BalanceAt(ctx, ann, types.NativeSOLMint, wallet.AtTime(now.AddDate(0, 0, -10)))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(history), "transactions; ten days ago", past.Amount, "SOL")
	// Output: 30 transactions; ten days ago 40 SOL
}
