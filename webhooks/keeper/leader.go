package keeper

import (
	"context"
	"sync"
	"time"

	"github.com/solwire/solwire-go/webhooks/internal/pace"
)

// A leader does the work of all processes while this process has the lock. It checks the
// webhook, lists the addresses, works on the pending events and deletes old ones. The mutex of
// the Keeper guards the shared state of its loops.
type leader struct {
	*Keeper
	handling context.Context //nolint:containedctx // of Handle; it outlives the leader for some seconds
	stop     context.CancelCauseFunc

	webhook  Webhook
	failures int       // of checks, in a row
	right    time.Time // since when the webhook is as wanted; zero when unknown

	addresses []*address    // by address; nil before they were read
	all       time.Time     // when all addresses were made due, or will be
	again     time.Duration // least time until the next time

	requests error // why requests of pending events fail; nil if they do not
	failing  int   // such requests in a row
	handled  int   // events of one pass
}

func newLeader(handling context.Context, k *Keeper, stop context.CancelCauseFunc) *leader {
	return &leader{Keeper: k, handling: handling, stop: stop, webhook: k.shared.Webhook, all: time.Now().Add(pace.Of(settle))}
}

// lead starts the loops, which end with ctx.
func (l *leader) lead(ctx context.Context, loops *sync.WaitGroup) {
	for cause, f := range map[Cause]func(context.Context) (time.Duration, error){
		CauseWebhook: l.check, CauseListing: l.list, CauseEvents: l.work, CauseClean: l.clean,
	} {
		loops.Go(func() { l.repeat(ctx, cause, f) })
	}
}

// hear makes all addresses due soon if a process has asked for it between two records.
func (l *leader) hear(before, after []Process) {
	l.mu.Lock()
	defer l.mu.Unlock()
	asked := false
	for _, p := range after {
		for _, q := range before {
			asked = asked || p.ID == q.ID && p.Asked > q.Asked
		}
	}
	now := time.Now()
	if !asked || now.Before(l.all) {
		return
	}
	if now.Sub(l.all) >= 2*l.again { // it was quiet since
		l.again = pace.Of(checkEvery)
	} else {
		l.again = min(2*l.again, pace.Of(listAgain))
	}
	l.all = l.all.Add(l.again)
	if soon := now.Add(pace.Of(settle)); l.all.Before(soon) {
		l.all = soon
	}
	for _, a := range l.addresses {
		a.due = earlier(a.due, l.all)
	}
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// clean deletes old events and former checkpoints.
func (l *leader) clean(ctx context.Context) (time.Duration, error) {
	all, err := l.cfg.Store.Checkpoints(ctx)
	if err != nil {
		return 0, err
	}
	var former []Checkpoint
	for _, c := range all {
		if time.Since(c.Listed) >= keepDone && (c.Filter != l.filter || !l.wanted[c.Address]) {
			former = append(former, c)
		}
	}
	for {
		begun := time.Now()
		n, err := l.cfg.Store.Clean(ctx, keepDone, former...)
		switch {
		case err != nil:
			return 0, err
		case n == 0:
			return time.Hour, nil
		}
		pause(ctx, time.Since(begun)) // while others claim events
	}
}
