package keeper

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/internal/pace"
)

// handle calls Handle of the Config, and records since when no call has succeeded.
func (k *Keeper) handle(ctx context.Context, e *webhooks.Event) error {
	k.mu.Lock()
	if k.unhandled.IsZero() {
		k.unhandled = time.Now()
	}
	k.mu.Unlock()
	err := k.cfg.Handle(ctx, e)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.failure = err; err == nil || errors.Is(err, webhooks.ErrSkip) {
		if k.handleFails() { // until now
			k.own.Asked++
		}
		k.unhandled, k.worked = time.Time{}, true
	}
	return err
}

// ask asks the leader to list all addresses.
func (k *Keeper) ask() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.own.Asked++
}

// handleFails reports whether calls of Handle began, but none has succeeded for a minute. The mutex
// is held.
func (k *Keeper) handleFails() bool {
	return !k.unhandled.IsZero() && time.Since(k.unhandled) >= pace.Of(time.Minute)
}

// handleWorks reports whether a call of Handle has succeeded, and not all have failed for a minute
// since.
func (k *Keeper) handleWorks() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.worked && !k.handleFails()
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

// notice finds problems that no error reports: no call of Handle succeeds, or a process with other
// settings leads for longer than a deploy takes. It ends CauseDeliveries when deliveries arrive.
func (k *Keeper) notice(ctx context.Context, differs *time.Time) {
	var other []string
	var fails error
	k.mu.Lock()
	if k.handleFails() {
		fails = fmt.Errorf("no call of Handle has succeeded for a minute: %w", cmp.Or(k.failure, errors.New("the last one has not returned")))
	}
	_, down := k.own.Problems[CauseStore]
	claims := !down && time.Since(k.unclaimed) >= pace.Of(time.Minute)
	arrive := k.lastDelivery().After(k.own.Problems[CauseDeliveries].Since.Time)
	for _, p := range k.shared.Processes {
		if p.ID != k.shared.Leader {
			continue
		}
		for _, hash := range [...]struct{ of, theirs, own string }{
			{"URL", p.URLHash, k.own.URLHash},
			{"set of types", p.FilterHash, k.own.FilterHash},
			{"secret", p.AuthHash, k.own.AuthHash},
		} {
			if hash.theirs != hash.own {
				other = append(other, hash.of)
			}
		}
	}
	k.mu.Unlock()
	if arrive {
		k.problem(ctx, CauseDeliveries, nil)
	}
	if claims { // the Store works, and no further event may come
		k.problem(ctx, CauseClaims, nil)
	}
	k.problem(ctx, CauseHandle, fails)
	switch {
	case other == nil:
		*differs = time.Time{}
		k.problem(ctx, CauseSettings, nil)
	case differs.IsZero():
		*differs = time.Now()
	case time.Since(*differs) >= pace.Of(3*checkEvery):
		k.problem(ctx, CauseSettings, fmt.Errorf("a process with another %s leads, and its settings apply; end it, or give each program a Store of its own", strings.Join(other, " and ")))
	}
}

// An observer is the Observer of the Receiver.
type observer struct{ *Keeper }

// Received notices that deliveries arrive.
func (k observer) Received(events int) {
	if events > 0 {
		k.mu.Lock()
		k.own.Delivered = time.Now().Truncate(time.Millisecond)
		k.mu.Unlock()
	}
	if k.cfg.Observer != nil {
		k.cfg.Observer.Received(events)
	}
}

// Refused asks for a listing, since the events of the delivery are unknown. A wrong secret does not
// count: anybody can post with one, and the check of the webhook corrects its secret.
func (k observer) Refused(status int, reason error) {
	if status != http.StatusUnauthorized {
		k.ask()
		k.problem(context.Background(), CauseDeliveries, fmt.Errorf("a delivery was refused with %d: %w", status, reason))
	}
	if k.cfg.Observer != nil {
		k.cfg.Observer.Refused(status, reason)
	}
}

// Ended asks for a listing if the event is not in the Store.
func (k observer) Ended(e *webhooks.Event, o webhooks.Outcome, err error) {
	switch o {
	case webhooks.OutcomeUnclaimed:
		k.mu.Lock()
		k.unclaimed = time.Now()
		k.mu.Unlock()
		k.problem(context.Background(), CauseClaims, err)
		k.ask()
	case webhooks.OutcomeLate, webhooks.OutcomeUnreadable:
		k.ask()
	case webhooks.OutcomeClaimed:
	default:
		k.problem(context.Background(), CauseClaims, nil)
	}
	if k.cfg.Observer != nil {
		k.cfg.Observer.Ended(e, o, err)
	}
}
