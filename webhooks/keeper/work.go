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

// work handles the pending events that are due. Without any, it returns the previous error again,
// while failed events wait for their next attempt.
func (l *leader) work(ctx context.Context) (time.Duration, error) {
	limited, cancel := context.WithTimeout(ctx, waitWithin)
	defer cancel()
	events, err := l.cfg.Store.Pending(limited, Query{Due: true, Limit: 10 * batch})
	if err != nil {
		return 0, err
	}
	l.mu.Lock()
	pending := l.shared.Pending
	l.mu.Unlock()
	if len(events) == 0 && pending > 0 {
		return firstRetry, l.failed
	}
	l.failing.Store(0)
	l.failed = each(ctx, slices.Collect(slices.Chunk(events, batch)), l.try)
	if l.failed == nil && len(events) == 10*batch {
		return time.Millisecond, nil // there may be more
	}
	return firstRetry, l.failed
}

// try requests events and handles them. If the request fails, it tries each half of them, since a
// single event may be the reason.
func (l *leader) try(ctx context.Context, part []Pending) error {
	if l.failing.Load() >= maxFailing {
		return nil
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
	l.failing.Add(1)
	if err == nil {
		l.failing.Store(0)
	}
	if err != nil && len(part) > 1 && !slices.ContainsFunc(events, func(e *webhooks.Event) bool { return e != nil }) {
		half := len(part) / 2
		return cmp.Or(l.try(ctx, part[:half]), l.try(ctx, part[half:]), err)
	}
	var unwanted []types.Signature
	var wanted []attempt
	for i, e := range events {
		p := part[i]
		if e == nil {
			err = cmp.Or(err, l.postpone(ctx, p, cmp.Or(errs[i], errNotReturned), errs[i] == nil || isRefusal(errs[i])))
			continue
		}
		l.mu.Lock()
		l.quiet[p.Address]++
		if p.Wanted || l.cfg.Settings.Delivers(e) {
			l.quiet[p.Address] = 0
			wanted = append(wanted, attempt{p, e})
		} else {
			unwanted = append(unwanted, p.Signature)
		}
		l.mu.Unlock()
	}
	return cmp.Or(err, l.move(ctx, StateUnwanted, l.own.FilterHash, unwanted...), each(ctx, wanted, l.handleOne))
}

var errNotReturned = errors.New("the service does not return it")

// isRefusal reports whether the service refused the request itself, so that a retry does not help.
func isRefusal(err error) bool {
	var refusal *types.APIError
	return errors.As(err, &refusal) && refusal.StatusCode == http.StatusBadRequest
}

func isRaw(t webhooks.Type) bool { return t == webhooks.TypeRaw || t == webhooks.TypeRawDevnet }

// An attempt is a pending event that was requested.
type attempt struct {
	Pending
	event *webhooks.Event
}

// handleOne passes an event to Handle, like a delivered one. It returns when Handle has returned,
// after 30 seconds, or when ctx ends.
func (l *leader) handleOne(ctx context.Context, a attempt) error {
	handling, cancel := context.WithTimeout(context.WithoutCancel(ctx), handleWithin)
	go func() { // ends with Handle
		defer cancel()
		p := a.Pending
		o, err := l.receiver.Process(handling, a.event)
		switch {
		case o.Final():
			l.noteHandled(ctx, a)
		case o != webhooks.OutcomeFailed:
			_ = l.postpone(ctx, p, err, false)
		case tooOld(p) && l.handleWorks(): // otherwise the Receiver has released it
			_ = l.postpone(ctx, p, err, true)
		}
	}()
	select {
	case <-handling.Done():
	case <-ctx.Done():
	}
	return nil
}

// noteHandled asks for a listing after an undelivered event was handled, since others may be
// missing, too. If the webhook was right, it reports that deliveries are lost.
func (l *leader) noteHandled(ctx context.Context, a attempt) {
	if a.Wanted {
		return
	}
	e := a.event
	l.ask()
	l.mu.Lock()
	lost := !l.right.IsZero() && e.BlockTime.After(l.right) && !l.lastDelivery().After(e.BlockTime.Time)
	l.mu.Unlock()
	if lost {
		l.problem(ctx, CauseDeliveries, fmt.Errorf("event %s of %s was found and not delivered, and no event was delivered since; is the URL reachable?", e.Signature, e.BlockTime.UTC().Format(time.TimeOnly)))
	}
}

// postpone records that an attempt for an event failed. If counts is set, an event that is too old
// becomes a dead letter.
func (l *leader) postpone(ctx context.Context, p Pending, reason error, counts bool) error {
	to, text := StatePending, logbook.Text(reason)
	if counts && tooOld(p) {
		to = StateDead
		l.log(ctx, slog.LevelWarn, "event given up", slog.String("error", text), slog.String("signature", string(p.Signature)))
	}
	return l.move(ctx, to, text, p.Signature)
}

func tooOld(p Pending) bool { return p.Age >= giveUpAfter && p.Attempts+1 >= giveUpTries }

// move moves events to a state.
func (l *leader) move(ctx context.Context, to State, note string, signatures ...types.Signature) error {
	limited, cancel := context.WithTimeout(ctx, waitWithin)
	defer cancel()
	return l.cfg.Store.Move(limited, to, note, signatures...)
}
