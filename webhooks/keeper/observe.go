package keeper

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/internal/pace"
)

// handle calls Handle of the Config, and notices how long no call has succeeded.
func (k *Keeper) handle(ctx context.Context, e *webhooks.Event) error {
	if e.Address == "" {
		e.Address = about(e, k.wanted)
	}
	k.mu.Lock()
	if k.unhandled.IsZero() {
		k.unhandled = time.Now()
	}
	k.mu.Unlock()
	err := k.cfg.Handle(ctx, e)
	if err != nil && !errors.Is(err, webhooks.ErrSkip) {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.unhandled.IsZero() && k.handleFails() {
		k.wake = true
		k.asked++
	}
	k.unhandled = time.Time{}
	delete(k.problems, CauseHandle)
	return err
}

// about returns the first wanted address that the transaction is about, empty if there is none.
func about(e *webhooks.Event, wanted map[types.Address]bool) types.Address {
	all := e.Raw.Accounts()
	for _, d := range e.Enhanced.AccountData {
		all = append(all, d.Account)
	}
	for _, a := range all {
		if wanted[a] {
			return a
		}
	}
	return ""
}

// handleFails reports whether no call of Handle has succeeded for a minute although some began.
// k.mu is held.
func (k *Keeper) handleFails() bool {
	return !k.unhandled.IsZero() && time.Since(k.unhandled) >= pace.Of(time.Minute)
}

// noticeProblems notices the problems that no error reports, and the end of others: no call of
// Handle succeeds, another process receives deliveries, and no claim has failed for a minute.
func (k *Keeper) noticeProblems(ctx context.Context) {
	k.mu.Lock()
	fails := k.handleFails()
	_, told := k.problems[CauseHandle]
	if time.Since(k.unclaimed) >= pace.Of(time.Minute) && len(k.missed) == 0 {
		delete(k.problems, CauseClaims)
	}
	if p, has := k.problems[CauseDeliveries]; has && k.shared != nil {
		for _, other := range k.shared.Processes {
			if other.Delivered.After(p.Since.Time) {
				delete(k.problems, CauseDeliveries)
			}
		}
	}
	k.mu.Unlock()
	if fails && !told {
		k.problem(ctx, CauseHandle, errors.New("no call of Handle has succeeded for a minute, and the last one has not returned"))
	}
}

// ask wants all addresses to be listed, as events may be missing.
func (k *Keeper) ask() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.asked++
}

// An observer is the Observer of the Receiver.
type observer struct{ *Keeper }

// Received notices that deliveries arrive.
func (k observer) Received(events int) {
	if events > 0 {
		k.mu.Lock()
		k.delivered = time.Now().Truncate(time.Millisecond)
		delete(k.problems, CauseDeliveries)
		k.mu.Unlock()
	}
	if k.cfg.Observer != nil {
		k.cfg.Observer.Received(events)
	}
}

// Refused wants the addresses to be listed, since the events of the delivery are unknown. Anybody
// can post without the secret, and a wrong secret of the webhook is found by the check of it.
func (k observer) Refused(status int, reason error) {
	if status != http.StatusUnauthorized {
		k.ask()
		k.problem(context.Background(), CauseDeliveries, fmt.Errorf("a delivery was refused with %d: %w", status, reason))
	}
	if k.cfg.Observer != nil {
		k.cfg.Observer.Refused(status, reason)
	}
}

// Ended remembers the events that could not be stored, and that Handle fails.
func (k observer) Ended(e *webhooks.Event, o webhooks.Outcome, err error) {
	switch {
	case e.Signature == "": // it is found by its address
		k.ask()
	case o == webhooks.OutcomeLate || o == webhooks.OutcomeUnclaimed:
		if o == webhooks.OutcomeUnclaimed {
			k.problem(context.Background(), CauseClaims, err)
		}
		k.mu.Lock()
		k.unclaimed = time.Now() // or too late, as the Store was slow
		if len(k.missed) < maxMissed {
			k.missed[e.Signature] = e.Slot
		} else {
			k.asked++
		}
		k.mu.Unlock()
	default:
		k.mu.Lock()
		delete(k.missed, e.Signature)
		fails := o == webhooks.OutcomeFailed && k.handleFails()
		if o != webhooks.OutcomeClaimed {
			delete(k.problems, CauseClaims)
		}
		k.mu.Unlock()
		if fails {
			k.problem(context.Background(), CauseHandle, fmt.Errorf("no call of Handle has succeeded for a minute: %w", err))
		}
	}
	if k.cfg.Observer != nil {
		k.cfg.Observer.Ended(e, o, err)
	}
}

// compareSettings notices that a process with other settings leads for longer than a deploy takes.
func (k *Keeper) compareSettings(ctx context.Context, shared *Shared, since *time.Time) {
	i := slices.IndexFunc(shared.Processes, func(p Process) bool { return p.Leads && p.Settings != k.settings })
	switch {
	case i < 0:
		*since = time.Time{}
		k.forget(CauseSettings)
	case since.IsZero():
		*since = time.Now()
	case time.Since(*since) >= pace.Of(3*checkEvery):
		k.problem(ctx, CauseSettings, errors.New("a process with another URL or other types leads, and its settings apply; end it, or give each program a name in the Store"))
	}
}

// storeMissed stores the events as pending that could not be stored when they were delivered.
func (k *Keeper) storeMissed(ctx context.Context) error {
	k.mu.Lock()
	var missed []Pending
	for signature, slot := range k.missed {
		missed = append(missed, Pending{Signature: signature, Slot: slot, Wanted: true})
	}
	k.mu.Unlock()
	if len(missed) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	if _, err := k.cfg.Store.Add(ctx, k.filter, missed...); err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, p := range missed {
		delete(k.missed, p.Signature)
	}
	return nil
}
