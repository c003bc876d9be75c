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

// A logbook writes one log record per cause and minute.
type logbook struct {
	mu     sync.Mutex
	causes map[string]*logged
}

// A logged is the last record of a cause.
type logged struct {
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
	if logger == nil || !l.due(causeOf(message, attrs), &attrs) {
		return
	}
	_ = guarded(func() error { // a Logger may panic
		logger.LogAttrs(context.WithoutCancel(ctx), level, message, attrs...)
		return nil
	})
}

// due reports whether to write a record of a cause, and adds how many were omitted.
func (l *logbook) due(cause string, attrs *[]slog.Attr) bool {
	now := time.Now()
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
	if now.Before(of.next) {
		of.omitted++
		return false
	}
	if of.omitted > 0 {
		*attrs = append(*attrs, slog.Int("omitted_records", of.omitted))
	}
	*of = logged{next: now.Add(time.Minute)}
	return true
}
