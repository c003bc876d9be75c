package webhooks

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// maxCauses is how many causes of records a logbook knows.
const maxCauses = 1000

// A logbook writes one log record per cause and minute.
type logbook struct {
	mu     sync.Mutex
	causes map[string]logged
}

// A logged is the last record of a cause.
type logged struct {
	next    time.Time // when another record may be written
	omitted int       // since the last one
}

// add writes a record, unless there was one of its cause within a minute, or logger is nil. The
// message and the beginning of the first attribute are the cause: the end of an error may be
// about one event.
func (l *logbook) add(ctx context.Context, logger *slog.Logger, level slog.Level, message string, attrs ...slog.Attr) {
	if logger == nil || !l.due(fmt.Sprintf("%s %.20s", message, attrs[0].Value), &attrs) {
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
		l.causes = make(map[string]logged)
	}
	of := l.causes[cause]
	if now.Before(of.next) {
		of.omitted++
		l.causes[cause] = of
		return false
	}
	if of.omitted > 0 {
		*attrs = append(*attrs, slog.Int("omitted_records", of.omitted))
	}
	l.causes[cause] = logged{next: now.Add(time.Minute)}
	return true
}
