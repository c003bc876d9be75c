package webhooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks/internal/logbook"
)

const (
	maxBody = 8 << 20

	// The service waits one second for a response. After the context of Handle has ended,
	// Handle has 100 ms to return, and the network 100 ms.
	handleWithin  = 800 * time.Millisecond
	respondWithin = 900 * time.Millisecond
)

// ErrSkip is the error of a Handle for an event that it can never handle. The event is logged and
// counts as handled. After any other error, the service delivers the event again. The service
// disables a webhook if almost all of its deliveries fail.
var ErrSkip = errors.New("event skipped")

// A ReceiverConfig configures a [Receiver]. Secrets and Handle are required; the zero
// value of each other field means its default.
type ReceiverConfig struct {
	// Secrets are the accepted values of [Settings.AuthHeader]. To rotate the secret, accept the
	// old and the new one.
	Secrets []Secret

	// Handle is called for each event that was not handled before. An event that cannot be
	// decoded has its Err set. Events of one delivery are handled one after the other, and
	// deliveries concurrently and in any order. Handle must be idempotent: see [Seen].
	//
	// ctx ends 800 ms after the delivery arrived. After an error, or a panic, the service
	// delivers the event again, up to three times, one second apart. The same happens if Handle
	// takes longer. If it returns nil later, a further delivery does not call it again.
	Handle func(ctx context.Context, e *Event) error

	// Seen remembers the handled events. Nil means in the memory of this process, for 10 to 20
	// minutes.
	Seen Seen

	// Logger gets records of refused deliveries and of events that were not handled, at most one
	// per cause and minute. A record never holds the secret, and at most 100 characters of a
	// malformed body. Nil means no records, but panics are logged to slog.Default.
	Logger *slog.Logger

	Observer Observer // of deliveries and outcomes; nil for none
}

// A Receiver is an http.Handler for the deliveries of webhooks. It handles a transaction once, even
// if several webhooks deliver it. For webhooks with different purposes, use a Receiver and a path
// each. The zero value responds with 500; make a Receiver with [NewReceiver].
//
// It responds with
//
//   - 200 if all events of the delivery were handled or skipped, now or before. An event without a
//     signature counts even if Handle failed, since it would not have one the next time either.
//   - 500 if Handle failed
//   - 503 if Handle takes too long, another process is handling the event, Seen fails or the
//     Receiver is shut down
//   - 401 if the secret is wrong, whatever else is wrong
//   - 413 above 8 MiB or 1000 events, and 400 if the body is not JSON
//   - 408 if the body takes longer than 800 ms
//
// Unless the status is 200 or 403, the service delivers again, up to three times, even after 401.
//
// The time limit for the body needs http.ResponseController. Behind middleware that hides
// it, set ReadTimeout of the http.Server.
type Receiver struct {
	cfg        ReceiverConfig
	authorized func(header string) bool // a function, which is printed without the secrets
	flights    flights
	logs       logbook.Book
	running    atomic.Int32 // deliveries, and calls of Process
	closed     atomic.Bool  // by Shutdown
}

// NewReceiver returns a Receiver. The error matches [types.ErrInvalid] if a required field is not
// set, or if a secret is empty or does not fit into a header.
func NewReceiver(cfg ReceiverConfig) (*Receiver, error) {
	if err := cfg.check(); err != nil {
		return nil, fmt.Errorf("webhooks.ReceiverConfig: %w", err)
	}
	r, secrets := &Receiver{cfg: cfg}, slices.Clone(cfg.Secrets)
	r.cfg.Secrets = nil
	r.authorized = func(header string) (ok bool) {
		for _, s := range secrets { // all of them, so that the duration does not depend on the header
			ok = s.Matches(header) || ok
		}
		return ok
	}
	if r.cfg.Seen == nil {
		r.cfg.Seen = &memory{forget: true, done: make(map[types.Signature]time.Time)}
	}
	return r, nil
}

