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
			if p := recover(); p != nil { // of Seen; here it would end the process
				r.failed(ctx, &Event{}, "delivery not handled", newPanicError(p))
			}
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
func (r *Receiver) one(ctx context.Context, e *Event) int {
	if age := time.Since(e.Time.Time); r.cfg.MaxAge > 0 && age > r.cfg.MaxAge {
		r.skip(ctx, e, errors.New("event is older than MaxAge"))
		return http.StatusOK
	}
	if ctx.Err() != nil || r.flights.enter(ctx, e.Signature) != nil {
		return http.StatusServiceUnavailable
	}
	defer r.flights.leave(e.Signature)
	isNew, err := r.cfg.Seen.Claim(ctx, e.Signature)
	if err != nil {
		r.failed(ctx, e, "event not claimed", err)
		return http.StatusServiceUnavailable
	}
	if !isNew {
		return http.StatusOK
	}
	done := false
	defer func() { r.settle(ctx, e, done) }()
	if r.queue != nil {
		if done = r.queue.put(e); !done {
			return http.StatusServiceUnavailable
		}
		return http.StatusOK
	}
	err = r.handle(ctx, e)
	if done = err == nil || errors.Is(err, ErrSkip); !done {
		r.failed(ctx, e, "event not handled", err)
		return http.StatusInternalServerError
	}
	if err != nil {
		r.skip(ctx, e, err)
	}
	return http.StatusOK
}

// settle ends a claim. The context of the delivery may be over by now.
func (r *Receiver) settle(ctx context.Context, e *Event, done bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), handleWithin)
	defer cancel()
	settle := r.cfg.Seen.Release
	if done {
		settle = r.cfg.Seen.Done
	}
	if err := settle(ctx, e.Signature); err != nil {
		r.failed(ctx, e, "event not settled", err)
	}
}

// work handles an event of the queue. Nobody delivers it again.
func (r *Receiver) work(ctx context.Context, e *Event) {
	var err error
	if ctx.Err() != nil {
		err = reason(ctx)
	} else {
		err = r.handle(ctx, e)
	}
	if err != nil {
		r.failed(ctx, e, "event not handled", err)
		r.skip(ctx, e, err)
	}
}

func (r *Receiver) handle(ctx context.Context, e *Event) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = newPanicError(p)
		}
	}()
	return r.cfg.Handle(ctx, e)
}

func (r *Receiver) skip(ctx context.Context, e *Event, reason error) {
	if r.cfg.Skipped == nil {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			r.failed(ctx, e, "event not reported as skipped", newPanicError(p))
		}
	}()
	r.cfg.Skipped(ctx, e, reason)
}

func (r *Receiver) failed(ctx context.Context, e *Event, what string, err error) {
	attrs := []slog.Attr{slog.String("signature", string(e.Signature)), slog.String("error", err.Error())}
	var p *panicError
	if errors.As(err, &p) {
		attrs = append(attrs, slog.String("stack", p.stack))
	}
	r.cfg.Logger.LogAttrs(ctx, slog.LevelError, what, attrs...)
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
