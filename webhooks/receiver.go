package webhooks

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/types"
)

const (
	maxBody = 8 << 20

	// The service waits one second for an answer. The callback's context ends
	// early enough for it to return and for the answer to travel.
	handleWithin = 800 * time.Millisecond
	answerWithin = 900 * time.Millisecond
)

// ErrSkip is for a Handle of [ReceiverConfig] that meets an event which it will
// never be able to handle: an error that matches ErrSkip makes the service
// think that the event was handled. Any other makes it try again, and when
// almost all deliveries fail, the service switches the webhook off.
var ErrSkip = errors.New("event skipped")

// A ReceiverConfig configures a [Receiver]. The zero value of each field but
// Secrets and Handle means its default.
type ReceiverConfig struct {
	// Secrets are the values of the Authorization header to accept, which is
	// that of [Settings.AuthHeader]. At least one is required, and none may be
	// empty. While the header is being changed, accept the old and the new one.
	Secrets []Secret

	// Handle is called with each event that was not handled before. Required.
	// The events of one delivery come one after the other, deliveries at once
	// and in no certain order.
	//
	// Unless there is a Queue, its context ends 800 ms after the delivery came
	// in, and an error makes the service deliver the event again: up to three
	// times, about a second apart. If Handle takes longer, the service is told
	// to try again too, and finds the event handled once Handle has returned
	// nil. A panic counts as an error, and is logged.
	Handle func(ctx context.Context, e *Event) error

	// Skipped, unless nil, is told of each event that was not handled and that
	// the service will not deliver again, with the reason: an error of Handle
	// that matches ErrSkip, an age above MaxAge, details that cannot be read,
	// which [Event.Err] tells, and with a Queue any error of Handle. Its context is not that of Handle, which may be over, and ends
	// after 800 ms.
	Skipped func(ctx context.Context, e *Event, err error)

	// Queue, if not 0, is the number of events that may wait for Handle in
	// memory. The service is then answered when an event is in the queue, and
	// told to try again when the queue is full; the context of Handle ends
	// only with the receiver. Events in the queue are lost when the process
	// dies: what must not be lost, Handle should write down before it returns,
	// without a Queue.
	Queue int

	// Workers is how many events of the Queue are handled at once. 0 means 1,
	// which keeps them in the order in which they came.
	Workers int

	// Seen remembers which events were handled. Nil means a memory of this
	// receiver alone, which keeps them for ten to twenty minutes.
	Seen Seen

	// MaxAge is the age above which an event is skipped, counted from the time
	// of its block; one without a time is skipped too. 0 means any age.
	// Somebody who knows the secret can post an old delivery again. With a
	// MaxAge of ten minutes or less it is not handled twice: it is either
	// remembered or too old.
	MaxAge time.Duration

	// Logger gets a record of each delivery that was refused or failed, without
	// the secret and the body; only what is wrong with a malformed one may be
	// quoted, up to 100 bytes. Nil means none.
	Logger *slog.Logger
}

// A Receiver is an http.Handler for the deliveries of one webhook. Two webhooks
// may deliver the same transaction, and the second would pass for a duplicate:
// give each webhook a path and a Receiver of its own. The zero value takes
// nothing and answers 500; NewReceiver makes one.
//
// It answers 200 when all events of a delivery are handled, now or before. To
// make the service try again, it answers 500 when Handle failed, and 503 when
// there was no time or no room. It refuses a wrong secret with 401. Only then
// does it look at the rest, and refuses what is no POST (405), no JSON by its
// header or compressed (415), above 8 MiB or 1000 events (413), too slow (408)
// or not the JSON of events with signatures (400). Nothing of a refused delivery
// reaches Handle. An event whose details cannot be read counts as handled, since
// it would not come in another form: it goes to Skipped, and to the Logger.
//
// The deadline for reading a body needs the connection. Behind a middleware
// that hides it from http.ResponseController, set ReadTimeout of http.Server.
type Receiver struct {
	cfg  ReceiverConfig
	sums [][sha256.Size]byte // of the secrets

	flights flights
	queue   *queue // nil without one

	mu     sync.Mutex
	busy   int // deliveries whose events are being handled
	closed bool
	idle   chan struct{} // closed when closed and not busy
}