func (c *ReceiverConfig) check() error {
	switch {
	case len(c.Secrets) == 0:
		return argument.Invalid("Secrets", "is empty")
	case c.Handle == nil:
		return argument.Invalid("Handle", "is nil")
	}
	return argument.Each("Secrets", c.Secrets, func(name string, s Secret) error {
		if s == "" {
			return argument.Invalid(name, "is empty: a request without Authorization would match")
		}
		return s.check(name)
	})
}

// ServeHTTP responds to one delivery.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	status, err := r.receive(w, req)
	if err != nil { // else the events were logged
		r.logs.Add(req.Context(), r.cfg.Logger, slog.LevelWarn, "delivery refused", slog.String("error", err.Error()), slog.Int("status", status))
		if r.cfg.Observer != nil {
			r.cfg.Observer.Refused(status, err)
		}
	}
	if status == http.StatusOK {
		w.WriteHeader(status)
		return
	}
	http.Error(w, http.StatusText(status), status)
}

var errUnmade = errors.New("the Receiver was not made by NewReceiver")

// receive handles a delivery and returns the status of the response. The error is why the
// delivery was refused.
func (r *Receiver) receive(w http.ResponseWriter, req *http.Request) (status int, refused error) {
	if r.cfg.Handle == nil {
		return http.StatusInternalServerError, errUnmade
	}
	arrived := time.Now()
	// The deadline also bounds how long net/http discards a refused body, and is
	// reset after the body. Not every ResponseWriter supports it.
	_ = http.NewResponseController(w).SetReadDeadline(arrived.Add(handleWithin))
	// The secret comes first, so that a request without it learns nothing else.
	if header := req.Header["Authorization"]; len(header) != 1 || !r.authorized(header[0]) {
		return http.StatusUnauthorized, errors.New("the Authorization header is missing or wrong")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBody))
	if err != nil {
		return bodyStatus(err), err
	}
	events, err := ParseEvents(body)
	if err != nil {
		return bodyStatus(err), err
	}
	if r.cfg.Observer != nil {
		r.cfg.Observer.Received(len(events))
	}
	// A closed connection must not stop a delivery half-way.
	return r.processAll(context.WithoutCancel(req.Context()), events, arrived), nil
}

// processAll processes the events of a delivery, one after the other, and returns the status of
// the response. Handle may return after the response.
func (r *Receiver) processAll(ctx context.Context, events []*Event, arrived time.Time) (status int) {
	ctx, cancel := context.WithDeadline(ctx, arrived.Add(handleWithin))
	outcomes := make(chan Outcome, len(events))
	r.running.Add(1)
	go func() { // ends with the last call of Handle
		defer r.running.Add(-1)
		defer cancel()
		for _, e := range events {
			o, _ := r.Process(ctx, e)
			outcomes <- o
		}
	}()
	late := time.NewTimer(time.Until(arrived.Add(respondWithin)))
	defer late.Stop()
	status = http.StatusOK
	for _, e := range events {
		select {
		case o := <-outcomes:
			status = max(status, o.effect().status)
		case <-late.C:
			x := OutcomeLate.effect()
			r.log(ctx, x.level, x.log, errSlow, e)
			return x.status
		}
	}
	return status
}

var errSlow = errors.New("the call of Handle takes too long")

// bodyStatus is the status for a body that could not be read or parsed.
func bodyStatus(err error) int {
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong), errors.Is(err, types.ErrTooLarge):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return http.StatusRequestTimeout
	}
	return http.StatusBadRequest
}

// Shutdown refuses new deliveries with 503 and waits until running calls of Handle have returned,
// or ctx ends. Shut down the http.Server first.
func (r *Receiver) Shutdown(ctx context.Context) error {
	if ctx == nil {
		return fmt.Errorf("webhooks.Receiver.Shutdown: %w", argument.Invalid("ctx", "is nil"))
	}
	for r.closed.Store(true); r.running.Load() > 0; {
		if err := wait.For(ctx, 10*time.Millisecond); err != nil {
			return fmt.Errorf("webhooks.Receiver.Shutdown: deliveries are still being handled: %w", err)
		}
	}
	return nil
}
