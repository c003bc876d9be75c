package webhooks

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// An outcome is how the processing of an event ended.
type outcome int

const (
	outcomeHandled outcome = iota // Handle returned nil
	outcomeKnown                  // the event was handled before
	outcomeSkipped                // Handle returned ErrSkip
	outcomeClaimed                // another process is handling the event
	outcomeBusy                   // this process is handling the event, and out of time
	outcomeFailed                 // Handle failed or panicked
	outcomeLate                   // the delivery was out of time before the event's turn, or the Receiver is shut down
	outcomeStore                  // the event could not be claimed: Seen failed
)

// An effect is what an outcome leads to.
type effect struct {
	status int    // of the response to the delivery; the highest of its events counts
	claim  string // the call of Seen that ends the claim; empty if there is none, or Handle goes on
	log    string // message of the log record; empty for none
	level  slog.Level

	// final reports whether the event needs no further attempt. Otherwise the service
	// retries the delivery, and a Keeper handles the event later: open reports whether
	// the store has it as an open event. If it has not, a checkpoint does not pass it.
	final, open bool
}

func (o outcome) effect() effect {
	const unavailable = http.StatusServiceUnavailable
	return [...]effect{
		// outcome      status           claim          log record                                          final  open
		outcomeHandled: {http.StatusOK, "Done", "", 0, true, false},
		outcomeKnown:   {http.StatusOK, "", "", 0, true, false},
		outcomeSkipped: {http.StatusOK, "Done", "event skipped", slog.LevelWarn, true, false},
		outcomeClaimed: {unavailable, "", "", 0, false, true},
		outcomeBusy:    {unavailable, "", "event not handled in time", slog.LevelWarn, false, true},
		outcomeFailed:  {http.StatusInternalServerError, "Release", "event not handled", slog.LevelError, false, true},
		outcomeLate:    {unavailable, "", "event not handled in time", slog.LevelWarn, false, false},
		outcomeStore:   {unavailable, "", "store of handled events failed", slog.LevelError, false, false},
	}[o]
}

// A result is the outcome of an event, and why it was not handled.
type result struct {
	outcome outcome
	err     error // nil if the outcome is final, except for ErrSkip
}

// Why an event was not handled, unless Handle or Seen failed.
var (
	errBusy   = errors.New("the call of Handle takes too long")
	errLate   = errors.New("the time is over")
	errClosed = errors.New("the Receiver is shut down")
	errMissed = errors.New("could not be claimed when it was delivered")
)

// A limit is how long events may take.
type limit struct {
	handle time.Duration // until the context of Handle ends
	wait   time.Duration // until the result is needed
	from   string        // where the events come from, one of the constants
}

// Where events come from.
const (
	fromDelivery = ""
	fromHistory  = "backfilled"
	fromRetry    = "retried"
)

// stopWithin is how long a result is waited for after the context has ended.
const stopWithin = 5 * time.Second

// process claims events and passes them to Handle, one after the other. It is the way of
// every event, delivered or found in a history.
//
// Handle may ignore its context: process then returns, and the event stays claimed until
// Handle returns.
func (r *Receiver) process(ctx context.Context, events []*Event, l limit) []result {
	r.running.Add(1)
	if r.closed.Load() {
		r.running.Add(-1)
		return slices.Repeat([]result{{outcomeLate, errClosed}}, len(events))
	}
	all := slices.Repeat([]result{{outcomeLate, errLate}}, len(events))
	stopped := ctx.Done()
	ctx, cancel := context.WithTimeout(ctx, l.handle)
	results := make(chan result, len(events))
	go func() { // ends with Handle
		defer func() { // runs also if Handle calls runtime.Goexit
			cancel()
			r.running.Add(-1)
			close(results)
		}()
		for _, e := range events {
			r.processOne(ctx, e, l.from, results)
		}
	}()
	late := time.NewTimer(l.wait)
	defer late.Stop()
	for i := 0; i < len(all); {
		select {
		case got, more := <-results:
			if !more { // Handle has ended its goroutine
				r.reportAll(ctx, events[i:], l.from, all[i:])
				return all
			}
			all[i] = got
			i++
		case <-stopped:
			stopped = nil
			late.Reset(min(l.wait, stopWithin))
		case <-late.C:
			all[i] = r.late(events[i])
			r.reportAll(ctx, events[i:], l.from, all[i:])
			return all
		}
	}
	return all
}

func (r *Receiver) reportAll(ctx context.Context, events []*Event, from string, all []result) {
	for i, e := range events {
		r.report(ctx, e, from, all[i])
	}
}

// processOne sends the result of an event, once.
func (r *Receiver) processOne(ctx context.Context, e *Event, from string, results chan<- result) {
	got := result{outcomeFailed, errors.New("the call of Handle ended its goroutine")}
	defer func() {
		r.report(ctx, e, from, got)
		results <- got
	}()
	if ctx.Err() != nil {
		got = result{outcomeLate, errLate}
		return
	}
	signature := e.Signature // Seen may change it
	if r.flights.enter(ctx, signature) != nil {
		got = r.late(e)
		return
	}
	defer func() {
		r.settle(ctx, e, got)
		r.flights.leave(signature)
	}()
	if r.keeper != nil && e.Address == "" {
		e.Address = e.about(r.keeper.wanted)
	}
	if claimed := r.claim(ctx, e); claimed.outcome != outcomeHandled {
		got = claimed
		return
	}
	r.flights.of(signature).claimed.Store(true)
	got = r.handle(ctx, e)
}

