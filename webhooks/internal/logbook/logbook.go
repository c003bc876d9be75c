// Package logbook writes one log record per cause and minute, for a Receiver and a Keeper.
package logbook

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// maxCauses is the most causes that a Book remembers.
const maxCauses = 1000

// A Book writes to a Logger. The zero value is ready for use.
type Book struct {
	mu     sync.Mutex
	causes map[string]cause
}

// A cause is a reason for records.
type cause struct {
	next    time.Time // when another record may be written
	omitted int       // records since the last one
}

// Add writes a record, unless logger is nil or a record of the same cause was written within a
// minute. The message and the first 20 characters of the first attribute are the cause: the rest of
// an error may be about one event.
func (b *Book) Add(ctx context.Context, logger *slog.Logger, level slog.Level, message string, attrs ...slog.Attr) {
	if logger == nil {
		return
	}
	now, name := time.Now(), fmt.Sprintf("%s %.20s", message, attrs[0].Value)
	b.mu.Lock()
	if b.causes == nil || len(b.causes) >= maxCauses {
		b.causes = make(map[string]cause)
	}
	last := b.causes[name]
	due := !now.Before(last.next)
	if due {
		b.causes[name] = cause{next: now.Add(time.Minute)}
	} else {
		b.causes[name] = cause{last.next, last.omitted + 1}
	}
	b.mu.Unlock()
	if !due {
		return
	}
	if last.omitted > 0 {
		attrs = append(attrs, slog.Int("omitted_records", last.omitted))
	}
	logger.LogAttrs(context.WithoutCancel(ctx), level, message, attrs...)
}

// Text returns the text of an error as a store takes it: printable ASCII of at most 200 bytes.
func Text(err error) string {
	text := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, err.Error())
	return text[:min(len(text), 200)]
}
