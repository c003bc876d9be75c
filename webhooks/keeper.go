package webhooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks/internal/pace"
)

// A KeepConfig configures a [Keeper]. Settings, Store and Handle are required; the zero
// value of each other field means its default.
type KeepConfig struct {
	// Name is the name of the record in the Store, printable ASCII of 1 to 64 bytes. What was
	// handled belongs to the name, whatever happens to the webhook, its URL, secret and types.
	// Programs that share a Store need a name each. Empty means "keeper".
	Name string

	// Webhook is the ID of the webhook. Empty means the last webhook of the record, or one with
	// the URL of Settings; it is created if the account has neither. A webhook that was
	// deleted is replaced by another one, and the record continues.
	Webhook string

	// Settings are what must be delivered. The webhook is corrected to them, and they alone say what is backfilled. Required are URL, Type,
	// AccountAddresses and AuthHeader, the secret of the deliveries.
	Settings Settings

	// Store remembers the events and how far the histories were handled. Processes that
	// share it share the work.
	Store Store

	// Handle is called for each event that was not handled before, in any order and
	// concurrently, also for one that cannot be decoded, whose Err is set. An event is done
	// only after nil or [ErrSkip]; after any other error, or a panic, it is handled again
	// later, however often it takes. An event may be handled twice, if a process dies, stands
	// still or loses the database, or Handle takes longer than a minute: let Handle be
	// idempotent, such as by a primary key on the signature.
	//
	// Of a delivery, ctx ends after 800 ms: store the event and do slow work elsewhere.
	Handle func(ctx context.Context, e *Event) error

	// Since is the block time from which to handle the events of an address that the Store
	// does not know yet. Zero means from the first start of a process that wants the address.
	// The events of a transaction type that is added are handled from then on, too. Events that were handled for another
	// address are handled again if their records were deleted, which is after a week.
	Since time.Time

	// Interval is how often the histories are read although nothing failed. It is how late an
	// event may be handled whose deliveries never arrived, at 100 credits for each
	// address. 0 means 24 hours.
	Interval time.Duration

	// Raw lists the transactions of an address for a webhook of type raw. Enhanced
	// webhooks need none.
	Raw RawHistory

	Secrets []Secret     // accepted besides AuthHeader, to rotate the secret
	Logger  *slog.Logger // as in [ReceiverConfig], and for what Run does; nil means no records
}

// A Keeper receives the events of a webhook and sees to it that every one is handled: it is
// an http.Handler for the deliveries, and Run does the rest. Make it with [Client.Keep].
//
//   - The webhook has the wanted settings: addresses that vanished are added again, and a
//     webhook that was switched off is switched on, every five minutes. What was not delivered
//     until then is found in the histories.
//   - Events that were not delivered are found in the histories of the addresses, about a
//     minute after the start and daily, from where the last backfill of the address ended.
//     While deliveries cannot be read, they are found hourly. One of the processes that share
//     a Store does it.
//   - Events that were delivered but not handled are requested again by their signatures,
//     until they are, or until [Keeper.GiveUp]. [Keeper.OpenEvents] lists them.
//   - A webhook that was deleted is replaced.
//   - Old events are deleted from the Store after a week.
//
// An event is lost only if the service leaves it out of the history of its address, or adds
// it there more than ten minutes late, and its deliveries fail as well.
type Keeper struct {
	client   *Client
	cfg      *KeepConfig // a pointer, which is printed without the secrets
	interval time.Duration

	started  atomic.Bool
	start    time.Time // of Run
	record   Record
	filter   string                   // of checkpoints
	receiver atomic.Pointer[Receiver] // nil until id and record are set
	errors   logLimit
	logs     logbook

	mu      sync.Mutex
	id      string                        // of the webhook
	missed  map[types.Signature]time.Time // delivered, but neither handled nor open in the Store
	due     bool                          // whether events may be missing up to now
	refused int                           // deliveries that could not be read
	unread  bool                          // whether a delivery could not be read since then
	refusal time.Time                     // when due was last set for such deliveries
	suspect bool                          // whether the webhook may have the wrong secret
	denial  time.Time                     // of a delivery for which suspect was set
	need    uint64                        // the slot that histories must be read up to
	problem string                        // why Run does not get on

	failedCalls int  // of Handle, in a row
	recovered   bool // whether Handle works after keepFailures of them
}

