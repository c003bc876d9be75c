package keeper

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks/internal/pace"
)

// A leader does the work of all processes while this process has the lock. It checks the
// webhook, lists the addresses, works on the pending events and deletes old ones. The mutex of
// the Keeper guards the shared state of its loops.
type leader struct {
	*Keeper

	refused int       // failed corrections in a row
	refusal error     // of the last correction
	write   time.Time // earliest time of the next correction
	right   time.Time // since when the webhook is as wanted; zero when unknown

	addresses []*address            // nil before they were read
	quiet     map[types.Address]int // unwanted transactions since the last wanted one
	newest    uint64                // highest listed slot
	turn      time.Time             // when the next address has its turn
	all       time.Time             // of the last or next listing of all addresses
	again     time.Duration         // least time between two such listings, on request
	asked     map[string]uint64     // the requests for such listings that were granted, by process

	failing atomic.Int32 // failed requests of pending events in a row
	failed  error        // of the last pass that had events
}

// lead starts the loops of a leader.
func (k *Keeper) lead(ctx context.Context) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	soon := time.Now().Add(pace.Of(settle))
	k.mu.Lock()
	defer k.mu.Unlock()
	k.own.Webhook = k.shared.Webhook
	l := &leader{Keeper: k, all: soon, turn: soon, quiet: make(map[types.Address]int), asked: make(map[string]uint64)}
	var loops sync.WaitGroup
	jobs := map[Cause]func(context.Context) (time.Duration, error){
		CauseWebhook: l.check, CauseListing: l.list, CauseEvents: l.work, CauseClean: l.clean,
	}
	for cause, f := range jobs {
		loops.Go(func() { l.repeat(ctx, cause, f) })
	}
	return func() {
		cancel()
		loops.Wait()
		k.mu.Lock()
		k.own.Behind, k.own.Webhook = 0, Webhook{}
		k.mu.Unlock()
		for cause := range jobs {
			k.problem(ctx, cause, nil)
		}
	}
}

// clean deletes old events and the checkpoints of former addresses, unless listings are overdue.
func (l *leader) clean(ctx context.Context) (time.Duration, error) {
	l.mu.Lock()
	late := l.addresses == nil || l.own.Behind > 0
	l.mu.Unlock()
	if late {
		return checkEvery, nil
	}
	begun := time.Now()
	n, err := l.cfg.Store.Clean(ctx, keepDone)
	if n > 0 {
		return time.Since(begun) + 1, err // until then, others can claim events
	}
	return time.Hour, err
}

// each calls f for each item until ctx ends, for up to atOnce items at the same time. It returns
// the first error.
func each[T any](ctx context.Context, items []T, f func(context.Context, T) error) error {
	free, errs := make(chan struct{}, atOnce), make([]error, len(items))
	var workers sync.WaitGroup
	for i, item := range items {
		free <- struct{}{}
		workers.Go(func() {
			defer func() { <-free }()
			if ctx.Err() == nil {
				errs[i] = f(ctx, item)
			}
		})
	}
	workers.Wait()
	return cmp.Or(errs...)
}
