package webhooks

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"slices"
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
	// Name is the name of the record in the Store, printable ASCII of 1 to 57 bytes. What was
	// handled belongs to the name, whatever happens to the webhook, its URL, secret and types.
	// Programs that share a Store need a name each. Empty means "keeper".
	Name string

	// Webhook is the ID of the webhook. Empty means the last webhook of the record, or one with
	// the URL of Settings; it is created if the account has neither. A webhook that was
	// deleted is replaced by another one, and the record continues.
	Webhook string

	// Settings are what must be delivered. The webhook is corrected to them, and they alone say
	// what is backfilled. Required are URL, Type, AccountAddresses and AuthHeader, the secret
	// of the deliveries. While processes with other settings run, such as in a rolling deploy,
	// those of the process that leads apply. The others are handled once it has ended.
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
	// The events of a transaction type that is added are handled from then on, too. Events that
	// were handled for another address are handled again if their records were deleted, which
	// is after a week.
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
//   - The webhook has the wanted settings: every five minutes, addresses that vanished are
//     added again, and a webhook that was switched off or deleted is switched on or replaced.
//   - Events that were not delivered are found in the histories of the addresses, which are
//     read daily, an hour after a delivery could not be read, and when events may be
//     missing: at a start, and after the webhook was wrong. A history that was read within the
//     hour is read only if a node lists transactions that the Store does not have, which
//     costs one credit to know. Every five minutes one address is looked at so, in turn.
//   - Events that were delivered but not handled are requested again by their signatures,
//     until they are handled. [Keeper.OpenEvents] lists them. Those that the service does not return for a
//     day are given up, see [Keeper.GiveUp].
//   - Old events are deleted from the Store after a week.
//
// Of the processes that share a record, one leads: it does this for all.
//
// An event is lost only if the service leaves it out of the history of its address, or adds
// it there more than ten minutes late, and its deliveries fail as well.
type Keeper struct {
	client   *Client
	cfg      *KeepConfig // a pointer, which is printed without the secrets
	interval time.Duration
	filter   string // of checkpoints
	wanted   map[types.Address]bool
	process  string // a random name

	started  atomic.Bool
	start    time.Time               // of Run
	found    bool                    // the webhook, while this process led
	stop     context.CancelCauseFunc // of Run
	record   Record
	receiver atomic.Pointer[Receiver] // nil until record is set
	logs     logbook

	mu       sync.Mutex
	counts   Counts
	problems map[string]Problem         // by cause and address
	missed   map[types.Signature]uint64 // delivered, but neither handled nor open in the Store; with its slot
	lately   bool                       // whether events were delivered since the last report
	expected map[types.Address]Fact     // some of those that were handled
	wasDue   time.Time                  // when the histories were last made due
	dueAfter time.Duration              // how long after it they are due again

	failedCalls int         // of Handle, in a row
	recovered   atomic.Bool // whether Handle works after keepFailures of them
}

// Times of a Keeper.
const (
	keepEvery  = 24 * time.Hour
	keepCheck  = 5 * time.Minute  // how often the webhook and an address are checked
	keepTick   = 15 * time.Second // how often events are retried
	keepLook   = 30 * time.Second // how often the record is looked at for other work
	keepSettle = 45 * time.Second // until a delivery or its absence is final, and in the histories
	keepIdle   = 15 * time.Second // until the service has given up on a delivery
	keepRetry  = 2 * time.Hour    // most time between two attempts for an event
	keepWake   = 10 * time.Minute // least time between two attempts for all events
	keepAgain  = time.Hour        // least time between two readings of a history, unless events are missing
	keepAbsent = 24 * time.Hour   // until an event is given up that the service does not return
	keepDone   = 7 * keepEvery    // until a handled event is deleted
	keepEnded  = 2 * time.Hour    // until a process that does not report has ended; the clock of the Store may be an hour off

	// The lock of the process that leads.
	lockHold  = 20 * time.Second
	lockRenew = 7 * time.Second
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
		process: rand.Text(), wanted: set(cfg.Settings.AccountAddresses),
		missed: make(map[types.Signature]uint64), expected: make(map[types.Address]Fact), counts: make(Counts), problems: make(map[string]Problem),
	}, nil
}

func (cfg *KeepConfig) check() error {
	switch {
	case cfg.Store == nil:
		return argument.Invalid("Store", "is nil")
	case cfg.Handle == nil:
		return argument.Invalid("Handle", "is nil")
	case len(cfg.Name) > 57: // with a prefix, a Store takes 64
		return argument.Invalid("Name", "is longer than 57 bytes")
	case cfg.Settings.AuthHeader == "":
		return argument.Invalid("Settings.AuthHeader", "is empty; set the secret of the deliveries")
	case cfg.Interval != 0 && cfg.Interval < time.Second:
		return argument.Invalid("Interval", "is less than a second; 0 means 24 hours")
	}
	if err := cmp.Or(checkSecrets(cfg.Secrets), cfg.Settings.check(Settings{}), cfg.Settings.checkReplace()); err != nil || cfg.Webhook == "" {
		return err
	}
	return checkID(cfg.Webhook)
}