// Times of a Keeper.
const (
	keepEvery  = 24 * time.Hour
	keepCheck  = 5 * time.Minute  // how often the webhook is checked
	keepTick   = 15 * time.Second // how often Run looks for work
	keepSettle = 45 * time.Second // until a delivery or its absence is final, and in the histories
	keepIdle   = 15 * time.Second // until the service has given up on a delivery
	keepRetry  = 2 * time.Hour    // most time between two attempts for an event
	keepWake   = 10 * time.Minute // least time between two attempts for all events
	keepFail   = time.Hour        // most time between two backfills that fail; least between two for refused deliveries
	keepDone   = 7 * keepEvery    // until a handled event is deleted
)

// keepFailures is how many calls of Handle in a row fail during an outage. If a few events
// can never be handled, fewer do.
const keepFailures = 10

// Keep returns a Keeper. It sends nothing: the work begins with [Keeper.Run]. Its errors
// match [types.ErrInvalid].
func (c *Client) Keep(cfg KeepConfig) (*Keeper, error) {
	if err := c.api.Check(opKeep, cfg.check(), c.checkHistories(cfg.Settings, cfg.Raw), c.nodeErr); err != nil {
		return nil, err
	}
	cfg.Settings, cfg.Secrets = cfg.Settings.clone(), slices.Clone(cfg.Secrets)
	return &Keeper{
		client: c, cfg: &cfg, filter: cfg.Settings.filter(), interval: cmp.Or(cfg.Interval, keepEvery),
		missed: make(map[types.Signature]time.Time), due: true,
	}, nil
}

func (cfg *KeepConfig) check() error {
	switch {
	case cfg.Store == nil:
		return argument.Invalid("Store", "is nil")
	case cfg.Handle == nil:
		return argument.Invalid("Handle", "is nil")
	case cfg.Settings.AuthHeader == "":
		return argument.Invalid("Settings.AuthHeader", "is empty; set the secret of the deliveries")
	case cfg.Interval != 0 && cfg.Interval < time.Second:
		return argument.Invalid("Interval", "is less than a second; 0 means 24 hours")
	}
	for i, s := range cfg.Secrets {
		if s == "" {
			return argument.Invalid(fmt.Sprintf("Secrets[%d]", i), "is empty: a request without Authorization would match")
		}
		if err := s.check(fmt.Sprintf("Secrets[%d]", i)); err != nil {
			return err
		}
	}
	if cfg.Webhook != "" {
		if err := checkID(cfg.Webhook); err != nil {
			return err
		}
	}
	return cmp.Or(cfg.Settings.check(Settings{}), cfg.Settings.checkReplace())
}

// Format prints a Keeper without its settings, which have secrets.
func (k *Keeper) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "*webhooks.Keeper") }

// OpenEvents returns the events that are open in the Store: those that are being handled, and
// those that wait for another attempt.
func (k *Keeper) OpenEvents(ctx context.Context, q OpenQuery) (*OpenEvents, error) {
	if k.receiver.Load() == nil {
		return nil, errors.New("webhooks.Keeper.OpenEvents: Run has not opened the Store")
	}
	return k.record.OpenEvents(ctx, q)
}

// GiveUp records an open event as handled, so that it is not tried again.
func (k *Keeper) GiveUp(ctx context.Context, signature types.Signature) error {
	if k.receiver.Load() == nil {
		return errors.New("webhooks.Keeper.GiveUp: Run has not opened the Store")
	}
	k.log(ctx, slog.LevelWarn, "event given up", slog.String("signature", string(signature)))
	return k.record.Done(ctx, &Event{Signature: signature})
}

// ServeHTTP responds to one delivery, as a [Receiver] does. Until Run has opened the Store,
// it responds with 503.
func (k *Keeper) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if r := k.receiver.Load(); r != nil {
		r.ServeHTTP(w, req)
		return
	}
	http.Error(w, http.StatusText(http.StatusServiceUnavailable), http.StatusServiceUnavailable)
}

// Run does the work of a Keeper until ctx ends, and then waits up to five seconds for the
// events that are being handled and returns nil. What fails is logged, shown by Status and
// tried again. Run ends with an error only if the Store is invalid, or the webhook cannot be
// found or created because the service refuses the key or the settings.
func (k *Keeper) Run(ctx context.Context) error {
	if k.client == nil {
		return fmt.Errorf("webhooks.Keeper.Run: the Keeper was not made by Client.Keep: %w", types.ErrInvalid)
	}
	if err := k.client.api.Check(opKeep, checkContext(ctx)); err != nil {
		return err
	}
	if k.started.Swap(true) {
		return errors.New("webhooks.Keeper.Run: was called before")
	}
	k.start = time.Now()
	defer k.flush(ctx)
	if err := k.open(ctx); err != nil {
		return err
	}
	r := k.receiver.Load()
	if r == nil { // ctx ended
		return nil
	}
	limited, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	context.AfterFunc(ctx, func() { time.AfterFunc(stopWithin, cancel) })
	k.loop(ctx)
	if err := r.Shutdown(limited); err != nil {
		k.log(ctx, slog.LevelWarn, "stopped while events are handled", slog.String("error", err.Error()))
	}
	return nil
}

