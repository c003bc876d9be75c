package webhooks

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
	"github.com/solwire/solwire-go/webhooks/internal/pace"
)

// Operations of a Keeper.
var (
	opKeep         = transport.Op{Method: "webhooks.Client.Keep", Wire: "GET /v0/addresses/{address}/transactions"}
	opSlot         = transport.Op{Method: "webhooks.Client.Keep", Wire: "getSlot"}
	opTransactions = transport.Op{Method: "webhooks.Client.Keep", Wire: "POST /v0/transactions"}
	opTransaction  = transport.Op{Method: "webhooks.Client.Keep", Wire: "getTransaction"}
)

// maxSlots returns at least how many slots ago it was a time ago, of which the latest are not
// finalized.
func maxSlots(ago time.Duration) uint64 { return 32 + uint64(ago/(300*time.Millisecond)) }

// lockHold is how long the lock of a record holds without a renewal.
const lockHold = 15 * time.Second

// slotMargin is how many slots a transaction may be added late to a history: ten minutes.
const slotMargin = 1500

// A patience is when to try something again.
type patience struct {
	next time.Time
	wait time.Duration
}

// failed doubles the wait, from at least to at most.
func (p *patience) failed(least, most time.Duration) {
	p.wait = min(max(2*p.wait, least), most)
	p.next = time.Now().Add(p.wait)
}

// due reports whether the wait is over.
func (p *patience) due() bool { return !time.Now().Before(p.next) }

// A work is the state of Run.
type work struct {
	*Keeper
	begun      bool // whether all addresses have a checkpoint
	locked     bool // whether this process backfills
	backfill   patience
	correction patience                      // when to correct the webhook again; next is zero if it has the settings
	failures   map[types.Address]int         // backfills in a row that failed
	events     map[types.Signature]*patience // that were tried again
	retried    time.Time                     // when events were
	woken      time.Time                     // when all of them were due, since Handle worked again
	batch      int                           // how many events are requested at once
	cursor     OpenEvent                     // of the next open events
	check      time.Time                     // when a history may be due
}

// loop looks for work until ctx ends.
func (k *Keeper) loop(ctx context.Context) {
	w := &work{Keeper: k, batch: retryAtOnce, events: make(map[types.Signature]*patience), failures: make(map[types.Address]int)}
	for ; ctx.Err() == nil; pause(ctx, pace.Of(keepTick)) {
		if err := w.step(ctx); err != nil && ctx.Err() == nil {
			k.fail(ctx, err)
		}
	}
}

// step does what there is to do.
func (w *work) step(ctx context.Context) error {
	r := w.receiver.Load()
	for _, signature := range r.unrecorded.list() {
		if err := w.record.Done(ctx, &Event{Signature: signature}); err != nil {
			return err
		}
		r.unrecorded.remove(signature)
	}
	err := w.retry(ctx)
	if w.takeSuspect() {
		w.correction.next, w.check = time.Now(), time.Time{}
	}
	if w.backfill.next.IsZero() && w.takeDue() { // else after the backfill that is pending
		if err := w.needNow(ctx); err != nil {
			return err
		}
	}
	if !w.backfill.due() {
		return err
	}
	w.backfill.next = time.Time{}
	if err := w.backfillDue(ctx); err != nil {
		w.backfill.failed(pace.Of(30*time.Second), pace.Of(keepFail))
		return err
	}
	w.backfill.wait = 0
	if err == nil && w.correction.next.IsZero() {
		w.fail(ctx, nil)
	}
	return err
}

// needNow makes all histories due up to now, once they have the events until now.
func (w *work) needNow(ctx context.Context) error {
	slot, err := w.slot(ctx, types.CommitmentConfirmed)
	if err == nil && !w.begun {
		w.begun, err = w.beginFirst(ctx, slot)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.due = true
		return err
	}
	w.need = max(w.need, slot)
	w.check = time.Time{}
	w.backfill.next = time.Now().Add(pace.Of(keepSettle))
	return nil
}