// Format prints a Keeper without its settings, which have secrets.
func (k *Keeper) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "*webhooks.Keeper") }

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
// tried again. Run ends with an error only if the Store is invalid, another program uses the
// record, the node is of another network, or the webhook cannot be found or created because
// the service refuses the key or the settings.
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
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	k.stop = stop
	opening, opened := context.WithCancel(running)
	defer opened()
	k.every(opening, time.Second, time.Minute, "store", func(ctx context.Context) error {
		err := k.open(ctx)
		switch {
		case err == nil:
			opened()
		case errors.Is(err, types.ErrInvalid):
			stop(err)
		}
		return err
	})
	r := k.receiver.Load()
	if r == nil { // ctx ended, or the Store is invalid
		return failure(running, ctx)
	}
	limited, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	context.AfterFunc(running, func() { time.AfterFunc(stopWithin, cancel) })
	var workers sync.WaitGroup // they end with running
	workers.Go(func() { k.attend(running) })
	workers.Go(func() { k.lead(running) })
	workers.Wait()
	failed := failure(running, ctx)
	if err := r.Shutdown(limited); err != nil {
		k.log(ctx, slog.LevelWarn, "stopped while events are handled", slog.String("error", err.Error()))
	}
	return failed
}

// failure returns why running was stopped, nil if ctx ended.
func failure(running, ctx context.Context) error {
	if ctx.Err() == nil {
		return context.Cause(running)
	}
	return nil
}

// open sets the record and the receiver.
func (k *Keeper) open(ctx context.Context) error {
	name := cmp.Or(k.cfg.Name, "keeper")
	if k.client.network == types.NetworkDevnet { // the slots of two networks have nothing in common
		name = "devnet " + name
	}
	record, err := with(ctx, k.cfg.Store.Record, name)
	if err != nil {
		return err
	}
	k.record = guardedRecord{record}
	if err := k.record.Add(ctx, Fact{Name: factStart, Value: "1"}); err != nil {
		return err
	}
	if err := k.enter(ctx); err != nil {
		return err
	}
	r, _ := NewReceiver(ReceiverConfig{ // Keep has checked it
		Secrets: append([]Secret{k.cfg.Settings.AuthHeader}, k.cfg.Secrets...),
		Handle:  k.cfg.Handle, Seen: record, Logger: k.cfg.Logger,
	})
	r.keeper = k
	k.receiver.Store(r)
	return nil
}

// every calls f now and then until ctx ends. Its errors are problems with a cause, after which
// it waits longer, up to most.
func (k *Keeper) every(ctx context.Context, least, most time.Duration, cause string, f func(context.Context) error) {
	for p := (patience{}); ctx.Err() == nil; pause(ctx, max(pace.Of(least), time.Until(p.next))) {
		err := f(ctx)
		k.problem(ctx, cause, "", err)
		if err != nil {
			p.failed(least, most)
		} else {
			p = patience{}
		}
	}
}

// attend does what each process does for itself: it records what it counted and could not
// record, and tells the leader what may be missing.
func (k *Keeper) attend(ctx context.Context) {
	var reported time.Time
	k.every(ctx, keepTick, keepTick, "store", func(ctx context.Context) error {
		r := k.receiver.Load()
		var unrecorded error
		begin := time.Now()
		for key := range r.unrecorded.Range {
			signature, _ := key.(types.Signature)
			unrecorded = cmp.Or(unrecorded, r.claim(ctx, &Event{Signature: signature}).err)
			if time.Since(begin) >= storeWithin { // the Store hangs
				break
			}
		}
		if time.Since(reported) >= pace.Of(time.Minute) {
			if err := k.report(ctx); err != nil {
				return err
			}
			reported = time.Now()
		}
		if k.takeDue() {
			err := k.needNow(ctx)
			if errors.Is(err, types.ErrInvalid) { // a node of another network
				k.stop(err)
			}
			k.problem(ctx, "node", "", err)
			if err != nil {
				k.dueAgain(0)
			}
		}
		k.problem(ctx, "missed", "", k.openMissed(ctx, r))
		return unrecorded
	})
}

