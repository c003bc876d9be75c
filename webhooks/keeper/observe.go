package keeper

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/internal/pace"
)

// handle calls Handle of the Config, and notices since when no call has succeeded.
func (k *Keeper) handle(ctx context.Context, e *webhooks.Event) error {
	e.Address = cmp.Or(e.Address, about(e, k.wanted))
	k.mu.Lock()
	if k.unhandled.IsZero() {
		k.unhandled = time.Now()
	}
	k.mu.Unlock()
	err := k.cfg.Handle(ctx, e)
	works, failed := err == nil || errors.Is(err, webhooks.ErrSkip), k.handleFails()
	if works {
		k.forget(CauseHandle)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	switch k.failure = err; {
	case works && failed: // again
		k.wake = true
		k.own.Asked++
		fallthrough
	case works:
		k.unhandled = time.Time{}
	}
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
func (k *Keeper) handleFails() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return !k.unhandled.IsZero() && time.Since(k.unhandled) >= pace.Of(time.Minute)
}

// lastDelivery returns when any process has last received an event. The mutex is held.
func (k *Keeper) lastDelivery() time.Time {
	last := k.own.Delivered
	for _, p := range k.shared.Processes {
		if p.Delivered.After(last) {
			last = p.Delivered
		}
	}
	return last
}

// notice notices problems that no error reports: no call of Handle succeeds, or a process with
// other settings leads for longer than a deploy takes. It also notices the end of a problem,
// when another process receives deliveries.
func (k *Keeper) notice(ctx context.Context, differs *time.Time) {
	k.mu.Lock()
	failure, delivered, other := k.failure, k.lastDelivery(), ""
	arrive := slices.ContainsFunc(k.own.Problems, func(p Problem) bool { return p.Cause == CauseDeliveries && delivered.After(p.Since.Time) })
	for _, p := range k.shared.Processes {
		if p.Leads {
			other = difference(p.Settings, k.own.Settings)
		}
	}
	k.mu.Unlock()
	if arrive {
		k.forget(CauseDeliveries)
	}
	if k.handleFails() {
		k.problem(ctx, CauseHandle, fmt.Errorf("no call of Handle has succeeded for a minute: %w", cmp.Or(failure, errors.New("the last one has not returned"))))
	}
	switch {
	case other == "":
		*differs = time.Time{}
		k.forget(CauseSettings)
	case differs.IsZero():
		*differs = time.Now()
	case time.Since(*differs) >= pace.Of(3*checkEvery):
		k.problem(ctx, CauseSettings, fmt.Errorf("a process with another %s leads, and its settings apply; end it, or give each program a Store of its own", other))
	}
}

// difference names the settings that differ between two processes, empty if none do.
func difference(a, b string) string {
	var all []string
	one, two := strings.Split(a+"//", "/"), strings.Split(b+"//", "/")
	for i, name := range [...]string{"URL", "set of types", "secret"} {
		if one[i] != two[i] {
			all = append(all, name)
		}
	}
	return strings.Join(all, " and ")
}

// An observer is the Observer of the Receiver.
type observer struct{ *Keeper }

// Received notices that deliveries arrive.
func (k observer) Received(events int) {
	if events > 0 {
		k.mu.Lock()
		k.own.Delivered = time.Now().Truncate(time.Millisecond)
		k.mu.Unlock()
		k.forget(CauseDeliveries)
	}
	if k.cfg.Observer != nil {
		k.cfg.Observer.Received(events)
	}
}

// Refused makes the addresses due, since the events of the delivery are unknown. Anybody can
// post without the secret; the check of the webhook finds a wrong one.
func (k observer) Refused(status int, reason error) {
	if status != http.StatusUnauthorized {
		k.mu.Lock()
		k.own.Asked++
		k.mu.Unlock()
		k.problem(context.Background(), CauseDeliveries, fmt.Errorf("a delivery was refused with %d: %w", status, reason))
	}
	if k.cfg.Observer != nil {
		k.cfg.Observer.Refused(status, reason)
	}
}

// Ended remembers the events that could not be stored.
func (k observer) Ended(e *webhooks.Event, o webhooks.Outcome, err error) {
	switch o {
	case webhooks.OutcomeUnclaimed:
		k.problem(context.Background(), CauseClaims, err)
	case webhooks.OutcomeClaimed, webhooks.OutcomeLate:
	default:
		k.forget(CauseClaims)
	}
	k.mu.Lock()
	switch {
	case o != webhooks.OutcomeLate && o != webhooks.OutcomeUnclaimed && e.Signature != "":
		delete(k.missed, e.Signature)
	case e.Signature == "" || len(k.missed) >= maxMissed: // it is found by its address
		k.own.Asked++
	default:
		k.missed[e.Signature] = e.Slot
	}
	k.mu.Unlock()
	if k.cfg.Observer != nil {
		k.cfg.Observer.Ended(e, o, err)
	}
}

// storeMissed stores as pending the delivered events that could not be stored then.
func (k *Keeper) storeMissed(ctx context.Context) {
	k.mu.Lock()
	var missed []Pending
	for signature, slot := range k.missed {
		missed = append(missed, Pending{Signature: signature, Slot: slot, Wanted: true})
	}
	k.mu.Unlock()
	if len(missed) == 0 {
		return
	}
	limited, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	_, err := k.cfg.Store.Add(limited, k.filter, missed...)
	k.problem(ctx, CauseClaims, err)
	if err != nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, p := range missed {
		delete(k.missed, p.Signature)
	}
}