// late returns the result of an event in flight that is out of time: it is open in the
// store only if it is claimed.
func (r *Receiver) late(e *Event) result {
	if r.flights.claimed(e.Signature) {
		return result{outcomeBusy, errBusy}
	}
	return result{outcomeLate, errLate}
}

// claim returns outcomeHandled if the event is to be handled.
func (r *Receiver) claim(ctx context.Context, e *Event) result {
	o, err := bounded(ctx, storeWithin, func(ctx context.Context) (outcome, error) {
		if _, handled := r.unrecorded.Load(e.Signature); handled {
			err := r.cfg.Seen.Done(ctx, e)
			if err == nil {
				r.unrecorded.Delete(e.Signature)
			}
			return outcomeKnown, err
		}
		isNew, err := r.cfg.Seen.Claim(ctx, e)
		switch {
		case errors.Is(err, ErrClaimed): // calls methods of err, which may panic too
			return outcomeClaimed, ErrClaimed
		case err == nil && !isNew:
			return outcomeKnown, nil
		}
		return outcomeHandled, err
	})
	if err != nil && o != outcomeClaimed {
		o = outcomeStore
	}
	return result{o, err}
}

// handle calls Handle, and renews the claim of the event meanwhile.
func (r *Receiver) handle(ctx context.Context, e *Event) result {
	if renewer, renews := r.cfg.Seen.(Renewer); renews {
		renewing, stop := context.WithTimeout(context.WithoutCancel(ctx), renewAtMost) // Handle may outlive its context
		var renewals sync.WaitGroup
		renewals.Go(func() { r.renew(renewing, renewer, e) })
		defer renewals.Wait() // the claim does not end before
		defer stop()
	}
	o, own := outcomeFailed, *e // which Handle may change
	err := guarded(func() error {
		err := r.cfg.Handle(ctx, &own)
		switch {
		case err == nil:
			o = outcomeHandled
		case errors.Is(err, ErrSkip): // calls methods of err, which may panic too
			o = outcomeSkipped
		}
		return err
	})
	return result{o, err}
}

// renew renews a claim until ctx ends. A renewal fails early enough for another one
// before the claim lapses.
func (r *Receiver) renew(ctx context.Context, renewer Renewer, e *Event) {
	for {
		select {
		case <-time.After(renewEvery):
		case <-ctx.Done():
			return
		}
		err := do(ctx, renewEvery, func(ctx context.Context) error { return renewer.Renew(ctx, e) })
		if err != nil && ctx.Err() == nil {
			r.log(ctx, e, "Renew", result{outcomeStore, err})
		}
	}
}

// settle ends the claim of an event. The context of the event may have ended by now.
func (r *Receiver) settle(ctx context.Context, e *Event, got result) {
	call := got.outcome.effect().claim
	if call == "" {
		return
	}
	err := do(context.WithoutCancel(ctx), handleWithin, func(ctx context.Context) error {
		if call == "Done" {
			return r.cfg.Seen.Done(ctx, e)
		}
		return r.cfg.Seen.Release(ctx, e, failureText(got.err))
	})
	if err == nil {
		return
	}
	if call == "Done" { // it would be handled again
		n := 0
		for range r.unrecorded.Range {
			n++
		}
		if n < maxUnrecorded {
			r.unrecorded.Store(e.Signature, true)
		}
	}
	r.log(ctx, e, call, result{outcomeStore, err})
}

// report logs the outcome of an event and tells it the Keeper.
func (r *Receiver) report(ctx context.Context, e *Event, from string, got result) {
	r.log(ctx, e, "Claim", got)
	if r.keeper != nil {
		r.keeper.observe(e, got.outcome, from)
	}
}

// log logs the outcome of an event, or of a call of Seen.
func (r *Receiver) log(ctx context.Context, e *Event, call string, got result) {
	x := got.outcome.effect()
	if x.log == "" {
		return
	}
	var attrs []slog.Attr
	if got.outcome == outcomeStore {
		attrs = append(attrs, slog.String("call", call))
	}
	attrs = append(attrs, slog.String("error", fmt.Sprintf("%v", got.err))) // fmt recovers from an Error method that panics
	logger, attrs := traced(got.err, r.cfg.Logger, attrs)
	r.logs.add(ctx, logger, x.level, x.log, append(attrs, slog.String("signature", string(e.Signature)))...)
}

// maxUnrecorded limits how many events are kept in mind that could not be recorded.
const maxUnrecorded = 1000

// failureText returns the text of an error that a store takes.
func failureText(err error) string {
	text := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, fmt.Sprintf("%v", err)) // fmt recovers from an Error method that panics
	return text[:min(len(text), 200)]
}