// takeDue returns whether events up to now may be missing, and forgets it.
func (k *Keeper) takeDue() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	due := k.due
	if now := time.Now(); k.unread && now.Sub(k.refusal) >= pace.Of(keepFail) {
		due, k.unread, k.refusal = true, false, now
	}
	k.due = false
	return due
}

// takeSuspect returns whether the webhook may have the wrong secret, and forgets it.
func (k *Keeper) takeSuspect() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	suspect := k.suspect
	k.suspect = false
	return suspect
}

// takeRecovered returns whether Handle works again after an outage, and forgets it.
func (k *Keeper) takeRecovered() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	recovered := k.recovered
	k.recovered = false
	return recovered
}

// dueOf returns the checkpoints of wanted addresses whose histories are to be read, those
// that were not read for longest first.
func (k *Keeper) dueOf(all []Checkpoint) []Checkpoint {
	k.mu.Lock()
	need, due := k.need, k.due
	k.mu.Unlock()
	wanted := set(k.cfg.Settings.AccountAddresses)
	var some []Checkpoint
	for _, c := range all {
		if wanted[c.Address] {
			delete(wanted, c.Address)
			if due || c.Reached == 0 || c.Reached < need || c.Age >= k.interval {
				some = append(some, c)
			}
		}
	}
	for a := range wanted {
		some = append(some, Checkpoint{Address: a})
	}
	slices.SortStableFunc(some, func(a, b Checkpoint) int { return cmp.Compare(a.Reached, b.Reached) })
	return some
}

// backfillDue backfills the addresses that are due, unless another process does it.
func (w *work) backfillDue(ctx context.Context) error {
	if time.Now().Before(w.check) {
		return nil
	}
	all, _, err := w.checkpoints(ctx)
	if err != nil {
		return err
	}
	due := w.dueOf(all)
	wrong := !w.correction.next.IsZero()
	if len(due) == 0 && (!wrong || !w.correction.due()) {
		oldest := time.Duration(0)
		for _, c := range all {
			oldest = max(oldest, c.Age)
		}
		if !wrong {
			if err := w.checkWebhook(ctx); err != nil {
				return err
			}
		}
		w.check = time.Now().Add(max(min(w.interval-oldest, keepCheck/2), pace.Of(keepTick)))
		if wrong && w.correction.next.Before(w.check) {
			w.check = w.correction.next
		}
		return nil
	}
	locked, err := exclusively(ctx, w.record, func(ctx context.Context) error {
		w.locked = true
		defer func() { w.locked = false }()
		return w.round(ctx)
	})
	if err == nil && !locked { // another process backfills
		w.check = time.Now().Add(pace.Of(keepSettle))
	}
	return err
}

// checkWebhook corrects the webhook if no process has looked at it for keepCheck. It is one GET,
// without a price.
func (w *work) checkWebhook(ctx context.Context) error {
	checked, err := w.record.Facts(ctx, factCheck)
	if err != nil || len(checked) > 0 && checked[0].Age < keepCheck {
		return err
	}
	_, err = exclusively(ctx, w.record, func(ctx context.Context) error {
		if _, err := w.correct(ctx, 0); err != nil {
			w.correction.failed(pace.Of(30*time.Second), w.interval)
			return err
		}
		return w.record.Put(ctx, Fact{Name: factCheck, Value: "1"})
	})
	return err
}

// exclusively calls f with the lock of a record, and renews the lock until f returns. It
// reports false if another process has the lock.
func exclusively(ctx context.Context, record Record, f func(context.Context) error) (locked bool, err error) {
	if locked, err = record.Lock(ctx, lockHold); err != nil || !locked {
		return locked, err
	}
	limited, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() { // ends with limited
		defer close(ended)
		keepLock(limited, record, cancel)
	}()
	err = f(limited)
	cancel()
	<-ended
	ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), handleWithin)
	defer cancel()
	_, _ = record.Lock(ctx, 0) // it lapses
	return true, err
}

