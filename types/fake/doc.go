// Package fake is a fake of the Helius API for tests and examples: Solana wallets,
// token accounts, compressed accounts, webhooks and their deliveries. It runs in the
// process of the test, without a network and without a key.
//
// A whole program:
//
//	// Holdings prints the three most valuable holdings of a wallet of the fake.
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//
//		"github.com/solwire/solwire-go/types/fake"
//		"github.com/solwire/solwire-go/wallet"
//	)
//
//	func main() {
//		wallets, err := wallet.New(fake.Config()) // types.Config{APIKey: key} for the service
//		if err != nil {
//			log.Fatal(err)
//		}
//		opts := &wallet.BalancesOptions{Limit: 3}
//		page, err := wallets.Balances(context.Background(), fake.WalletAddress, opts).Page()
//		if err != nil {
//			log.Fatal(err)
//		}
//		for _, b := range page.Items {
//			fmt.Println(b.Symbol, b.Amount)
//		}
//	}
//
// [New] returns a [Service] with your own data. It records its requests, and they can be
// made to fail:
//
//	service := fake.New(&fake.Options{World: &fake.World{
//		Wallets: []fake.Wallet{{Address: owner, SOL: decimal.NewFromInt(2)}},
//	}})
//	service.Fail("GET /v1/wallet/{wallet}/balances", 2, fake.RateLimited(2*time.Second))
//	wallets, err := wallet.New(service.Config())
//
// A Service needs no cleanup and starts no goroutines. In a bubble of testing/synctest it
// uses the fake clock of the bubble. Mistakes of the test, such as an invalid address in
// a World, are panics.
//
// # Operations
//
// Operations have the names that errors use: a JSON-RPC method, or an HTTP method and a
// route, such as GET /v1/wallet/{wallet}/history.
//
// The Wallet API, webhooks, compressed accounts by owner, compressed token accounts
// by delegate and token accounts by delegate are simulated. These methods know the
// wallets of the [World], their token accounts and their transactions:
//
//	getBalance, getAccountInfo, getMultipleAccounts, getTokenAccountBalance
//	getTokenAccountsByOwner (and V2), getTokenAccounts, getTokenSupply, getTokenLargestAccounts
//	getCompressedTokenAccountsByOwner, getCompressedTokenBalancesByOwner (and V2)
//	getCompressedMintTokenHolders
//	getSignaturesForAddress, getTransaction, getTransactionsForAddress, getTransfersByAddress
//	getSignatureStatuses, getSlot, getBlockTime
//
// A wallet has one token account for each token, or those of World.TokenAccounts. The
// supply of a mint is the sum of its token accounts. Compressed tokens of
// World.CompressedTokenAccounts are part of it, in a token account of
// compressed.TokenPoolOwner. The generated ones of DelegateAddress are not: their amounts
// are arbitrary.
//
// Other methods that only read, such as getBlock, do not know the World: each has one
// response for each encoding, taken from documentation and from captured exchanges,
// whatever its other arguments. Only dataSlice and the filters of getProgramAccounts (and
// V2) apply. An address or signature that the World does not know gets such a response
// too, if the World has a preset; otherwise it does not exist.
//
// # Errors
//
// To make a call fail with an error that errors.Is recognizes:
//
//	types.ErrUnauthorized     service.Fail(op, 1, fake.Unauthorized()), or APIKey "expired-key"
//	types.ErrNotFound         service.Fail(op, 1, fake.NotFound())
//	types.ErrRateLimited      service.FailShare(op, 1, fake.RateLimited(time.Second))
//	types.ErrQuotaExceeded    service.Fail(op, 1, fake.QuotaExceeded())
//	types.ErrTooLarge         service.Fail(op, 1, fake.TooLarge())
//	*types.BatchError         service.Fail(op, 2, fake.Status(400)), if inputs take two requests
//	types.ErrIncomplete       service.Fail(op, 1, fake.Incomplete()), for a listing
//	types.ErrInvalid          an invalid argument; nothing is sent
//	context.DeadlineExceeded  service.Fail(op, 1, fake.Hang())
//	*types.APIError           service.FailShare(op, 1, fake.Status(500))
//
// Transient failures are retried, so a single one does not reach the caller. Set
// Config.MaxAttempts to 1 to see it.
//
// Code that takes an iterator instead of a client needs no fake: [Items] returns an
// iterator over a slice, which may end with an error.
package fake
