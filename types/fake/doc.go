// Package fake is a fake of the Helius API for tests and examples: Solana wallets,
// token accounts, compressed accounts, webhooks and their deliveries, in this
// process, without a network and without a key.
//
//	cfg := fake.Config()
//	wallets, err := wallet.New(cfg)
//
// [New] makes a [Service] with a world of your own, which can be made to fail, and
// records what it was asked:
//
//	service := fake.New(&fake.Options{World: &fake.World{
//		Wallets: []fake.Wallet{{Address: owner, SOL: decimal.NewFromInt(2)}},
//	}})
//	service.Fail("GET /v1/wallet/{wallet}/balances", 2, fake.RateLimited(2*time.Second))
//	wallets, err := wallet.New(service.Config())
//
// A Service needs no cleanup, starts no goroutine, and waits by the clock of the
// bubble in a test with testing/synctest. Mistakes of the test, such as an invalid
// address in a World, are panics.
//
// # Operations
//
// Faults and the journal name an operation as errors do: a JSON-RPC method, or an
// HTTP method and a route, such as GET /v1/wallet/{wallet}/history.
//
// The Wallet API, webhooks, compressed accounts by owner, compressed token accounts
// by delegate and token accounts by delegate are simulated. getBalance, getAccountInfo,
// getMultipleAccounts, getSignaturesForAddress, getTokenAccountsByOwner, getTransaction
// and getTransactionsForAddress know the wallets of the [World], their token accounts and
// their transactions. Other methods that only read, such as getBlock, do not know the
// World: each has one response for each encoding, taken from documentation and from
// captured exchanges, whatever its other arguments. Addresses and signatures that a
// World with a preset does not know get such a response too; without a preset they have
// nothing.
//
// # Errors
//
// What to do so that a call fails with an error that errors.Is finds:
//
//	types.ErrUnauthorized     service.Fail(op, 1, fake.Unauthorized()), or Config.APIKey = "expired-key"
//	types.ErrNotFound         service.Fail(op, 1, fake.NotFound())
//	types.ErrRateLimited      service.FailShare(op, 1, fake.RateLimited(time.Second))
//	types.ErrQuotaExceeded    service.Fail(op, 1, fake.QuotaExceeded())
//	types.ErrTooLarge         service.Fail(op, 1, fake.TooLarge())
//	types.ErrIncomplete       service.FailShare(op, 1, fake.Incomplete()), for a listing
//	types.ErrInvalid          is returned before anything is sent; needs no fake
//	context.DeadlineExceeded  service.Fail(op, 1, fake.Hang())
//	*types.APIError           service.FailShare(op, 1, fake.Status(500))
//
// Failures that may pass are retried, so that a single one is not seen by the
// caller; set Config.MaxAttempts to 1 to see it.
//
// Code that takes an iterator instead of a client needs no fake: [Items] makes one
// from a slice and an error.
package fake