// keepLock renews a lock until ctx ends, and ends ctx when another process has it.
func keepLock(ctx context.Context, record Record, lost context.CancelFunc) {
	for {
		pause(ctx, 3*time.Second)
		if ctx.Err() != nil {
			return
		}
		if locked, err := record.Lock(ctx, lockHold); err == nil && !locked {
			lost()
			return
		}
	}
}

// round corrects the webhook, and backfills the addresses that are due, also if the webhook
// cannot be corrected: it may have been deleted.
func (w *work) round(ctx context.Context) error {
	slot, err := w.slot(ctx, types.CommitmentFinalized)
	if err != nil {
		return err
	}
	if err := w.begin(ctx, slot); err != nil {
		return err
	}
	if w.correction.due() {
		w.correction.next = time.Time{}
		if slot, err = w.correct(ctx, slot); err != nil {
			w.correction.failed(pace.Of(30*time.Second), w.interval)
			w.fail(ctx, err)
		} else {
			w.correction.wait = 0
		}
	}
	w.mu.Lock()
	behind := slot < w.need
	if behind {
		w.backfill.next = time.Now().Add(pace.Of(keepSettle))
	}
	w.mu.Unlock()
	all, _, err := w.checkpoints(ctx)
	if err != nil {
		return err
	}
	due := w.dueOf(all)
	if behind { // histories have finalized transactions only: they would have to be read once more
		due = slices.DeleteFunc(due, func(c Checkpoint) bool { return c.Reached > 0 && c.Age < w.interval })
	}
	if len(due) > 0 {
		if err := w.fillAll(ctx, due, slot); err != nil {
			return err
		}
	}
	return w.clean(ctx)
}

// beginFirst adds the checkpoints of addresses at the start of this process, or at the creation
// of the webhook if no process has added any since. Slot is the latest confirmed one.
func (w *work) beginFirst(ctx context.Context, slot uint64) (begun bool, err error) {
	all, others, err := w.checkpoints(ctx)
	if err != nil {
		return false, err
	}
	since := w.start
	if len(all)+len(others) == 0 {
		facts, err := w.record.Facts(ctx, factStart)
		if err != nil {
			return false, err
		}
		for _, f := range facts {
			since = time.Now().Add(-max(f.Age, time.Since(w.start)))
		}
	}
	err = w.begin(ctx, slot-min(slot, maxSlots(time.Since(since))))
	return err == nil, err
}

// begin adds the checkpoints of addresses that have none, and for types that were not looked
// for. It comes before they are delivered. What was looked for before is continued from where
// it was.
func (w *work) begin(ctx context.Context, slot uint64) error {
	own, others, err := w.checkpoints(ctx)
	if err != nil {
		return err
	}
	known := make(map[types.Address]bool, len(own))
	for _, c := range own {
		known[c.Address] = true
	}
	before := make(map[types.Address]uint64)
	for _, c := range others {
		before[c.Address] = max(before[c.Address], c.Slot)
	}
	var facts []Fact
	for _, a := range without(unique(w.cfg.Settings.AccountAddresses), known) {
		c := Checkpoint{Address: a, filter: w.filter}
		switch {
		case before[a] > 0:
			facts = append(facts, c.at(min(before[a], slot)))
		case !w.cfg.Since.IsZero():
			facts = append(facts, c.at(0))
		default:
			facts = append(facts, c.at(slot))
		}
	}
	if len(facts) == 0 {
		return nil
	}
	return w.record.Add(ctx, facts...)
}

