package compressed_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

func ExampleClient_Account() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	account, err := client.Account(context.Background(), "212gqJpZfyuwWQwx4NdbqiRGiFpxuXZUnZo3usaeLkUW")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(account.Lamports, "lamports at leaf", account.LeafIndex, "of tree", account.Tree)
	fmt.Println("waits to be inserted into the tree:", account.ProveByIndex)
	// Output:
	// 7270 lamports at leaf 0 of tree smt1NamzXdq4AMqS2fS2F1i5KTYPZRhoHgWx38d8WsT
	// waits to be inserted into the tree: false
}

// A change replaces the hash of an account, but not its address.
func ExampleClient_Account_spent() {
	ctx := context.Background()
	client, err := compressed.New(failing(fake.Fault{Code: -32000, Message: "Record Not Found: Account not found"}))
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Account(ctx, "212gqJpZfyuwWQwx4NdbqiRGiFpxuXZUnZo3usaeLkUW")
	fmt.Println(errors.Is(err, types.ErrNotFound), err)
	account, err := client.AccountByAddress(ctx, "211X3FxzwhzZ24q994NVo9gSWJ44SrhWjPkEwiGEWKFY")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(account.Hash)
	// Output:
	// true getCompressedAccountV2 of 212gqJpZfyuwWQwx4NdbqiRGiFpxuXZUnZo3usaeLkUW: code -32000: Record Not Found: Account not found (unknown, spent or not indexed yet)
	// 212gqJpZfyuwWQwx4NdbqiRGiFpxuXZUnZo3usaeLkUW
}

func ExampleClient_AccountByAddress() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	account, err := client.AccountByAddress(context.Background(), "211X3FxzwhzZ24q994NVo9gSWJ44SrhWjPkEwiGEWKFY")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(account.Owner, account.Lamports)
	// Output:
	// BtJ5rdXcZs8hVqK2nTyWfMgPe7UDAoLx3Ri9GQk6uHSv 7270
}

func ExampleClient_Accounts() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	hashes := []types.Hash{"212gqJpZfyuwWQwx4NdbqiRGiFpxuXZUnZo3usaeLkUW", "9WKm2pSc69L8PNa2YZ5szPM6ptbbVqNiCESyS76h3fKt"}
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
	// 212gqJpZfyuwWQwx4NdbqiRGiFpxuXZUnZo3usaeLkUW has 7270 lamports
	// 9WKm2pSc69L8PNa2YZ5szPM6ptbbVqNiCESyS76h3fKt is unknown or spent
}

func ExampleClient_AccountsByAddress() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	addresses := []types.Address{"211X3FxzwhzZ24q994NVo9gSWJ44SrhWjPkEwiGEWKFY", "9WKm2pSc69L8PNa2YZ5szPM6ptbbVqNiCESyS76h3fKt"}
	accounts, err := client.AccountsByAddress(context.Background(), addresses)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(accounts[0].Hash, accounts[1] == nil)
	// Output:
	// 212gqJpZfyuwWQwx4NdbqiRGiFpxuXZUnZo3usaeLkUW true
}

func ExampleClient_Balance() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	lamports, err := client.Balance(context.Background(), "212gqJpZfyuwWQwx4NdbqiRGiFpxuXZUnZo3usaeLkUW")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(lamports)
	// Output:
	// 7270
}

func ExampleClient_BalanceByAddress() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	lamports, err := client.BalanceByAddress(context.Background(), "211X3FxzwhzZ24q994NVo9gSWJ44SrhWjPkEwiGEWKFY")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(lamports)
	// Output:
	// 7270
}

func ExampleClient_BalanceByOwner() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	lamports, err := client.BalanceByOwner(context.Background(), fake.OwnerAddress)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(lamports)
	// Output:
	// 325509158419737373
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
	// 0
}
