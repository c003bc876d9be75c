package webhooks

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
	"github.com/solwire/solwire-go/types/txtype"
)

var opBackfill = transport.Op{Method: "webhooks.Client.Backfill", Wire: "GET /v0/addresses/{address}/transactions"}

// A BackfillConfig configures [Client.Backfill]. Required are a Receiver, or Handle and
// Seen; Settings; and Since or SinceSlot.
type BackfillConfig struct {
	// Receiver is the one that deliveries go to. Its Handle and Seen are used, and no event
	// is handled twice while deliveries come in. It needs a Seen: its own memory forgets
	// events after 10 minutes.
	Receiver *Receiver

	// Handle, Seen and Logger are used without a Receiver, as in [ReceiverConfig].
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

	// UntilSlot ends the backfill before this slot. 0 means the end of the histories, which
	// is never reached if an address has new transactions faster than they are read.
	UntilSlot uint64

	// Raw lists the transactions of an address for a webhook of type raw. Enhanced
	// webhooks need none.
	Raw RawHistory
}

// A RawHistory lists the transactions of an address, from old to new, that are in r. It
// stops at the first error, which it yields. TransactionsForAddress of package rpc
// lists them, at 10 credits per 100 transactions.
type RawHistory func(
	ctx context.Context, address types.Address, r BackfillRange,
) iter.Seq2[*tx.Transaction, error]

// A BackfillRange selects transactions at or after a slot, or a block time if SinceSlot
// is 0, and before UntilSlot, if that is not 0.
type BackfillRange struct {
	SinceSlot uint64
	Since     time.Time
	UntilSlot uint64
}

// A BackfillReport counts the events of a backfill. An event of several addresses counts
// for each.
type BackfillReport struct {
	Handled  int // by Handle
	Seen     int // handled before
	Skipped  int // because Handle returned ErrSkip
	Failed   int // not handled: Handle failed, or another process is handling the event
	Filtered int // transactions that the webhook does not deliver
}

// Backfill passes the events that a webhook did not deliver, or that were not handled,
// to Handle: it reads the histories of the addresses one after the other, each from old to
// new, and leaves out what the webhook does not deliver and what Seen has recorded. Only a
// page of one history is in memory at a time.
//
// A failed event, or a history that cannot be read, does not stop it: it goes on with the
// others, and returns the first such error at the end. The report is valid even with an
// error. Handle has 30 seconds; after a minute the backfill goes on without it.
//
// The histories have finalized transactions, some 13 seconds behind deliveries. For
// enhanced webhooks, each request costs 100 credits, for 100 transactions of one address.
// Parsed Events are cheaper, but lack members of an event: its type, source and account data.
// A [Keeper] does all of this at the right time, and remembers how far it has come.
func (c *Client) Backfill(ctx context.Context, cfg BackfillConfig) (*BackfillReport, error) {
	b := &filling{BackfillConfig: cfg, client: c}
	if err := c.api.Check(opBackfill, checkContext(ctx), cfg.check(), c.checkHistories(cfg.Settings, cfg.Raw)); err != nil {
		return &b.report, err
	}
	if b.Receiver == nil {
		b.Receiver = &Receiver{cfg: ReceiverConfig{Handle: cfg.Handle, Seen: cfg.Seen, Logger: cfg.Logger}}
	}
	for _, a := range distinct(cfg.Settings.AccountAddresses, nil) {
		if ctx.Err() != nil {
			return &b.report, cmp.Or(b.failure, fmt.Errorf("%s: %w", opBackfill.Method, wait.Ended(ctx)))
		}
		err := b.fill(ctx, a)
		b.failure = cmp.Or(b.failure, err)
	}
	return &b.report, b.failure
}