// correct corrects the webhook. If it was wrong, the histories are read once the events are
// in them that were not delivered until now. It returns the latest finalized slot.
func (w *work) correct(ctx context.Context, slot uint64) (uint64, error) {
	differences, err := w.client.Reconcile(ctx, w.webhook(), Wanted{Settings: w.cfg.Settings}, &ReconcileOptions{Apply: true})
	if errors.Is(err, types.ErrNotFound) { // it was deleted; another process may have replaced it
		var id string
		if id, err = w.adopt(ctx); err == nil {
			err = w.use(ctx, id)
		}
		if err == nil {
			differences, err = w.client.Reconcile(ctx, id, Wanted{Settings: w.cfg.Settings}, &ReconcileOptions{Apply: true})
			differences = cmp.Or(differences, new(Differences))
			differences.ActiveDiffers = true // nothing was delivered
		}
	}
	if err != nil || differences.Empty() {
		return slot, err
	}
	var settings []string // without their values, such as the URL
	for _, d := range differences.Settings {
		settings = append(settings, d.Setting)
	}
	w.log(ctx, slog.LevelWarn, "webhook corrected", slog.String("webhook", w.webhook()), slog.Bool("active_differs", differences.ActiveDiffers), slog.Any("settings", settings),
		slog.Int("missing_addresses", len(differences.Missing)), slog.Int("unwanted_addresses", len(differences.Unwanted)))
	if err := w.needNow(ctx); err != nil {
		return slot, err
	}
	pause(ctx, pace.Of(keepSettle))
	later, err := w.slot(ctx, types.CommitmentFinalized)
	return max(slot, later), err
}

// fillAll backfills addresses, one after the other. It goes on past an address that fails,
// unless three fail in a row. Addresses that failed before have their turn after the others.
func (w *work) fillAll(ctx context.Context, due []Checkpoint, slot uint64) error {
	report, start := new(BackfillReport), time.Now()
	var first error
	failed, inRow := 0, 0
	slices.SortStableFunc(due, func(a, b Checkpoint) int { return w.failures[a.Address] - w.failures[b.Address] })
	for _, c := range due {
		if err := w.fillOne(ctx, c, slot, report); err != nil {
			first = cmp.Or(first, err)
			w.failures[c.Address]++
			failed++
			inRow++
		} else {
			delete(w.failures, c.Address)
			inRow = 0
		}
		if ctx.Err() != nil || inRow == 3 {
			break
		}
		w.retryMeanwhile(ctx)
	}
	w.log(ctx, slog.LevelInfo, "backfill", slog.Int("addresses", len(due)), slog.Int("failed_addresses", failed), slog.Duration("duration", time.Since(start)),
		slog.Int("handled", report.Handled), slog.Int("seen", report.Seen), slog.Int("failed", report.Failed))
	return first
}

// retryMeanwhile retries events during a backfill, which may take hours.
func (w *work) retryMeanwhile(ctx context.Context) {
	if time.Since(w.retried) <= pace.Of(keepTick) {
		return
	}
	if err := w.retry(ctx); err != nil {
		w.fail(ctx, err)
	}
}

// fillOne backfills an address up to a finalized slot.
func (w *work) fillOne(ctx context.Context, c Checkpoint, slot uint64, report *BackfillReport) error {
	safe := slot - min(slot, slotMargin)
	moved := time.Now()
	b := &filling{
		client: w.client, receiver: w.receiver.Load(), settings: w.cfg.Settings, raw: w.cfg.Raw, report: report, unattended: true,
		passed: func(slot uint64) error { // so that another process need not begin again
			if time.Since(moved) < time.Second {
				return nil
			}
			moved = time.Now()
			w.retryMeanwhile(ctx)
			return w.record.Put(ctx, c.at(max(c.Slot, min(slot, safe))))
		},
	}
	r := BackfillRange{SinceSlot: c.Slot, UntilSlot: slot + 1} // new transactions would extend it for ever
	if c.Slot == 0 {
		r.Since = w.cfg.Since.Truncate(time.Second)
		if w.cfg.Since.IsZero() { // its configuration was changed
			r.SinceSlot = slot
		}
	}
	if err := b.fill(ctx, c.Address, r); err != nil {
		return err
	}
	return w.record.Put(ctx, c.at(max(c.Slot, safe, 1)), c.read(max(c.Reached, slot)))
}

