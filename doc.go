// Package solwire is the root of an unofficial Go client for Helius, a provider of
// Solana RPC nodes and data APIs. It has no code; import the packages below.
//
//   - [github.com/solwire/solwire-go/wallet]: balances, history, transfers and
//     identities of Solana wallets, through the Helius Wallet API.
//   - [github.com/solwire/solwire-go/rpc]: accounts, tokens, transactions, blocks
//     and fees, through Solana JSON-RPC.
//   - [github.com/solwire/solwire-go/rpc/das]: NFTs and other digital assets, and
//     token holders, through the Digital Asset Standard API.
//   - [github.com/solwire/solwire-go/rpc/parsedapi]: decoded transactions and
//     histories, through Parsed Events.
//   - [github.com/solwire/solwire-go/rpc/stream]: live transactions, accounts and
//     confirmations, over WebSocket connections.
//   - [github.com/solwire/solwire-go/compressed]: ZK-compressed accounts, token
//     accounts and proofs.
//   - [github.com/solwire/solwire-go/webhooks]: managing Helius webhooks, and receiving
//     their deliveries.
//   - [github.com/solwire/solwire-go/webhooks/keeper]: handling each event of a webhook,
//     including undelivered ones.
//   - [github.com/solwire/solwire-go/webhooks/keeper/sqlstore]: the store of a Keeper in a SQL
//     database, for several processes and restarts.
//   - [github.com/solwire/solwire-go/webhooks/enhancedapi]: transactions as webhooks deliver
//     them, by signature and of an address.
//   - [github.com/solwire/solwire-go/webhooks/keeper/storetest]: tests for stores of your own.
//   - [github.com/solwire/solwire-go/types]: the Config that all clients are created
//     from, errors, addresses, amounts, times and pages.
//   - [github.com/solwire/solwire-go/types/tx],
//     [github.com/solwire/solwire-go/types/parsed],
//     [github.com/solwire/solwire-go/types/enhanced] and
//     [github.com/solwire/solwire-go/types/txtype]: transactions as nodes return
//     them, as Helius parses them today and before, and the names of their types.
//   - [github.com/solwire/solwire-go/types/fake]: a fake of the service, for tests.
//
// Build one types.Config with your API key and pass it to the New function of each
// package that you need. A method takes a context and its required arguments, and
// most methods take options, which may be nil.
//
// # Errors
//
// A *types.APIError is an error response of the service. errors.Is recognizes
// types.ErrNotFound, types.ErrRateLimited and others. Failed requests are retried
// within a budget. No error or log record contains the API key.
//
// # Always range with two variables
//
// A listing is a method that returns a list, which is read by item with All, by page
// with Pages or Page, or into a slice with Collect. The second variable of a loop over
// All or Pages is the error. A loop with one variable compiles too. It discards the
// error, so a failed listing looks like a complete one with a zero item at its end.
//
// # Examples
//
// The comment of each package has a complete program. The examples
// directory has more; they run without a key, on a fake of the service.
package solwire
