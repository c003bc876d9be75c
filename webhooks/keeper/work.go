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

// work handles the pending events that are due. A problem lasts while events wait for their next
// attempt.
func (l *leader) work(ctx context.Context) (time.Duration, error) {
	limited, cancel := context.WithTimeout(ctx, waitWithin)
	defer cancel()
	events, err := l.cfg.Store.Pending(limited, Query{Due: true, Limit: 10 * batch})
	if err != nil {
		return 0, err
	}
	l.mu.Lock()
	if len(events) > 0 || l.shared.Pending == 0 {
		l.failing, l.failed = 0, nil
	}
	l.mu.Unlock()
	each(ctx, slices.Collect(slices.Chunk(events, batch)), func(part []Pending) { l.try(ctx, part) })
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed == nil && len(events) == 10*batch {
		return time.Millisecond, nil // there may be more
	}
	return firstRetry, l.failed
}

// note notes an error of a pass.
func (l *leader) note(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failed = cmp.Or(l.failed, err)
}

// try requests events and handles them. If the request fails, it tries each half of them, since
// one of them may be why.
func (l *leader) try(ctx context.Context, part []Pending) {
	signatures := make([]types.Signature, len(part))
	for i, p := range part {
		signatures[i] = p.Signature
	}
	l.mu.Lock()
	down := l.failing >= maxFailing
	l.mu.Unlock()
	if down || ctx.Err() != nil {
		return
	}
	events, err := l.client.Events(ctx, l.cfg.Settings.Type, signatures)
	errs := make([]error, len(part))
	var failed *types.BatchError
	if errors.As(err, &failed) {
		errs, err = failed.Errs, cmp.Or(failed.Errs...)
	}
	l.note(err)
	l.mu.Lock()
	l.failing++
	if err == nil {
		l.failing = 0
	}
	l.mu.Unlock()
	if err != nil && len(part) > 1 && !slices.ContainsFunc(events, func(e *webhooks.Event) bool { return e != nil }) {
		l.try(ctx, part[:len(part)/2])
		l.try(ctx, part[len(part)/2:])
		return
	}
	var unwanted []types.Signature
	var wanted []func()
	for i, e := range events {
		p := part[i]
		if e == nil {
			l.postpone(ctx, p, cmp.Or(errs[i], errNotReturned), errs[i] == nil || isRefusal(errs[i]))
			continue
		}
		l.mu.Lock()
		l.quiet[p.Address]++
		if p.Wanted || l.cfg.Settings.Delivers(e) {
			l.quiet[p.Address] = 0
			wanted = append(wanted, func() { l.handleOne(ctx, p, e) })
		} else {
			unwanted = append(unwanted, p.Signature)
		}
		l.mu.Unlock()
	}
	l.move(ctx, StateUnwanted, l.filter(), unwanted...)
	each(ctx, wanted, func(f func()) { f() })
}

var errNotReturned = errors.New("the service does not return it")

// isRefusal reports whether the service refused a request as it is.
func isRefusal(err error) bool {
	var refusal *types.APIError
	return errors.As(err, &refusal) && refusal.StatusCode == http.StatusBadRequest
}

func isRaw(t webhooks.Type) bool { return t == webhooks.TypeRaw || t == webhooks.TypeRawDevnet }

// handleOne passes an event to Handle, like a delivered one. It returns when Handle has
// returned, or its time is over, or ctx ends.
func (l *leader) handleOne(ctx context.Context, p Pending, e *webhooks.Event) {
	handling, cancel := context.WithTimeout(context.WithoutCancel(ctx), handleWithin)
	go func() { // ends with Handle
		defer cancel()
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
	case <-handling.Done():
	case <-ctx.Done():
	}
}

// noteHandled notices a handled event. If it was not delivered, others may be missing, too. If
// the webhook was right, deliveries are lost.
func (l *leader) noteHandled(ctx context.Context, p Pending, e *webhooks.Event) {
	if p.Wanted {
		return
	}
	l.ask()
	l.mu.Lock()
	lost := !l.right.IsZero() && e.BlockTime.After(l.right) && !l.lastDelivery().After(e.BlockTime.Time)
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
	limited, cancel := context.WithTimeout(ctx, waitWithin)
	defer cancel()
	l.note(l.cfg.Store.Move(limited, to, note, signatures...))
}