// clean deletes what is not needed any more. Done events are kept for a backfill from the
// lowest checkpoint, which would handle them again.
func (w *work) clean(ctx context.Context) error {
	own, others, err := w.checkpoints(ctx)
	if err != nil {
		return err
	}
	wanted := set(w.cfg.Settings.AccountAddresses)
	var dropped []Fact
	before := uint64(math.MaxInt64)
	for i, c := range append(own, others...) {
		if (i >= len(own) || !wanted[c.Address]) && c.put >= keepDone {
			dropped = append(dropped, Fact{Name: c.at(0).Name}, Fact{Name: c.read(0).Name})
			continue
		}
		before = min(before, c.Slot)
	}
	if len(dropped) > 0 {
		if err := w.record.Put(ctx, dropped...); err != nil {
			return err
		}
	}
	for { // many events take long, and others are to be retried
		n, err := w.record.Clean(ctx, keepDone, before)
		if n > 0 {
			w.log(ctx, slog.LevelInfo, "old events deleted", slog.Int64("events", n))
		}
		if n == 0 || !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			return err
		}
		w.retryMeanwhile(ctx)
	}
}

// retryAtOnce limits the events of one retry to what one request returns.
const retryAtOnce = 100

// retry requests events by their signatures and processes them: those that are open in the
// Store, and those that this process could not record. Handle may have failed for hours:
// while it succeeds again, the next events do not wait for the next tick.
func (w *work) retry(ctx context.Context) error {
	for begin := time.Now(); ; {
		more, err := w.retrySome(ctx)
		if err != nil || !more || ctx.Err() != nil || time.Since(begin) >= pace.Of(keepSettle) {
			return err
		}
	}
}

// retrySome retries as many events as one request returns. It reports whether more may be
// due, and some of these are done.
func (w *work) retrySome(ctx context.Context) (more bool, err error) {
	w.retried = time.Now()
	if time.Since(w.woken) >= pace.Of(keepWake) && w.takeRecovered() {
		w.woken = time.Now()
		for _, p := range w.events {
			p.next = time.Time{}
		}
	}
	found, err := w.record.OpenEvents(ctx, OpenQuery{Idle: pace.Of(keepIdle), After: w.cursor, Limit: 1000})
	if err != nil {
		return false, err
	}
	open := found.Events
	if len(open) == 0 || w.locked {
		return w.retryDue(ctx, open)
	}
	locked, err := exclusively(ctx, w.record, func(ctx context.Context) (err error) { // one process requests them
		more, err = w.retryDue(ctx, open)
		return err
	})
	if err == nil && !locked {
		return w.retryDue(ctx, nil)
	}
	return more, err
}

// retryDue retries open events, and those that this process could not record, if their time
// has come.
func (w *work) retryDue(ctx context.Context, open []OpenEvent) (more bool, err error) {
	var signatures []types.Signature
	for _, o := range open {
		signatures = append(signatures, o.Signature)
	}
	w.mu.Lock()
	for signature, since := range w.missed {
		if time.Since(since) >= pace.Of(keepIdle) {
			signatures = append(signatures, signature)
		}
	}
	w.mu.Unlock()
	due := signatures[:0]
	for _, signature := range signatures {
		if p := w.events[signature]; len(due) < w.batch && (p == nil || p.due()) {
			due = append(due, signature)
		}
	}
	full := len(due) == w.batch
	w.cursor = OpenEvent{}
	if len(open) == 1000 && !full { // the next ones have their turn next time
		w.cursor = open[len(open)-1]
	}
	if len(due) == 0 {
		return false, nil
	}
	done, err := w.retryThese(ctx, unique(due))
	return full && done > 0, err
}

