// Package compressed reads compressed Solana accounts (ZK compression) through the
// compression API of Helius: accounts and tokens, the transactions that changed them,
// and the proofs that a transaction needs to change them again.
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
// Create a client once and share it between goroutines.
//
// # Always range with two variables
//
// A loop with one variable compiles too. It discards the error, so a failed walk
// looks like a complete one.
//
// # Hashes and addresses
//
// The hash of a compressed account identifies one state of it: every change spends
// the account and creates another one with a new hash. An address stays the same, but
// most accounts have none, and token accounts never do. A spent hash is not found.
//
// # Listings
//
// Each listing has three methods: AccountsByOwner returns one page,
// AccountsByOwnerPages iterates over the pages, and AllAccountsByOwner over the
// items of all pages. Requests are lazy, so break saves the remaining ones:
//
//	for account, err := range client.AllAccountsByOwner(ctx, owner, nil) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(account.Hash, account.Lamports)
//	}
//
// To resume a listing, also in another process, set the Cursor of the options to
// that of the last page that was handled, and leave the other options as they
// were. HasMore is false on the last page. Store that too: without a Cursor, a
// listing starts at the first page.
//
//	opts := &compressed.AccountsByOwnerOptions{Cursor: saved}
//	for page, err := range client.AccountsByOwnerPages(ctx, owner, opts) {
//		if err != nil {
//			return err
//		}
//		store(page.Items)
//		saved, done = page.Cursor, !page.HasMore
//	}
//
// A listing is not a snapshot. An account that changes during a walk may be missed,
// or be listed twice under two hashes: if ten of 5000 accounts change between any two
// pages, a walk misses about eight and lists eight twice. The Slot of a page is the
// last one that the indexer had processed; there is no commitment option.
//
// # Incomplete listings
//
// Some indexers list the accounts of an owner by leaf index, while their cursors
// compare hashes (seen on Photon 0.51). Following such cursors skips accounts and
// repeats others: of 3500 accounts, pages of 1000 return 1200 to 1800. The methods
// that list accounts by owner find that out. The page that shows it has an Err that
// matches types.ErrIncomplete, and walks end with this error after it, resumed ones
// too. The page itself is valid, and a single page that has all accounts is never
// reported.
//
// Filters that match fewer than 1000 accounts avoid the problem. If there are none,
// list the accounts in parts, by a byte of their data each, which needs at least 259
// requests:
//
//	plan, err := client.PlanPartitionedAccountsByOwner(ctx, owner, nil)
//	if err != nil {
//		return err
//	}
//	fmt.Println("this costs", 10*plan.Requests, "credits or more")
//	opts := &compressed.PartitionOptions{Offsets: plan.Offsets, Parallel: 4}
//	for account, err := range client.AllPartitionedAccountsByOwner(ctx, owner, opts) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(account.Hash)
//	}
//
// The other listings have a strict order. A page that breaks it, within itself or at
// its borders, has such an Err too.
//
// # Filters
//
// Filters compare the data of accounts on the server, which saves pages and
// credits. An account has to match all of them:
//
//	opts := &compressed.AccountsByOwnerOptions{
//		Filters: []compressed.Filter{compressed.MemcmpAddress(0, mint)},
//	}
//
// # Versions
//
// Many methods of the service exist in two versions, of which the second says more
// about the trees of accounts. The client calls the second one, and the first one
// where the service lacks it, which it finds out once per method.
// [Client.WithVersion] selects a version. Results have the same types in both.
//
// # Reading what was just written
//
// The indexer follows the chain with a delay. To see the changes of a transaction,
// wait for its slot first:
//
//	if err := client.WaitForSlot(ctx, slot); err != nil {
//		return err
//	}
//
// # Errors
//
// Refusals are a *types.APIError. Those of the indexer also match one of
// types.ErrNotFound, [ErrNotIndexed], [ErrNodeBehind] and [ErrRefused] with
// errors.Is. Arguments that cannot work, such as an invalid address or a negative
// limit, fail with types.ErrInvalid before anything is sent.
//
// # Cost and limits
//
// A request costs 10 credits, whatever the size of its page, so the default of 1000
// items per page is also the cheapest; a validity proof costs 100.
//
// The service sends at most 10 MiB per response. A page beyond that fails with
// types.ErrTooLarge: set a lower Limit or a DataSlice.
package compressed
