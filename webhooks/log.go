package webhooks

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// maxRecords is how many log records may wait for a slow Logger.
const maxRecords = 1000

// A logbook writes log records in a goroutine, so that a slow Logger delays neither
// a response nor an event. The goroutine ends when no record waits.
type logbook struct {
	mu      sync.Mutex
	waiting []logEntry
	dropped int
	causes  map[string]*logged
	written chan struct{} // closed when no record waits; nil if none ever did
}

// A logged is a cause of records, of which one is written in a minute.
type logged struct {
	next    time.Time
	omitted int // since then
}

type logEntry struct {
	ctx     context.Context //nolint:containedctx // of the record, for the handler
	logger  *slog.Logger
	time    time.Time
	level   slog.Level
	message string
	attrs   []slog.Attr
}

// cause is the message with what tells its causes apart. The end of an error may be about one
// event.
func (e *logEntry) cause() string {
	parts := []string{e.message}
	for _, a := range e.attrs {
		switch text := a.Value.String(); a.Key {
		case "cause", "call", "status":
			parts = append(parts, text)
		case "error":
			parts = append(parts, text[:min(len(text), 20)])
		}
	}
	return strings.Join(parts, " ")
}

// add writes a record later, but omits it if there was one of its cause within a minute. Beyond
// maxRecords it drops the record and counts it.
func (l *logbook) add(e logEntry) {
	e.ctx, e.time = context.WithoutCancel(e.ctx), time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.causes == nil {
		l.causes = make(map[string]*logged)
	}
	of := l.causes[e.cause()]
	if of == nil {
		if len(l.causes) >= maxRecords {
			clear(l.causes)
		}
		of = new(logged)
		l.causes[e.cause()] = of
	}
	if e.time.Before(of.next) {
		of.omitted++
		return
	}
	if of.omitted > 0 {
		e.attrs = append(e.attrs, slog.Int("omitted_records", of.omitted))
	}
	*of = logged{next: e.time.Add(time.Minute)}
	if len(l.waiting) >= maxRecords {
		l.dropped++
		return
	}
	l.waiting = append(l.waiting, e)
	if l.written == nil {
		l.written = make(chan struct{})
		go l.write() // ends when no record waits
	}
}

// write writes the waiting records. A handler of the Logger may panic or call
// runtime.Goexit.
func (l *logbook) write() {
	finished := false
	defer func() {
		if !finished { // runtime.Goexit
			go l.write() // ends when no record waits
		}
	}()
	for e, more := l.next(); more; e, more = l.next() {
		e.write()
	}
	finished = true
}

// next returns the next record. Without one, it marks the logbook as written.
func (l *logbook) next() (e logEntry, more bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting) == 0 {
		if l.written != nil {
			close(l.written)
			l.written = nil
		}
		return logEntry{}, false
	}
	e = l.waiting[0]
	l.waiting = l.waiting[1:]
	if l.dropped > 0 {
		e.attrs = append(e.attrs, slog.Int("dropped_records", l.dropped))
		l.dropped = 0
	}
	return e, true
}

func (e *logEntry) write() {
	_ = guarded(func() error {
		h := e.logger.Handler()
		if !h.Enabled(e.ctx, e.level) {
			return nil
		}
		r := slog.NewRecord(e.time, e.level, e.message, 0)
		r.AddAttrs(e.attrs...)
		return h.Handle(e.ctx, r)
	})
}

// flush waits until no record waits, or ctx ends.
func (l *logbook) flush(ctx context.Context) {
	l.mu.Lock()
	written := l.written
	l.mu.Unlock()
	if written == nil {
		return
	}
	select {
	case <-written:
	case <-ctx.Done():
	}
}
