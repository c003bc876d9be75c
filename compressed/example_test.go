package compressed_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
)

// The examples run against a fake service. Your program sets its key instead:
// types.Config{APIKey: key}.
var cfg = fake.New().Config()

func Example() {
	ctx := context.Background()
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	var accounts, waiting int
	for account, err := range client.AllAccountsByOwner(ctx, fake.Program, nil) {
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

func ExampleClient_AccountsByOwner() {
	ctx := context.Background()
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	page, err := client.AccountsByOwner(ctx, fake.Owner, &compressed.AccountsByOwnerOptions{
		Limit:     3,
		DataSlice: &types.DataSlice{Offset: 1, Length: 8},
		Filters:   []compressed.Filter{compressed.Memcmp(0, []byte{2})},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, account := range page.Items {
		number := binary.LittleEndian.Uint64(account.Data.Bytes)
		fmt.Printf("%s has discriminator %x and number %d\n", account.Hash, account.Data.DiscriminatorBytes(), number)
	}
	// Output:
	// 212gqJpZfyuwWQwx4NdbqiRGiFpxuXZUnZo3usaeLkUW has discriminator 35e8ac92417f0bd6 and number 0
	// 214SstbHJ2SQFVhq1Cm77X8QFjS2kXNzdkH7XmA82Lp8 has discriminator 35e8ac92417f0bd6 and number 1
	// 219o3fDRef12F4hVF3bzH5E2J8MgDL5FSZQXF3C9yJf3 has discriminator 35e8ac92417f0bd6 and number 4
}

func ExampleClient_AccountsByOwnerPages() {
	ctx := context.Background()
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	for page, err := range client.AccountsByOwnerPages(ctx, fake.Owner, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d accounts as of slot %d\n", len(page.Items), page.Slot)
	}
	// Output:
	// 1000 accounts as of slot 344112233
	// 1000 accounts as of slot 344112233
	// 1000 accounts as of slot 344112233
	// 500 accounts as of slot 344112233
}

func ExampleClient_AccountsByOwnerPages_resume() {
	ctx := context.Background()
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	var accounts int
	var saved string
	for page, err := range client.AccountsByOwnerPages(ctx, fake.Owner, nil) {
		if err != nil {
			log.Fatal(err)
		}
		accounts += len(page.Items)
		saved = page.Cursor
		break // as if the program had crashed here
	}
	fmt.Println(accounts, "before the crash")

	rest := &compressed.AccountsByOwnerOptions{Cursor: saved}
	for page, err := range client.AccountsByOwnerPages(ctx, fake.Owner, rest) {
		if err != nil {
			log.Fatal(err)
		}
		accounts += len(page.Items)
	}
	fmt.Println(accounts, "in total")
	// Output:
	// 1000 before the crash
	// 3500 in total
}

func ExampleClient_AllAccountsByOwner() {
	ctx := context.Background()
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	var richest compressed.Account
	for account, err := range client.AllAccountsByOwner(ctx, fake.Owner, &compressed.AccountsByOwnerOptions{Prefetch: true}) {
		if errors.Is(err, types.ErrIncomplete) {
			log.Fatal("set filters: ", err)
		}
		if err != nil {
			log.Fatal(err)
		}
		if account.Lamports > richest.Lamports {
			richest = account
		}
	}
	fmt.Println(richest.Hash, "has", richest.Lamports)
	// Output:
	// 21SHmqXd5CsXKcFK9V1wTPRYWDT1vzeKBWCdF9LQqdVh has 18446744073709551615
}

func ExampleClient_TokenAccountsByDelegate() {
	ctx := context.Background()
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
	page, err := client.TokenAccountsByDelegate(ctx, fake.Delegate, &compressed.TokenAccountsByDelegateOptions{Mint: usdc, Limit: 3})
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range page.Items {
		fmt.Println(item.TokenData.Owner, item.TokenData.RawAmount, item.TokenData.State)
	}
	// Output:
	// EFsoC2LqwSdAopzX5Z24G3JZsWTThmTjBkBWQLPJof26 6 initialized
	// EdGhHd6XfacNZidK2BwkcgvDYXej2RVbQPTouLiJZioy 660643 initialized
	// HPz41xiYEs1j88rvEkXWUGuJHTD7kFDAAsERbsWn1nHB 3982436041 initialized
}

func ExampleClient_TokenAccountsByDelegatePages() {
	ctx := context.Background()
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	opts := &compressed.TokenAccountsByDelegateOptions{Prefetch: true} // requests the next page during the loop body
	for page, err := range client.TokenAccountsByDelegatePages(ctx, fake.Delegate, opts) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(page.Items), "token accounts, more:", page.HasMore)
	}
	// Output:
	// 1000 token accounts, more: true
	// 1000 token accounts, more: true
	// 500 token accounts, more: false
}

func ExampleClient_AllTokenAccountsByDelegate() {
	ctx := context.Background()
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	frozen := map[types.Address]int{}
	for item, err := range client.AllTokenAccountsByDelegate(ctx, fake.Delegate, nil) {
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
