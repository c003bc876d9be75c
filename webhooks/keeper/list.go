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

// An address is a wanted address and when it is listed.
type address struct {
	Checkpoint
	place    int       // among the addresses
	due      time.Time // when it is listed next
	quiet    int       // how many unwanted transactions it has had since the last wanted one
	failures int       // of listings, in a row
	failure  error     // the last one
}

// list lists the addresses that are due.
func (l *leader) list(ctx context.Context) (time.Duration, error) {
	if l.addresses == nil {
		if err := l.load(ctx); err != nil {
			return 0, err
		}
	}
	due := l.due()
	if len(due) == 0 {
		return beat, l.listingFailure()
	}
	totals, err := l.cfg.Store.Totals(ctx)
	if err != nil {
		return 0, err
	}
	var mu sync.Mutex
	row, added := 0, 0
	atOnce(ctx, listAtOnce, due, func(a *address) {
		mu.Lock()
		down := row >= 3 // failed one after the other, and the next ones stay due
		mu.Unlock()
		if down {
			return
		}
		n, err := l.listOne(ctx, a, totals.LowestSlot)
		mu.Lock()
		defer mu.Unlock()
		added += n
		row++
		if err == nil {
			row = 0
		}
	})
	if added > 0 {
		l.log(ctx, slog.LevelInfo, "listed addresses", slog.Int("addresses", len(due)), slog.Int("added", added))
	}
	if row >= 3 {
		return time.Minute, l.listingFailure()
	}
	return beat, l.listingFailure()
}

// load reads the checkpoints of the wanted addresses.
func (l *leader) load(ctx context.Context) error {
	all, err := l.cfg.Store.Checkpoints(ctx)
	if err != nil {
		return err
	}
	var wanted []*address
	for _, c := range all {
		if c.Filter == l.filter && l.wanted[c.Address] {
			wanted = append(wanted, &address{Checkpoint: c})
		}
	}
	if len(wanted) < len(l.wanted) {
		return errors.New("the Store has lost checkpoints; restart the program")
	}
	slices.SortFunc(wanted, func(a, b *address) int { return cmp.Compare(a.Address, b.Address) })
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, a := range wanted {
		a.place, a.due = i, l.all
	}
	l.addresses = wanted
	return nil
}

// turn returns the first turn of an address after a time. One address has its turn every five
// minutes, or more often if each needs one per Interval.
func (l *leader) turn(a *address, after time.Time) time.Time {
	period := min(l.cfg.Interval/time.Duration(len(l.addresses)), pace.Of(checkEvery))
	cycle := time.Duration(len(l.addresses)) * period
	turn := after.Truncate(cycle).Add(time.Duration(a.place) * period)
	if !turn.After(after) {
		turn = turn.Add(cycle)
	}
	return turn
}

// due returns the addresses whose time has come: without failures first, and of these the
// stalest first.
func (l *leader) due() (due []*address) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now, late := time.Now(), time.Now().Add(-l.cfg.Interval-checkEvery)
	l.own.Behind = 0
	for _, a := range l.addresses {
		if !now.Before(a.due) {
			due = append(due, a)
		}
		if a.Listed.Before(late) {
			l.own.Behind++
		}
	}
	slices.SortStableFunc(due, func(a, b *address) int {
		return cmp.Or(cmp.Compare(a.failures, b.failures), a.Listed.Compare(b.Listed))
	})
	return due
}

// listOne adds the transactions of an address that the Store does not have as pending events,
// and moves its checkpoint. It is the lowest pending slot, or else an hour before the last
// listed slot, as a transaction may be listed late. It never goes back.
func (l *leader) listOne(ctx context.Context, a *address, lowest uint64) (added int, err error) {
	c, newest, begun := a.Checkpoint, uint64(0), time.Now()
	c.Listed = begun.Truncate(time.Millisecond)
	from := webhooks.Listing{Address: a.Address, SinceSlot: a.Slot, Since: a.Since, TokenAccounts: l.cfg.TokenAccounts}
	slot, err := l.client.Signatures(ctx, from, func(page []webhooks.Listed) error {
		var events []Pending
		oldest := uint64(0)
		for _, x := range page {
			newest, oldest = max(newest, x.Slot), cmp.Or(x.Slot, oldest)
			if x.Signature == "" { // it cannot be requested
				l.log(ctx, slog.LevelWarn, "a listed transaction has no signature", slog.String("address", string(a.Address)))
				continue
			}
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
	if errors.Is(err, types.ErrInvalid) { // a node of another network
		l.stop(err)
	}
	if err == nil {
		newest = max(newest, slot)
		c.Slot = max(c.Slot, min(cmp.Or(lowest, newest), newest-min(newest, margin)))
		limited, cancel := context.WithTimeout(ctx, storeWithin)
		defer cancel()
		err = l.cfg.Store.SetCheckpoints(limited, c)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if a.failure = err; err != nil {
		a.failures++
		a.due = now.Add(pace.Of(wait.Backoff(a.failures, 30*time.Second, time.Hour)))
		return added, err
	}
	a.Checkpoint, a.failures = c, 0
	after := now
	if a.quiet > 0 { // unwanted transactions cost as much as events
		after = now.Add(min(pace.Of(checkEvery)<<min(a.quiet, 10), l.cfg.Interval))
	}
	a.due = l.turn(a, after)
	if begun.Before(l.all) {
		a.due = earlier(a.due, l.all)
	}
	return added, nil
}

// listingFailure returns an error if addresses cannot be listed.
func (l *leader) listingFailure() (err error) {
	failing := 0
	for _, a := range l.addresses {
		if a.failures > 0 {
			failing++
			err = cmp.Or(err, a.failure)
		}
	}
	if failing > 1 {
		err = fmt.Errorf("%w (and %d further addresses)", err, failing-1)
	}
	return err
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