// openMissed opens the events in the Store that were delivered while it failed, or too many at
// once, so that they are retried.
func (k *Keeper) openMissed(ctx context.Context, r *Receiver) error {
	k.mu.Lock()
	missed := maps.Clone(k.missed)
	k.mu.Unlock()
	for signature, slot := range missed {
		e := &Event{Signature: signature, Slot: slot}
		switch got := r.claim(ctx, e); got.outcome {
		case outcomeHandled:
			r.settle(ctx, e, result{outcomeFailed, errMissed})
		case outcomeStore:
			return got.err
		}
		k.mu.Lock()
		delete(k.missed, signature)
		k.mu.Unlock()
	}
	return nil
}

// dueAgain records that events may be missing, for which all histories are read some time after
// they were last due.
func (k *Keeper) dueAgain(after time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.dueAfter = min(k.dueAfter, after)
}

// isDue reports whether events up to now may be missing. k.mu is held.
func (k *Keeper) isDue() bool { return time.Since(k.wasDue) >= k.dueAfter }

// takeDue returns whether events up to now may be missing, and forgets it.
func (k *Keeper) takeDue() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	due := k.isDue()
	if due {
		k.dueAfter, k.wasDue = math.MaxInt64, time.Now()
	}
	return due
}

// lead does the work of all processes while this one has the lock of the record: three loops
// that do not wait for each other, and the deletion of what is old.
func (k *Keeper) lead(ctx context.Context) {
	for ; ctx.Err() == nil; pause(ctx, pace.Of(keepLook)) {
		locked, err := k.record.Lock(ctx, lockHold)
		k.problem(ctx, "lock", "", err)
		if err != nil || !locked {
			continue
		}
		leading, lost := context.WithCancel(ctx)
		w, h, r := &watcher{Keeper: k}, &historian{Keeper: k, known: make(map[types.Address]*history)}, &retrier{Keeper: k, events: make(map[types.Signature]*attempts), batch: retryAtOnce}
		var workers sync.WaitGroup // they end with leading
		workers.Go(func() { k.every(leading, keepLook, keepCheck, "webhook", w.check) })
		workers.Go(func() { k.every(leading, keepLook, keepLook, "histories", h.read) })
		workers.Go(func() { k.every(leading, keepTick, keepTick, "retries", r.retryOpen) })
		workers.Go(func() { k.every(leading, time.Hour, time.Hour, "clean", k.clean) })
		for leading.Err() == nil {
			pause(leading, lockRenew)
			if locked, err := k.record.Lock(leading, lockHold); err == nil && !locked {
				break
			}
		}
		lost()
		workers.Wait()
		k.mu.Lock()
		maps.DeleteFunc(k.problems, func(_ string, p Problem) bool { // the next leader has its own
			return slices.Contains([]string{"webhook", "histories", "retries", "clean"}, p.Cause)
		})
		k.mu.Unlock()
		limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), handleWithin)
		_, _ = k.record.Lock(limited, 0) // it lapses
		cancel()
	}
}

// receive counts the events of a delivery.
func (k *Keeper) receive(events int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.counts["delivered"] += events
	k.lately = k.lately || events > 0
}

// observe counts the outcome of an event, and remembers those that the service delivered in
// vain, and whether Handle works again.
func (k *Keeper) observe(e *Event, o outcome, from string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	x := o.effect()
	if from == fromDelivery && o == outcomeHandled && e.Slot > 0 && e.Address != "" && len(k.expected) < 200 {
		k.expected[e.Address] = Fact{Name: factExpect + string(e.Address), Value: fmt.Sprintf("%d %s", e.Slot, e.Signature)}
	}
	switch o {
	case outcomeFailed:
		k.counts["failed"]++
		k.failedCalls++
	case outcomeHandled, outcomeSkipped:
		k.counts["handled"]++
		if from != fromDelivery {
			k.counts[from]++
		}
		if o == outcomeSkipped {
			k.counts["skipped"]++
		}
		if e.Err != nil {
			k.counts["undecodable"]++
		}
		if k.failedCalls >= keepFailures {
			k.recovered.Store(true)
		}
		k.failedCalls = 0
	}
	switch {
	case x.final || x.open:
		delete(k.missed, e.Signature)
	case len(k.missed) >= maxUnrecorded:
		k.dueAfter = 0
	default:
		k.missed[e.Signature] = e.Slot
	}
}

// refuse counts a delivery that was refused. It makes the histories due, since its events are
// unknown: once an hour, as the service may have changed what it posts. Anybody can post
// without the secret, and a wrong secret of the webhook is found by the next check of it.
func (k *Keeper) refuse(status int) {
	k.count(fmt.Sprint("refused_", status))
	if status != http.StatusUnauthorized {
		k.dueAgain(pace.Of(keepAgain))
	}
}
