// Package das finds the NFTs and tokens of a Solana wallet, the assets of a collection and the
// holders of a token. It describes assets: name, image, owner, royalties and price. It calls the
// Digital Asset Standard (DAS) API of Helius.
//
// A whole program:
//
//	// Collection prints the assets of an NFT collection.
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//		"os"
//
//		"github.com/solwire/solwire-go/rpc/das"
//		"github.com/solwire/solwire-go/types"
//	)
//
//	func main() {
//		client, err := das.New(types.Config{APIKey: types.Key(os.Getenv("HELIUS_API_KEY"))})
//		if err != nil {
//			log.Fatal(err)
//		}
//		collection := types.Address("J1S9H3QjnRtBbbuD4HjPV6RpRhwuk4zKbxsnCHuTgh9w")
//		ctx := context.Background()
//		for asset, err := range client.AssetsByGroup(ctx, das.GroupCollection, collection, nil).All() {
//			if err != nil {
//				log.Fatal(err)
//			}
//			fmt.Println(asset.ID, asset.Content.Name(), asset.Content.Image())
//		}
//	}
//
// Create a client once and share it between goroutines. A request costs 10 credits.
// DAS requests have a separate rate limit: set a Limiter in the Config before you use
// Concurrency.
//
// # Always range with two variables
//
// A loop with one variable compiles too. It discards the error, so a failed listing
// looks like a complete one with a zero item at its end.
//
// # Assets
//
// [Asset] has every member that the service documents. Amounts are exact, and prices
// are decimals: compare them with Equal, not with ==. Metadata comes from JSON documents of
// third parties and may have any shape: [Content] is the JSON as it came, and methods such
// as [Content.Name] and [Content.Attributes] read the usual shape. Mint extensions, plugins
// and inscriptions are JSON with such methods too.
//
// The service lists some assets that it cannot show. For these, only the ID and
// [Asset.Problem] are set:
//
//	for asset, err := range client.AssetsByOwner(ctx, owner, nil).All() {
//		if err != nil {
//			return err
//		}
//		if asset.Problem != "" {
//			fmt.Println(asset.ID, "cannot be shown:", asset.Problem)
//			continue
//		}
//		fmt.Println(asset.ID, asset.Content.Name())
//	}
//
// # Holders of a token
//
// The service lists the token accounts of a mint, whichever token program it belongs
// to. They are not sorted by amount, and an owner may have several:
//
//	amounts := map[types.Address]uint64{}
//	listed := map[types.Address]bool{}
//	list := client.TokenAccounts(ctx, das.TokenAccountsFilter{Mint: mint}, nil)
//	for account, err := range list.All() {
//		if err != nil {
//			return err
//		}
//		if account.Problem != "" || listed[account.Address] {
//			continue // its amount is unknown, or it is listed twice
//		}
//		listed[account.Address] = true
//		amounts[account.Owner] += account.RawAmount
//	}
//
// Owners may have more of the token in compressed accounts, which
// compressed.Client.MintTokenHolders lists. To add both, first delete
// compressed.TokenPoolOwner from the map: its accounts hold the tokens of the
// compressed ones.
//
// To find out whether the listing missed accounts, compare the sum of all token
// accounts, including the accounts of TokenPoolOwner, with rpc.Client.TokenSupply, which is
// 0 for wrapped SOL: do not divide by it. They also differ if tokens were minted, moved or
// burnt during the listing, and by the withheld fees and the confidential balances of
// Token-2022, which amounts do not include.
//
// # Large listings
//
// A listing costs its pages, and one request that finds its end: a wallet with 2500 assets costs
// four requests, and an empty wallet one. Page costs one.
//
// With Concurrency, All and Collect request several ranges of IDs at the same time:
//
//	opts := &das.AssetsOptions{Concurrency: 4} // set a Limiter in the Config, too
//
// They return every asset once, the ranges mixed, each in the SortDirection. Each range costs
// its pages and one request. When a response would be too large for the service (code -32702),
// the listing continues with a smaller limit.
//
// Listings in the order [SortByID] are paged by cursor. Listings in other orders, editions
// and signatures are paged by number, so a change during a listing moves items between
// pages. Items that only moved to the next page are listed once. If an item comes twice
// elsewhere, the listing ends with [types.ErrIncomplete], since others may be missing; start
// it again.
//
// To resume a listing, also in another process, set the Cursor of the options to the
// Cursor of the last page you handled, and leave the other options as they were. Store
// HasMore too: it is false on the last page, and a listing without a Cursor starts over. In
// a listing of other assets, or in another order, the Cursor fails with types.ErrInvalid.
//
// # Incomplete listings
//
// A listing ends with [types.ErrIncomplete] when the service repeats a cursor, ignores it,
// sends another page than the requested one, or IDs out of order.
//
// Hidden assets are not found. The service applies the limit of a page first, and then removes
// assets that it cannot show at all. If it removes all of them, the page looks like the end of
// the listing, which then ends without an error. This happens only where all assets of a page
// are hidden: rarely with the default Limit, and often with a Limit of 10 or less. With
// ShowGrandTotal, such a listing ends with ErrIncomplete, without a further request, where the
// service knows the option. To list the assets behind the gap, use the default Limit or the
// other SortDirection, at the price of a second listing.
//
// # Proofs
//
// [Client.Proof] returns the Merkle proof of a compressed NFT, and [Proof.Verify]
// checks that it leads to its root. Every change in the tree changes the root, so
// request a proof right before you use it:
//
//	proof, err := client.Proof(ctx, asset.ID)
//	if err != nil {
//		return err
//	}
//	if err := proof.Verify(); err != nil {
//		return err
//	}
//	if proof.Leaf != asset.Compression.AssetHash {
//		return errors.New("the tree holds another leaf")
//	}
package das
