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
	// Settings select the events to deliver. Every five minutes, URL, Type, AuthHeader and
	// AccountAddresses of the webhook are set to them if they differ, and so are TransactionTypes,
	// Encoding and Outcome unless they are empty here. Lists are replaced: addresses and types that
	// somebody else added are removed. A webhook that was switched off is switched on.
	//
	// Settings also decide which of the listed transactions are handled; delivered events are all
	// handled. Required are URL, Type, AccountAddresses and AuthHeader, the secret of the
	// deliveries. While processes with other settings run, such as in a rolling deploy, the
	// settings of the leader apply. A Keeper takes a webhook of the account with its URL for its
	// own: two Keepers need two URLs and Stores.
	Settings webhooks.Settings

	// Store remembers events and checkpoints. Processes whose Stores use the same database share
	// the work. Handled events belong to the Store, whatever happens to the webhook, its URL,
	// secret and types.
	Store Store

	// Handle is called for each event that was not handled before, in any order and
	// concurrently. An event that cannot be decoded has its Err set. An event is done only after
	// nil or [webhooks.ErrSkip]; after any other error, or a panic, it is handled again later.
	// An event may be handled twice if a process dies, stands still or loses its connection to
	// the database, or if Handle takes longer than a minute. Make Handle idempotent, such as by
	// a primary key on the signature.
	//
	// During a delivery, ctx ends after 800 ms: store the event and do slow work elsewhere.
	Handle func(ctx context.Context, e *webhooks.Event) error

	// Since is the block time from which to handle the events of an address that the Store does
	// not know yet. Zero means ten minutes before the first start of a process that wants the
	// address. The events of a transaction type that is added are handled from an hour before
	// such a process leads.
	Since time.Time

	// Interval is how often each address is listed at least. If the deliveries of a single event
	// fail, it may be handled as late as that. It is 10 seconds to 24 hours; 0 means 24 hours.
	Interval time.Duration

	// TokenAccounts adds the transactions that name only a token account of an address to the
	// listings, such as incoming token transfers: see [webhooks.Listing]. Empty means none, at 1
	// credit a listing. [types.TokenAccountHistoryChanged] costs 10 credits, and the plan has to
	// include it.
	TokenAccounts types.TokenAccountHistory

	Secrets  []webhooks.Secret // accepted besides AuthHeader, to rotate the secret
	Logger   *slog.Logger      // as in [webhooks.ReceiverConfig], and for Run; nil means no records
	Observer webhooks.Observer // of deliveries and outcomes, such as for metrics; nil for none
}
