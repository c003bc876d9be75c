package webhooks

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
	"github.com/solwire/solwire-go/types/txtype"
)

const backfill transport.Op = "webhooks.Client.Backfill GET /v0/addresses/{address}/transactions"

// maxBackfillAddresses limits the histories that are merged, each of which keeps a page
// in memory.
const maxBackfillAddresses = 1000

// A BackfillConfig configures [Client.Backfill]. Required are a Receiver, or Handle and
// Seen; a Webhook, or Settings; and Since or SinceSlot.
type BackfillConfig struct {
	// Receiver is the one that deliveries go to. Its Handle, Skipped and Seen are used,
	// and no event is handled twice while deliveries come in. It needs a Seen: its own
	// memory forgets events after 10 minutes.
	Receiver *Receiver

	// Handle, Seen and Skipped are used without a Receiver, as in [ReceiverConfig].
	Handle  func(ctx context.Context, e *Event) error
	Seen    Seen
	Skipped func(ctx context.Context, e *Event, err error)

	// Webhook is the ID of the webhook whose settings are used, and are read first.
	Webhook string

	// Settings are used without a Webhook: Type, AccountAddresses (at most 1000),
	// TransactionTypes and TxnStatus. Only transactions that such a webhook delivers are
	// handled.
	Settings Settings

	// SinceSlot is the first slot, such as that of [Receiver.SafeSlot] before the first
	// delivery. If it is 0, Since is used: the first block time, such as that at which
	// the webhook was created.
	SinceSlot uint64
	Since     time.Time

	// UntilSlot ends the backfill before this slot, which should be finalized. 0 means
	// the end of the histories. As they grow meanwhile, the checkpoint then passes only
	// events that are 5 minutes older than the backfill.
	UntilSlot uint64

	// Raw lists the transactions of an address for a webhook of type raw. Enhanced
	// webhooks need none.
	Raw RawHistory

	// Checkpoint, if not nil, is called with a slot whenever all events between the
	// start of the backfill and this slot are handled. Store it, and begin the next
	// backfill at it, or at [Receiver.SafeSlot] if that is lower: this also finds events
	// whose deliveries never reached the Receiver. Until the first call, begin at Since.
	// An error ends the backfill.
	Checkpoint func(ctx context.Context, slot uint64) error

	// MaxFailed is how many events Handle may fail before the backfill ends. 0 means 1.
	// The checkpoint does not pass a failed event.
	MaxFailed int
}

// A RawHistory lists the transactions of an address, from old to new, that are in r. It
// stops at the first error, which it yields. AllTransactionsForAddress of package rpc
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

// A BackfillReport counts the events of a backfill.
type BackfillReport struct {
	Handled  int // by Handle
	Seen     int // handled before
	Skipped  int // for the reasons of [ReceiverConfig.Skipped]
	Failed   int // by Handle
	Filtered int // transactions that the webhook does not deliver

	// Checkpoint is the slot at which to resume, or at SafeSlot if that is lower: all
	// events between the start of the backfill and this slot are handled. 0 means that
	// there was none.
	Checkpoint uint64
}

// Backfill passes the events that a webhook did not deliver, or that were not handled,
// to Handle: it reads the histories of the addresses, oldest transaction first, and
// leaves out what the webhook does not deliver and what Seen has recorded.
//
// The histories have finalized transactions, some 13 seconds behind deliveries: start
// the deliveries half a minute before. For enhanced webhooks, each request costs 100
// credits, for 100 transactions of one address, and at least two are made for each
// address. Of more than 1000 addresses, backfill parts, and use the Receiver for the last
// part only, since its success ends the hold of SafeSlot.
//
// The context of Handle is ctx. The report is valid even with an error. An event that
// Handle failed, or that another process claims for more than 5 minutes, is an error.
func (c *Client) Backfill(ctx context.Context, cfg BackfillConfig) (*BackfillReport, error) {
	report := new(BackfillReport)
	if err := c.api.Check(backfill, checkContext(ctx), cfg.check()); err != nil {
		return report, err
	}
	if cfg.Webhook != "" {
		w, err := c.Get(ctx, cfg.Webhook)
		if err != nil {
			return report, err
		}
		cfg.Settings = w.Settings
		c.sent.restore(cfg.Webhook, &cfg.Settings)
	}
	if err := c.api.Check(backfill, cfg.checkSettings(c.devnet)); err != nil {
		return report, err
	}
	b := &filling{cfg: cfg, receiver: cfg.receiver(), report: report, began: time.Now(), moved: time.Now()}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	b.covers = b.receiver.covers(cfg.SinceSlot)
	if b.covers && cfg.SinceSlot == 0 { // SafeSlot stays 0 until the checkpoint moves it, so that Since is used again after a crash
		if err := b.receiver.hold(ctx, 1); err != nil {
			return report, err
		}
	}
	err := b.run(ctx, c)
	switch {
	case !b.covers:
		return report, err
	case err != nil:
		b.receiver.resumable(report.Checkpoint)
		return report, err
	}
	return report, b.receiver.hold(ctx, cfg.UntilSlot)
}

