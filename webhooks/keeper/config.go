package keeper

import (
	"context"
	"log/slog"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

// A Config configures a [Keeper]. Settings, Store and Handle are required; the zero value of each
// other field means its default.
type Config struct {
	// Settings are the settings of the webhook. Required are URL, Type, AccountAddresses and
	// AuthHeader, the secret of the deliveries. Every five minutes, the leader corrects the webhook
	// and switches it on if it is off. Addresses and types that somebody else added are removed.
	// TransactionTypes, Encoding and Outcome stay as they are if they are empty here.
	//
	// Settings also select the wanted events. An unwanted event is handled only if it is delivered.
	// While processes have different Settings, such as in a rolling deploy, the Settings of the
	// leader apply.
	//
	// If the account has a webhook with this URL, the Keeper uses it. Each webhook needs a URL and
	// a Store of its own.
	Settings webhooks.Settings

	// Store remembers events and checkpoints. Processes whose Stores use the same database share
	// the work. An event that was handled is not handled again while the Store remembers it, even
	// if the webhook, its URL, secret or types change.
	Store Store

	// Handle is called for each event that was not handled before, in any order and
	// concurrently. An event that cannot be decoded has its Err set. After nil or
	// [webhooks.ErrSkip], the event is done. After any other error, or a panic, Handle is called
	// again later.
	//
	// Handle must be idempotent, such as by a primary key on the signature. It may be called twice
	// for an event if a process dies, stalls or loses its connection to the database. The same may
	// happen if Handle takes longer than a minute.
	//
	// Save the event, and do slow work outside Handle: ctx ends 800 ms after a delivery arrived.
	// When the leader handles a pending event, ctx ends after 30 seconds.
	Handle func(ctx context.Context, e *webhooks.Event) error

	// Since is the lowest block time of listings, for each address that is new to the Store. Zero
	// means ten minutes before the start of the first process with the address. When a process with
	// an added transaction type becomes the leader, it finds events of this type up to an hour old.
	Since time.Time

	// Interval is the longest time between two listings of an address. An event whose deliveries
	// fail may be handled that late. It is 10 seconds to 24 hours; 0 means 24 hours.
	Interval time.Duration

	// TokenAccounts extends listings by transactions that name only a token account of the address,
	// such as incoming token transfers: see [webhooks.Listing]. Empty means none. To
	// add them, set [types.TokenAccountHistoryChanged]: a listing then costs 10 times as much, and
	// the plan has to include getTransactionsForAddress.
	TokenAccounts types.TokenAccountHistory

	Secrets  []webhooks.Secret // accepted besides AuthHeader, to rotate the secret
	Logger   *slog.Logger      // as in [webhooks.ReceiverConfig], and for Run; nil means only panics
	Observer webhooks.Observer // of deliveries and events, such as for metrics; nil for none
}
