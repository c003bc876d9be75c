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
//		"github.com/solwire/solwire-go/types"
//		"github.com/solwire/solwire-go/types/fake"
//		"github.com/solwire/solwire-go/wallet"
//	)
//
//	func main() {
//		wallets, err := wallet.New(fake.Config()) // or types.Config{APIKey: types.Key(key)}
//		if err != nil {
//			log.Fatal(err)
//		}
//		opts := &wallet.BalancesOptions{PageOptions: types.PageOptions{Limit: 3}}
//		page, err := wallets.Balances(context.Background(), fake.WalletAddress, opts).Page()
//		if err != nil {
//			log.Fatal(err)
//		}
//		for _, b := range page.Items {
//			fmt.Println(b.Symbol, b.Amount)
//		}
//	}
//
// [New] returns a [Service] with your own data. It records requests, and can make them fail:
//
//	service := fake.New(&fake.Options{World: &fake.World{
//		Wallets: []fake.Wallet{{Address: owner, SOL: decimal.NewFromInt(2)}},
//	}})
//	service.Fail("GET /v1/wallet/{wallet}/balances", 2, fake.RateLimited(2*time.Second))
//	wallets, err := wallet.New(service.Config())
//
// A Service needs no cleanup and starts no goroutines. In a bubble of testing/synctest it uses the
// fake clock of the bubble. A mistake of the test panics, such as an invalid address in a World.
//
// # Operations
//
// Operations have the names that errors use: a JSON-RPC method, or an HTTP method and a
// route, such as GET /v1/wallet/{wallet}/history.
//
// All responses are views of the [World]: balances, histories, holders, supplies, blocks, NFTs with
// their proofs, compressed accounts and webhooks agree with each other. Whatever the World lacks is
// not found. A wallet has one token account for each token, or the token accounts in
// World.TokenAccounts. The supply of a mint is the sum of its token accounts; the supply of wrapped
// SOL is 0. Compressed tokens are part of the supply, in a token account of
// compressed.TokenPoolOwner. The World has the transactions that opened its compressed accounts.
// The proofs of NFTs can be verified; the proofs of compressed accounts are made up.
//
// These facts of the chain are the same in every World: getBlockCommitment, getClusterNodes,
// getFirstAvailableBlock, getHealth, getIdentity, getInflationGovernor, getLeaderSchedule,
// getPriorityFeeEstimate, getSlotLeader, getSlotLeaders, getStakeMinimumDelegation, getVersion
// and minimumLedgerSlot. So are getBlockProduction, getInflationRate and getVoteAccounts, apart
// from slots and epochs.
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
//	*types.ItemError          World.Patches, for single items of responses, streams and deliveries
//	*types.BatchError         service.Fail(op, 2, fake.Status(400)), if inputs take two requests
//	types.ErrIncomplete       service.Fail(op, 1, fake.Incomplete()), for a listing
//	types.ErrInvalid          an invalid argument; nothing is sent
//	context.DeadlineExceeded  service.Fail(op, 1, fake.Hang())
//	*types.APIError           service.FailShare(op, 1, fake.Status(500))
//
// Transient failures are retried, so a single one does not reach the caller. Set
// Config.MaxAttempts to 1 to see it.
//
// Code that takes a [types.List] instead of a client needs no fake: [List] makes one from a slice
// and an error.
package fake
