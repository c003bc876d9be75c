// Count prints how many compressed accounts an owner has, and the lamports in
// them.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/types"
)

func main() {
	client, err := compressed.New(types.Config{APIKey: os.Getenv("HELIUS_API_KEY")})
	if err != nil {
		log.Fatal(err)
	}
	var accounts int
	var lamports uint64
	owner := types.Address("BtJ5rdXcZs8hVqK2nTyWfMgPe7UDAoLx3Ri9GQk6uHSv")
	for account, err := range client.AllAccountsByOwner(context.Background(), owner, nil) {
		if err != nil {
			log.Fatal(err)
		}
		accounts++
		lamports += account.Lamports
	}
	fmt.Println(accounts, "accounts with", lamports, "lamports")
}
