package partition_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/compressed/partition"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// The examples of partitioned walks run against an indexer whose cursors skip accounts.
var unsoundConfig = unsound(3500, 1).Service().Config()

func ExampleAccountsByOwner() {
	client, err := compressed.New(unsoundConfig)
	if err != nil {
		log.Fatal(err)
	}
	accounts := 0
	opts := &partition.Options{PageOptions: types.PageOptions{Prefetch: true}}
	for _, err := range partition.AccountsByOwner(context.Background(), client, fake.OwnerAddress, opts).All() {
		if errors.Is(err, types.ErrIncomplete) {
			log.Fatal("accounts may be missing: ", err)
		}
		if err != nil {
			log.Fatal(err)
		}
		accounts++
	}
	fmt.Println(accounts, "accounts")
	// Output:
	// 3500 accounts
}
