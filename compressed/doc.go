// Package compressed reads compressed Solana accounts (ZK compression) through the compression
// API of Helius. It returns accounts and tokens, and the transactions that changed them. It also
// returns the proofs that a transaction needs to change them again.
//
// A whole program:
//
//	// Count prints how many compressed accounts an owner has, and how many of them
//	// hold lamports.
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
//		client, err := compressed.New(types.Config{APIKey: types.Key(os.Getenv("HELIUS_API_KEY"))})
//		if err != nil {
//			log.Fatal(err)
//		}
//		var accounts, funded int
//		owner := types.Address("BtJ5rdXcZs8hVqK2nTyWfMgPe7UDAoLx3Ri9GQk6uHSv")
//		for account, err := range client.AccountsByOwner(context.Background(), owner, nil).All() {
//			if err != nil {
//				log.Fatal(err)
//			}
//			accounts++
//			if account.Lamports > 0 {
//				funded++
//			}
//		}
//		fmt.Println(accounts, "accounts,", funded, "of them with lamports")
//	}
//
// Create a client once and share it between goroutines.
//
// # Always range with two variables
//
// A loop with one variable compiles too. It discards the error, so a failed listing
// looks like a complete one with a zero item at its end.
//
// # Hashes and addresses
//
// The hash of a compressed account identifies one state of it. Every change spends the account
// and creates it again with a new hash. Account and Accounts do not find spent hashes. An
// address stays the same, but most accounts have none, and token accounts never do.
//
// # Listings
//
// Read a list by item with All, by page with Pages or Page, or into a slice with Collect.
// Requests are lazy: after break, no further page is requested.
//
//	for account, err := range client.AccountsByOwner(ctx, owner, nil).All() {
//		if err != nil {
//			return err
//		}
//		fmt.Println(account.Hash, account.Lamports)
//	}
//
// To resume a listing, also in another process, set the Cursor of the options to the Cursor of
// the last page you handled. Store HasMore too: if it is false, do not resume. The last page has
// an empty Cursor, which starts the listing over. Keep the method, address, mint and Filters:
// otherwise the Cursor fails with types.ErrInvalid. The part before the first "~" is the cursor
// of the service.
//
//	opts := &compressed.AccountsByOwnerOptions{PageOptions: types.PageOptions{Cursor: saved}}
//	for page, err := range client.AccountsByOwner(ctx, owner, opts).Pages() {
//		if err != nil {
//			return err
//		}
//		store(page.Items)
//		saved, done = page.Cursor, !page.HasMore
//	}
//
// A listing is not a snapshot. An account that changes during the listing may be missed, or be
// listed twice, under two hashes. The Slot of a page is the last slot that the indexer had
// processed. There is no option for a commitment.
//
// # Incomplete listings
//
// On some indexers (seen on Photon 0.51), the cursors of an owner's accounts skip accounts and
// repeat others. [Client.AccountsByOwner] detects this on the first page, by the order of the
// hashes. If fewer than 1000 accounts match, the listing is still complete, and a Limit costs at
// most one more request. Otherwise it ends with types.ErrIncomplete after the first page.
//
// In that case, set Filters that match fewer than 1000 accounts, or use package
// [github.com/solwire/solwire-go/compressed/partition]. It lists the accounts in parts that fit
// a page, for 257 requests or more.
//
// The check misses such cursors if the hashes of the first page are in order by chance: once in
// 3.6 million listings, or less often.
//
// The listings of all other methods are sorted. If a page breaks their order, the listing ends
// with types.ErrIncomplete.
//
// # Filters
//
// The service compares the data of accounts with the filters, which saves pages and credits.
// Offset 0 is the first byte after the discriminator. An account has to match all filters:
//
//	opts := &compressed.AccountsByOwnerOptions{
//		Filters: []types.Filter{types.MemcmpAddress(0, mint)},
//	}
//
// # Versions
//
// State trees hold the hashes of accounts, and address trees their addresses. Both exist in two
// versions. In version 2, the hash of a new account first waits in an output queue. Until it is
// in the tree, the account needs no Merkle proof: its LeafIndex proves it.
//
// Many methods of the service exist in two versions too: [WireVersion1] supports trees of
// version 1, and [WireVersion2] all trees. The client calls version 2 of a method if the service
// has it, and else version 1. It detects this once per method. The results have the same types.
// [Client.WithVersion] selects a version.
//
// # Reading recent changes
//
// The indexer follows the chain with a delay. To see the changes of a transaction, wait for its
// slot first. The next request may reach another indexer: with [Client.WithMinSlot], it fails with
// [ErrNotIndexed] if that indexer is behind.
//
//	if err := client.WaitForSlot(ctx, slot); err != nil {
//		return err
//	}
//	accounts, err := client.WithMinSlot(slot).AccountsByOwner(ctx, owner, nil).Collect(1000)
//
// # Errors
//
// An error response is a *types.APIError. With errors.Is, it may also match types.ErrNotFound,
// [ErrNotIndexed], [ErrNodeBehind] or [ErrRefused]. Invalid arguments fail with types.ErrInvalid
// before anything is sent.
//
// # Cost and limits
//
// A request costs 10 credits, whatever the size of its page. The default of 1000 items per page
// is the cheapest. A validity proof costs 100 credits.
//
// The service sends at most 10 MiB per response. A larger page fails with types.ErrTooLarge: set
// a lower Limit or a DataSlice.
package compressed
