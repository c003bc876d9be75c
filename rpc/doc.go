// Package rpc reads accounts, tokens, transactions, blocks and fees of Solana through
// the JSON-RPC API of Helius, exactly and in pages where lists are long.
//
// Questions, and the methods that answer them:
//
//   - what an account holds: [Client.Account], [Client.Accounts], [Client.Balance], [Client.Balances]
//   - which accounts a program has: [Client.AllProgramAccountsV2], [Client.ProgramAccounts]
//   - which tokens a wallet has: [Client.AllTokenAccountsByOwner], [Client.AllTokenAccountsByOwnerV2]
//   - what a delegate may spend: [Client.AllTokenAccountsByDelegate]
//   - about a token: [Client.TokenSupply], [Client.TokenLargestAccounts], [Data.Mint]
//   - what happened to an address: [Client.AllTransactionsForAddress],
//     [Client.AllTransactionSignaturesForAddress], [Client.AllTransfersByAddress], [Client.AllSignaturesForAddress]
//   - a transaction: [Client.Transaction], [Client.Transactions], [Client.SignatureStatuses]
//   - a block: [Client.Block], [Client.Blocks], [Client.BlockTime]
//   - what to pay: [Client.PriorityFeeEstimate], [Client.PriorityFeeLevels]
//   - the state of the chain: [Client.Slot], [Client.EpochInfo], [Client.LatestBlockhash], [Client.VoteAccounts]
//   - anything else: [Client.Call], [Client.Batch]
//
// A whole program:
//
//	// Allowed prints who lets a delegate spend how much of a token.
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//		"os"
//
//		"github.com/solwire/solwire-go/rpc"
//		"github.com/solwire/solwire-go/types"
//	)
//
//	func main() {
//		client, err := rpc.New(types.Config{APIKey: os.Getenv("HELIUS_API_KEY")})
//		if err != nil {
//			log.Fatal(err)
//		}
//		ctx := context.Background()
//		delegate := types.Address("4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T")
//		usdc := types.Address("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
//		list, err := client.TokenAccountsByDelegate(ctx, delegate, rpc.ByMint(usdc), nil)
//		if err != nil {
//			log.Fatal(err)
//		}
//		for _, item := range list.Items {
//			info, err := item.Account.Data.TokenAccount()
//			if err != nil {
//				log.Fatal(err)
//			}
//			fmt.Println(info.Owner, "allows", info.DelegatedAmount.UIAmountString)
//		}
//	}
//
// Create a client once and share it between goroutines.
//
// # Unknown accounts and transactions
//
// A single read of something that does not exist fails with an error that matches
// [types.ErrNotFound], such as an account, a transaction or the block of a skipped
// slot. A method that takes many inputs returns nil at the place of an unknown one,
// and a [BatchError] if some could not be read:
//
//	accounts, err := client.Accounts(ctx, addresses, nil)
//	var batch *rpc.BatchError
//	if err != nil && !errors.As(err, &batch) {
//		return err
//	}
//	for i, account := range accounts {
//		switch {
//		case batch != nil && batch.Errs[i] != nil:
//			fmt.Println(addresses[i], "could not be read:", batch.Errs[i])
//		case account == nil:
//			fmt.Println(addresses[i], "does not exist")
//		default:
//			fmt.Println(addresses[i], "has", account.Lamports, "lamports")
//		}
//	}
//
// A balance is the exception: that of an account that does not exist is 0.
//
// # Account data
//
// By default a node parses the data of accounts (jsonParsed), and [Data] keeps
// everything that it sent. [Data.TokenAccount], [Data.Mint], [Data.Stake], [Data.Nonce] and
// [Data.LookupTable] give a typed view of it. Data that the node cannot parse, and all
// data with another Encoding, comes as bytes, with a data slice as a part of them:
//
//	opts := &rpc.TokenAccountsOptions{
//		Encoding:  rpc.EncodingBase64,
//		DataSlice: &types.DataSlice{Offset: 32, Length: 32}, // the owner
//	}
//	list, err := client.TokenAccountsByDelegate(ctx, delegate, rpc.ByMint(mint), opts)
//	if err != nil {
//		return err
//	}
//	owner, err := list.Items[0].Account.Data.Bytes()
//
// # Token accounts
//
// One request lists the accounts of one mint or of one token program. All tokens
// of Solana belong to one of two programs, so a list of everything that a delegate
// may spend takes two requests, which AllTokenAccountsByDelegate makes:
//
//	for item, err := range client.AllTokenAccountsByDelegate(ctx, delegate, nil) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(item.Address, item.Account.Owner)
//	}
//
// # Always range with two variables
//
// A loop with one variable compiles too. It discards the error, so a failed walk
// looks like a complete one.
//
// # Listings in pages
//
// A listing of the service has three methods: one page, the iterator over its pages,
// and the iterator over its items, whose name starts with All. To resume a walk, also
// in another process, set the Cursor of the options to that of the last handled page.
// A page may be short or empty although more follow.
//
// To keep a copy of the accounts of a program up to date, list them once and then only
// those that changed since the slot of the first page of the previous walk:
//
//	opts := &rpc.ProgramAccountsV2Options{}
//	opts.ChangedSinceSlot = slot // 0 the first time
//	next := uint64(0)
//	for page, err := range client.ProgramAccountsV2Pages(ctx, program, opts) {
//		if err != nil {
//			return err
//		}
//		if next == 0 {
//			next = page.Slot // for the next synchronization
//		}
//		store(page.Items)
//	}
//
// Deleted accounts are not reported, so list all of them again from time to time.
//
// # Histories
//
// [Client.AllTransactionsForAddress] lists whole transactions, by slot, time, status or
// transfer, and also those of the token accounts of a wallet. The newest slots may
// still change: for a walk that gives the same result every time, end Slots at a slot
// that is a few minutes old. By default, all transaction versions up to 1 are
// requested.
//
// # Commitment
//
// Empty means finalized, the default of nodes. A node that has not reached the
// MinContextSlot of the options is asked again, within the attempts of the call. Blocks
// and histories cannot be read as processed.
//
// # Sending transactions
//
// This package holds no private keys, so it does not sign or send transactions. Next to
// a library that does, use it for the blockhash and the fee of a transaction, and for
// its status afterwards:
//
//	latest, err := client.LatestBlockhash(ctx, nil)
//	fee, err2 := client.PriorityFeeEstimate(ctx, &rpc.PriorityFeeOptions{Accounts: writable})
//	if err := cmp.Or(err, err2); err != nil {
//		return err
//	}
//	signature, err := send(ctx, latest.Hash, uint64(fee.Ceil().IntPart())) // with the other library
//	statuses, err2 := client.SignatureStatuses(ctx, []types.Signature{signature}, nil)
//
// # Credits
//
// The comment of each method says what it costs. A [types.Meter] in the Config counts
// what a program spends, by method.
//
// # Other methods
//
// [Client.Call] and [Client.Batch] run any JSON-RPC method with the same key,
// retries and errors.
package rpc
