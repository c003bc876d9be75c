package demo

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/solwire/solwire-go/types"
)

// A Walk shows a long listing as it comes in: in the words that are written to
// it, or as one JSON object per line. A zero Walk with an Out is one in words,
// from the first page on, that shows no progress.
type Walk struct {
	Out      io.Writer
	Progress io.Writer // a terminal; nil for none
	JSON     bool
	Resume   string // the cursor to start at; empty means the first page

	page    bytes.Buffer
	err     error // of an object on the page
	started time.Time
	listed  bool // whether a page has come
	items   int
	cursor  string
	shown   bool // whether the terminal stands in a line of progress
}

// WalkFlags returns a Walk that the flags -json and -resume set.
func WalkFlags() *Walk {
	w := &Walk{started: time.Now()}
	flag.BoolVar(&w.JSON, "json", false, "print one JSON object per line")
	flag.StringVar(&w.Resume, "resume", "", "the `cursor` to go on from")
	if terminal(os.Stdout) && terminal(os.Stderr) { // a pager shows what it is piped on the terminal of the progress
		w.Progress = os.Stderr
	}
	return w
}

// terminal reports whether somebody may be looking at f: a terminal is a
// device, unlike a file or a pipe.
func terminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Write takes words; they count only where no objects are asked for.
func (w *Walk) Write(words []byte) (int, error) {
	w.start()
	if !w.JSON {
		w.page.Write(words)
	}
	return len(words), nil
}

// Object takes an item; it counts only where objects are asked for. What is
// wrong with it is told when the page ends.
func (w *Walk) Object(item any) {
	w.start()
	if w.JSON && w.err == nil {
		w.err = json.NewEncoder(&w.page).Encode(item)
	}
}

// Page ends a page and says where the next one starts. What was taken goes
// out, so that nobody who resumes there misses anything.
func (w *Walk) Page(items int, cursor string) error {
	w.start()
	w.listed = true
	w.items += items
	w.cursor = cursor
	if err := w.flush(); err != nil {
		return err
	}
	w.progress("")
	return nil
}

// Close ends the walk.
func (w *Walk) Close() error {
	if err := w.flush(); err != nil {
		return err
	}
	if w.items > 0 {
		w.progress("\n")
	}
	return nil
}

// Stopped ends the walk with an error, and returns it with the cursor to
// resume with. Before the first page there is no other than that of the flag,
// which may be what is wrong; after the last page there is none.
func (w *Walk) Stopped(err error) error {
	if failed := w.flush(); failed != nil {
		return failed
	}
	interrupted := errors.Is(err, context.Canceled)
	switch {
	case interrupted && !w.listed:
		return errors.New("stopped before the first page")
	case interrupted && w.cursor == "":
		return fmt.Errorf("stopped after %d", w.items)
	case w.cursor == "", errors.Is(err, types.ErrIncomplete): // no cursor leads out of the latter
		return err
	case interrupted:
		return fmt.Errorf("stopped after %d; go on with -resume %s", w.items, w.cursor)
	}
	return fmt.Errorf("%w; go on with -resume %s", err, w.cursor)
}

func (w *Walk) start() {
	if w.started.IsZero() {
		w.started = time.Now()
	}
}

func (w *Walk) flush() error {
	if w.shown {
		fmt.Fprint(w.Progress, "\r\x1b[K")
		w.shown = false
	}
	_, err := w.page.WriteTo(w.Out)
	return cmp.Or(err, w.err)
}

func (w *Walk) progress(end string) {
	if w.Progress == nil {
		return
	}
	elapsed := time.Since(w.started)
	rate := float64(w.items) / max(elapsed.Seconds(), 1e-3)
	fmt.Fprintf(w.Progress, "%d so far, %.0f a second, %s%s", w.items, rate, elapsed.Round(time.Second/10), end)
	w.shown = end == ""
}
