// Package compressed lists compressed accounts: accounts whose state is kept
// in Merkle trees instead of in accounts of their own.
//
// A whole program:
//
//	// Count prints how many compressed accounts an owner has, and the lamports in
//	// them.
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//		"os"
//
//		"github.com/solwire/solwire-go/compressed"
//		"github.com/solwire/solwire-go/types"
//	)
//
//	func main() {
//		client, err := compressed.New(types.Config{APIKey: os.Getenv("HELIUS_API_KEY")})
//		if err != nil {
//			log.Fatal(err)
//		}
//		var accounts int
//		var lamports uint64
//		owner := types.Address("BtJ5rdXcZs8hVqK2nTyWfMgPe7UDAoLx3Ri9GQk6uHSv")
//		for account, err := range client.AllAccountsByOwner(context.Background(), owner, nil) {
//			if err != nil {
//				log.Fatal(err)
//			}
//			accounts++
//			lamports += account.Lamports
//		}
//		fmt.Println(accounts, "accounts with", lamports, "lamports")
//	}
//
// Make a client once and use it from any number of goroutines.
//
// A listing is there page by page or item by item, and either way it is asked
// for as it is needed:
//
//	for account, err := range client.AllAccountsByOwner(ctx, owner, nil) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(account.Hash, account.Lamports)
//	}
//
// A long walk that should survive a crash goes page by page and keeps the
// cursor of the last page it has finished. An empty cursor means both the start
// and the end of a list, so the end needs a note of its own:
//
//	opts := &compressed.AccountsByOwnerOptions{Cursor: saved}
//	for page, err := range client.AccountsByOwnerPages(ctx, owner, opts) {
//		if err != nil {
//			return err
//		}
//		store(page.Items)
//		saved, done = page.Cursor, page.Cursor == ""
//	}
//
// Conditions on the data of an account save both pages and credits. They are
// checked by the service, and all of them must hold:
//
//	opts := &compressed.AccountsByOwnerOptions{
//		Filters: []compressed.Filter{compressed.Memcmp(0, mint)},
//	}
//
// Every request costs 10 credits, whatever the size of its page, so the default
// of 1000 items a page is also the cheapest.
//
// A listing is no snapshot. Accounts change while it is walked, and a changed
// account has a new hash: the hash is the identity of a compressed account, its
// address is not. The service knows no commitment for these listings; the slot
// of each page says how far it had read the chain.
package compressed
