package keeper

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/internal/logbook"
	"github.com/solwire/solwire-go/webhooks/internal/pace"
)

// The times and limits of a Keeper.
const (
	checkEvery  = 5 * time.Minute  // the webhook, and an address in turn
	createAgain = 15 * time.Minute // until a created webhook is listed, if its response was lost
	settle      = 45 * time.Second // until an event is finalized, and its deliveries have failed
	margin      = 9000             // slots that a transaction may be listed late: an hour
	startMargin = 10 * time.Minute // events before the first start that count, as clocks differ
	listAgain   = time.Hour        // longest wait until all are listed, while that finds events
	listAtOnce  = 8                // addresses

	firstRetry   = 15 * time.Second // of an event; the service has given up on the delivery by then
	longestRetry = 2 * time.Hour
	giveUpAfter  = 24 * time.Hour // the age of an event that is given up, and
	giveUpTries  = 12             // its attempts: it may be old because no process ran
	batch        = 100            // events of one request
	workAtOnce   = 4              // requests, and calls of Handle for the events of each
	// Requests in a row that fail before all wait; of fewer, some events may be the reason.
	maxFailing   = 16
	handleWithin = 30 * time.Second // a call of Handle for an event that was not delivered just now

	beat        = 10 * time.Second // between two records of a process
	leadFor     = 3 * beat         // until another process leads after the leader has died
	storeWithin = 10 * time.Second // a call of the Store
	stopWithin  = 5 * time.Second  // the calls of Handle that run when Run has to end
	keepDone    = 7 * 24 * time.Hour
	maxMissed   = 1000 // events in memory that could not be stored
)

// A Keeper receives the events of a webhook and has every event handled. It is an http.Handler
// for the deliveries, and Run does the rest. Make it with [New]. Transfers of tokens to a wallet
// name its token account and not the wallet. If their delivery fails, a Keeper finds them only
// with [types.TokenAccountHistoryChanged] as Config.TokenAccounts, at 10 credits a listing
// instead of 1.
//
//   - The webhook is checked every five minutes. Lost addresses are added again, a webhook that
//     was switched off is switched on, and a deleted one is replaced.
//   - Events that were not delivered are found by listing the signatures of the addresses: one
//     address every five minutes, each at least once per Interval, and all of them at a start,
//     after the webhook was wrong, after a delivery was refused, and after such an event was
//     found. A listing begins at the checkpoint of the address.
//   - Pending events are requested by their signatures until they are handled, less and less
//     often. After a day, an event that the service does not return, or that alone fails, is a
//     dead letter.
//   - Done events are deleted from the Store after a week.
//
// Of the processes that share a Store, one leads: it does this for all. An event is lost only if
// its deliveries fail, and a node lists it more than an hour late or, without TokenAccounts,
// it does not name the address.
type Keeper struct {
	client   *webhooks.Client
	cfg      *Config // a pointer, which is printed without the secrets
	filter   string  // of checkpoints
	wanted   map[types.Address]bool
	receiver *webhooks.Receiver
	logs     logbook.Book

	mu        sync.Mutex                 // guards the other fields
	own       Process                    // record of this process; it has an ID once Run was called
	shared    Shared                     // the last result of Lock
	missed    map[types.Signature]uint64 // delivered, but not stored yet; with their slots
	unhandled time.Time                  // since when no call of Handle has succeeded; or zero
	failure   error                      // of the last call of Handle
	wake      bool                       // Handle works again: all pending events are due
}