// NewReceiver returns a Receiver. The error matches [types.ErrInvalid]: a field
// that is required is missing, a secret is empty or none that a header can
// carry, or a number is negative.
func NewReceiver(cfg ReceiverConfig) (*Receiver, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	r := &Receiver{cfg: cfg, idle: make(chan struct{})}
	for _, s := range cfg.Secrets {
		r.sums = append(r.sums, sha256.Sum256([]byte(s)))
	}
	r.cfg.Secrets = nil // not kept in clear
	if r.cfg.Seen == nil {
		r.cfg.Seen = new(memory)
	}
	if r.cfg.Logger == nil {
		r.cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Queue > 0 {
		r.queue = newQueue(cfg.Queue, max(cfg.Workers, 1), r.work)
	}
	return r, nil
}

func (c *ReceiverConfig) check() error {
	switch {
	case len(c.Secrets) == 0:
		return argument.Invalid("Secrets", "missing")
	case c.Handle == nil:
		return argument.Invalid("Handle", "missing")
	case c.MaxAge < 0:
		return argument.Invalid("MaxAge", "negative")
	}
	for i, s := range c.Secrets {
		name := fmt.Sprintf("Secrets[%d]", i)
		if s == "" {
			return argument.Invalid(name, "empty, and so is the header of who knows none")
		}
		if err := s.check(name); err != nil {
			return err
		}
	}
	if err := argument.NotNegative("Queue", c.Queue); err != nil {
		return err
	}
	return argument.NotNegative("Workers", c.Workers)
}

// ServeHTTP answers one delivery.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	status, err := r.receive(w, req)
	if err != nil {
		r.log(req.Context(), slog.LevelWarn, "delivery not taken",
			slog.Int("status", status), slog.String("error", err.Error()))
	}
	if status == http.StatusOK {
		w.WriteHeader(status)
		return
	}
	if status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", http.MethodPost)
	}
	http.Error(w, http.StatusText(status), status)
}

// receive returns the answer to a delivery, and why it is not 200.
func (r *Receiver) receive(w http.ResponseWriter, req *http.Request) (status int, err error) {
	if r.cfg.Handle == nil {
		return http.StatusInternalServerError, errors.New("receiver was not made by NewReceiver")
	}
	arrived := time.Now()
	// The deadline also holds for what net/http reads of a refused body, and
	// ends with the body. Not every ResponseWriter has one; what else is
	// wrong, reading shows.
	_ = http.NewResponseController(w).SetReadDeadline(arrived.Add(handleWithin))
	if status, err := r.refusal(req); err != nil {
		return status, err
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBody))
	if err != nil {
		return unread(err), err
	}
	events, err := ParseEvents(body)
	switch {
	case errors.Is(err, types.ErrTooLarge):
		return http.StatusRequestEntityTooLarge, err
	case err != nil:
		return http.StatusBadRequest, err
	}
	// That the service hangs up is no reason to stop half-way.
	return r.deliver(context.WithoutCancel(req.Context()), events, arrived)
}

// refusal looks at all but the body. The secret comes first: who does not know
// it learns nothing else.
func (r *Receiver) refusal(req *http.Request) (status int, err error) {
	if !r.authorized(req.Header["Authorization"]) {
		return http.StatusUnauthorized, errors.New("wrong or missing secret")
	}
	if req.Method != http.MethodPost {
		return http.StatusMethodNotAllowed, errors.New("not a POST")
	}
	if media, _, err := mime.ParseMediaType(req.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return http.StatusUnsupportedMediaType, errors.New("not JSON by its header")
	}
	if len(req.Header["Content-Encoding"]) > 0 {
		return http.StatusUnsupportedMediaType, errors.New("has a content encoding")
	}
	if req.ContentLength > maxBody {
		return http.StatusRequestEntityTooLarge, errors.New("body above 8 MiB")
	}
	return http.StatusOK, nil
}

// authorized compares sums, which are all of one length, and all of them, so
// that the time taken says nothing about the secrets.
func (r *Receiver) authorized(header []string) bool {
	if len(header) != 1 {
		return false
	}
	sum := sha256.Sum256([]byte(header[0]))
	match := 0
	for i := range r.sums {
		match |= subtle.ConstantTimeCompare(sum[:], r.sums[i][:])
	}
	return match == 1
}

// unread is the status for a body that could not be read.
func unread(err error) int {
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return http.StatusRequestTimeout
	}
	return http.StatusBadRequest
}

// Shutdown stops taking deliveries, which are answered with 503 from then on,
// and waits until the events that were taken are handled, those of the queue
// included. Shut down the http.Server first, so that its connections end well.
//
// When ctx ends before that, the error says so; contexts of callbacks end, and
// what is left of the queue goes to Skipped. Shutdown waits up to two seconds
// more for that: an event whose callback takes longer, or that Skipped was then
// not told of, is lost if the process ends.
func (r *Receiver) Shutdown(ctx context.Context) error {
	if r.cfg.Handle == nil {
		return nil // not made by NewReceiver, so it has taken nothing
	}
	r.mu.Lock()
	if !r.closed {
		r.closed = true
		if r.busy == 0 {
			close(r.idle)
		}
	}
	r.mu.Unlock()
	var err error
	select {
	case <-r.idle:
	case <-ctx.Done():
		select {
		case <-r.idle: // all the same
		default:
			err = fmt.Errorf("deliveries are still being handled: %w", reason(ctx))
		}
	}
	if r.queue != nil {
		err = errors.Join(err, r.queue.drain(ctx))
	}
	return err
}

// begin counts a delivery in, unless the receiver is closed.
func (r *Receiver) begin() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	r.busy++
	return true
}

func (r *Receiver) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.busy--
	if r.closed && r.busy == 0 {
		close(r.idle)
	}
}
