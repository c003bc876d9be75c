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
	if logger == nil {
		return
	}
	now, cause := time.Now(), fmt.Sprintf("%s %.20s", message, attrs[0].Value)
	l.mu.Lock()
	if l.causes == nil || len(l.causes) >= maxCauses {
		l.causes = make(map[string]logged)
	}
	last := l.causes[cause]
	due := !now.Before(last.next)
	if due {
		l.causes[cause] = logged{next: now.Add(time.Minute)}
	} else {
		l.causes[cause] = logged{last.next, last.omitted + 1}
	}
	l.mu.Unlock()
	if !due {
		return
	}
	if last.omitted > 0 {
		attrs = append(attrs, slog.Int("omitted_records", last.omitted))
	}
	_ = guarded(func() error { // a Logger may panic
		logger.LogAttrs(context.WithoutCancel(ctx), level, message, attrs...)
		return nil
	})
}
