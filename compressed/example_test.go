package compressed_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math/big"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// The examples run against made-up data. A program of yours has a key here:
// types.Config{APIKey: types.Key(key)}.
var cfg = fake.Config()

// results is like cfg with these results of the next requests, in their order. Calls
// make one attempt, so that errors come at once.
func results(all ...string) types.Config {
	service := fake.New(nil)
	for i, result := range all {
		service.Fail("", i+1, fake.Fault{Body: `{"jsonrpc":"2.0","id":null,"result":` + result + `}`})
	}
	cfg := service.Config()
	cfg.MaxAttempts = 1
	return cfg
}

// failing is like cfg with a failure of the next request.
func failing(f fake.Fault) types.Config {
	service := fake.New(nil)
	service.Fail("", 1, f)
	cfg := service.Config()
	cfg.MaxAttempts = 1
	return cfg
}

func Example() {
	ctx := context.Background()
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	var accounts, waiting int
	for account, err := range client.AccountsByOwner(ctx, fake.ProgramAddress, nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		accounts++
		if account.Seq == nil {
			waiting++
		}
	}
	fmt.Printf("%d accounts, %d of them waiting to be inserted into their tree\n", accounts, waiting)
	// Output:
	// 60 accounts, 12 of them waiting to be inserted into their tree
}

// A program that stops after a page, and continues later. It stores HasMore too, since
// a listing without a Cursor starts over.
func ExampleClient_AccountsByOwner_resume() {
	ctx := context.Background()
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	saved := struct {
		Cursor  string
		HasMore bool
	}{HasMore: true}
	accounts := 0
	for saved.HasMore { // each time as if the program was started again
		opts := &compressed.AccountsByOwnerOptions{PageOptions: types.PageOptions{Cursor: saved.Cursor}}
		for page, err := range client.AccountsByOwner(ctx, fake.OwnerAddress, opts).Pages() {
			if err != nil {
				log.Fatal(err)
			}
			accounts += len(page.Items)
			saved.Cursor, saved.HasMore = page.Cursor, page.HasMore
			break
		}
		fmt.Println(accounts, "accounts, more:", saved.HasMore)
	}
	// Output:
	// 1000 accounts, more: true
	// 2000 accounts, more: true
	// 3000 accounts, more: true
	// 3500 accounts, more: false
}

// A page may be larger than the 10 MiB that the service sends.
func ExampleClient_AccountsByOwner_tooLarge() {
	ctx := context.Background()
	client, err := compressed.New(failing(fake.TooLarge()))
	if err != nil {
		log.Fatal(err)
	}
	page, err := client.AccountsByOwner(ctx, fake.OwnerAddress, nil).Page()
	if errors.Is(err, types.ErrTooLarge) {
		page, err = client.AccountsByOwner(ctx, fake.OwnerAddress, &compressed.AccountsByOwnerOptions{PageOptions: types.PageOptions{Limit: 100}}).Page()
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(page.Items), "accounts")
	// Output:
	// 100 accounts
}

func ExampleClient_AccountsByOwner() {
	ctx := context.Background()
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	var richest compressed.Account
	for account, err := range client.AccountsByOwner(ctx, fake.OwnerAddress, &compressed.AccountsByOwnerOptions{PageOptions: types.PageOptions{Prefetch: true}}).All() {
		if err != nil {
			log.Fatal(err)
		}
		if account.Lamports > richest.Lamports {
			richest = account
		}
	}
	fmt.Println(richest.Hash, "has", richest.Lamports)
	// Output:
	// 3wxFkuUn1RxJzW7D1McBBBNn5L6QUpbBRM3eFbgBEHL9 has 9007199254744400
}

func ExampleClient_TokenAccountsByDelegate() {
	ctx := context.Background()
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	frozen := map[types.Address]int{}
	for item, err := range client.TokenAccountsByDelegate(ctx, fake.DelegateAddress, nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		if item.TokenData.State == types.TokenStateFrozen {
			frozen[item.TokenData.Mint]++
		}
	}
	for mint, n := range frozen {
		fmt.Println(mint, n)
	}
	// Unordered output:
	// USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA 58
	// 2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo 42
	// EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v 8
	// Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB 25
	// HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr 75
}

// The sum of amounts may exceed uint64.
func ExampleClient_TokenAccountsByDelegate_sum() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	total := new(big.Int)
	usdc := &compressed.TokenListingOptions{Mint: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"}
	for item, err := range client.TokenAccountsByDelegate(context.Background(), fake.DelegateAddress, usdc).All() {
		if err != nil {
			log.Fatal(err)
		}
		total.Add(total, new(big.Int).SetUint64(item.TokenData.RawAmount))
	}
	fmt.Println(total, total.IsUint64())
	// Output:
	// 36048788077912898 true
}
