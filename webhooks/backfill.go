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
	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
)

var opBackfill = transport.Op{Method: "webhooks.Client.Backfill", Wire: "getSignaturesForAddress"}

// A BackfillConfig configures [Client.Backfill]. Required are Handle, Settings, and Since or
// SinceSlot.
type BackfillConfig struct {
	// Handle, Seen and Logger are as in [ReceiverConfig]. With the Seen of a Receiver, no event is
	// handled twice while deliveries come in. Without a Seen, every event counts as new.
	Handle func(ctx context.Context, e *Event) error
	Seen   Seen
	Logger *slog.Logger

	// Settings are the wanted settings of the webhook, of which Type, AccountAddresses,
	// TransactionTypes and Outcome are used. Only transactions that such a webhook
	// delivers are handled. Do not use the settings that the service returns: addresses
	// have been known to vanish from them.
	Settings Settings

	// SinceSlot is the first slot. If it is 0, Since is used: the first block time, such as
	// the time at which the webhook was created.
	SinceSlot uint64
	Since     time.Time

	// TokenAccounts adds the transactions that name only a token account of an address, such as
	// incoming transfers of tokens. Empty means [types.TokenAccountHistoryChanged], which the
	// plan has to include; [types.TokenAccountHistoryNone] leaves them out, and a listing then
	// costs 1 credit per 1000 transactions instead of 10.
	TokenAccounts types.TokenAccountHistory
}

// A BackfillReport counts the events of a backfill. An event of several addresses counts
// for each.
type BackfillReport struct {
	Handled  int // by Handle
	Seen     int // handled before
	Skipped  int // because Handle returned ErrSkip
	Failed   int // not handled: Handle failed, another process handles it, or it is not returned
	Filtered int // transactions that the webhook does not deliver
}

// Backfill passes past events of a webhook to Handle that were not handled yet, such as events
// before its creation. For one address after the other it lists the signatures, and requests the
// transactions from old to new. It leaves out transactions that the webhook does not deliver,
// and recorded ones. The signatures of one address are in memory at a time.
//
// A failed event, or an address whose transactions cannot be listed, does not stop it: it
// continues with the others, and returns the first such error at the end. The report is valid
// even with an error. Handle has 30 seconds for an event.
//
// The listings have finalized transactions, some 13 seconds behind deliveries. They cost 10
// credits per 1000 transactions, and the events cost as in [Client.Events]. A Keeper of package
// webhooks/keeper does all of this at the right time, and remembers how far it has come.
func (c *Client) Backfill(ctx context.Context, cfg BackfillConfig) (*BackfillReport, error) {
	seen := cmp.Or[Seen](cfg.Seen, &memory{done: make(map[types.Signature]time.Time)})
	b := &backfill{BackfillConfig: cfg, client: c, receiver: Receiver{cfg: ReceiverConfig{Handle: cfg.Handle, Seen: seen, Logger: cfg.Logger}}}
	if err := c.api.Check(opBackfill, checkContext(ctx), cfg.check(), c.checkType(cfg.Settings.Type), cfg.Settings.checkReplace(),
		checkAddresses("AccountAddresses", cfg.Settings.AccountAddresses, nil)); err != nil {
		return &b.report, err
	}
	for _, a := range distinct(cfg.Settings.AccountAddresses, nil) {
		err := b.fill(ctx, a)
		if ctx.Err() != nil {
			return &b.report, cmp.Or(b.failure, fmt.Errorf("%s: %w", opBackfill.Method, wait.Ended(ctx)))
		}
		b.failure = cmp.Or(b.failure, err)
	}
	return &b.report, b.failure
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

// Delivers reports whether a webhook with these settings delivers an event. An event that
// cannot be decoded counts as delivered.
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

// A backfill is a running backfill.
type backfill struct {
	BackfillConfig
	client   *Client
	receiver Receiver
	report   BackfillReport
	failure  error // the first one
}

// fill processes the events of an address from old to new.
func (b *backfill) fill(ctx context.Context, address types.Address) error {
	l := Listing{Address: address, SinceSlot: b.SinceSlot, TokenAccounts: cmp.Or(b.TokenAccounts, types.TokenAccountHistoryChanged)}
	if b.SinceSlot == 0 {
		l.Since = b.Since.Truncate(time.Second) // block times are whole seconds
	}
	var all []types.Signature
	err := b.client.Signatures(ctx, l, func(page []Listed) error {
		for _, x := range page {
			if x.Signature == "" {
				b.report.Failed++
				b.failure = cmp.Or(b.failure, fmt.Errorf("%s: a listed transaction of %s has no signature: %w", opBackfill.Method, address, types.ErrIncomplete))
				continue
			}
			all = append(all, x.Signature)
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.Reverse(all)
	for part := range slices.Chunk(all, opEvents.Facts().Inputs) {
		events, err := b.client.Events(ctx, b.Settings.Type, part)
		var failed *types.BatchError
		if err != nil && !errors.As(err, &failed) {
			return err
		}
		for i, e := range events {
			switch {
			case ctx.Err() != nil:
				return nil // Backfill has the error
			case e != nil:
				b.process(ctx, e)
			case failed != nil && failed.Errs[i] != nil:
				b.fail(part[i], failed.Errs[i])
			default:
				b.fail(part[i], fmt.Errorf("the service does not return it: %w", types.ErrIncomplete))
			}
		}
	}
	return nil
}

func (b *backfill) fail(s types.Signature, err error) {
	b.report.Failed++
	b.failure = cmp.Or(b.failure, fmt.Errorf("%s: event %s was not handled: %w", opBackfill.Method, s, err))
}

// process processes an event like a delivered one.
func (b *backfill) process(ctx context.Context, e *Event) {
	if !b.Settings.Delivers(e) {
		b.report.Filtered++
		return
	}
	handling, cancel := context.WithTimeout(ctx, fillHandle)
	defer cancel()
	switch o, err := b.receiver.Process(handling, e); o {
	case OutcomeHandled:
		b.report.Handled++
	case OutcomeKnown:
		b.report.Seen++
	case OutcomeSkipped:
		b.report.Skipped++
	default:
		b.fail(e.Signature, err)
	}
}
