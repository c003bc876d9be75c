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
	"sync/atomic"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/types"
)

const (
	maxBody = 8 << 20

	// The service waits one second for a response. The rest of it is for Handle to
	// return after its context has ended, and for the network.
	handleWithin  = 800 * time.Millisecond
	respondWithin = 900 * time.Millisecond
)

// ErrSkip tells a [Receiver] that an event can never be handled: if the error of
// Handle matches it, the delivery is acknowledged and the event goes to Skipped. With
// any other error the service delivers the event again, and it disables a webhook
// whose deliveries almost all fail.
var ErrSkip = errors.New("event skipped")

// A ReceiverConfig configures a [Receiver]. Secrets and Handle are required; the zero
// value of each other field means its default.
type ReceiverConfig struct {
	// Secrets are the accepted values of the Authorization header, which is
	// [Settings.AuthHeader]. To rotate the secret, accept the old and the new one.
	Secrets []Secret

	// Handle is called for each event that was not handled before. Events of one
	// delivery are handled one after the other, several deliveries concurrently and
	// in any order.
	//
	// Without a Queue, ctx ends 800 ms after the delivery arrived, and after an error
	// the service delivers the event again, up to three times, one second apart. If
	// Handle takes longer, the service is also told to retry; the retry is
	// acknowledged once Handle has returned nil. A panic is logged and counts as an
	// error.
	Handle func(ctx context.Context, e *Event) error

	// Skipped, if not nil, is called for each event that was not handled and will not
	// be delivered again, with the reason: an error of Handle that matches ErrSkip, an
	// age above MaxAge, an [Event.Err], and with a Queue any error of Handle. The event
	// counts as handled, also if Skipped panics. Its context is not that of Handle, which
	// may have ended, and ends after 800 ms.
	Skipped func(ctx context.Context, e *Event, err error)

	// Queue, if not 0, is how many events may wait in memory for Handle. A delivery is
	// then acknowledged once its events are in the queue, or refused with 503 if the queue
	// is full, and the context of Handle ends only when Shutdown gives up. Queued
	// events are lost when the process dies: without a Queue, Handle can store an event
	// before it is acknowledged.
	Queue int

	// Workers is how many events of the Queue are handled concurrently. 0 means 1,
	// which keeps their order. The workers run until Shutdown.
	Workers int

	// Seen remembers which events were handled. Nil means the memory of this process,
	// which forgets them after 10 to 20 minutes.
	Seen Seen

	// MaxAge is the age above which events are skipped, counted from their block time;
	// events without one are skipped too. 0 means any age. Whoever knows the secret
	// can replay a delivery. Without Seen and with a MaxAge of at most 10 minutes, a
	// replayed event is either remembered or too old. With Seen leave it 0: Seen drops
	// replayed events, and an event that is skipped after the process was suspended
	// counts as handled, so that a backfill does not bring it back.
	MaxAge time.Duration

	// Logger gets a record of each delivery that was refused or failed. A record never
	// holds the secret, and at most 100 bytes of a malformed body. Records are written in
	// the background; while more than 1000 wait, further ones are dropped. Nil means no
	// records, but panics are logged to slog.Default.
	Logger *slog.Logger
}

// A Receiver is an http.Handler for the deliveries of one webhook. Use one Receiver and
// one path per webhook: a transaction that two webhooks deliver would be a duplicate.
// The zero value responds with 500; make a Receiver with [NewReceiver].
//
// It responds with
//
//   - 200 if all events of the delivery are handled, now or before, or skipped
//   - 500 if Handle failed, and 503 if the queue is full, Handle takes too long, another
//     process is handling the event, Seen fails or the Receiver is shut down
//   - 401 if the secret is wrong, whatever else is wrong
//   - 405 if the method is not POST
//   - 415 if the content type is not JSON or the body is compressed
//   - 413 above 8 MiB or the limits of [ParseEvents], and 400 if ParseEvents refuses the
//     body otherwise
//   - 408 if the body takes longer than 800 ms
//
// The service retries up to three times unless the status is 200 or 403, also after a
// wrong secret. Handle is not called for a delivery with status 400 to 415. A retry would
// not help an event whose transaction cannot be decoded: it is logged, skipped and counts
// as handled.
//
// The deadline for the body needs http.ResponseController. Behind middleware that hides
// it, set ReadTimeout of the http.Server.
type Receiver struct {
	cfg  ReceiverConfig
	sums [][sha256.Size]byte // hashes of the secrets

	flights flights
	queue   *queue                   // nil if there is none
	held    atomic.Pointer[heldSlot] // since SafeSlot; nil if none
	missed  missed
	logs    logbook

	mu     sync.Mutex
	busy   int // deliveries in progress
	closed bool
	idle   chan struct{} // closed when the Receiver is closed and not busy
}