// New returns a Keeper of the webhooks that client manages. It sends nothing: the work begins
// with [Keeper.Run]. Its errors match [types.ErrInvalid].
func New(client *webhooks.Client, cfg Config) (*Keeper, error) {
	invalid := func(problem string) error { return fmt.Errorf("keeper.Config: %s: %w", problem, types.ErrInvalid) }
	switch {
	case client == nil:
		return nil, invalid("the client is nil")
	case cfg.Store == nil:
		return nil, invalid("Store is nil")
	case cfg.Handle == nil:
		return nil, invalid("Handle is nil")
	case cfg.Settings.AuthHeader == "":
		return nil, invalid("Settings.AuthHeader is empty; set the secret of the deliveries")
	case cfg.Interval != 0 && (cfg.Interval < time.Second || cfg.Interval > giveUpAfter):
		return nil, invalid("Interval is not a second to 24 hours; 0 means 24 hours")
	}
	if err := client.Check(cfg.Settings); err != nil {
		return nil, err
	}
	cfg.Settings.AccountAddresses = slices.Clone(cfg.Settings.AccountAddresses)
	cfg.Settings.TransactionTypes = slices.Clone(cfg.Settings.TransactionTypes)
	cfg.Interval = cmp.Or(cfg.Interval, giveUpAfter)
	k := &Keeper{
		client: client, cfg: &cfg, filter: filterOf(&cfg),
		wanted: make(map[types.Address]bool), missed: make(map[types.Signature]uint64),
	}
	// Four digits tell most secrets apart, and help nobody to guess one.
	k.own.Settings = strings.Join([]string{hashOf(cfg.Settings.URL), k.filter, hashOf(string(cfg.Settings.AuthHeader))[:4]}, "/")
	for _, a := range cfg.Settings.AccountAddresses {
		k.wanted[a] = true
	}
	var err error
	k.receiver, err = webhooks.NewReceiver(webhooks.ReceiverConfig{
		Secrets: append([]webhooks.Secret{cfg.Settings.AuthHeader}, cfg.Secrets...),
		Handle:  k.handle, Seen: cfg.Store, Logger: cfg.Logger, Observer: observer{k},
	})
	if err != nil {
		return nil, err
	}
	return k, nil
}

// made refuses a Keeper that New did not make.
func (k *Keeper) made() error {
	if k.cfg == nil {
		return fmt.Errorf("keeper.Keeper: was not made by New: %w", types.ErrInvalid)
	}
	return nil
}

// filterOf names the wanted events. A checkpoint says nothing about other ones.
func filterOf(cfg *Config) string {
	s := &cfg.Settings
	var wanted []string
	for _, t := range s.TransactionTypes {
		wanted = append(wanted, strings.ToUpper(string(t)))
	}
	slices.Sort(wanted)
	if isRaw(s.Type) || slices.Contains(wanted, string(txtype.Any)) {
		wanted = nil
	}
	outcome := s.Outcome
	if outcome == types.OutcomeAll {
		outcome = ""
	}
	return hashOf(fmt.Sprint(s.Type, slices.Compact(wanted), outcome, cfg.TokenAccounts))
}

func isRaw(t webhooks.Type) bool { return t == webhooks.TypeRaw || t == webhooks.TypeRawDevnet }

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// Format prints a Keeper without its settings, which have secrets.
func (k *Keeper) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "*keeper.Keeper") }

// ServeHTTP responds to one delivery, as a [webhooks.Receiver] does.
func (k *Keeper) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if k.made() != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	k.receiver.ServeHTTP(w, req)
}

