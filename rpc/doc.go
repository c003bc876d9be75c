// Package rpc reads accounts, tokens, transactions, blocks and fees of Solana through
// the JSON-RPC API of Helius. Amounts are exact, and long lists come in pages.
//
// Questions, and the methods that answer them:
//
//   - the balance and the data of an account: [Client.Account], [Client.Accounts],
//     [Client.Balance], [Client.Balances]
//   - which accounts a program has: [Client.ProgramAccounts]
//   - which tokens a wallet has: [Client.TokenAccountsByOwner]
//   - the allowance of a delegate: [Client.TokenAccountsByDelegate]
//   - the supply, authorities and largest holders of a token: [Client.TokenSupply],
//     [Data.Mint], [Client.TokenLargestAccounts]
//   - the history of an address: [Client.TransactionsForAddress],
//     [Client.TransactionSignaturesForAddress], [Client.TransfersByAddress],
//     [Client.SignaturesForAddress]
//   - a transaction: [Client.Transaction], [Client.Transactions], [Client.SignatureStatuses]
//   - a block: [Client.Block], [Client.Blocks], [Client.BlockTime]
//   - the current priority fees: [Client.PriorityFeeEstimate], [Client.PriorityFeeLevels]
//   - the state of the chain: [Client.Slot], [Client.EpochInfo], [Client.LatestBlockhash],
//     [Client.VoteAccounts]
//   - anything else: [Client.Call], [Client.Batch]
//
// A whole program:
//
//	// Allowed prints the allowances of a delegate, owner by owner.
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
//		client, err := rpc.New(types.Config{APIKey: types.Key(os.Getenv("HELIUS_API_KEY"))})
//		if err != nil {
//			log.Fatal(err)
//		}
//		ctx := context.Background()
//		delegate := types.Address("4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T")
//		usdc := types.Address("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
//		list := client.TokenAccountsByDelegate(ctx, delegate, rpc.ByMint(usdc), nil)
//		for item, err := range list.All() {
//			if err != nil {
//				log.Fatal(err)
//			}
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
// Reading one account, transaction or block that does not exist fails with [types.ErrNotFound]. So
// does the block of a skipped slot. A method for many inputs returns nil for each unknown one, and
// a [types.BatchError] if some could not be read:
//
//	accounts, err := client.Accounts(ctx, addresses, nil)
//	var batch *types.BatchError
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
// [Client.Balance] and [Client.Balances] return 0 for an account that does not exist.
//
// # Account data
//
// By default a node parses the data of accounts (jsonParsed), and [Data] keeps everything that it
// sent. [Data.TokenAccount], [Data.Mint], [Data.Stake], [Data.Nonce] and [Data.LookupTable] give a
// typed view of it. Data that the node cannot parse comes as base64. But
// [Client.TokenAccountsByOwner], [Client.TokenAccountsByDelegate], and [Client.ProgramAccounts] of
// a token program omit such accounts.
//
// With another Encoding, all data comes as bytes, and a DataSlice requests a part of them:
//
//	opts := &rpc.TokenAccountsByDelegateOptions{
//		Encoding:  types.EncodingBase64,
//		DataSlice: &types.DataSlice{Offset: 32, Length: 32}, // the owner
//	}
//	page, err := client.TokenAccountsByDelegate(ctx, delegate, rpc.ByMint(mint), opts).Page()
//	if err != nil {
//		return err
//	}
//	owner, err := page.Items[0].Account.Data.Bytes()
//
// # Token accounts
//
// A request lists the accounts of one mint or of one token program. There are two token
// programs: [AnyProgram] lists the accounts of one after the other.
//
//	list := client.TokenAccountsByDelegate(ctx, delegate, rpc.AnyProgram(), nil)
//	for item, err := range list.All() {
//		if err != nil {
//			return err
//		}
//		fmt.Println(item.Address, item.Account.Owner)
//	}
//
// # Always range with two variables
//
// A loop with one variable compiles too. It discards the error, so a failed listing
// looks like a complete one with a zero item at its end.
//
// # Listings in pages
//
// A listing is a [types.List], which is read by item, by page or into a slice. Requests
// are lazy, and reading twice starts over. A page may be short or empty although more
// follow.
//
// To resume a listing, also in another process, set the Cursor of the options to the Cursor of the
// last page you handled. Leave the other options as they were. Store HasMore too: it is false on
// the last page, and a listing without a Cursor starts over.
//
// A listing is not a snapshot. Accounts that change while you iterate may be missed or listed
// twice. To keep a copy of a program's accounts up to date, list them once, then the changes since
// the slot of the first page:
//
//	opts := &rpc.ProgramAccountsOptions{}
//	opts.ChangedSinceSlot = slot // 0 the first time
//	next := uint64(0)
//	for page, err := range client.ProgramAccounts(ctx, program, opts).Pages() {
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
// [Client.ProgramAccounts] and [Client.TokenAccountsByOwner] call the paged methods of the service.
// From a host without them, such as a node of yours, the client requests the whole list in one
// response. Limit has no effect there, and ChangedSinceSlot and a Cursor fail with
// [types.ErrInvalid].
//
// # Histories
//
// [Client.TransactionsForAddress] lists full transactions, selected by slot, time, outcome or
// transfer. It includes the token accounts of a wallet, since a transfer of tokens names these and
// not the receiving wallet; [Client.SignaturesForAddress] lacks such transfers. The types are in
// package types/tx. The program examples/backfill of the repository writes a history to a file, and
// resumes after a crash.
//
// New transactions extend a history. For the same result every time, set UntilSlot or Until a few
// minutes in the past. Transactions of a version above MaxVersion, by default 1, fail with code
// -32015. In a page out of order, transactions are missing or repeated: the listing ends with
// [types.ErrIncomplete].
//
// # Commitment
//
// An empty Commitment means finalized, the default of nodes: a state about 32 slots old. A
// transaction that was just sent is not found in it: read it with CommitmentConfirmed. Blocks,
// transactions and histories cannot be read with CommitmentProcessed. Requests to a node that has
// not reached MinContextSlot are retried.
//
// # Sending transactions
//
// This package does not build or sign transactions. Use it with a library that does:
//
//	latest, err := client.LatestBlockhash(ctx, nil)
//	fee, err2 := client.PriorityFeeEstimate(ctx, &rpc.PriorityFeeOptions{Accounts: writable})
//	if err := cmp.Or(err, err2); err != nil {
//		return err
//	}
//	signed := sign(latest.Hash, uint64(fee.Ceil().IntPart())) // with the other library
//	signature, err := client.SendTransaction(ctx, signed, nil)
//	if err != nil {
//		return err
//	}
//	statuses, err := client.SignatureStatuses(ctx, []types.Signature{signature}, nil)
//
// # Credits
//
// The comment of each method says its price. A [types.Meter] in the Config counts
// the credits that a program spends, by method.
//
// # Other methods
//
// [Client.Call] and [Client.Batch] run any JSON-RPC method with the same key, retries
// and errors. A null result sets pointers, slices and maps to nil and leaves other
// values unchanged. Numbers in a result of type any are a [json.Number], so they are
// not rounded.
//
// A method whose name starts with send or request is not retried once the service may have executed
// it. Neither is a batch with such a call.
package rpc