// open sets the record, the webhook and the receiver.
func (k *Keeper) open(ctx context.Context) error {
	for wait := time.Second; ctx.Err() == nil; wait = min(2*wait, time.Minute) {
		err := k.openOnce(ctx)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, types.ErrInvalid), errors.Is(err, types.ErrUnauthorized), errors.Is(err, types.ErrNotFound), refused(err):
			return err
		}
		k.fail(ctx, err)
		pause(ctx, wait)
	}
	return nil
}

// refused reports whether the service refused a request as it is.
func refused(err error) bool {
	var refusal *types.APIError
	return errors.As(err, &refusal) && refusal.StatusCode == http.StatusBadRequest
}

func (k *Keeper) openOnce(ctx context.Context) error {
	if k.record == nil {
		name := cmp.Or(k.cfg.Name, "keeper")
		if k.client.devnet { // the slots of two networks have nothing in common
			name = "devnet " + name
		}
		record, err := k.cfg.Store.Record(ctx, name)
		if err != nil {
			return err
		}
		k.record = guardedRecord{record}
	}
	if err := k.record.Add(ctx, Fact{Name: factStart, Value: "1"}); err != nil {
		return err
	}
	if err := k.find(ctx, k.cfg.Webhook); err != nil {
		return err
	}
	r, err := NewReceiver(ReceiverConfig{
		Secrets: append([]Secret{k.cfg.Settings.AuthHeader}, k.cfg.Secrets...),
		Handle:  k.cfg.Handle, Seen: k.record, Logger: k.cfg.Logger,
	})
	if err != nil {
		return err
	}
	r.observe, r.refused = k.observe, k.refuse
	k.receiver.Store(r)
	k.fail(ctx, nil)
	return nil
}

// find sets the webhook. Without an ID, it adopts or creates one; one process at a time, so
// that two do not create two.
func (k *Keeper) find(ctx context.Context, id string) error {
	if id == "" {
		locked, err := exclusively(ctx, k.record, func(ctx context.Context) (err error) {
			id, err = k.adopt(ctx)
			return err
		})
		if err == nil && !locked {
			err = errors.New("webhooks.Keeper.Run: another process is creating the webhook")
		}
		if err != nil {
			return err
		}
	}
	return k.use(ctx, id)
}

// use sets the webhook and records it.
func (k *Keeper) use(ctx context.Context, id string) error {
	k.mu.Lock()
	k.id = id
	k.mu.Unlock()
	return k.record.Add(ctx, Fact{Name: factWebhook + id, Value: "1"})
}

func (k *Keeper) webhook() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.id
}

// adopt returns the ID of the last webhook of the record that still exists, or else of one
// that has the URL. It creates the webhook if there is none.
func (k *Keeper) adopt(ctx context.Context) (string, error) {
	used, err := k.record.Facts(ctx, factWebhook)
	if err != nil {
		return "", err
	}
	all, err := k.client.Webhooks(ctx)
	if err != nil {
		return "", err
	}
	slices.SortFunc(used, func(a, b Fact) int { return cmp.Compare(a.Age, b.Age) })
	var found []string // the last one of the record first
	for _, f := range used {
		if slices.ContainsFunc(all, func(w Summary) bool { return factWebhook+w.ID == f.Name }) {
			found = append(found, strings.TrimPrefix(f.Name, factWebhook))
		}
	}
	for _, w := range all {
		if w.URL == k.cfg.Settings.URL && !slices.Contains(found, w.ID) {
			found = append(found, w.ID)
		}
	}
	if len(found) > 1 {
		k.log(ctx, slog.LevelWarn, "several webhooks have the URL or were used; each event is delivered and paid for several times", slog.Any("webhooks", found))
	}
	if len(found) > 0 {
		return found[0], nil
	}
	w, err := k.client.Create(ctx, k.cfg.Settings)
	if err != nil {
		// It may exist nevertheless. The next attempt lists it, once the service does.
		pause(ctx, pace.Of(keepTick))
		return "", err
	}
	k.log(ctx, slog.LevelInfo, "webhook created", slog.String("webhook", w.ID))
	return w.ID, nil
}

