package enhancedapi_test

import (
	"context"
	"fmt"
	"log"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/webhooks/enhancedapi"
)

// The result has one element for each signature, which is nil if the service does not
// return the transaction.
func ExampleClient_Transactions() {
	service := fake.New(nil)
	swap := service.Swap(fake.WalletAddress)
	client, err := enhancedapi.New(service.Config()) // or types.Config{APIKey: types.Key(key)}
	if err != nil {
		log.Fatal(err)
	}
	signatures := []types.Signature{
		swap.Signature(),
		"5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exv8kt2W",
	}
	list, err := client.Transactions(context.Background(), signatures, nil)
	if err != nil {
		log.Print(err) // some requests failed; the other results are valid
	}
	for i, t := range list {
		if t == nil {
			fmt.Println(i, "unknown")
		} else {
			fmt.Println(i, t.Type)
		}
	}
	// Output:
	// 0 SWAP
	// 1 unknown
}

func ExampleClient_History() {
	client, err := enhancedapi.New(fake.Config()) // or types.Config{APIKey: types.Key(key)}
	if err != nil {
		log.Fatal(err)
	}
	opts := &enhancedapi.HistoryOptions{Ascending: true, SinceSlot: 344_000_000, UntilSlot: 344_112_234}
	for t, err := range client.History(context.Background(), fake.WalletAddress, opts).All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(t.Slot, t.Type, t.Description)
	}
	// Output:
	// 344069945 SWAP 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY swapped 1649.27905 Bonk for 0.022378223 SOL
	// 344112233 SWAP 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY swapped 0.040656889 SOL for 3.192156933 SOL
}

// The last page is empty. A program stores HasMore with the cursor, to resume.
func ExampleClient_History_pages() {
	client, err := enhancedapi.New(fake.Config()) // or types.Config{APIKey: types.Key(key)}
	if err != nil {
		log.Fatal(err)
	}
	for page, err := range client.History(context.Background(), fake.WalletAddress, nil).Pages() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(page.Items), "transactions, more:", page.HasMore)
	}
	// Output:
	// 100 transactions, more: true
	// 100 transactions, more: true
	// 98 transactions, more: true
	// 0 transactions, more: false
}
