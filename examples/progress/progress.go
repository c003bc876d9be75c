// Package progress runs the examples on a terminal: it has their arguments, their Config, and
// how far they have come, in one line.
package progress

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/solwire/solwire-go/types"
)

// interval is the shortest time between two updates of the line.
const interval = 100 * time.Millisecond

// A Line is the last line of a terminal. The zero value shows nothing.
type Line struct {
	out   io.Writer // nil shows nothing
	meter *types.Meter
	start time.Time
	first float64   // the share that was done at start
	shown time.Time // when the line was updated; zero while the terminal has none
}

// New returns a line of file, with the credits that meter counts. It shows nothing if file is
// not a terminal.
func New(file *os.File, meter *types.Meter) *Line {
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 || os.Getenv("TERM") == "dumb" {
		return &Line{}
	}
	return &Line{out: file, meter: meter}
}

// Show replaces the line by what has been done, unless it has just been updated. Share is the
// part of the work that this is, from which the remaining time is estimated, or 0 if it is
// unknown.
func (l *Line) Show(share float64, done string) {
	now := time.Now()
	if l.start.IsZero() {
		l.start, l.first = now, share
	}
	if l.out == nil || now.Sub(l.shown) < interval {
		return
	}
	text := fmt.Sprint(done, ", ", l.meter.Credits(), " credits")
	if left := l.left(now, share); left > 0 {
		text += fmt.Sprint(", ", left, " left")
	}
	fmt.Fprint(l.out, "\r\x1b[K", text)
	l.shown = now
}

// left estimates the remaining time. It is 0 if it is unknown.
func (l *Line) left(now time.Time, share float64) time.Duration {
	if share <= l.first || share >= 1 {
		return 0
	}
	left := float64(now.Sub(l.start)) * (1 - share) / (share - l.first)
	return max(time.Duration(left), time.Second).Round(time.Second)
}

// Clear removes the line, before other output.
func (l *Line) Clear() {
	if !l.shown.IsZero() {
		fmt.Fprint(l.out, "\r\x1b[K")
		l.shown = time.Time{}
	}
}

// Of returns the part of the time from since to until that has passed at t. It is 0 if one of
// them is unknown. An until in the future counts as now.
func Of(t, since, until time.Time) float64 {
	if t.IsZero() || since.IsZero() || until.IsZero() {
		return 0
	}
	if now := time.Now(); until.After(now) {
		until = now
	}
	return min(1, max(0, float64(t.Sub(since))/float64(cmp.Or(until.Sub(since), 1))))
}
