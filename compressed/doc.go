// Package compressed reads compressed Solana accounts (ZK compression) through the
// compression API of Helius: accounts and tokens, the transactions that changed them,
// and the proofs that a transaction needs to change them again.
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
// The hash of a compressed account identifies one state of it: every change spends the account
// and creates another one with a new hash. Account and Accounts do not find a spent hash. An
// address stays the same, but most accounts do not have one, and token accounts never do.
//
// # Listings
//
// A listing is a method that returns a list. Read it by item with All, by page with Pages
// or Page, or into a slice with Collect. Requests are lazy: after break, no further page
// is requested.
//
//	for account, err := range client.AccountsByOwner(ctx, owner, nil).All() {
//		if err != nil {
//			return err
//		}
//		fmt.Println(account.Hash, account.Lamports)
//	}
//
// To resume a listing, also in another process, set the Cursor of the options to the Cursor of
// the last page you handled. Store HasMore too. Where it is false, do not resume: the last page has
// no Cursor, and a listing without one starts over. A Cursor ends with "~" and a mark: with another
// method, address, mint or Filters, it fails with types.ErrInvalid instead of skipping items. To
// send it to the service yourself, remove the "~" and the mark.
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
// A listing is not a snapshot. An account that changes while you iterate may be missed, or be
// listed twice, under two hashes. The Slot of a page is the last slot that the indexer had
// processed. A commitment cannot be set.
//
// # Incomplete listings
//
// Some indexers sort the accounts of an owner by leaf index, while their cursors compare hashes
// (seen on Photon 0.51). Such cursors skip accounts and repeat others: in pages of 1000, a
// listing of 3500 accounts returns only 1200 to 1800 of them. [Client.AccountsByOwner] detects
// this on the second page. It then requests one page of 1000. If that has all accounts, the
// listing is complete, whatever its Limit; otherwise it ends with types.ErrIncomplete. An owner of
// exactly 1000 such accounts gets this error too.
//
// Set Filters that match fewer than 1000 accounts, or use package
// [github.com/solwire/solwire-go/compressed/partition]. It lists the accounts in parts that fit
// a page, for 257 requests or more.
//
// The check misses skipped accounts if the hashes of the first page ascend by chance. The first
// request asks for 10 accounts at least, so the probability is 1 in 3.6 million or less. After a
// Cursor without its mark, nothing is checked against earlier pages: pass the Cursor of a page
// as it is.
//
// The listings of all other methods are sorted. If a page breaks their order, the listing ends
// with types.ErrIncomplete.
//
// # Filters
//
// The service compares the data of accounts with the filters, which saves pages and
// credits. An account has to match all of them:
//
//	opts := &compressed.AccountsByOwnerOptions{
//		Filters: []types.Filter{types.MemcmpAddress(0, mint)},
//	}
//
// # Versions
//
// Many methods of the service exist in two versions. Version 2 supports trees of both versions
// and says more about them. The client calls version 2, and version 1 where the service lacks
// it. It detects this once per method. [Client.WithVersion] selects a version. The results have
// the same types.
//
// [AddressTreeV1] is the address tree of version 1, and the default of a [NewAddress]. An
// address in another tree needs version 2. The comment of [Client.ValidityProof] says which
// trees can be proven together.
//
// # Reading recent changes
//
// The indexer follows the chain with a delay. To see the changes of a transaction, wait for its
// slot first. Requests may reach different indexers: with [Client.WithMinSlot], a read of an
// older state fails with [ErrNotIndexed].
//
//	if err := client.WaitForSlot(ctx, slot); err != nil {
//		return err
//	}
//
// # Errors
//
// Error responses are a *types.APIError. With errors.Is, errors of the indexer may also
// match one of types.ErrNotFound, [ErrNotIndexed], [ErrNodeBehind] and [ErrRefused].
// Invalid arguments fail with types.ErrInvalid before anything is sent.
//
// # Cost and limits
//
// A request costs 10 credits, whatever the size of its page, so the default of 1000
// items per page is the cheapest. A validity proof costs 100 credits.
//
// The service sends at most 10 MiB per response. A page beyond that fails with
// types.ErrTooLarge: set a lower Limit or a DataSlice.
package compressed
