package keeper

import (
	"context"
	"sync"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks/internal/pace"
)

// A leader does the work of all processes while this one has the lock: it checks the webhook,
// lists the addresses, works on the pending events and deletes old ones.
type leader struct {
	*Keeper
	handling context.Context //nolint:containedctx // of Handle; it outlives the leader for some seconds
	stop     context.CancelCauseFunc

	mu        sync.Mutex
	addresses []*address
	quiet     map[types.Address]int // how often in a row a listing found unwanted transactions alone
	heard     map[string]uint64     // the requests of each process for a listing of all addresses that are known
	listed    time.Time             // when all addresses were last made due
	again     time.Duration         // least time until the next time
	next      time.Time             // when all are due again; zero for no time
	right     time.Time             // since when the webhook is as wanted; zero when unknown
}

// An address is a wanted address and when it is listed.
type address struct {
	Checkpoint
	due      time.Time // when it is listed, beside its turn; zero for no time
	listed   time.Time // when it was last; zero when unknown
	failures int       // in a row
	failure  error     // the last one
}

func newLeader(handling context.Context, k *Keeper, stop context.CancelCauseFunc) *leader {
	return &leader{
		Keeper: k, handling: handling, stop: stop,
		quiet: make(map[types.Address]int), heard: make(map[string]uint64), next: time.Now().Add(pace.Of(settle)),
	}
}

// lead works until ctx ends.
func (l *leader) lead(ctx context.Context) {
	var workers sync.WaitGroup
	workers.Go(func() { l.watch(ctx) })
	workers.Go(func() { l.list(ctx) })
	workers.Go(func() { l.work(ctx) })
	workers.Go(func() { l.clean(ctx) })
	workers.Wait()
}

// hear lists all addresses soon if a process asked for it since.
func (l *leader) hear(shared *Shared) {
	l.mu.Lock()
	defer l.mu.Unlock()
	asked := false
	for _, p := range shared.Processes {
		before, known := l.heard[p.ID]
		asked = asked || known && p.Asked > before
		l.heard[p.ID] = p.Asked
	}
	now := time.Now()
	if !asked || !l.next.IsZero() {
		return
	}
	if now.Sub(l.listed) >= 2*l.again { // it was quiet since
		l.again = pace.Of(checkEvery)
	} else {
		l.again = min(2*l.again, pace.Of(listAgain))
	}
	l.next = now.Add(pace.Of(settle))
	if least := l.listed.Add(l.again); l.next.Before(least) {
		l.next = least
	}
}

// behind returns how many addresses were not listed in time.
func (l *leader) behind() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, a := range l.addresses {
		if time.Since(a.listed) > l.cfg.Interval+checkEvery {
			n++
		}
	}
	return n
}

// clean deletes old events and former checkpoints every hour.
func (l *leader) clean(ctx context.Context) {
	l.repeat(ctx, time.Hour, CauseClean, func(ctx context.Context) (bool, error) {
		all, err := l.cfg.Store.Checkpoints(ctx)
		if err != nil {
			return false, err
		}
		var former []Checkpoint
		for _, c := range all {
			if c.Age >= keepDone && (c.Filter != l.filter || !l.wanted[c.Address]) {
				former = append(former, c)
			}
		}
		for {
			begun := time.Now()
			n, err := l.cfg.Store.Clean(ctx, keepDone, former...)
			if err != nil || n == 0 || ctx.Err() != nil {
				return false, err
			}
			pause(ctx, time.Since(begun)) // while others claim events
		}
	})
}
