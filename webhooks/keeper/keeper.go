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
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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
	checkEvery  = 5 * time.Minute  // the webhook, and an address in turn: how long a fault lasts unnoticed
	settle      = 45 * time.Second // until an event is finalized, and its deliveries have failed
	margin      = 9000             // slots that a transaction may be listed late: an hour
	startMargin = 10 * time.Minute // events before the first start that count, as clocks differ
	listAgain   = time.Hour        // longest wait until all addresses are listed again, while that finds events
	listAtOnce  = 8                // addresses

	firstRetry   = 15 * time.Second // of an event; the service has given up on the delivery by then
	longestRetry = 2 * time.Hour
	giveUpAfter  = 24 * time.Hour   // the age of an event that is given up, and
	giveUpTries  = 12               // its attempts: it may be old because no process ran
	batch        = 100              // events of one request
	workAtOnce   = 4                // requests, and calls of Handle for the events of each
	handleWithin = 30 * time.Second // a call of Handle for an event that was not delivered just now

	beat        = 10 * time.Second // between two records of a process
	leadFor     = 3 * beat         // until another process leads after the leader has died
	storeWithin = 10 * time.Second // a call of the Store
	stopWithin  = 5 * time.Second  // the calls of Handle that run when Run has to end
	keepDone    = 7 * 24 * time.Hour
	maxMissed   = 1000 // events in memory that could not be stored
)

// A Keeper receives the events of a webhook and sees to it that every one is handled: it is
// an http.Handler for the deliveries, and Run does the rest. Make it with [New].
//
//   - The webhook is checked every five minutes. Lost addresses are added again, a webhook that
//     was switched off is switched on, and a deleted one is replaced.
//   - Events that were not delivered are found by listing the signatures of the addresses: one
//     address every five minutes, each at least once per Interval, and all of them at a start,
//     after the webhook was wrong, after a delivery was refused, and after such an event was
//     found. A listing begins at the checkpoint of the address, and costs one credit.
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
	settings string  // hashes of the URL and the filter
	process  string  // a random name
	receiver *webhooks.Receiver
	wanted   map[types.Address]bool
	logs     logbook.Book
	started  atomic.Bool

	mu sync.Mutex
	known
}

