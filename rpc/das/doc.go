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
// [Asset] has every member that the service documents. Amounts are exact. Prices are decimals:
// compare them with Equal, not with ==.
//
// Metadata comes from JSON documents of third parties and may have any shape. [Content] is this
// JSON, and methods such as [Content.Name] and [Content.Attributes] read the usual shape. Mint
// extensions, plugins and inscriptions are JSON with such methods too.
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
// The service lists the token accounts of a mint, for all token programs. They are not sorted
// by amount, and an owner may have several:
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
// compressed.Client.MintTokenHolders lists the amounts in compressed accounts. To add them, first
// delete compressed.TokenPoolOwner from the map: its accounts hold the tokens of all compressed
// accounts.
//
// To find out whether the listing missed accounts, compare the sum of all amounts, including
// TokenPoolOwner, with rpc.Client.TokenSupply. The amounts do not include withheld fees and
// confidential balances of Token-2022, and change if tokens are minted, moved or burnt. The
// supply of wrapped SOL is 0: do not divide by it.
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
// They return every asset once. The ranges are mixed, and each range costs its pages and one
// request.
//
// If a response would be too large for the service (code -32702), the listing continues with a
// smaller limit.
//
// Assets in the order [SortByID] are paged by cursor. Assets in other orders, editions and
// signatures are paged by number, so a change during a listing moves items between pages. An
// asset that moved to the next page is listed once. If an item is repeated elsewhere, others may
// be missing. The listing then ends with [types.ErrIncomplete]; start it again.
//
// To resume a listing, also in another process, set the Cursor of the options to the Cursor of
// the last page you handled. Leave the other options as they were. Store HasMore too: if it is
// false, do not resume. The last page has an empty Cursor, which starts the listing over. In
// another listing or order, a Cursor fails with types.ErrInvalid.
//
// # Incomplete listings
//
// A listing ends with [types.ErrIncomplete] if the service repeats or ignores a cursor, sends the
// wrong page, or sends IDs out of order.
//
// The service hides some assets: it counts them for the limit of a page, but does not send them.
// If all assets of a page are hidden, the page looks like the end of the listing, which then
// ends without an error. This is rare with the default Limit, and common with a Limit of 10 or
// less. With ShowGrandTotal, such a listing ends with ErrIncomplete, if the service knows the
// option. To list the other assets, use the default Limit, or list again in the other
// SortDirection.
//
// # Proofs
//
// [Client.Proof] returns the Merkle proof of a compressed NFT. Every change in the tree changes
// the root, so request a proof right before you use it:
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
