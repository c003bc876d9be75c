package keeper

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/internal/logbook"
	"github.com/solwire/solwire-go/webhooks/internal/pace"
)

// The times and limits of a Keeper.
const (
	checkEvery  = 5 * time.Minute  // between checks of the webhook, and between turns of addresses
	createAgain = 15 * time.Minute // until the next creation, if the response of one was lost
	settle      = 45 * time.Second // until an event is finalized and its deliveries have ended
	margin      = 9000             // slots that a transaction may be listed late: an hour
	startMargin = 10 * time.Minute // between the first events and the first start; clocks differ
	listAgain   = time.Hour        // longest time between listings of all addresses, on request
	atOnce      = 8                // listings, requests of events, and calls of Handle for each

	firstRetry   = 15 * time.Second // of an event; the service has given up on the delivery by then
	longestRetry = 2 * time.Hour
	giveUpAfter  = 24 * time.Hour // least age of a dead letter
	giveUpTries  = 12             // least attempts; an event may be old because no process ran
	batch        = 100            // events of one request
	// After so many failed requests in a row, all events wait. Fewer may be due to single events.
	maxFailing   = 16
	handleWithin = 30 * time.Second // for a call of Handle for a requested event

	beat       = 10 * time.Second // between two records of a process
	leadFor    = 3 * beat         // until another process leads after the leader has died
	waitWithin = 10 * time.Second // for a call of the Store, and for the creation of the webhook
	stopWithin = 5 * time.Second  // for running calls of Handle and the Store at the end of Run
	keepDone   = 7 * 24 * time.Hour
)

// A Keeper receives the events of a webhook, finds the undelivered ones, and calls Handle until
// each event is done. It is an http.Handler for the deliveries, and Run does the rest. Make it
// with [New].
//
// One of the processes that share a Store is the leader, and works for all:
//
//   - It checks the webhook every five minutes. A missing webhook is created, and wrong settings
//     are corrected.
//   - It finds undelivered events by listing the signatures of an address since its checkpoint.
//     One address is listed every five minutes, and each at least once per Interval.
//   - It lists all addresses when it begins to lead, after the webhook was wrong, and after a
//     delivery was refused or lost. Repeated listings of all addresses are five minutes to an hour
//     apart. A delivery with a wrong secret does not count.
//   - It requests pending events by their signatures, less and less often, until they are done.
//     After a day and twelve attempts, a failing event becomes a dead letter, unless the service is
//     down or Handle fails for all events.
//   - It deletes done and unwanted events after a week. Dead letters stay in the Store;
//     [Store].Move makes them pending again.
//
// An event is lost only if its deliveries fail and the listings miss it. The listings miss a
// transaction that a node lists more than an hour late. Without Config.TokenAccounts, they also
// miss incoming token transfers of a wallet: these name its token account and not the wallet.
type Keeper struct {
	client   *webhooks.Client
	cfg      *Config // a pointer, which is printed without the secrets
	receiver *webhooks.Receiver
	stop     context.CancelCauseFunc // ends Run
	logs     logbook.Book

	mu        sync.Mutex // guards the other fields
	own       Process    // record of this process
	shared    Shared     // the last result of Lock, without this process
	unclaimed time.Time  // when a claim last failed
	unhandled time.Time  // since when no call of Handle has succeeded; or zero
	worked    bool       // whether a call of Handle has ever succeeded
	failure   error      // of the last call of Handle
}

// New returns a Keeper for a webhook of the account of client. It sends nothing. The Keeper handles
// deliveries even before [Keeper.Run] is called, but an event that fails then stays pending until
// a process calls Run. The errors of New match [types.ErrInvalid].
func New(client *webhooks.Client, cfg Config) (*Keeper, error) {
	s, problem := &cfg.Settings, ""
	switch {
	case client == nil:
		problem = "the client is nil"
	case cfg.Store == nil:
		problem = "Store is nil"
	case s.AuthHeader == "":
		problem = "Settings.AuthHeader is empty; set the secret of the deliveries"
	case cfg.Handle == nil:
		problem = "Handle is nil"
	case cfg.Interval != 0 && (cfg.Interval < pace.Of(beat) || cfg.Interval > giveUpAfter):
		problem = "Interval is not 10 seconds to 24 hours; 0 means 24 hours"
	}
	if problem != "" {
		return nil, fmt.Errorf("keeper.Config: %s: %w", problem, types.ErrInvalid)
	}
	if err := client.Check(*s); err != nil {
		return nil, err
	}
	s.AccountAddresses = slices.Compact(slices.Sorted(slices.Values(s.AccountAddresses)))
	s.TransactionTypes = slices.Sorted(slices.Values(s.TransactionTypes))
	cfg.Interval = cmp.Or(cfg.Interval, giveUpAfter)
	if cfg.Since.IsZero() {
		cfg.Since = time.Now().Add(-startMargin)
	}
	k := &Keeper{client: client, cfg: &cfg, own: Process{ID: rand.Text(), Problems: make(map[Cause]Problem)}}
	// Four digits tell most secrets apart, and help nobody to guess one.
	k.own.URLHash, k.own.FilterHash, k.own.AuthHash = hashOf(s.URL), hashOf(s.Type, s.TransactionTypes, s.Outcome), hashOf(string(s.AuthHeader))[:4]
	var err error
	k.receiver, err = webhooks.NewReceiver(webhooks.ReceiverConfig{
		Secrets: append([]webhooks.Secret{s.AuthHeader}, cfg.Secrets...),
		Handle:  k.handle, Seen: cfg.Store, Logger: cfg.Logger, Observer: observer{k},
	})
	if err != nil {
		return nil, err
	}
	return k, nil
}

