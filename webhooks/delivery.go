package webhooks

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/solwire/solwire-go/types"
)

// A verdict is the status for an event or a delivery, and why it is not 200.
type verdict struct {
	status int
	why    error
}

// Verdicts that let the service retry.
var (
	errQueueFull = errors.New("the queue is full")
	errSeen      = errors.New("the store of handled events failed")
	errInFlight  = errors.New("the event is still being handled")
	errNoTime    = errors.New("the time for the delivery is over")
	errHandle    = errors.New("an event was not handled")
)

// deliver handles or queues the events of a delivery, and returns the verdict of the
// event with the highest status.
func (r *Receiver) deliver(ctx context.Context, events []*Event, arrived time.Time) verdict {
	if !r.begin() {
		return verdict{http.StatusServiceUnavailable, errors.New("the Receiver is shut down")}
	}
	ctx, cancel := context.WithDeadline(ctx, arrived.Add(handleWithin))
	handled := make(chan verdict, 1)
	go func() { // ends with Handle, which may ignore its deadline
		worst := verdict{http.StatusInternalServerError, errHandle} // if Handle calls runtime.Goexit
		defer func() {
			cancel()
			r.end()
			handled <- worst
		}()
		worst = r.all(ctx, events)
	}()
	late := time.NewTimer(time.Until(arrived.Add(respondWithin)))
	defer late.Stop()
	select {
	case v := <-handled:
		return v
	case <-late.C:
		return verdict{http.StatusServiceUnavailable, errors.New("the callback takes too long")}
	}
}

func (r *Receiver) all(ctx context.Context, events []*Event) verdict {
	worst := verdict{status: http.StatusOK}
	for _, e := range events {
		if v := r.one(ctx, e); v.status > worst.status {
			worst = v
		}
	}
	return worst
}

// one handles or queues an event, unless that was done before.
func (r *Receiver) one(ctx context.Context, e *Event) verdict {
	if ctx.Err() != nil {
		r.miss(e)
		return verdict{http.StatusServiceUnavailable, errNoTime}
	}
	if r.flights.enter(ctx, e.Signature) != nil {
		return verdict{http.StatusServiceUnavailable, errInFlight}
	}
	defer r.flights.leave(e.Signature)
	isNew, v := r.claim(ctx, e)
	if !isNew {
		return v
	}
	done := false
	defer func() { _ = r.settle(ctx, e, done) }() // logs its error
	if why := r.unfit(ctx, e); why != nil {
		done = true
		r.skip(ctx, e, why)
		return verdict{status: http.StatusOK}
	}
	if r.queue != nil {
		if done = r.queue.put(e); !done {
			return verdict{http.StatusServiceUnavailable, errQueueFull}
		}
		return verdict{status: http.StatusOK}
	}
	skipped, err := r.handleClaimed(ctx, e)
	if done = err == nil || skipped; !done {
		r.failed(ctx, e, "event not handled", err)
		return verdict{http.StatusInternalServerError, errHandle}
	}
	if skipped {
		r.skip(ctx, e, err)
	}
	return verdict{status: http.StatusOK}
}

// claim claims an event. If it is not new, or the claim failed, it returns the verdict.
func (r *Receiver) claim(ctx context.Context, e *Event) (isNew bool, v verdict) {
	claimed := false
	err := guarded(func() (err error) {
		if err := r.openMissed(ctx); err != nil {
			return err
		}
		isNew, err = r.cfg.Seen.Claim(ctx, e.Signature, e.Slot)
		claimed = errors.Is(err, ErrClaimed) // calls methods of err, which may panic too
		return err
	})
	switch {
	case claimed:
		return false, verdict{http.StatusServiceUnavailable, ErrClaimed}
	case err == nil:
		return isNew, verdict{status: http.StatusOK}
	}
	r.miss(e)
	r.failed(ctx, e, "Seen.Claim failed", err)
	if _, ok := asPanic(err); ok {
		return false, verdict{http.StatusInternalServerError, errSeen}
	}
	return false, verdict{http.StatusServiceUnavailable, errSeen}
}

// unfit returns why an event is skipped without calling Handle, nil if it is not.
func (r *Receiver) unfit(ctx context.Context, e *Event) error {
	if e.Err != nil {
		r.failed(ctx, e, "event not decoded", e.Err)
		return e.Err
	}
	switch {
	case r.cfg.MaxAge == 0:
		return nil
	case e.BlockTime.IsZero():
		return errors.New("event has no block time to compare with MaxAge")
	case time.Since(e.BlockTime.Time) > r.cfg.MaxAge:
		return errors.New("event is older than MaxAge")
	}
	return nil
}

