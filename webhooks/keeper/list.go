package keeper

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/internal/pace"
)

// list lists the addresses: all that are due, and else one at a time in turn.
func (l *leader) list(ctx context.Context) {
	l.repeat(ctx, beat, CauseListing, l.load)
	period := l.cfg.Interval / time.Duration(max(len(l.addresses), 1))
	period = min(period, pace.Of(checkEvery))
	turn, passed := 0, time.Now()
	for ctx.Err() == nil {
		if time.Since(passed) >= period {
			turn, passed = l.takeTurn(turn), passed.Add(period)
		}
		failing := l.listDue(ctx, l.due())
		pause(ctx, min(period, pace.Of(wait.Backoff(failing, beat, time.Minute))))
	}
}

// load reads the checkpoints of the wanted addresses.
func (l *leader) load(ctx context.Context) (bool, error) {
	all, err := l.cfg.Store.Checkpoints(ctx)
	if err != nil {
		return false, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range all {
		if c.Filter == l.filter && l.wanted[c.Address] {
			l.addresses = append(l.addresses, &address{Checkpoint: c, listed: time.Now().Add(-c.Age)})
		}
	}
	if len(l.addresses) < len(l.wanted) {
		l.addresses = nil
		return false, errors.New("the Store has lost checkpoints; restart the program")
	}
	slices.SortFunc(l.addresses, func(a, b *address) int { return a.listed.Compare(b.listed) })
	return true, nil
}

// takeTurn makes the next address due. It skips addresses that have had unwanted transactions
// alone: longer and longer, since these cost as much as events.
func (l *leader) takeTurn(turn int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	for range l.addresses {
		turn++
		a := l.addresses[turn%len(l.addresses)]
		rest := min(pace.Of(checkEvery)<<min(l.quiet[a.Address], 10), l.cfg.Interval)
		if n := l.quiet[a.Address]; n > 0 && now.Sub(a.listed) < rest {
			continue
		}
		if a.due.IsZero() {
			a.due = now
		}
		break
	}
	return turn
}

// due returns the addresses whose time has come, those without failures first, and of these the
// ones that were listed longest ago.
func (l *leader) due() (due []*address) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	all := !l.next.IsZero() && !now.Before(l.next)
	if all {
		l.listed, l.next = now, time.Time{}
	}
	for _, a := range l.addresses {
		if all && a.due.IsZero() {
			a.due = now
		}
		if !a.due.IsZero() && !now.Before(a.due) {
			due = append(due, a)
		}
	}
	slices.SortStableFunc(due, func(a, b *address) int {
		return cmp.Or(cmp.Compare(a.failures, b.failures), a.listed.Compare(b.listed))
	})
	return due
}

// listDue lists addresses, a few at the same time, and returns how many failed. It stops when
// three fail in a row: the others stay due.
func (l *leader) listDue(ctx context.Context, due []*address) (failing int) {
	if len(due) == 0 {
		return 0
	}
	begun := time.Now()
	totals, err := l.cfg.Store.Totals(ctx)
	if err != nil {
		l.problem(ctx, CauseListing, err)
		return 1
	}
	var mu sync.Mutex
	row, added := 0, 0
	atOnce(ctx, listAtOnce, due, func(a *address) {
		mu.Lock()
		skip := row >= 3
		mu.Unlock()
		if skip {
			return
		}
		n, err := l.listOne(ctx, a, totals.LowestSlot)
		if errors.Is(err, types.ErrInvalid) { // a node of another network
			l.stop(err)
		}
		mu.Lock()
		defer mu.Unlock()
		added += n
		row++
		if err == nil {
			row = 0
		}
	})
	l.tellFailures(ctx)
	if added > 0 {
		l.log(ctx, slog.LevelInfo, "listed addresses", slog.Int("addresses", len(due)), slog.Int("added", added), slog.String("duration", time.Since(begun).String()))
	}
	return row
}

// listOne adds the transactions of an address as pending events that the Store does not have, and
// moves its checkpoint: to the lowest slot that is pending, or else to the slot up to which the
// address was listed, but an hour back, as a transaction may be listed late. It never goes back.
func (l *leader) listOne(ctx context.Context, a *address, lowest uint64) (added int, err error) {
	begun, listed := time.Now(), uint64(0)
	from := webhooks.Listing{Address: a.Address, SinceSlot: a.Slot, Since: a.Since, TokenAccounts: l.cfg.TokenAccounts}
	slot, err := l.client.Signatures(ctx, from, func(page []webhooks.Listed) error {
		var events []Pending
		oldest := uint64(0)
		for _, x := range page {
			listed = max(listed, x.Slot)
			oldest = cmp.Or(x.Slot, oldest)
			if x.Failed() && (!isRaw(l.cfg.Settings.Type) || l.cfg.Settings.Outcome == types.OutcomeSucceeded) {
				continue // it is not delivered either
			}
			events = append(events, Pending{Signature: x.Signature, Slot: x.Slot, Address: a.Address})
		}
		limited, cancel := context.WithTimeout(ctx, storeWithin)
		defer cancel()
		n, err := l.cfg.Store.Add(limited, l.filter, events...)
		if n > 0 {
			lowest = min(cmp.Or(lowest, oldest), oldest)
		}
		added += n
		return err
	})
	c := a.Checkpoint
	if err == nil {
		listed = max(listed, slot)
		c.Slot = max(c.Slot, min(cmp.Or(lowest, listed), listed-min(listed, margin)))
		limited, cancel := context.WithTimeout(ctx, storeWithin)
		defer cancel()
		err = l.cfg.Store.SetCheckpoints(limited, c)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		a.failures++
		a.due = time.Now().Add(pace.Of(wait.Backoff(a.failures, 30*time.Second, time.Hour)))
		a.failure = err
		return added, err
	}
	a.Checkpoint, a.listed, a.due, a.failures, a.failure = c, begun, time.Time{}, 0, nil
	return added, nil
}

// tellFailures makes it a problem that addresses cannot be listed.
func (l *leader) tellFailures(ctx context.Context) {
	l.mu.Lock()
	failing, err := 0, error(nil)
	for _, a := range l.addresses {
		if a.failures > 0 {
			failing++
			err = cmp.Or(err, a.failure)
		}
	}
	l.mu.Unlock()
	if err != nil && failing > 1 {
		err = fmt.Errorf("%w (and %d further addresses)", err, failing-1)
	}
	l.problem(ctx, CauseListing, err)
}

// atOnce calls f for each item, some at the same time, until ctx ends.
func atOnce[T any](ctx context.Context, limit int, items []T, f func(T)) {
	free := make(chan struct{}, limit)
	var workers sync.WaitGroup
	for _, item := range items {
		free <- struct{}{}
		workers.Go(func() {
			defer func() { <-free }()
			if ctx.Err() == nil {
				f(item)
			}
		})
	}
	workers.Wait()
}