// NewReceiver returns a Receiver. The error matches [types.ErrInvalid] if a required
// field is not set, a secret is empty or cannot be carried by a header, or a number is
// negative.
func NewReceiver(cfg ReceiverConfig) (*Receiver, error) {
	if err := cfg.check(); err != nil {
		return nil, fmt.Errorf("webhooks.ReceiverConfig: %w", err)
	}
	r := &Receiver{cfg: cfg, idle: make(chan struct{})}
	for _, s := range cfg.Secrets {
		r.sums = append(r.sums, sha256.Sum256([]byte(s)))
	}
	r.cfg.Secrets = nil // not kept in clear text
	if r.cfg.Seen == nil {
		r.cfg.Seen = new(memory)
	}
	if cfg.Queue > 0 {
		r.queue = newQueue(cfg.Queue, max(cfg.Workers, 1), r.work)
	}
	return r, nil
}

func (c *ReceiverConfig) check() error {
	switch {
	case len(c.Secrets) == 0:
		return argument.Invalid("Secrets", "is empty")
	case c.Handle == nil:
		return argument.Invalid("Handle", "is nil")
	case c.MaxAge < 0:
		return argument.Invalid("MaxAge", "is negative; 0 means any age")
	}
	for i, s := range c.Secrets {
		name := fmt.Sprintf("Secrets[%d]", i)
		if s == "" {
			return argument.Invalid(name, "is empty: a request without Authorization would match")
		}
		if err := s.check(name); err != nil {
			return err
		}
	}
	if c.Queue < 0 {
		return argument.Invalid("Queue", "is negative; 0 means no queue")
	}
	return argument.NotNegative("Workers", c.Workers)
}

// ServeHTTP responds to one delivery.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	v := r.receive(w, req)
	if v.why != nil {
		r.log(req.Context(), r.cfg.Logger, slog.LevelWarn, "delivery not acknowledged",
			slog.Int("status", v.status), slog.String("error", v.why.Error()))
	}
	if v.status == http.StatusOK {
		w.WriteHeader(v.status)
		return
	}
	if v.status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", http.MethodPost)
	}
	http.Error(w, http.StatusText(v.status), v.status)
}

// receive handles a delivery.
func (r *Receiver) receive(w http.ResponseWriter, req *http.Request) verdict {
	if r.cfg.Handle == nil {
		return verdict{http.StatusInternalServerError, errors.New("the Receiver was not made by NewReceiver")}
	}
	arrived := time.Now()
	// The deadline also bounds how long net/http discards a refused body, and is
	// reset after the body. Not every ResponseWriter supports it.
	_ = http.NewResponseController(w).SetReadDeadline(arrived.Add(handleWithin))
	if status, err := r.refusal(req); err != nil {
		return verdict{status, err}
	}
	if req.Body == nil { // of a request that no server read
		req.Body = http.NoBody
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBody))
	if err != nil {
		return verdict{readStatus(err), err}
	}
	events, err := ParseEvents(body)
	switch {
	case errors.Is(err, types.ErrTooLarge):
		return verdict{http.StatusRequestEntityTooLarge, err}
	case err != nil:
		return verdict{http.StatusBadRequest, err}
	}
	// A closed connection must not stop a delivery half-way.
	return r.deliver(context.WithoutCancel(req.Context()), events, arrived)
}

// refusal checks everything but the body. The secret comes first, so that a request
// without it learns nothing else.
func (r *Receiver) refusal(req *http.Request) (status int, err error) {
	if !r.authorized(req.Header["Authorization"]) {
		return http.StatusUnauthorized, errors.New("the Authorization header is missing or wrong")
	}
	if req.Method != http.MethodPost {
		return http.StatusMethodNotAllowed, errors.New("the method is not POST")
	}
	if media, _, err := mime.ParseMediaType(req.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return http.StatusUnsupportedMediaType, errors.New("the Content-Type is not application/json")
	}
	if len(req.Header["Content-Encoding"]) > 0 {
		return http.StatusUnsupportedMediaType, errors.New("a Content-Encoding is not supported")
	}
	if req.ContentLength > maxBody {
		return http.StatusRequestEntityTooLarge, errors.New("the body exceeds 8 MiB")
	}
	return http.StatusOK, nil
}

// authorized compares hashes, which have equal lengths, with every secret, so that the
// time it takes tells nothing about the secrets.
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

// readStatus is the status for a body that could not be read.
func readStatus(err error) int {
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return http.StatusRequestTimeout
	}
	return http.StatusBadRequest
}

// Shutdown refuses new deliveries with 503 and waits until all accepted events are
// handled, those in the queue included. Shut down the http.Server first.
//
// If ctx ends before that, Shutdown ends the contexts of Handle, passes the events that
// remain in the queue to Skipped, and returns an error. It waits up to two more seconds
// for these callbacks; events that are then neither handled nor skipped are lost if the
// process ends.
func (r *Receiver) Shutdown(ctx context.Context) error {
	if ctx == nil {
		return fmt.Errorf("webhooks.Receiver.Shutdown: %w", argument.Invalid("ctx", "is nil"))
	}
	if r.cfg.Handle == nil {
		return nil // not made by NewReceiver, so it has accepted nothing
	}
	defer r.logs.flush(ctx)
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
		case <-r.idle: // select chooses at random
		default:
			err = fmt.Errorf("webhooks.Receiver.Shutdown: deliveries are still being handled: %w", reason(ctx))
		}
	}
	if r.queue != nil {
		err = errors.Join(err, r.queue.drain(ctx))
	}
	return err
}

// begin registers a delivery, unless the Receiver is closed.
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