// Run does the work of a Keeper until ctx ends. Then it waits up to five seconds for running
// calls of Handle, and returns nil. Failures are logged, shown by Status and tried again. Run
// ends with an error only if the Store is invalid or used by another program, or the node is of
// another network. It also does so if the service refuses the key or the settings when the
// webhook is found or created.
func (k *Keeper) Run(ctx context.Context) error {
	if err := k.made(); err != nil {
		return err
	}
	if ctx == nil {
		return fmt.Errorf("keeper.Keeper.Run: ctx is nil: %w", types.ErrInvalid)
	}
	k.mu.Lock()
	before := k.own.ID != ""
	k.own.ID = cmp.Or(k.own.ID, rand.Text())
	k.mu.Unlock()
	if before {
		return errors.New("keeper.Keeper.Run: was called before")
	}
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	handling, release := context.WithCancel(context.WithoutCancel(ctx)) // ends later
	defer release()
	context.AfterFunc(running, func() { time.AfterFunc(stopWithin, release) })

	begun := time.Now()
	k.repeat(running, CauseStore, func(ctx context.Context) (time.Duration, error) {
		err := k.enter(ctx, begun)
		if errors.Is(err, types.ErrInvalid) {
			stop(err)
		}
		return 0, err
	})
	k.attend(running, handling, stop)
	var failed error
	if ctx.Err() == nil {
		failed = context.Cause(running)
	}
	if err := k.receiver.Shutdown(handling); err != nil {
		k.log(ctx, slog.LevelWarn, "stopped while events are handled", slog.String("error", err.Error()))
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	k.storeMissed(limited)
	_, _ = k.lock(limited, 0) // else it lapses
	return failed
}

// repeat calls f again after the time that it returns, until ctx ends. An error is a problem, and
// with a time of 0, f is called again within a minute; without an error, 0 ends the loop.
func (k *Keeper) repeat(ctx context.Context, cause Cause, f func(context.Context) (time.Duration, error)) {
	for failures := 1; ctx.Err() == nil; failures++ {
		next, err := f(ctx)
		k.problem(ctx, cause, err)
		switch {
		case err == nil && next == 0:
			return
		case err == nil:
			failures = 0
		}
		pause(ctx, cmp.Or(next, wait.Backoff(failures, time.Second, time.Minute)))
	}
}

// pause waits, at most until ctx ends.
func pause(ctx context.Context, d time.Duration) { _ = wait.For(ctx, pace.Of(d)) }

// enter stores checkpoints for the wanted addresses without one, before anything is sent. They
// begin at the checkpoint of other settings, or else at the start of this process. It refuses
// a Store that a running program with another URL and other addresses uses.
func (k *Keeper) enter(ctx context.Context, begun time.Time) error {
	ctx, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	all, err := k.cfg.Store.Checkpoints(ctx)
	if err != nil {
		return err
	}
	since := k.cfg.Since
	if since.IsZero() {
		since = begun.Add(-startMargin)
	}
	// Of several former settings, the lowest checkpoint counts.
	slices.SortFunc(all, func(a, b Checkpoint) int { return cmp.Or(cmp.Compare(b.Slot, a.Slot), b.Since.Compare(a.Since)) })
	former, current := make(map[types.Address]Checkpoint), make(map[types.Address]bool)
	for _, c := range all {
		former[c.Address] = c
		current[c.Address] = current[c.Address] || c.Filter == k.filter
	}
	shares := len(all) == 0
	var added []Checkpoint
	for a := range k.wanted {
		c, known := former[a]
		shares = shares || known
		if !known {
			c.Since = since.Truncate(time.Millisecond)
		}
		if !current[a] {
			added = append(added, Checkpoint{Address: a, Filter: k.filter, Slot: c.Slot, Since: c.Since, Listed: begun.Truncate(time.Millisecond)})
		}
	}
	if !shares {
		if _, err := k.lock(ctx, time.Millisecond); err != nil {
			return err
		}
		for _, p := range k.shared.Processes {
			if !strings.HasPrefix(p.Settings, hashOf(k.cfg.Settings.URL)) {
				return fmt.Errorf("keeper.Keeper.Run: another program with another URL and other addresses uses the Store; give each program a Store of its own: %w", types.ErrInvalid)
			}
		}
	}
	return k.cfg.Store.SetCheckpoints(ctx, added...)
}

// lock records this process in the Store, and returns the processes of the record before.
func (k *Keeper) lock(ctx context.Context, hold time.Duration) (before []Process, err error) {
	limited, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	k.mu.Lock()
	own := k.own
	k.mu.Unlock()
	shared, err := k.cfg.Store.Lock(limited, own, hold)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("the Store does not respond: %w", err)
	}
	k.problem(ctx, CauseStore, err)
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	before, k.shared = k.shared.Processes, *shared
	return before, nil
}

// attend records every ten seconds that this process runs. While the process has the lock, it
// leads.
func (k *Keeper) attend(ctx, handling context.Context, stop context.CancelCauseFunc) {
	var (
		l       *leader
		leads   = func() {} // ends leading
		loops   sync.WaitGroup
		locked  time.Time
		differs time.Time // since when a process with other settings leads
	)
	for ; ctx.Err() == nil; pause(ctx, beat) {
		begun := time.Now()
		before, err := k.lock(ctx, leadFor)
		if err == nil {
			locked = begun
		}
		k.notice(ctx, &differs)
		switch {
		case l == nil && err == nil && k.shared.Leads:
			leading, cancel := context.WithCancel(ctx)
			l, leads = newLeader(handling, k, stop), cancel
			l.lead(leading, &loops)
		case l != nil && (!k.shared.Leads || time.Since(locked) >= leadFor):
			leads()
			l = nil
			k.mu.Lock()
			k.own.Behind = 0
			k.mu.Unlock()
			k.forget(CauseWebhook, CauseListing, CauseEvents, CauseClean)
		case l != nil && err == nil:
			l.hear(before, k.shared.Processes)
		}
		k.storeMissed(ctx)
	}
	leads()
	loops.Wait()
}