func hashOf(values ...any) string {
	sum := sha256.Sum256([]byte(fmt.Sprint(values...)))
	return hex.EncodeToString(sum[:8])
}

// ServeHTTP responds to one delivery, as a [webhooks.Receiver] does.
func (k *Keeper) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	cmp.Or(k.receiver, new(webhooks.Receiver)).ServeHTTP(w, req)
}

// Run does the work of a Keeper until ctx ends, and then returns nil. Failures are logged, shown by
// Status and tried again. Run fails only with [types.ErrInvalid]: the Store returned it, or the
// node and the client are of different networks.
//
// When ctx has ended, the Keeper refuses deliveries with 503, for good. Run then waits up to five
// seconds for running calls of Handle. The events of the refused deliveries are delivered again to
// another process, or found by the next leader.
func (k *Keeper) Run(ctx context.Context) error {
	if k.cfg == nil || ctx == nil {
		return fmt.Errorf("keeper.Keeper.Run: the Keeper was not made by New, or ctx is nil: %w", types.ErrInvalid)
	}
	running, stop := context.WithCancelCause(ctx)
	k.stop = stop
	limited, cancel := last(running)
	defer cancel()
	k.repeat(running, CauseStore, func(ctx context.Context) (time.Duration, error) { // before anything is sent
		_, err := k.checkpoints(ctx)
		return 0, err
	})
	k.attend(running)
	_, _ = k.lock(limited, 0) // so that another process leads at once
	_ = k.receiver.Shutdown(limited)
	_, _ = k.lock(limited, 0) // the last deliveries may have asked for listings
	if ctx.Err() != nil {
		return nil
	}
	return context.Cause(running)
}

// last returns a context that ends five seconds after ctx, or with cancel.
func last(ctx context.Context) (_ context.Context, cancel context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() {
		_ = wait.For(longer, stopWithin)
		cancel()
	})
	return longer, cancel
}

// repeat calls f until ctx ends, each time after the duration that f returned. An error is the
// problem of the cause. Duration 0 means a backoff of up to a minute after an error, and the end
// of the loop without an error.
func (k *Keeper) repeat(ctx context.Context, cause Cause, f func(context.Context) (time.Duration, error)) {
	for failures := 1; ctx.Err() == nil; failures++ {
		next, err := f(ctx)
		k.problem(ctx, cause, err)
		switch {
		case errors.Is(err, types.ErrInvalid) && cause != CauseWebhook: // no retry helps
			k.stop(err)
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

// checkpoints returns all checkpoints. For addresses without a checkpoint, it stores a new one
// that begins at Since.
func (k *Keeper) checkpoints(ctx context.Context) (map[types.Address]Checkpoint, error) {
	ctx, cancel := context.WithTimeout(ctx, waitWithin)
	defer cancel()
	all, err := k.cfg.Store.Checkpoints(ctx)
	if err != nil {
		return nil, err
	}
	var added []Checkpoint
	for _, a := range k.cfg.Settings.AccountAddresses {
		if _, known := all[a]; !known {
			all[a] = Checkpoint{Address: a, Since: k.cfg.Since.Truncate(time.Millisecond), Listed: time.Now().Truncate(time.Millisecond)}
			added = append(added, all[a])
		}
	}
	return all, k.cfg.Store.SetCheckpoints(ctx, added...)
}

// lock records this process in the Store. It returns whether the process leads.
func (k *Keeper) lock(ctx context.Context, hold time.Duration) (leads bool, err error) {
	limited, cancel := context.WithTimeout(ctx, waitWithin)
	defer cancel()
	k.mu.Lock()
	own := k.own
	k.mu.Unlock()
	if hold == 0 { // the record stays for a minute, and its problems end
		own.Problems = nil
	}
	shared, err := k.cfg.Store.Lock(limited, own, hold)
	k.problem(ctx, CauseStore, err)
	if err != nil {
		return false, err
	}
	shared.Processes = slices.DeleteFunc(shared.Processes, func(p Process) bool { return p.ID == own.ID })
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.shared = *shared; shared.Pending == 0 {
		k.unhandled = time.Time{} // another process has handled them
	}
	return shared.Leader == own.ID, nil
}

// attend records every ten seconds that this process runs. While it has the lock, it leads.
func (k *Keeper) attend(ctx context.Context) {
	var (
		end     func()    // ends leading; nil while another process leads
		until   time.Time // when the lead ends
		differs time.Time // since when a process with other settings leads
	)
	for ; ctx.Err() == nil; pause(ctx, beat) {
		begun := time.Now()
		leads, err := k.lock(ctx, leadFor)
		if leads {
			until = begun.Add(leadFor)
		}
		switch {
		case leads && end == nil:
			end = k.lead(ctx)
		case end != nil && (err == nil && !leads || !time.Now().Before(until)):
			end()
			end = nil
		}
		k.notice(ctx, &differs)
	}
	if end != nil {
		end()
	}
}