func (cfg *BackfillConfig) check() error {
	switch {
	case cfg.Receiver == nil && (cfg.Handle == nil || cfg.Seen == nil):
		return argument.Invalid("Receiver", "is nil; set it, or Handle and Seen")
	case cfg.Receiver != nil && (cfg.Handle != nil || cfg.Seen != nil || cfg.Skipped != nil):
		return argument.Invalid("Receiver", "does not go with Handle, Seen and Skipped; its own are used")
	case cfg.Receiver != nil && cfg.Receiver.cfg.Handle == nil:
		return argument.Invalid("Receiver", "was not made by NewReceiver")
	case cfg.SinceSlot == 0 && cfg.Since.IsZero():
		return argument.Invalid("SinceSlot", "is 0; set it, or Since")
	case cfg.UntilSlot != 0 && cfg.UntilSlot <= cfg.SinceSlot:
		return argument.Invalid("UntilSlot", "is not after SinceSlot")
	}
	if r := cfg.Receiver; r != nil {
		if _, forgets := r.cfg.Seen.(*memory); forgets {
			return argument.Invalid("Receiver", "has no Seen, and its memory forgets events after 10 minutes; set ReceiverConfig.Seen")
		}
	}
	return argument.NotNegative("MaxFailed", cfg.MaxFailed)
}

func (cfg *BackfillConfig) checkSettings(devnet bool) error {
	s := cfg.Settings
	name := "Type " + argument.Quote(string(s.Type))
	network := "mainnet"
	if devnet {
		network = "devnet"
	}
	switch {
	case !s.Type.enhanced() && !s.Type.raw():
		return argument.Invalid(name, "has no events; it is not enhanced or raw")
	case s.Type.raw() && cfg.Raw == nil:
		return argument.Invalid("Raw", "is nil, and the webhook is raw")
	case strings.HasSuffix(string(s.Type), "Devnet") != devnet:
		return argument.Invalid(name, "does not fit the Config, whose Network is "+network)
	case len(s.AccountAddresses) == 0:
		return argument.Invalid("AccountAddresses", "is empty")
	case len(s.AccountAddresses) > maxBackfillAddresses:
		return argument.Invalid("AccountAddresses", fmt.Sprintf("has %d addresses; backfill at most %d at a time", len(s.AccountAddresses), maxBackfillAddresses))
	}
	return checkAddresses("AccountAddresses", s.AccountAddresses, nil)
}

// receiver returns the Receiver whose callbacks are used.
func (cfg *BackfillConfig) receiver() *Receiver {
	if cfg.Receiver != nil {
		return cfg.Receiver
	}
	return &Receiver{
		cfg:  ReceiverConfig{Handle: cfg.Handle, Seen: cfg.Seen, Skipped: cfg.Skipped},
		idle: make(chan struct{}),
	}
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
		s.TxnStatus == TxnStatusFailed && !failed,
		s.TxnStatus == TxnStatusSuccess && failed:
		return false
	case e.Kind == KindRaw || len(s.TransactionTypes) == 0:
		return true
	}
	return slices.ContainsFunc(s.TransactionTypes, func(t txtype.Type) bool {
		return t == e.Enhanced.Type || strings.EqualFold(string(t), string(txtype.Any)) // some programs write Any
	})
}

