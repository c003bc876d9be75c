package webhooks

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"
)

// deliver handles the events of a delivery, or puts them into the queue, and
// returns the answer: the worst of all events.
func (r *Receiver) deliver(ctx context.Context, events []*Event, arrived time.Time) (status int, err error) {
	if !r.begin() {
		return http.StatusServiceUnavailable, errors.New("shutting down")
	}
	ctx, cancel := context.WithDeadline(ctx, arrived.Add(handleWithin))
	answer := make(chan int, 1)
	go func() { // ends with the callback, also one that ignores its deadline
		worst := http.StatusInternalServerError // of a callback that ends its goroutine
		defer func() {
			cancel()
			r.end()
			answer <- worst
		}()
		worst = r.all(ctx, events)
	}()
	late := time.NewTimer(time.Until(arrived.Add(answerWithin)))
	defer late.Stop()
	select {
	case status = <-answer:
	case <-late.C:
		return http.StatusServiceUnavailable, errors.New("still being handled")
	}
	switch status {
	case http.StatusOK:
		return status, nil
	case http.StatusServiceUnavailable:
		return status, errors.New("no room or no time")
	default:
		return status, errors.New("an event was not handled")
	}
}

func (r *Receiver) all(ctx context.Context, events []*Event) int {
	worst := http.StatusOK
	for _, e := range events {
		worst = max(worst, r.one(ctx, e))
	}
	return worst
}

// one handles an event, or puts it into the queue, unless that was done before.
func (r *Receiver) one(ctx context.Context, e *Event) (status int) {
	if ctx.Err() != nil || r.flights.enter(ctx, e.Signature) != nil {
		return http.StatusServiceUnavailable
	}
	defer r.flights.leave(e.Signature)
	var isNew bool
	err := guarded(func() (err error) {
		isNew, err = r.cfg.Seen.Claim(ctx, e.Signature)
		return err
	})
	if err != nil {
		r.failed(ctx, e, "event not claimed", err)
		if _, ok := asPanic(err); ok {
			return http.StatusInternalServerError
		}
		return http.StatusServiceUnavailable
	}
	if !isNew {
		return http.StatusOK
	}
	done := false
	defer func() { r.settle(ctx, e, done) }()
	if why := r.unfit(ctx, e); why != nil {
		done = true
		r.skip(ctx, e, why)
		return http.StatusOK
	}
	if r.queue != nil {
		if done = r.queue.put(e); !done {
			return http.StatusServiceUnavailable
		}
		return http.StatusOK
	}
	skipped, err := r.handle(ctx, e)
	if done = err == nil || skipped; !done {
		r.failed(ctx, e, "event not handled", err)
		return http.StatusInternalServerError
	}
	if skipped {
		r.skip(ctx, e, err)
	}
	return http.StatusOK
}

// unfit returns why an event is nothing for Handle.
func (r *Receiver) unfit(ctx context.Context, e *Event) error {
	if e.Err != nil {
		r.failed(ctx, e, "event not read", e.Err)
		return e.Err
	}
	if age := time.Since(e.Time.Time); r.cfg.MaxAge > 0 && age > r.cfg.MaxAge {
		return errors.New("event is older than MaxAge")
	}
	return nil
}

// settle ends a claim. The context of the delivery may be over by now.
func (r *Receiver) settle(ctx context.Context, e *Event, done bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), handleWithin)
	defer cancel()
	settle := r.cfg.Seen.Release
	if done {
		settle = r.cfg.Seen.Done
	}
	if err := guarded(func() error { return settle(ctx, e.Signature) }); err != nil {
		r.failed(ctx, e, "event not settled", err)
	}
}

// work handles an event of the queue. Nobody delivers it again.
func (r *Receiver) work(ctx context.Context, e *Event) {
	skipped, err := false, errors.New("callback ended its goroutine")
	defer func() { // also then
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

// handle reports whether the error of Handle is one to skip the event for.
func (r *Receiver) handle(ctx context.Context, e *Event) (skipped bool, err error) {
	err = guarded(func() error {
		err := r.cfg.Handle(ctx, e)
		skipped = errors.Is(err, ErrSkip) // calls methods of err, which may panic too
		return err
	})
	return skipped, err
}

// skip tells Skipped of an event. The context that the event had may be the
// very reason, so Skipped gets time of its own.
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
		r.failed(ctx, e, "event not reported as skipped", err)
	}
}

func (r *Receiver) failed(ctx context.Context, e *Event, what string, err error) {
	attrs := []slog.Attr{
		slog.String("signature", string(e.Signature)),
		slog.String("error", fmt.Sprintf("%v", err)), // of an Error that panics, fmt says so
	}
	if p, ok := asPanic(err); ok {
		attrs = append(attrs, slog.String("stack", p.stack))
	}
	r.log(ctx, slog.LevelError, what, attrs...)
}

// log goes without a record that the Logger panics at.
func (r *Receiver) log(ctx context.Context, level slog.Level, what string, attrs ...slog.Attr) {
	_ = guarded(func() error {
		r.cfg.Logger.LogAttrs(ctx, level, what, attrs...)
		return nil
	})
}

// guarded returns the error of f, or its panic as one. Whatever is the caller's
// runs in it: in a goroutine of ours a panic would end the process.
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

// newPanicError shows the value of a panic only if it is text: anything else
// may be the event.
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
	p, ok := err.(*panicError) //nolint:errorlint // ours is not wrapped, and Unwrap of another may panic
	return p, ok
}