func (cfg *BackfillConfig) check() error {
	switch {
	case cfg.Receiver == nil && (cfg.Handle == nil || cfg.Seen == nil):
		return argument.Invalid("Receiver", "is nil; set it, or Handle and Seen")
	case cfg.Receiver != nil && (cfg.Handle != nil || cfg.Seen != nil || cfg.Logger != nil):
		return argument.Invalid("Receiver", "does not go with Handle, Seen and Logger; its own are used")
	case cfg.Receiver != nil && cfg.Receiver.cfg.Handle == nil:
		return argument.Invalid("Receiver", "was not made by NewReceiver")
	case cfg.SinceSlot == 0 && cfg.Since.IsZero():
		return argument.Invalid("SinceSlot", "is 0; set it, or Since")
	case cfg.UntilSlot != 0 && cfg.UntilSlot <= cfg.SinceSlot:
		return argument.Invalid("UntilSlot", "is not after SinceSlot")
	}
	return nil
}

// checkHistories refuses settings whose events are not in the histories of the network.
func (c *Client) checkHistories(s Settings, raw RawHistory) error {
	name := "Type " + argument.Quote(string(s.Type))
	switch {
	case !s.Type.enhanced() && !s.Type.raw():
		return argument.Invalid(name, "has no events; it is not enhanced or raw")
	case s.Type.raw() && raw == nil:
		return argument.Invalid("Raw", "is nil, and the webhook is raw")
	case strings.HasSuffix(string(s.Type), "Devnet") != (c.network == types.NetworkDevnet):
		return argument.Invalid(name, "does not fit the Config, whose Network is "+string(c.network))
	case len(s.AccountAddresses) == 0:
		return argument.Invalid("AccountAddresses", "is empty")
	}
	return checkAddresses("AccountAddresses", s.AccountAddresses, nil)
}

func (t Type) enhanced() bool { return t == TypeEnhanced || t == TypeEnhancedDevnet }

func (t Type) raw() bool { return t == TypeRaw || t == TypeRawDevnet }

// delivers reports whether a webhook with these settings delivers an event.
func (s *Settings) delivers(e *Event) bool {
	if e.Err != nil {
		return true
	}
	failed := len(e.Enhanced.Err) > 0 || len(e.Raw.Meta.Err) > 0
	switch {
	case e.Kind == KindEnhanced && failed,
		s.Outcome == types.OutcomeFailed && !failed,
		s.Outcome == types.OutcomeSucceeded && failed:
		return false
	case e.Kind == KindRaw || len(s.TransactionTypes) == 0:
		return true
	}
	return slices.ContainsFunc(s.TransactionTypes, func(t txtype.Type) bool {
		return t == e.Enhanced.Type || strings.EqualFold(string(t), string(txtype.Any)) // some programs write Any
	})
}

// How long an event of a history may take.
const (
	fillHandle = 30 * time.Second
	fillWait   = time.Minute
)

// A filling is a running backfill.
type filling struct {
	BackfillConfig
	client  *Client
	report  BackfillReport
	failure error // the first one

	// The rest is set for a Keeper, which tries open events again: there is no need to wait.
	each    func(*Event) error                 // called for each event of a history, when the earlier ones are handled or open
	strange func(name string, err error) error // called for an item without a signature
}

