package fake_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// One transaction of a history cannot be read; the program continues with the others.
func ExampleWorld_unreadableItem() {
	const odd = "4oddTQnwSx3TnHdSiJLpdzDR9hP2sPmxRqJMzUUhmrDPhbNBjWZuiJTM1wcHW2HgSRGaXaLJ7XStnVyMJMBUbpdK"
	one := fake.Transfer{From: bob, To: ann, Amount: decimal.NewFromInt(1)}
	service := fake.New(&fake.Options{World: &fake.World{
		Transactions: []fake.Transaction{
			{Transfers: []fake.Transfer{one}},
			{Transfers: []fake.Transfer{one}, Signature: odd},
			{Transfers: []fake.Transfer{one}},
		},
		Patches: map[string]json.RawMessage{odd: json.RawMessage(`{"meta": {"fee": "none"}}`)},
	}})
	cfg := service.Config()
	cfg.OnItemError = func(e *types.ItemError) { fmt.Printf("%.6s… cannot be read at %s\n", e.ID, e.Path) }
	nodes, err := rpc.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	all, err := nodes.TransactionsForAddress(context.Background(), ann, nil).Collect(10)
	fmt.Println(len(all), "others,", err)
	// Output:
	// 4oddTQ… cannot be read at meta.fee
	// 2 others, <nil>
}
