package webhooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/webhooks/internal/logbook"
)

// An Outcome is how the processing of an event by a [Receiver] ended.
type Outcome int

// The outcomes.
const (
	OutcomeHandled    Outcome = iota // Handle returned nil
	OutcomeKnown                     // the event was handled before
	OutcomeSkipped                   // Handle returned ErrSkip
	OutcomeClaimed                   // another call or process is handling the event
	OutcomeFailed                    // Handle failed or panicked
	OutcomeLate                      // no time was left, or after Shutdown; Handle was not called
	OutcomeUnclaimed                 // Seen failed, and Handle was not called
	OutcomeUnreadable                // Handle failed for an event without a signature; not retried
)

// An effect is the consequence of an outcome.
type effect struct {
	name   string
	status int    // of the response to the delivery; the highest one of its events counts
	log    string // message of the log record; empty for none
	level  slog.Level
}

func (o Outcome) effect() effect {
	const ok, unavailable, late = http.StatusOK, http.StatusServiceUnavailable, "event not handled in time"
	return [...]effect{
		// the name, status, log record and its level
		OutcomeHandled:    {"handled", ok, "", 0},
		OutcomeKnown:      {"known", ok, "", 0},
		OutcomeSkipped:    {"skipped", ok, "event skipped", slog.LevelWarn},
		OutcomeClaimed:    {"claimed", unavailable, "", 0},
		OutcomeFailed:     {"failed", http.StatusInternalServerError, "event not handled", slog.LevelError},
		OutcomeLate:       {"late", unavailable, late, slog.LevelWarn},
		OutcomeUnclaimed:  {"unclaimed", unavailable, "store of handled events failed", slog.LevelError},
		OutcomeUnreadable: {"unreadable", ok, "event without a signature not handled", slog.LevelError},
	}[o]
}

// String returns the outcome as one word, such as "handled".
func (o Outcome) String() string { return o.effect().name }

// Final reports whether the event needs no further attempt.
func (o Outcome) Final() bool { return o.effect().status == http.StatusOK }

// An Observer gets calls for each delivery to a [Receiver], such as for metrics. Its methods are
// called concurrently and before the response to the delivery. Only if Handle takes too long,
// Ended is called after the response.
type Observer interface {
	// Received is called with the number of events of a delivery, before they are processed.
	Received(events int)

	// Refused is called with the status and the reason when a delivery is refused as a whole.
	Refused(status int, reason error)

	// Ended is called once for each event, when its processing has ended. The error says why
	// the event was not handled, or was skipped.
	Ended(e *Event, o Outcome, err error)
}

const (
	recordWithin = 5 * time.Second // for Done; a restart of a database takes some seconds
	recordAgain  = 200 * time.Millisecond

	// The claim of an event is renewed while Handle runs, but not for ever.
	renewEvery  = 500 * time.Millisecond
	renewAtMost = time.Minute
)

// Why Handle was not called.
var (
	errBusy   = errors.New("another call is handling the event")
	errLate   = errors.New("the time is over")
	errClosed = errors.New("the Receiver is shut down")
)

// Process processes an event like a delivered one: it claims the event, calls Handle with ctx
// and records the result. The error says why the event was not handled, or was skipped.
func (r *Receiver) Process(ctx context.Context, e *Event) (Outcome, error) {
	r.running.Add(1)
	defer r.running.Add(-1)
	o, err := r.process(ctx, e)
	if x := o.effect(); x.log != "" {
		r.log(ctx, x.level, x.log, err, e)
	}
	if r.cfg.Observer != nil {
		r.cfg.Observer.Ended(e, o, err)
	}
	return o, err
}

func (r *Receiver) process(ctx context.Context, e *Event) (Outcome, error) {
	switch {
	case r.cfg.Handle == nil:
		return OutcomeLate, errUnmade
	case r.closed.Load():
		return OutcomeLate, errClosed
	case ctx.Err() != nil:
		return OutcomeLate, errLate
	case e.Signature == "": // there is nothing to claim
		o, err := r.handle(ctx, e)
		if o == OutcomeFailed {
			o = OutcomeUnreadable
		}
		return o, err
	}
	if r.flights.enter(ctx, e.Signature) != nil {
		return OutcomeClaimed, errBusy
	}
	defer r.flights.leave(e.Signature)
	isNew, err := r.cfg.Seen.Claim(ctx, e)
	switch {
	case errors.Is(err, ErrClaimed):
		return OutcomeClaimed, err
	case errors.Is(err, context.DeadlineExceeded):
		return OutcomeUnclaimed, fmt.Errorf("the store is slow: the claim took too long: %w", err)
	case err != nil:
		return OutcomeUnclaimed, err
	case !isNew:
		return OutcomeKnown, nil
	}
	stop := r.renew(ctx, e)
	o, err := r.handle(ctx, e)
	stop()
	r.settle(ctx, e, o, err)
	return o, err
}

// handle calls Handle. As in net/http, its panic is recovered and logged.
func (r *Receiver) handle(ctx context.Context, e *Event) (o Outcome, err error) {
	defer func() {
		if p := recover(); p != nil {
			text := fmt.Sprintf("panic: %T", p)
			switch p.(type) { // any other value may hold the event
			case error, string:
				text = fmt.Sprintf("panic: %v", p)
			}
			r.logs.Add(ctx, cmp.Or(r.cfg.Logger, slog.Default()), slog.LevelError, "Handle panicked", slog.String("error", text), slog.String("stack", string(debug.Stack())))
			o, err = OutcomeFailed, errors.New(text)
		}
	}()
	switch err := r.cfg.Handle(ctx, e); {
	case err == nil:
		return OutcomeHandled, nil
	case errors.Is(err, ErrSkip):
		return OutcomeSkipped, err
	default:
		return OutcomeFailed, err
	}
}

// renew renews a claim until stop is called; stop waits for the last renewal. Each renewal has a
// time limit, so that the next one comes before the claim lapses.
func (r *Receiver) renew(ctx context.Context, e *Event) (stop func()) {
	renewer, renews := r.cfg.Seen.(Renewer)
	if !renews {
		return func() {}
	}
	// Handle may outlive its context
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), renewAtMost)
	ended := make(chan struct{})
	go func() { // ends with stop
		defer close(ended)
		for wait.For(ctx, renewEvery) == nil {
			once, cancel := context.WithTimeout(ctx, renewEvery)
			if err := renewer.Renew(once, e); err != nil && ctx.Err() == nil {
				r.log(ctx, slog.LevelError, "claim not renewed", err, e)
			}
			cancel()
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

// settle ends the claim of an event. It repeats a failing Done for some seconds, since without it
// the event would be handled again.
func (r *Receiver) settle(ctx context.Context, e *Event, o Outcome, failure error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordWithin)
	defer cancel()
	var err error
	switch o { //nolint:exhaustive // after a call of Handle
	case OutcomeHandled, OutcomeSkipped:
		for err = r.cfg.Seen.Done(ctx, e); err != nil && wait.For(ctx, recordAgain) == nil; {
			err = r.cfg.Seen.Done(ctx, e)
		}
	case OutcomeFailed:
		err = r.cfg.Seen.Release(ctx, e, logbook.Text(failure))
	}
	if err != nil {
		r.log(ctx, slog.LevelError, "end of a claim not recorded", err, e)
	}
}

// log writes a record about an error.
func (r *Receiver) log(ctx context.Context, level slog.Level, message string, err error, e *Event) {
	r.logs.Add(ctx, r.cfg.Logger, level, message, slog.String("error", err.Error()), slog.String("signature", string(e.Signature)))
}