// fill processes the events of an address from old to new. It returns an error if it
// did not come to the end of the history. An event that was not handled, but is open in
// the store, does not stop it.
func (b *filling) fill(ctx context.Context, address types.Address) error {
	r := BackfillRange{SinceSlot: b.SinceSlot, UntilSlot: b.UntilSlot}
	if r.SinceSlot == 0 {
		r.Since = b.Since.Truncate(time.Second) // block times are whole seconds
	}
	slot, history := r.SinceSlot, b.client.past(ctx, address, r)
	if b.Settings.Type.raw() {
		history = rawEvents(b.Raw(ctx, address, r))
	}
	for e, err := range history {
		switch {
		case err != nil:
			return err
		case e.Signature == "":
			if b.strange == nil {
				return fmt.Errorf("%s: %w", opBackfill, e.Err)
			}
			if err := b.strange(fmt.Sprintf("%s/%d", address, e.Slot), e.Err); err != nil {
				return err
			}
			continue
		case e.Slot == 0: // unknown
			e.Slot = slot
		case e.Slot < slot:
			return fmt.Errorf("%s: a history is not from old to new: %w", opBackfill.Method, types.ErrIncomplete)
		case r.UntilSlot != 0 && e.Slot >= r.UntilSlot:
			return nil
		}
		slot, e.Address = e.Slot, address
		if b.each != nil {
			if err := b.each(e); err != nil {
				return err
			}
		}
		if !b.Settings.delivers(e) {
			b.report.Filtered++
			continue
		}
		if err := b.process(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// process processes an event like a delivered one.
func (b *filling) process(ctx context.Context, e *Event) error {
	got, patient, from := result{outcomeBusy, errBusy}, fillWait, fromRetry // of Replay
	if b.each != nil {
		patient, from = keepWait, fromHistory
	}
	if b.each == nil || !b.Receiver.flights.claimed(e.Signature) { // such as in a Handle that hangs
		got = b.Receiver.process(ctx, []*Event{e}, limit{fillHandle, patient, from})[0]
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", opBackfill.Method, wait.Ended(ctx))
	}
	switch got.outcome {
	case outcomeHandled:
		b.report.Handled++
	case outcomeKnown:
		b.report.Seen++
	case outcomeSkipped:
		b.report.Skipped++
	default:
		b.report.Failed++
		err := fmt.Errorf("%s: event %s was not handled: %w", opBackfill.Method, e.Signature, got.err)
		b.failure = cmp.Or(b.failure, err)
		if !got.outcome.effect().open {
			return err
		}
	}
	return nil
}

// past lists the history of an address from old to new, also items without a signature. It ends
// at UntilSlot, or later.
func (c *Client) past(ctx context.Context, address types.Address, r BackfillRange) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		q, cursors := r.query(), map[types.Signature]bool{}
		for {
			items, err := transport.Fetch[[]*json.RawMessage](ctx, c.api, transport.Request{
				Op: opBackfill, Invalid: argument.Address("address", address), Path: []string{string(address)}, Query: q,
			}, paging.CheckItems)
			if err != nil {
				yield(nil, err)
				return
			}
			if len(*items) == 0 {
				return
			}
			var last types.Signature
			slot := uint64(0)
			for _, raw := range *items {
				e, err := parseEvent(*raw)
				if err != nil {
					e = &Event{Slot: slotOf(*raw), Err: err}
				}
				last, slot = cmp.Or(e.Signature, last), max(slot, e.Slot)
				if !yield(e, nil) {
					return
				}
			}
			switch {
			case last != "" && !cursors[last]:
				cursors[last] = true
				q.Set("after-signature", string(last))
			case last == "" && slot >= r.SinceSlot: // no item of the page is a cursor
				r.SinceSlot = slot + 1
				q = r.query()
			default: // nothing continues after this page
				yield(nil, fmt.Errorf("%s: a repeated cursor: %w", opBackfill, types.ErrIncomplete))
				return
			}
		}
	}
}

// query selects the transactions of a range, from old to new. The service does not take slots
// together with a time.
func (r *BackfillRange) query() url.Values {
	q := url.Values{"limit": {strconv.Itoa(opBackfill.Facts().Items)}, "sort-order": {"asc"}}
	if r.SinceSlot == 0 {
		q.Set("gte-time", strconv.FormatInt(r.Since.Unix(), 10))
		return q
	}
	q.Set("gte-slot", strconv.FormatUint(r.SinceSlot, 10))
	if r.UntilSlot != 0 {
		q.Set("lt-slot", strconv.FormatUint(r.UntilSlot, 10))
	}
	return q
}

// rawEvents makes events of transactions.
func rawEvents(transactions iter.Seq2[*tx.Transaction, error]) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		for t, err := range transactions {
			var e *Event
			if err == nil {
				e, err = rawEvent(t)
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

func rawEvent(t *tx.Transaction) (*Event, error) {
	if t == nil {
		return nil, fmt.Errorf("%s: Raw yielded nil: %w", opBackfill.Method, types.ErrInvalid)
	}
	if err := argument.Signature("signature", t.Signature); err != nil {
		return nil, fmt.Errorf("%s: a transaction of Raw cannot be identified: %w", opBackfill.Method, err)
	}
	text, err := json.Marshal(t)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", opBackfill.Method, err)
	}
	return &Event{Kind: KindRaw, Signature: t.Signature, Slot: t.Slot, BlockTime: t.BlockTime, Raw: *t, JSON: text}, nil
}