// known is what changes in a Keeper, guarded by its mutex.
type known struct {
	shared    *Shared // nil before the first call of Lock
	problems  map[Cause]Problem
	delivered time.Time                  // the last delivery
	asked     uint64                     // how often all addresses should be listed
	missed    map[types.Signature]uint64 // events that were delivered and could not be stored, with their slots
	unhandled time.Time                  // since when no call of Handle has succeeded although some began; zero otherwise
	wake      bool                       // whether Handle works again, so that all pending events are due
	unclaimed time.Time                  // when the last claim failed
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
	filter := filterOf(&cfg)
	k := &Keeper{
		client: client, cfg: &cfg, filter: filter, settings: hashOf(cfg.Settings.URL) + "/" + filter, process: rand.Text(),
		wanted: make(map[types.Address]bool), known: known{problems: make(map[Cause]Problem), missed: make(map[types.Signature]uint64)},
	}
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

// filterOf names the wanted events. A checkpoint says nothing about other ones.
func filterOf(cfg *Config) string {
	s, wanted := &cfg.Settings, []string{string(cfg.Settings.Type)}
	if !isRaw(s.Type) {
		for _, t := range s.TransactionTypes {
			if strings.EqualFold(string(t), string(txtype.Any)) {
				wanted = wanted[:1]
				break
			}
			wanted = append(wanted, string(t))
		}
		slices.Sort(wanted[1:])
	}
	outcome := s.Outcome
	if outcome == types.OutcomeAll {
		outcome = ""
	}
	return hashOf(strings.Join(slices.Compact(wanted), ",") + " " + string(outcome) + " " + string(cfg.TokenAccounts))
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
	if k.receiver == nil { // the Keeper was not made by New
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	k.receiver.ServeHTTP(w, req)
}

// Run does the work of a Keeper until ctx ends, and then waits up to five seconds for the
// events that are being handled and returns nil. Failures are logged, shown by Status and
// tried again. Run ends with an error only if the Store is invalid, another program uses it,
// the node is of another network, or the webhook cannot be found or created because the service
// refuses the key or the settings.
func (k *Keeper) Run(ctx context.Context) error {
	switch {
	case k.client == nil:
		return fmt.Errorf("keeper.Keeper.Run: the Keeper was not made by New: %w", types.ErrInvalid)
	case ctx == nil:
		return fmt.Errorf("keeper.Keeper.Run: ctx is nil: %w", types.ErrInvalid)
	case k.started.Swap(true):
		return errors.New("keeper.Keeper.Run: was called before")
	}
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	handling, release := context.WithCancel(context.WithoutCancel(ctx)) // ends later
	defer release()
	context.AfterFunc(running, func() { time.AfterFunc(stopWithin, release) })

	begun := time.Now()
	k.repeat(running, beat, CauseStore, func(ctx context.Context) (bool, error) {
		err := k.enter(ctx, begun)
		if errors.Is(err, types.ErrInvalid) {
			stop(err)
		}
		return err == nil, err
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
	_ = k.storeMissed(limited)
	_, _ = k.cfg.Store.Lock(limited, k.own(), 0) // else it lapses
	return failed
}

// repeat calls f now and then until it is done or ctx ends. Its errors are a problem, after which
// it is called sooner.
func (k *Keeper) repeat(ctx context.Context, every time.Duration, cause Cause, f func(context.Context) (done bool, err error)) {
	for failures := 0; ctx.Err() == nil; {
		done, err := f(ctx)
		k.problem(ctx, cause, err)
		switch {
		case done:
			return
		case err == nil:
			failures = 0
			pause(ctx, pace.Of(every))
		default:
			failures++
			pause(ctx, pace.Of(wait.Backoff(failures, time.Second, time.Minute)))
		}
	}
}

// pause waits, at most until ctx ends.
func pause(ctx context.Context, d time.Duration) { _ = wait.For(ctx, d) }

// enter stores checkpoints for the wanted addresses without one, before anything is sent. They
// begin at the checkpoint of other settings, or else at the start of this process.
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
	next := make(map[types.Address]Checkpoint, len(k.wanted))
	for a := range k.wanted {
		next[a] = Checkpoint{Address: a, Filter: k.filter, Since: since.Truncate(time.Millisecond)}
	}
	known := make(map[types.Address]bool)
	for _, c := range all {
		n, missing := next[c.Address]
		switch {
		case !k.wanted[c.Address]:
			continue
		case c.Filter == k.filter:
			delete(next, c.Address)
		case missing && (!known[c.Address] || c.Slot < n.Slot || c.Slot == n.Slot && c.Since.Before(n.Since)):
			n.Slot, n.Since = c.Slot, c.Since
			next[c.Address] = n
		}
		known[c.Address] = true
	}
	shares := len(all) == 0 || len(known) > 0
	if !shares {
		if err := k.refuseOther(ctx); err != nil {
			return err
		}
	}
	return k.cfg.Store.SetCheckpoints(ctx, slices.Collect(maps.Values(next))...)
}

// refuseOther refuses a Store that a running program with another URL uses, whose addresses are
// others.
func (k *Keeper) refuseOther(ctx context.Context) error {
	shared, err := k.cfg.Store.Lock(ctx, k.own(), time.Millisecond)
	if err != nil {
		return err
	}
	for _, p := range shared.Processes {
		url, _, _ := strings.Cut(k.settings, "/")
		if !strings.HasPrefix(p.Settings, url) {
			return fmt.Errorf("keeper.Keeper.Run: another program with another URL and other addresses uses the Store; set another name in it: %w", types.ErrInvalid)
		}
	}
	return nil
}

// own describes this process.
func (k *Keeper) own() Process {
	k.mu.Lock()
	defer k.mu.Unlock()
	return Process{ID: k.process, Settings: k.settings, Delivered: k.delivered, Asked: k.asked, Problems: sorted(k.problems)}
}

// attend records every ten seconds that this process runs. While the process has the lock, it
// leads.
func (k *Keeper) attend(ctx, handling context.Context, stop context.CancelCauseFunc) {
	var (
		leader   *leader
		workers  sync.WaitGroup
		leads    = func() {} // ends leading
		locked   time.Time
		differed time.Time // since when a process with other settings leads
	)
	end := func() {
		leads()
		leads, leader = func() {}, nil
		k.forget(CauseWebhook, CauseListing, CauseEvents, CauseClean)
	}
	for ; ctx.Err() == nil; pause(ctx, pace.Of(beat)) {
		own := k.own()
		if leader != nil {
			own.Behind = leader.behind()
		}
		limited, cancel := context.WithTimeout(ctx, storeWithin)
		begun := time.Now()
		shared, err := k.cfg.Store.Lock(limited, own, leadFor)
		cancel()
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("the Store does not respond: %w", err)
		}
		k.problem(ctx, CauseStore, err)
		if err == nil {
			locked = begun
			k.mu.Lock()
			k.shared = shared
			k.mu.Unlock()
		}
		switch {
		case err == nil && shared.Leads && leader == nil:
			leading, cancel := context.WithCancel(ctx)
			leader, leads = newLeader(handling, k, stop), cancel
			l := leader
			workers.Go(func() { l.lead(leading) })
		case leader != nil && (err == nil && !shared.Leads || time.Since(locked) >= leadFor):
			end()
		}
		if leader != nil && err == nil {
			leader.hear(shared)
		}
		if err == nil {
			k.compareSettings(ctx, shared, &differed)
		}
		k.noticeProblems(ctx)
		if err := k.storeMissed(ctx); err != nil {
			k.problem(ctx, CauseClaims, err)
		}
	}
	end()
	workers.Wait()
}
