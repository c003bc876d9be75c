package keeper

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/internal/pace"
)

// An address is a wanted address.
type address struct {
	Checkpoint
	next     time.Time // earliest next listing, after a failure or unwanted transactions
	failures int       // failed listings in a row
	failure  error     // of the last listing
}

// list lists the addresses that are due.
func (l *leader) list(ctx context.Context) (time.Duration, error) {
	if l.addresses == nil {
		all, err := l.checkpoints(ctx)
		if err != nil {
			return 0, err
		}
		l.mu.Lock()
		for _, a := range l.cfg.Settings.AccountAddresses {
			l.addresses = append(l.addresses, &address{Checkpoint: all[a]})
		}
		l.mu.Unlock()
	}
	err := each(ctx, l.due(), l.listOne)
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
	return beat, err
}

// due returns the addresses to list now. All addresses are due soon after a process has asked for
// that. Otherwise an address has its turn every five minutes, or more often if each needs a turn
// per Interval. Addresses without failures come first, and of these the stalest.
func (l *leader) due() (due []*address) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	turns, period := 0, min(l.cfg.Interval/time.Duration(len(l.addresses)), pace.Of(checkEvery))
	if late := now.Sub(l.turn); late >= 0 { // with many addresses, the turns of a minute at once
		turns = max(int(late/period)+1, int(time.Minute/period))
		l.turn = l.turn.Add(time.Duration(turns) * period)
		slices.SortFunc(l.addresses, func(a, b *address) int {
			return cmp.Or(cmp.Compare(a.failures, b.failures), a.Listed.Compare(b.Listed))
		})
	}
	l.own.Behind = 0
	for _, a := range l.addresses {
		if now.Sub(a.Listed) > l.cfg.Interval+checkEvery {
			l.own.Behind++
		}
		switch {
		case a.failures == 0 && a.Listed.Before(l.all) && !now.Before(l.all):
			due = append(due, a)
		case now.Before(a.next):
		case a.failures > 0:
			due = append(due, a)
		case turns > 0:
			turns--
			due = append(due, a)
		}
	}
	// after the loop, so that it postpones no listing that is due
	processes := slices.Concat(l.shared.Processes, []Process{l.own})
	asked := slices.ContainsFunc(processes, func(p Process) bool { return p.Asked > l.asked[p.ID] })
	if asked && !now.Before(l.all) {
		if now.Sub(l.all) >= 2*l.again { // nobody asked for long
			l.again = pace.Of(checkEvery)
		} else {
			l.again = min(2*l.again, pace.Of(listAgain))
		}
		if l.all = l.all.Add(l.again); l.all.Before(now.Add(pace.Of(settle))) {
			l.all = now.Add(pace.Of(settle))
		}
	}
	if l.all.Sub(now) >= pace.Of(settle)/2 { // otherwise a node may not list the events by then
		for _, p := range processes {
			l.asked[p.ID] = p.Asked
		}
	}
	return due
}

// listOne lists an address, adds the transactions that are not in the Store as pending events, and
// moves the checkpoint. The checkpoint stays an hour behind the newest listed slot, since a
// transaction may be listed late. It does not pass the lowest pending slot, and never goes back.
func (l *leader) listOne(ctx context.Context, a *address) error {
	l.mu.Lock()
	c, newest, lowest, begun, added := a.Checkpoint, l.newest, l.shared.LowestSlot, time.Now(), 0
	l.mu.Unlock()
	from := webhooks.Listing{Address: a.Address, SinceSlot: a.Slot, Since: a.Since, TokenAccounts: l.cfg.TokenAccounts}
	err := l.client.Signatures(ctx, from, func(page []webhooks.Listed) error {
		var events []Pending
		oldest := uint64(0)
		for _, x := range page {
			newest, oldest = max(newest, x.Slot), cmp.Or(x.Slot, oldest)
			// without a signature it cannot be requested, and failed ones are not delivered
			if x.Signature != "" && (!x.Failed() || isRaw(l.cfg.Settings.Type) && l.cfg.Settings.Outcome != types.OutcomeSucceeded) {
				events = append(events, Pending{Signature: x.Signature, Slot: x.Slot, Address: a.Address})
			}
		}
		limited, cancel := context.WithTimeout(ctx, waitWithin)
		defer cancel()
		n, err := l.cfg.Store.Add(limited, l.own.FilterHash, events...)
		if n > 0 {
			lowest = min(cmp.Or(lowest, oldest), oldest)
		}
		added += n
		return err
	})
	if err == nil {
		c.Slot, c.Listed = max(c.Slot, min(cmp.Or(lowest, newest), newest-min(newest, margin))), begun.Truncate(time.Millisecond)
		limited, cancel := context.WithTimeout(ctx, waitWithin)
		defer cancel()
		err = l.cfg.Store.SetCheckpoints(limited, c)
	}
	if added > 0 {
		l.log(ctx, slog.LevelInfo, "listed an address", slog.String("address", string(a.Address)), slog.Int("added", added))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.newest = max(l.newest, newest)
	if a.failure = err; err != nil {
		a.failures++
		a.next = time.Now().Add(pace.Of(wait.Backoff(a.failures, 30*time.Second, time.Hour)))
		return err
	}
	a.Checkpoint, a.failures = c, 0
	if n := l.quiet[a.Address]; n > 0 { // unwanted transactions cost as much as events
		a.next = begun.Add(min(pace.Of(checkEvery)<<min(n, 10), l.cfg.Interval/2))
	}
	return nil
}