// retryThese returns how many of the events are done.
func (w *work) retryThese(ctx context.Context, signatures []types.Signature) (done int, err error) {
	if len(w.events) > 100*retryAtOnce {
		clear(w.events)
	}
	for _, signature := range signatures {
		if w.events[signature] == nil {
			w.events[signature] = new(patience)
		}
		w.events[signature].failed(pace.Of(keepIdle), pace.Of(keepRetry))
	}
	events, err := w.fetch(ctx, signatures)
	if w.batch = min(2*w.batch, retryAtOnce); err != nil && len(events) == 0 { // one of them may be why
		w.batch = max(len(signatures)/2, 1)
	}
	r := w.receiver.Load()
	for _, e := range events {
		got := r.process(ctx, []*Event{e}, limit{fillHandle, fillWait})[0]
		if got.outcome.effect().final {
			delete(w.events, e.Signature)
			done++
		}
		if ctx.Err() != nil {
			break
		}
	}
	return done, err
}

// fetch requests events by their signatures. The service may leave some out.
func (w *work) fetch(ctx context.Context, signatures []types.Signature) (events []*Event, err error) {
	if w.cfg.Settings.Type.raw() {
		latest := struct {
			Encoding   types.Encoding   `json:"encoding"`
			Commitment types.Commitment `json:"commitment"`
			MaxVersion int              `json:"maxSupportedTransactionVersion"`
		}{types.EncodingJSON, types.CommitmentConfirmed, 1}
		var first error
		for _, signature := range signatures {
			t, err := transport.Result(ctx, w.client.node, transport.Query[tx.Transaction]{
				Op: opTransaction, Null: transport.NullIsAnswer,
				Params: []any{signature, latest},
			})
			if err == nil && t != nil {
				var e *Event
				if e, err = rawEvent(t); err == nil {
					events = append(events, e)
				}
			}
			first = cmp.Or(first, err)
		}
		return events, first
	}
	in := struct {
		Transactions []types.Signature `json:"transactions"`
	}{signatures}
	list, err := transport.Fetch[[]json.RawMessage](ctx, w.client.api, transport.Request{
		Op: opTransactions, Query: url.Values{"commitment": {string(types.CommitmentConfirmed)}}, Body: in,
	}, nil)
	if err != nil {
		return nil, err
	}
	asked := make(map[types.Signature]bool, len(signatures))
	for _, s := range signatures {
		asked[s] = true
	}
	for _, raw := range *list { // one that cannot be identified does not keep the others from being handled
		if e, err := parseEvent(raw); err == nil && asked[e.Signature] {
			events = append(events, e)
		}
	}
	return events, nil
}

// maxRate is at most how many slots there are in a second.
const maxRate = 5

// slot returns the latest slot of a commitment. A checkpoint never goes back, so that one wrong
// response would skip events for good: the lower one of two counts, and only as far as the time
// since the latest slot of the record allows.
func (k *Keeper) slot(ctx context.Context, commitment types.Commitment) (uint64, error) {
	config := struct {
		Commitment types.Commitment `json:"commitment"`
	}{commitment}
	slot := uint64(math.MaxUint64)
	for range 2 {
		got, err := transport.Result(ctx, k.client.node, transport.Query[uint64]{Op: opSlot, Params: []any{config}})
		switch {
		case err != nil:
			return 0, err
		case *got == 0:
			return 0, fmt.Errorf("%s: slot 0", opSlot)
		}
		slot = min(slot, *got)
	}
	facts, err := k.record.Facts(ctx, factSlot)
	if err != nil {
		return 0, err
	}
	for _, f := range facts {
		latest := number(f)
		slot = min(slot, latest+slotMargin/5+uint64(f.Age.Seconds()*float64(maxRate*pace.Speed)))
		if slot <= latest {
			return slot, nil
		}
	}
	return slot, k.record.Put(ctx, Fact{Name: factSlot, Value: strconv.FormatUint(slot, 10)})
}
