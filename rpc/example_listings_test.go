package rpc_test

import (
	"fmt"
	"log"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// twoPages are pages of a listing whose first account is on both, since it changed.
var twoPages = []string{
	`{"context":{"slot":5},"value":{"accounts":[
		{"pubkey":"GG5aSuQszHXUqC1q44A5sEL7ZckDqoJ1ft5A6cYotc1","account":{"lamports":1,"owner":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"}},
		{"pubkey":"2VScuowXzticjh3GktmsooXzkjCftLrE3AUu2YvNA5aP","account":{"lamports":2,"owner":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"}}],
		"paginationKey":"after2"}}`,
	`{"context":{"slot":6},"value":{"accounts":[
		{"pubkey":"GG5aSuQszHXUqC1q44A5sEL7ZckDqoJ1ft5A6cYotc1","account":{"lamports":9,"owner":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"}}],
		"paginationKey":null}}`,
}

func ExampleClient_ProgramAccounts() {
	// counters at 3
	opts := &rpc.ProgramAccountsOptions{Filters: []types.Filter{types.DataSize(40), types.Memcmp(32, []byte{3})}}
	for item, err := range client.ProgramAccounts(ctx, fake.ProgramAddress, opts).All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(item.Address, item.Account.Lamports)
	}
	// Output:
	// 87t8TsKxqyEWDHNMF4cwhcTnE2Cb3QAifapZo3GNyetW 1169280
}

// A program that stops after a page, and continues later. It stores HasMore too, since
// a listing without a Cursor starts over.
func ExampleClient_ProgramAccounts_resume() {
	client, err := rpc.New(results(twoPages...))
	if err != nil {
		log.Fatal(err)
	}
	saved := struct {
		Cursor  string
		HasMore bool
	}{HasMore: true}
	for saved.HasMore { // each time as if the program was started again
		opts := &rpc.ProgramAccountsOptions{}
		opts.Cursor = saved.Cursor
		for page, err := range client.ProgramAccounts(ctx, types.TokenProgram, opts).Pages() {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(len(page.Items), "accounts; more:", page.HasMore)
			saved.Cursor, saved.HasMore = page.Cursor, page.HasMore
			break
		}
	}
	// Output:
	// 2 accounts; more: true
	// 1 accounts; more: false
}

func ExampleClient_TransactionsForAddress() {
	opts := &rpc.TransactionsForAddressOptions{
		SinceSlot: 334_000_000,
		UntilSlot: 336_000_000, // a listing that ends in the past gives the same result every time
		Outcome:   types.OutcomeSucceeded,
	}
	for t, err := range client.TransactionsForAddress(ctx, "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY", opts).All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("slot", t.Slot, "version", t.Version, "fee", t.Meta.FeeLamports)
	}
	// Output:
	// slot 335991993 version legacy fee 5000
	// slot 335745518 version legacy fee 5000
	// slot 335025415 version legacy fee 5000
}

func ExampleClient_TransactionSignaturesForAddress() {
	opts := &rpc.TransactionsForAddressOptions{TokenAccounts: types.TokenAccountHistoryChanged}
	page, err := client.TransactionSignaturesForAddress(ctx, fake.WalletAddress, opts).Page()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(page.Items), "transactions, more:", page.HasMore)
	// Output:
	// 298 transactions, more: false
}

func ExampleClient_TransfersByAddress() {
	opts := &rpc.TransfersByAddressOptions{SinceSlot: 343_000_000, UntilSlot: 344_000_000}
	for transfer, err := range client.TransfersByAddress(ctx, fake.WalletAddress, opts).All() {
		if err != nil {
			log.Fatal(err)
		}
		name := string(transfer.Mint)
		if transfer.Mint.IsNativeSOL() {
			name = "SOL"
		}
		fmt.Println(transfer.Type, transfer.UIAmountString, "of", name)
	}
	// Output:
	// transfer 924.626006472382 of Gwmg8XpefX5xKr3eGDDHWhBKREcyBwmgvb4uZVYqL8hS
	// transfer 0.000835471 of SOL
}
