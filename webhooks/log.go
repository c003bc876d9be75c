package webhooks

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// maxCauses is how many causes of records a logbook knows.
const maxCauses = 1000

// A logbook writes one log record per cause and minute. A goroutine writes it, so that a
// slow Logger delays neither a response nor an event.
type logbook struct {
	mu      sync.Mutex
	causes  map[string]*logged
	writing running
}

// A logged is the last record of a cause.
type logged struct {
	writing bool
	next    time.Time // when another record may be written
	omitted int       // since the last one
}

// causeOf is the message with what tells its causes apart. The end of an error may be about one
// event.
func causeOf(message string, attrs []slog.Attr) string {
	parts := []string{message}
	for _, a := range attrs {
		switch text := a.Value.String(); a.Key {
		case "cause", "call", "status":
			parts = append(parts, text)
		case "error":
			parts = append(parts, text[:min(len(text), 20)])
		}
	}
	return strings.Join(parts, " ")
}

// add writes a record, unless there was one of its cause within a minute, or logger is nil.
func (l *logbook) add(ctx context.Context, logger *slog.Logger, level slog.Level, message string, attrs ...slog.Attr) {
	if logger == nil {
		return
	}
	cause, now := causeOf(message, attrs), time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.causes == nil || len(l.causes) >= maxCauses {
		l.causes = make(map[string]*logged)
	}
	of := l.causes[cause]
	if of == nil {
		of = new(logged)
		l.causes[cause] = of
	}
	if of.writing || now.Before(of.next) {
		of.omitted++
		return
	}
	if of.omitted > 0 {
		attrs = append(attrs, slog.Int("omitted_records", of.omitted))
	}
	*of = logged{true, now.Add(time.Minute), 0}
	l.writing.begin()
	go func() { // ends with the Logger, which may panic or call runtime.Goexit
		defer l.writing.end()
		defer l.written(of)
		_ = guarded(func() error {
			logger.LogAttrs(context.WithoutCancel(ctx), level, message, attrs...)
			return nil
		})
	}()
}

func (l *logbook) written(of *logged) {
	l.mu.Lock()
	defer l.mu.Unlock()
	of.writing = false
}

// running counts what runs, and waits for its end.
type running struct {
	mu     sync.Mutex
	n      int
	closed bool          // whether nothing more may begin
	idle   chan struct{} // closed when nothing runs; nil before anything did
}

// begin counts one more, unless r is closed.
func (r *running) begin() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	if r.n == 0 {
		r.idle = make(chan struct{})
	}
	r.n++
	return true
}

func (r *running) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n--
	if r.n == 0 {
		close(r.idle)
	}
}

func (r *running) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
}

// wait waits until nothing runs, and reports whether ctx did not end first.
func (r *running) wait(ctx context.Context) bool {
	r.mu.Lock()
	n, idle := r.n, r.idle
	r.mu.Unlock()
	if n == 0 { // also when ctx has ended
		return true
	}
	select {
	case <-idle:
		return true
	case <-ctx.Done():
		return false
	}
}
