// Package wallet reads Solana wallets through the Helius Wallet API: balances now and
// in the past, transaction history, transfers, identities and funding.
//
// A whole program:
//
//	// Holdings prints the three most valuable holdings of a wallet.
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//		"os"
//
//		"github.com/solwire/solwire-go/types"
//		"github.com/solwire/solwire-go/wallet"
//	)
//
//	func main() {
//		wallets, err := wallet.New(types.Config{APIKey: types.Key(os.Getenv("HELIUS_API_KEY"))})
//		if err != nil {
//			log.Fatal(err)
//		}
//		owner := types.Address("86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY")
//		opts := &wallet.BalancesOptions{PageOptions: types.PageOptions{Limit: 3}}
//		page, err := wallets.Balances(context.Background(), owner, opts).Page()
//		if err != nil {
//			log.Fatal(err)
//		}
//		for _, b := range page.Items {
//			fmt.Println(b.Symbol, b.Amount)
//		}
//	}
//
// Create a client once and share it between goroutines.
//
// # Always range with two variables
//
// A loop with one variable compiles too. It discards the error, so a failed listing
// looks like a complete one with a zero item at its end.
//
// # Listings
//
// Read a list by item with All, by page with Pages or Page, or into a slice with Collect.
// Requests are lazy: after break, no further page is requested.
//
//	for b, err := range wallets.Balances(ctx, owner, nil).All() {
//		if err != nil {
//			return err
//		}
//		fmt.Println(b.Symbol, b.Amount)
//	}
//
// To resume a listing, also in another process, set the Cursor of the options to the Cursor of
// the last page you handled. Leave the other options as they were. Store HasMore too: if it is
// false, do not resume. The last page has an empty Cursor, which starts the listing over. After a
// long break, read balances from the start instead: new prices change their order.
//
//	opts := &wallet.HistoryOptions{PageOptions: types.PageOptions{Cursor: saved}}
//	for page, err := range wallets.History(ctx, owner, opts).Pages() {
//		if err != nil {
//			return err
//		}
//		store(page.Items)
//		saved, done = page.Cursor, !page.HasMore
//	}
//
// A listing is not a snapshot. Histories and transfers omit transactions that follow the first
// request, and may miss transactions that are indexed late. Balances are sorted by value. If a
// trade or a new price changes the order during a listing, a balance may be missed and another
// one listed twice. Smaller pages make this more likely.
//
// Balances may show a transaction later than nodes do; how late is not documented. To see the
// effect of a transaction at once, use package rpc with the commitment that you waited for.
//
// # Time windows
//
// Since and Until limit a history or a list of transfers to a time window. Do not compare
// BlockTime in the loop instead: it is zero for the newest transactions.
//
// # Amounts
//
// Amounts are decimals in whole tokens, with every digit that the service sent. RawAmount is in
// the smallest unit. The service may round balances above 2^53 of the smallest unit:
// TokenAccountsByOwner of package rpc has the exact amounts. Compare decimals with their Equal,
// and balances with [Balance.Equal]: == compiles, but may be false for equal amounts.
//
// A price may be unknown, which is not zero. Print its Decimal: a decimal.NullDecimal prints as
// {142.37 true}.
//
//	if b.USDValue.Valid {
//		total = total.Add(b.USDValue.Decimal)
//	}
//
// Names and symbols are chosen by the creators of tokens. They may imitate other
// tokens or contain control characters.
//
// # Native SOL
//
// Native SOL has no mint. In its place, the service uses [types.SOL] in histories, and
// [types.NativeSOLMint] in transfers and BalanceAt. In balances and sometimes elsewhere, it uses
// [types.WrappedSOL], the mint of wrapped SOL. Do not sum amounts by mint alone: the sums of
// native and wrapped SOL would mix.
//
// # Identities
//
// Identities looks up any number of wallets and returns one element for each, even if
// some requests failed:
//
//	all, err := wallets.Identities(ctx, names)
//	if err != nil {
//		log.Println(err)
//	}
//	for i, who := range all {
//		if who.Known() {
//			fmt.Println(names[i], who.Name)
//		}
//	}
//
// The service caches domain names: for two hours after a sale, a name may resolve to
// the wallet of the previous owner.
//
// # Cost and limits
//
// Every request costs 100 credits, whatever the size of its page. The default is the largest
// page, and the cheapest. Set a Limiter in the Config to stay below the requests per second of a
// plan. The Free plan does not include Identity, Identities and FundedBy: they fail with status
// 403.
//
// The API is a beta and exists on mainnet only. Unknown members of a response are
// ignored, and unknown values of types such as [IdentityType] pass through.
package wallet