// A filling is a running backfill.
type filling struct {
	cfg      BackfillConfig
	receiver *Receiver
	report   *BackfillReport
	began    time.Time
	covers   bool      // whether the slot that Seen holds moves with the checkpoint
	moved    time.Time // when it did
	failure  error     // of the first failed event
}

// settled is the age of events before which a finalized history does not change. Most
// of it allows for clocks that differ.
const settled = 5 * time.Minute

// moveEvery is how often the slot that Seen holds moves on.
const moveEvery = time.Second

func (b *filling) run(ctx context.Context, c *Client) error {
	slot := uint64(0)
	atSlot := make(map[types.Signature]bool) // that several addresses have
	for e, err := range merged(b.histories(ctx, c)) {
		if err != nil {
			return errors.Join(b.failure, err)
		}
		if b.cfg.UntilSlot != 0 && e.Slot >= b.cfg.UntilSlot {
			break
		}
		if e.Slot > slot {
			slot = e.Slot
			clear(atSlot)
			if err := b.pass(ctx, e); err != nil {
				return errors.Join(b.failure, err)
			}
		}
		if atSlot[e.Signature] {
			continue
		}
		atSlot[e.Signature] = true
		if err := b.hand(ctx, e); err != nil {
			return err
		}
	}
	if b.cfg.UntilSlot > slot {
		return errors.Join(b.failure, b.reach(ctx, b.cfg.UntilSlot))
	}
	return b.failure
}

// pass moves the checkpoint on to the slot of e, unless a history may have ended before
// it and grown since.
func (b *filling) pass(ctx context.Context, e *Event) error {
	if b.cfg.UntilSlot == 0 && (e.BlockTime.IsZero() || b.began.Sub(e.BlockTime.Time) < settled) {
		return nil
	}
	return b.reach(ctx, e.Slot)
}

// reach moves the checkpoint on, unless an event failed.
func (b *filling) reach(ctx context.Context, slot uint64) error {
	if b.report.Failed > 0 {
		return nil
	}
	b.report.Checkpoint = slot
	if b.covers && time.Since(b.moved) >= moveEvery {
		b.moved = time.Now()
		if err := b.receiver.hold(ctx, slot); err != nil {
			return err
		}
	}
	if b.cfg.Checkpoint == nil {
		return nil
	}
	return b.cfg.Checkpoint(ctx, slot)
}

// hand handles one event, and counts it. It returns an error if the backfill ends.
func (b *filling) hand(ctx context.Context, e *Event) error {
	if !b.cfg.Settings.delivers(e) {
		b.report.Filtered++
		return nil
	}
	got, err := b.receiver.replay(ctx, e)
	switch got {
	case replayHandled:
		b.report.Handled++
	case replaySeen:
		b.report.Seen++
	case replaySkipped:
		b.report.Skipped++
	case replayFailed:
		return b.fail(e, err)
	}
	return err
}

// fail counts a failed event. It returns the first failure if the backfill ends.
func (b *filling) fail(e *Event, err error) error {
	b.report.Failed++
	if b.failure == nil {
		b.failure = fmt.Errorf("webhooks.Client.Backfill: event %s was not handled: %w", e.Signature, err)
	}
	if b.report.Failed < b.cfg.MaxFailed {
		return nil
	}
	return b.failure
}

// histories returns the events of each address.
func (b *filling) histories(ctx context.Context, c *Client) []iter.Seq2[*Event, error] {
	r := BackfillRange{SinceSlot: b.cfg.SinceSlot, UntilSlot: b.cfg.UntilSlot}
	if r.SinceSlot == 0 {
		r.Since = b.cfg.Since.Truncate(time.Second) // block times are whole seconds
	}
	var all []iter.Seq2[*Event, error]
	for _, a := range unique(b.cfg.Settings.AccountAddresses) {
		if b.cfg.Settings.Type.raw() {
			all = append(all, rawEvents(b.cfg.Raw(ctx, a, r)))
		} else {
			all = append(all, c.pastEvents(ctx, a, r))
		}
	}
	return all
}
