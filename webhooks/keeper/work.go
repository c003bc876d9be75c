package keeper

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/internal/pace"
)

// maxFailing is how many requests in a row fail before the worker waits: with fewer, some events
// of a request may be the reason.
const maxFailing = 16

// A worker handles the pending events that are due.
type worker struct {
	*leader
	mu          sync.Mutex
	failing     int   // requests, in a row
	failure     error // of the last one
	handled     int   // events
	undelivered int   // of these, events that were not delivered although the webhook was right
}

// work handles pending events until ctx ends.
func (l *leader) work(ctx context.Context) {
	for ctx.Err() == nil {
		w := &worker{leader: l}
		n, err := w.pass(ctx)
		if err != nil || n == 0 { // else a request may have worked, or not
			l.problem(ctx, CauseEvents, err)
		}
		if err != nil || n < 10*batch {
			pause(ctx, pace.Of(firstRetry))
		}
	}
}

// pass handles those events that are due, and all pending ones if Handle works again. It returns how
// many it tried.
func (w *worker) pass(ctx context.Context) (int, error) {
	q := Query{Due: true, Limit: 10 * batch}
	w.Keeper.mu.Lock()
	q.Due = !w.wake
	w.Keeper.mu.Unlock()
	limited, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	events, err := w.cfg.Store.Pending(limited, q)
	if err != nil {
		return 0, err
	}
	atOnce(ctx, workAtOnce, slices.Collect(slices.Chunk(events, batch)), func(part []Pending) { w.try(ctx, part) })
	if !q.Due && w.handled == 0 {
		w.Keeper.mu.Lock()
		w.wake = false
		w.Keeper.mu.Unlock()
	}
	if w.undelivered > 0 {
		w.ask()
	}
	if w.failure == nil && len(events) > 0 {
		w.forget(CauseEvents)
	}
	return len(events), w.failure
}

// try requests events and handles them. If the request fails, it tries each half of them, since one
// of them may be why.
func (w *worker) try(ctx context.Context, part []Pending) {
	w.mu.Lock()
	down := w.failing >= maxFailing
	w.mu.Unlock()
	if down || ctx.Err() != nil {
		return
	}
	signatures := make([]types.Signature, len(part))
	for i, p := range part {
		signatures[i] = p.Signature
	}
	events, err := w.client.Events(ctx, w.cfg.Settings.Type, signatures)
	var failed *types.BatchError
	if errors.As(err, &failed) {
		err = failed.Errs[slices.IndexFunc(failed.Errs, func(err error) bool { return err != nil })]
	}
	w.mu.Lock()
	w.failing++
	if err == nil {
		w.failing = 0
	}
	w.failure = cmp.Or(err, w.failure)
	w.mu.Unlock()
	if err != nil && failed == nil {
		return
	}
	if err != nil && len(part) > 1 && !slices.ContainsFunc(events, func(e *webhooks.Event) bool { return e != nil }) {
		if !isTransient(err) {
			w.try(ctx, part[:len(part)/2])
			w.try(ctx, part[len(part)/2:])
		}
		return
	}
	var unwanted []types.Signature
	var wanted []func()
	for i, e := range events {
		p := part[i]
		switch {
		case e != nil && !p.Wanted && !w.cfg.Settings.Delivers(e):
			unwanted = append(unwanted, p.Signature)
			w.noteQuiet(p.Address, 1)
		case e != nil:
			w.noteQuiet(p.Address, 0)
			wanted = append(wanted, func() { w.handleOne(ctx, p, e) })
		case failed == nil || failed.Errs[i] == nil:
			w.postpone(ctx, p, errors.New("the service does not return it"), true)
		default:
			w.postpone(ctx, p, failed.Errs[i], isRefusal(failed.Errs[i]))
		}
	}
	if len(unwanted) > 0 {
		w.move(ctx, StateUnwanted, w.filter, unwanted...)
	}
	atOnce(ctx, workAtOnce, wanted, func(f func()) { f() })
}

// noteQuiet counts that an address has had unwanted transactions alone.
func (w *worker) noteQuiet(a types.Address, by int) {
	w.leader.mu.Lock()
	defer w.leader.mu.Unlock()
	if by == 0 {
		delete(w.quiet, a)
		return
	}
	w.quiet[a] += by
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

// handleOne passes an event to Handle, like a delivered one. It returns when Handle has returned, or
// its time is over.
func (w *worker) handleOne(ctx context.Context, p Pending, e *webhooks.Event) {
	e.Address = p.Address
	handling, cancel := context.WithTimeout(w.handling, handleWithin)
	ended := make(chan struct{})
	go func() { // ends with Handle
		defer cancel()
		defer close(ended)
		o, err := w.receiver.Process(handling, e)
		switch {
		case o.Final():
			w.noteHandled(ctx, p, e)
		case o == webhooks.OutcomeFailed: // the Receiver has released it
			w.Keeper.mu.Lock()
			all := w.handleFails()
			w.Keeper.mu.Unlock()
			if !all && tooOld(p) {
				w.giveUp(ctx, p.Signature, err)
			}
		default:
			w.postpone(ctx, p, err, false)
		}
	}()
	select {
	case <-ended:
	case <-handling.Done():
	}
}

// noteHandled counts a handled event. An event that was not delivered although the webhook was right
// means that deliveries are lost: all addresses are listed again soon.
func (w *worker) noteHandled(ctx context.Context, p Pending, e *webhooks.Event) {
	w.mu.Lock()
	w.handled++
	if !p.Wanted {
		w.undelivered++
	}
	w.mu.Unlock()
	w.leader.mu.Lock()
	right := w.right
	w.leader.mu.Unlock()
	if p.Wanted || right.IsZero() || !e.BlockTime.After(right) {
		return
	}
	w.Keeper.mu.Lock()
	last := w.delivered
	if w.shared != nil {
		for _, other := range w.shared.Processes {
			if other.Delivered.After(last) {
				last = other.Delivered
			}
		}
	}
	w.Keeper.mu.Unlock()
	if !last.After(e.BlockTime.Time) {
		w.problem(ctx, CauseDeliveries, fmt.Errorf("event %s of %s was found and not delivered, and no event was delivered since; is the URL reachable?", e.Signature, e.BlockTime.UTC().Format(time.TimeOnly)))
	}
}

// postpone records that an attempt for an event failed. If it counts, an event that is too old is
// given up.
func (w *worker) postpone(ctx context.Context, p Pending, reason error, counts bool) {
	if counts && tooOld(p) {
		w.giveUp(ctx, p.Signature, reason)
		return
	}
	w.move(ctx, StatePending, textOf(reason), p.Signature)
}

func tooOld(p Pending) bool { return p.Age >= giveUpAfter && p.Attempts+1 >= giveUpTries }

// move moves events to a state.
func (w *worker) move(ctx context.Context, to State, note string, signatures ...types.Signature) {
	limited, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	if err := w.cfg.Store.Move(limited, to, note, signatures...); err != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.failure = cmp.Or(w.failure, err)
	}
}

func (w *worker) giveUp(ctx context.Context, signature types.Signature, reason error) {
	w.log(ctx, slog.LevelWarn, "event given up", slog.String("error", textOf(reason)), slog.String("signature", string(signature)))
	w.move(ctx, StateDead, textOf(reason), signature)
}
