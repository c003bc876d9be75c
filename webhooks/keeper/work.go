package keeper

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/internal/logbook"
)

// work handles the pending events that are due, and all of them if Handle works again.
func (l *leader) work(ctx context.Context) (time.Duration, error) {
	limited, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	l.mu.Lock()
	wake, failed := l.wake, l.requests != nil
	l.mu.Unlock()
	events, err := l.cfg.Store.Pending(limited, Query{Due: !wake, Limit: 10 * batch})
	rest := events
	// a problem lasts while events wait for their next attempt
	if err == nil && len(events) == 0 && failed {
		rest, err = l.cfg.Store.Pending(limited, Query{Limit: 1})
	}
	if err != nil {
		return 0, err
	}
	l.mu.Lock()
	if len(events) > 0 || len(rest) == 0 {
		l.failing, l.handled, l.requests = 0, 0, nil
	}
	l.mu.Unlock()
	atOnce(ctx, workAtOnce, slices.Collect(slices.Chunk(events, batch)), func(part []Pending) { l.try(ctx, part) })
	l.mu.Lock()
	defer l.mu.Unlock()
	if wake && l.handled == 0 {
		l.wake = false
	}
	if l.requests == nil && len(events) == 10*batch {
		return time.Millisecond, nil // there may be more
	}
	return firstRetry, l.requests
}

// try requests events and handles them. If the request fails, it tries each half of them, since
// one of them may be why.
func (l *leader) try(ctx context.Context, part []Pending) {
	l.mu.Lock()
	down := l.failing >= maxFailing
	l.mu.Unlock()
	if down || ctx.Err() != nil {
		return
	}
	signatures := make([]types.Signature, len(part))
	for i, p := range part {
		signatures[i] = p.Signature
	}
	events, err := l.client.Events(ctx, l.cfg.Settings.Type, signatures)
	errs := make([]error, len(part))
	var failed *types.BatchError
	if errors.As(err, &failed) {
		errs, err = failed.Errs, cmp.Or(failed.Errs...)
	}
	l.mu.Lock()
	l.failing++
	if err == nil {
		l.failing = 0
	}
	l.requests = cmp.Or(err, l.requests)
	l.mu.Unlock()
	if err != nil && len(part) > 1 && !slices.ContainsFunc(events, func(e *webhooks.Event) bool { return e != nil }) {
		if !isTransient(err) {
			l.try(ctx, part[:len(part)/2])
			l.try(ctx, part[len(part)/2:])
		}
		return
	}
	var unwanted []types.Signature
	var wanted []func()
	for i, e := range events {
		switch p := part[i]; {
		case e != nil && !p.Wanted && !l.cfg.Settings.Delivers(e):
			unwanted = append(unwanted, p.Signature)
			l.noteQuiet(p.Address, 1)
		case e != nil:
			l.noteQuiet(p.Address, 0)
			wanted = append(wanted, func() { l.handleOne(ctx, p, e) })
		default:
			l.postpone(ctx, p, cmp.Or(errs[i], errNotReturned), errs[i] == nil || isRefusal(errs[i]))
		}
	}
	if len(unwanted) > 0 {
		l.move(ctx, StateUnwanted, l.filter, unwanted...)
	}
	atOnce(ctx, workAtOnce, wanted, func(f func()) { f() })
}

var errNotReturned = errors.New("the service does not return it")

// noteQuiet counts the unwanted transactions of an address; 0 begins again.
func (l *leader) noteQuiet(of types.Address, unwanted int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i, found := slices.BinarySearchFunc(l.addresses, of, func(a *address, of types.Address) int { return cmp.Compare(a.Address, of) })
	if found {
		l.addresses[i].quiet = (l.addresses[i].quiet + unwanted) * unwanted
	}
}

// isTransient reports whether a request failed for a reason other than its events.
func isTransient(err error) bool {
	var refusal *types.APIError
	return !errors.As(err, &refusal) || errors.Is(err, types.ErrUnauthorized) || errors.Is(err, types.ErrQuotaExceeded) || errors.Is(err, types.ErrRateLimited)
}

// isRefusal reports whether the service refused a request as it is.
func isRefusal(err error) bool {
	var refusal *types.APIError
	return errors.As(err, &refusal) && refusal.StatusCode == http.StatusBadRequest
}

// handleOne passes an event to Handle, like a delivered one. It returns when Handle has
// returned, or its time is over.
func (l *leader) handleOne(ctx context.Context, p Pending, e *webhooks.Event) {
	e.Address = p.Address
	handling, cancel := context.WithTimeout(l.handling, handleWithin)
	ended := make(chan struct{})
	go func() { // ends with Handle
		defer cancel()
		defer close(ended)
		o, err := l.receiver.Process(handling, e)
		switch {
		case o.Final():
			l.noteHandled(ctx, p, e)
		case o != webhooks.OutcomeFailed:
			l.postpone(ctx, p, err, false)
		case tooOld(p) && !l.handleFails(): // else it is enough that the Receiver has released it
			l.postpone(ctx, p, err, true)
		}
	}()
	select {
	case <-ended:
	case <-handling.Done():
	}
}

// noteHandled counts a handled event. An event that was not delivered although the webhook was
// right means that deliveries are lost: all addresses are listed again soon.
func (l *leader) noteHandled(ctx context.Context, p Pending, e *webhooks.Event) {
	l.mu.Lock()
	l.handled++
	if !p.Wanted {
		l.own.Asked++
	}
	lost := !p.Wanted && !l.right.IsZero() && e.BlockTime.After(l.right) && !l.lastDelivery().After(e.BlockTime.Time)
	l.mu.Unlock()
	if lost {
		l.problem(ctx, CauseDeliveries, fmt.Errorf("event %s of %s was found and not delivered, and no event was delivered since; is the URL reachable?", e.Signature, e.BlockTime.UTC().Format(time.TimeOnly)))
	}
}

// postpone records that an attempt for an event failed. If it counts, an event that is too old is
// given up.
func (l *leader) postpone(ctx context.Context, p Pending, reason error, counts bool) {
	to, text := StatePending, logbook.Text(reason)
	if counts && tooOld(p) {
		to = StateDead
		l.log(ctx, slog.LevelWarn, "event given up", slog.String("error", text), slog.String("signature", string(p.Signature)))
	}
	l.move(ctx, to, text, p.Signature)
}

func tooOld(p Pending) bool { return p.Age >= giveUpAfter && p.Attempts+1 >= giveUpTries }

// move moves events to a state.
func (l *leader) move(ctx context.Context, to State, note string, signatures ...types.Signature) {
	limited, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	err := l.cfg.Store.Move(limited, to, note, signatures...)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests = cmp.Or(l.requests, err)
}
