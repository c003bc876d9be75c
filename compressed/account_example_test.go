package compressed_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/golden"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

func ExampleClient_Account() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	account, err := client.Account(context.Background(), "2NKz9jGZmhzkVnRFuUTaLVcK5JWbqXuKKsYr2Y8PDs87")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(account.Lamports, "lamports at leaf", account.LeafIndex, "of tree", account.Tree)
	fmt.Println("waits to be inserted into the tree:", account.ProveByIndex)
	// Output:
	// 6 lamports at leaf 6 of tree CMhzGqsREAJ1uGPf98FUnK884E212zqU9ixobRjvqJsB
	// waits to be inserted into the tree: true
}

// A change replaces the hash of an account, but not its address.
func ExampleClient_Account_spent() {
	ctx := context.Background()
	body, _ := golden.Answer("compressed/getCompressedAccountV2-address")
	service := fake.New(nil)
	service.Fail("", 1, fake.Fault{Code: -32000, Message: "Record Not Found: Account not found"})
	service.Fail("", 2, fake.Fault{Body: strings.Replace(string(body), `"id":"1"`, `"id":null`, 1)})
	client, err := compressed.New(service.Config())
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Account(ctx, "2NKz9jGZmhzkVnRFuUTaLVcK5JWbqXuKKsYr2Y8PDs87")
	fmt.Println(errors.Is(err, types.ErrNotFound), err)
	account, err := client.AccountByAddress(ctx, "7uoCbHA4UvjgSHucLeTuzyti7Sw5QHDaq2V25FcedKWV")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(account.Hash)
	// Output:
	// true getCompressedAccountV2 of 2NKz9jGZmhzkVnRFuUTaLVcK5JWbqXuKKsYr2Y8PDs87: code -32000: Record Not Found: Account not found (unknown, spent or not indexed yet)
	// 2NKz9jGZmhzkVnRFuUTaLVcK5JWbqXuKKsYr2Y8PDs87
}

func ExampleClient_AccountByAddress() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	account, err := client.AccountByAddress(context.Background(), "7uoCbHA4UvjgSHucLeTuzyti7Sw5QHDaq2V25FcedKWV")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(account.Owner, account.Lamports)
	// Output:
	// 6zJZ83dyiBGS1oCrFXkWcdsTq8KgJDX5C49WKHCQ6fdT 6
}

func ExampleClient_Accounts() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	hashes := []types.Hash{"2NKz9jGZmhzkVnRFuUTaLVcK5JWbqXuKKsYr2Y8PDs87", "9WKm2pSc69L8PNa2YZ5szPM6ptbbVqNiCESyS76h3fKt"}
	accounts, err := client.Accounts(context.Background(), hashes)
	if err != nil {
		log.Fatal(err)
	}
	for i, account := range accounts {
		if account == nil {
			fmt.Println(hashes[i], "is unknown or spent")
			continue
		}
		fmt.Println(hashes[i], "has", account.Lamports, "lamports")
	}
	// Output:
	// 2NKz9jGZmhzkVnRFuUTaLVcK5JWbqXuKKsYr2Y8PDs87 has 6 lamports
	// 9WKm2pSc69L8PNa2YZ5szPM6ptbbVqNiCESyS76h3fKt is unknown or spent
}

func ExampleClient_AccountsByAddress() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	addresses := []types.Address{"7uoCbHA4UvjgSHucLeTuzyti7Sw5QHDaq2V25FcedKWV", "9WKm2pSc69L8PNa2YZ5szPM6ptbbVqNiCESyS76h3fKt"}
	accounts, err := client.AccountsByAddress(context.Background(), addresses)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(accounts[0].Hash, accounts[1] == nil)
	// Output:
	// 2NKz9jGZmhzkVnRFuUTaLVcK5JWbqXuKKsYr2Y8PDs87 true
}

func ExampleClient_Balance() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	lamports, err := client.Balance(context.Background(), "2zegR9LX5hwy52E9VdvzYiAUtvaoFLHAYB4ecEa8QJuy")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(lamports)
	// Output:
	// 18446744073709551615
}

func ExampleClient_BalanceByAddress() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	lamports, err := client.BalanceByAddress(context.Background(), "7uoCbHA4UvjgSHucLeTuzyti7Sw5QHDaq2V25FcedKWV")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(lamports)
	// Output:
	// 18446744073709551615
}

func ExampleClient_BalanceByOwner() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	lamports, err := client.BalanceByOwner(context.Background(), "BEXisBt161X9d4Bd4oVfbUK6LmQEkTJD4odmZkf52G5D")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(lamports)
	// Output:
	// 18446744073709551615
}

func ExampleClient_TokenAccountBalance() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	amount, err := client.TokenAccountBalance(context.Background(), "32rC465oTvBmdKWhV39RGDo3vc5Hs6CVZ2HLxNNkR9op")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(amount)
	// Output:
	// 18446744073709551615
}
