package compressed_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
)

// The examples run against made-up data; a real Config has a key of the
// service: types.Config{APIKey: key}.
var (
	ctx   = context.Background()
	cfg   = fake.New().Config()
	owner = types.Address(fake.Owner)
)

func Example() {
	client, err := compressed.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	var accounts, lamports uint64
	for account, err := range client.AllAccountsByOwner(ctx, owner, nil) {
		if err != nil {
			log.Fatal(err)
		}
		accounts++
		lamports += account.Lamports >> 32
	}
	fmt.Println(accounts, "accounts")
	// Output: 3500 accounts
}