// observe remembers the events that the service delivered in vain, and whether Handle works
// again.
func (k *Keeper) observe(e *Event, o outcome) {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch o {
	case outcomeFailed, outcomeBusy:
		k.failedCalls++
	case outcomeHandled, outcomeSkipped:
		k.recovered = k.recovered || k.failedCalls >= keepFailures
		k.failedCalls = 0
	}
	switch x := o.effect(); {
	case x.final || x.open:
		delete(k.missed, e.Signature)
	case len(k.missed) >= maxUnrecorded:
		k.due = true
	default:
		if _, known := k.missed[e.Signature]; !known {
			k.missed[e.Signature] = time.Now()
		}
	}
}

// refuse makes the histories due, since the events of a delivery are unknown. It does so once
// an hour: the service may have changed what it posts. Anybody can post without the secret:
// that costs no backfill unless the webhook has the wrong secret.
func (k *Keeper) refuse(status int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := time.Now()
	if status == http.StatusUnauthorized {
		if now.Sub(k.denial) >= pace.Of(keepFail) {
			k.suspect, k.denial = true, now
		}
		return
	}
	k.refused++
	k.unread = true // until the hour is over
}

// fail records why Run does not get on; nil means that it does.
func (k *Keeper) fail(ctx context.Context, err error) {
	if err != nil && ctx.Err() != nil { // err only says so
		return
	}
	k.mu.Lock()
	k.problem = ""
	if err != nil {
		k.problem = err.Error()
	}
	k.mu.Unlock()
	if err != nil && k.errors.due(time.Now()) {
		k.log(ctx, slog.LevelError, "keeper failed, and will try again", slog.String("error", err.Error()))
	}
}

func (k *Keeper) log(ctx context.Context, level slog.Level, message string, attrs ...slog.Attr) {
	if k.cfg.Logger != nil {
		k.logs.add(logEntry{ctx: ctx, logger: k.cfg.Logger, level: level, message: message, attrs: attrs})
	}
}

// flush waits for the log, but not for a Logger that blocks.
func (k *Keeper) flush(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), handleWithin)
	defer cancel()
	k.logs.flush(ctx)
}

// A Status is the state of a [Keeper]. It is fit for a health endpoint: alert on a
// Backfilled that is more than two days old, and on OldestOpen if it does not change.
type Status struct {
	Webhook     string        `json:"webhook"`     // ID; empty until Run knows it
	Open        int           `json:"open"`        // events that are being handled, or wait for another attempt
	OldestOpen  uint64        `json:"oldestOpen"`  // the lowest slot of an open event; 0 if there is none
	OpenAge     time.Duration `json:"openAge"`     // since the first attempt for the oldest open event, in nanoseconds
	Missed      int           `json:"missed"`      // events that this process received and could not record
	Refused     int           `json:"refused"`     // deliveries with the secret that this process could not read
	Checkpoints []Checkpoint  `json:"checkpoints"` // of the wanted addresses; Slot is not after OldestOpen
	Backfilled  types.Time    `json:"backfilled"`  // all histories were read at this time or later; zero if one was never read
	Due         bool          `json:"due"`         // whether a history is to be read
	Problem     string        `json:"problem"`     // why Run does not get on; empty if it does
}

// Status returns the state of a Keeper, and of the processes that share its Store. If the
// Store fails, it returns the error with what this process knows.
func (k *Keeper) Status(ctx context.Context) (*Status, error) {
	k.mu.Lock()
	s := &Status{Missed: len(k.missed), Refused: k.refused, Problem: k.problem, Due: true}
	k.mu.Unlock()
	if k.receiver.Load() == nil {
		return s, nil
	}
	s.Webhook = k.webhook()
	all, _, err := k.checkpoints(ctx)
	if err != nil {
		return s, err
	}
	open, err := k.record.OpenEvents(ctx, OpenQuery{}) // after the checkpoints, which do not pass what opens meanwhile
	if err != nil {
		return s, err
	}
	s.Open, s.OldestOpen, s.OpenAge = open.Count, open.Slot, open.Oldest
	wanted := set(k.cfg.Settings.AccountAddresses)
	oldest, read := time.Duration(0), 0
	for _, c := range all {
		if !wanted[c.Address] {
			continue
		}
		if s.OldestOpen > 0 {
			c.Slot = min(c.Slot, s.OldestOpen)
		}
		if oldest = max(oldest, c.Age); c.Reached > 0 {
			read++
		}
		c.filter, c.put = "", 0
		s.Checkpoints = append(s.Checkpoints, c)
	}
	if read == len(wanted) {
		s.Backfilled = types.Time{Time: time.Now().Add(-oldest)}
	}
	s.Due = len(k.dueOf(all)) > 0
	return s, nil
}