// settle ends a claim. The context of the delivery may have ended by now.
func (r *Receiver) settle(ctx context.Context, e *Event, done bool) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), handleWithin)
	defer cancel()
	settle, what := r.cfg.Seen.Release, "Seen.Release failed"
	if done {
		settle, what = r.done, "Seen.Done failed"
	}
	r.missed.remove(e.Signature)
	err := guarded(func() error { return settle(ctx, e.Signature) })
	if err != nil {
		r.failed(ctx, e, what, err)
	}
	return err
}

func (r *Receiver) done(ctx context.Context, signature types.Signature) error {
	_ = r.openMissed(ctx) // otherwise the next claim does
	return r.cfg.Seen.Done(ctx, signature)
}

// work handles an event of the queue, which the service will not deliver again.
func (r *Receiver) work(ctx context.Context, e *Event) {
	skipped, err := false, errors.New("the callback called runtime.Goexit")
	defer func() { // runs then, too
		if err != nil && !skipped {
			r.failed(ctx, e, "event not handled", err)
		}
		if err != nil {
			r.skip(ctx, e, err)
		}
	}()
	if ctx.Err() != nil {
		err = reason(ctx)
	} else {
		skipped, err = r.handle(ctx, e)
	}
}

// handleClaimed calls Handle, and renews the claim of the event meanwhile.
func (r *Receiver) handleClaimed(ctx context.Context, e *Event) (skipped bool, err error) {
	renewer, renews := r.cfg.Seen.(Renewer)
	if !renews {
		return r.handle(ctx, e)
	}
	renewing, stop := context.WithCancel(context.WithoutCancel(ctx)) // Handle may outlive its context
	var renewals sync.WaitGroup
	renewals.Go(func() {
		for {
			select {
			case <-time.After(renewEvery):
				r.renew(renewing, renewer, e)
			case <-renewing.Done():
				return
			}
		}
	})
	defer renewals.Wait() // the claim is not ended before
	defer stop()
	return r.handle(ctx, e)
}

func (r *Receiver) renew(ctx context.Context, renewer Renewer, e *Event) {
	limited, cancel := context.WithTimeout(ctx, handleWithin)
	defer cancel()
	err := guarded(func() error { return renewer.Renew(limited, e.Signature) })
	if err != nil && ctx.Err() == nil {
		r.failed(ctx, e, "Seen.Renew failed", err)
	}
}

// handle calls Handle and reports whether its error matches ErrSkip.
func (r *Receiver) handle(ctx context.Context, e *Event) (skipped bool, err error) {
	err = guarded(func() error {
		err := r.cfg.Handle(ctx, e)
		skipped = errors.Is(err, ErrSkip) // calls methods of err, which may panic too
		return err
	})
	return skipped, err
}

// skip calls Skipped with a new deadline, since the context of the event may have ended.
func (r *Receiver) skip(ctx context.Context, e *Event, reason error) {
	if r.cfg.Skipped == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), handleWithin)
	defer cancel()
	err := guarded(func() error {
		r.cfg.Skipped(ctx, e, reason)
		return nil
	})
	if err != nil {
		r.failed(ctx, e, "Skipped panicked", err)
	}
}

func (r *Receiver) failed(ctx context.Context, e *Event, what string, err error) {
	attrs := []slog.Attr{
		slog.String("signature", string(e.Signature)),
		slog.String("error", fmt.Sprintf("%v", err)), // fmt recovers from an Error method that panics
	}
	logger := r.cfg.Logger
	if p, ok := asPanic(err); ok {
		attrs = append(attrs, slog.String("stack", p.stack))
		if logger == nil { // a panic must leave a trace
			logger = slog.Default()
		}
	}
	r.log(ctx, logger, slog.LevelError, what, attrs...)
}

func (r *Receiver) log(ctx context.Context, logger *slog.Logger, level slog.Level, what string, attrs ...slog.Attr) {
	if logger != nil {
		r.logs.add(logEntry{ctx: ctx, logger: logger, level: level, message: what, attrs: attrs})
	}
}

// guarded returns the error of f, or its panic as an error. It runs all code of the
// caller, whose panic in another goroutine would end the process.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = newPanicError(p)
		}
	}()
	return f()
}

// A panicError is the panic of a callback.
type panicError struct{ text, stack string }

// newPanicError returns the error for a panic. It shows only values that are text: any
// other may hold the event.
func newPanicError(value any) error {
	text := fmt.Sprintf("panic: %T", value)
	switch value.(type) {
	case error, string:
		text = fmt.Sprintf("panic: %v", value)
	}
	return &panicError{text, string(debug.Stack())}
}

func (p *panicError) Error() string { return p.text }

func asPanic(err error) (*panicError, bool) {
	p, ok := err.(*panicError) //nolint:errorlint // it is never wrapped, and Unwrap of another error may panic
	return p, ok
}
