// Package wallet tells about wallets: what they hold and held, what happened
// to them, and who is behind them.
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
//		wallets, err := wallet.New(types.Config{APIKey: os.Getenv("HELIUS_API_KEY")})
//		if err != nil {
//			log.Fatal(err)
//		}
//		opts := &wallet.BalancesOptions{Limit: 3}
//		page, err := wallets.Balances(context.Background(), "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY", opts)
//		if err != nil {
//			log.Fatal(err)
//		}
//		for _, b := range page.Items {
//			fmt.Println(b.Symbol, b.Amount)
//		}
//	}
//
// Make a client once and use it from any number of goroutines.
//
// A listing has three methods. One returns a page, such as Balances, History
// and Transfers:
//
//	page, err := wallets.Balances(ctx, owner, nil)
//
// One walks the pages, and one the items of all pages. Both ask as they go, so
// a loop that is left early costs no more than it saw:
//
//	for b, err := range wallets.AllBalances(ctx, owner, nil) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(b.Symbol, b.Amount)
//	}
//
// A long walk that should survive a crash goes page by page and keeps where the
// next one starts. That is a cursor for History and Transfers, and the number of
// the page plus one for Balances. An empty cursor means both the start and the
// end, so the end needs a note of its own. An empty cursor where there is more
// is neither, and the walk ends with an error:
//
//	opts := &wallet.HistoryOptions{Cursor: saved}
//	for page, err := range wallets.HistoryPages(ctx, owner, opts) {
//		if err != nil {
//			return err
//		}
//		store(page.Items)
//		saved, done = page.Cursor, !page.HasMore
//	}
//
// Amounts are decimals with every digit that the service sent. They are in whole
// tokens, and where there is a raw amount, it is in the token's smallest unit. A
// price may be unknown, which is not zero:
//
//	if b.USDValue.Valid {
//		total = total.Add(b.USDValue.Decimal)
//	}
//
// Native SOL has no mint, and the service writes three things in its place:
// types.SOL in a history, types.NativeSOLMint in transfers and for BalanceAt,
// and the mint of wrapped SOL in balances. The field Mint of each type says
// which of them it may hold. Never add up by mint alone.
//
// Symbols and names are chosen by whoever made a token. They may be anything,
// also the name of another token or control characters for a terminal.
//
// Who is behind a wallet may be unknown, which Identity reports as an error that
// matches types.ErrNotFound, or as an identity that is not Known. Identities
// asks for any number of wallets at once and has an entry for each, also where
// it could not ask for all of them:
//
//	all, err := wallets.Identities(ctx, addresses)
//	if err != nil {
//		log.Println(err)
//	}
//	for i, who := range all {
//		if who.Known() {
//			fmt.Println(addresses[i], who.Name)
//		}
//	}
//
// Every request costs 100 credits, whatever the size of its page, so the default
// of 100 items a page is also the cheapest. A plan allows so many requests in a
// second; a Limiter in the Config keeps a program below that. What a plan does
// not include is a *types.APIError with status 403. The service answers for
// mainnet only.
//
// The service calls these operations a beta. Members and words that this package
// does not know are ignored or passed through.
package wallet
