package webhooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
)

var opBackfill = transport.Op{Method: "webhooks.Client.Backfill", Wire: "getSignaturesForAddress"}

// A BackfillConfig configures [Client.Backfill]. Required are Handle, Settings, and Since or
// SinceSlot.
type BackfillConfig struct {
	// Handle, Seen, Logger and Observer are as in [ReceiverConfig]. Use the Seen of a Receiver to
	// skip the events that it has handled or is handling. Without a Seen, all events are new.
	Handle   func(ctx context.Context, e *Event) error
	Seen     Seen
	Logger   *slog.Logger
	Observer Observer // of outcomes, such as to count them

	// Settings select the events: all events that a webhook with these settings delivers. Type,
	// AccountAddresses, TransactionTypes and Outcome are used. Take them from your own
	// configuration: addresses have been known to vanish from the settings of the service.
	Settings Settings

	// SinceSlot is the first slot. If it is 0, Since is the first block time, such as the time
	// of the creation of the webhook.
	SinceSlot uint64
	Since     time.Time

	// TokenAccounts selects the transactions that name only a token account of an address, such
	// as incoming token transfers. Empty means [types.TokenAccountHistoryChanged]: a listing has
	// them and costs 10 credits per 1000 transactions, and the plan has to include this listing.
	// [types.TokenAccountHistoryNone] leaves them out, at 1 credit.
	TokenAccounts types.TokenAccountHistory
}

// Backfill finds past events of a webhook, such as events before its creation, and passes them to
// Handle unless Seen knows them. It works on one address after the other, from old to new events,
// and holds all signatures of an address in memory. Handle has 30 seconds for an event.
//
// After an event that fails, or an address that cannot be listed, Backfill continues. It returns
// the first such error at the end.
//
// Only finalized transactions are listed, some 13 seconds after their delivery. Each listed
// transaction is requested, at the price of [Client.Events], even if it is not handled then.
// The price of a listing depends on TokenAccounts. A Keeper of package webhooks/keeper does all of
// this at the right time, and remembers how far it has come.
func (c *Client) Backfill(ctx context.Context, cfg BackfillConfig) error {
	if err := c.api.Check(opBackfill, checkContext(ctx), cfg.check(), c.checkType(cfg.Settings.Type), cfg.Settings.checkReplace(),
		checkAddresses("AccountAddresses", cfg.Settings.AccountAddresses, nil)); err != nil {
		return err
	}
	seen := cmp.Or[Seen](cfg.Seen, &memory{done: make(map[types.Signature]time.Time)})
	r := &Receiver{cfg: ReceiverConfig{Handle: cfg.Handle, Seen: seen, Logger: cfg.Logger, Observer: cfg.Observer}}
	var first error
	for _, a := range distinct(cfg.Settings.AccountAddresses, nil) {
		first = cmp.Or(first, c.fill(ctx, &cfg, r, a))
	}
	return first
}

func (cfg *BackfillConfig) check() error {
	switch {
	case cfg.Handle == nil:
		return argument.Invalid("Handle", "is nil")
	case cfg.SinceSlot == 0 && cfg.Since.IsZero():
		return argument.Invalid("SinceSlot", "is 0; set it, or Since")
	}
	return nil
}

// Delivers reports whether a webhook with these settings delivers an event of one of its addresses.
// It is true for an event that cannot be decoded.
func (s *Settings) Delivers(e *Event) bool {
	if e.Err != nil {
		return true
	}
	failed := len(e.Enhanced.TransactionError) > 0 || len(e.Raw.Meta.TransactionError) > 0
	switch {
	case e.Kind == KindEnhanced && failed,
		s.Outcome == types.OutcomeFailed && !failed,
		s.Outcome == types.OutcomeSucceeded && failed:
		return false
	case e.Kind == KindRaw || len(s.TransactionTypes) == 0:
		return true
	}
	return slices.ContainsFunc(s.TransactionTypes, func(t txtype.Type) bool {
		// some programs write Any
		return t == e.Enhanced.Type || strings.EqualFold(string(t), string(txtype.Any))
	})
}

// fillHandle is how long Handle has for an event of a backfill.
const fillHandle = 30 * time.Second

// fill processes the events of an address from old to new. It returns the first error.
func (c *Client) fill(ctx context.Context, cfg *BackfillConfig, r *Receiver, address types.Address) (first error) {
	l := Listing{Address: address, SinceSlot: cfg.SinceSlot, TokenAccounts: cmp.Or(cfg.TokenAccounts, types.TokenAccountHistoryChanged)}
	if cfg.SinceSlot == 0 {
		l.Since = cfg.Since.Truncate(time.Second) // block times are whole seconds
	}
	fail := func(s types.Signature, err error) {
		first = cmp.Or(first, fmt.Errorf("%s: event %s of %s was not handled: %w", opBackfill.Method, cmp.Or(s, "without a signature"), address, err))
	}
	var all []types.Signature
	err := c.Signatures(ctx, l, func(page []Listed) error {
		for _, x := range page {
			if x.Signature == "" {
				fail("", types.ErrIncomplete)
			} else {
				all = append(all, x.Signature)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.Reverse(all)
	for part := range slices.Chunk(all, opEvents.Facts().Inputs) {
		events, err := c.Events(ctx, cfg.Settings.Type, part)
		var failed *types.BatchError
		if err != nil && !errors.As(err, &failed) {
			return cmp.Or(first, err)
		}
		for i, e := range events {
			switch {
			case e != nil && cfg.Settings.Delivers(e):
				handling, cancel := context.WithTimeout(ctx, fillHandle)
				if o, err := r.Process(handling, e); !o.Final() {
					fail(e.Signature, err)
				}
				cancel()
			case e == nil && failed != nil && failed.Errs[i] != nil:
				fail(part[i], failed.Errs[i])
			case e == nil:
				fail(part[i], fmt.Errorf("the service does not return it: %w", types.ErrIncomplete))
			}
		}
	}
	return first
}
