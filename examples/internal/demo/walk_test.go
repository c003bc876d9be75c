package demo

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

func TestWalkInWords(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := &Walk{Out: &out}
	fmt.Fprintln(w, "one")
	w.Object(1)
	require.Empty(t, out.String(), "a page goes out as a whole")
	require.NoError(t, w.Page(1, "next"))
	require.Equal(t, "one\n", out.String())
	fmt.Fprintln(w, "in all: one")
	require.NoError(t, w.Close())
	require.Equal(t, "one\nin all: one\n", out.String())
}

func TestWalkInObjects(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := &Walk{Out: &out, JSON: true}
	for _, name := range []string{"a", "b"} {
		fmt.Fprintln(w, name)
		w.Object(struct {
			Name string `json:"name"`
		}{name})
	}
	require.NoError(t, w.Close())
	require.Equal(t, "{\"name\":\"a\"}\n{\"name\":\"b\"}\n", out.String())
}

func TestObjectThatIsNoneFails(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := &Walk{Out: &out, JSON: true}
	w.Object(func() {})
	w.Object("fine")
	require.Error(t, w.Page(2, "next"))
	require.Empty(t, out.String())
}

func TestProgressIsOneLineThatMakesWayForWords(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var terminal bytes.Buffer // both go to one
		w := &Walk{Out: &terminal, Progress: &terminal}
		for i := range 2 {
			fmt.Fprintf(w, "page %d\n", i)
			time.Sleep(2 * time.Second)
			require.NoError(t, w.Page(1000, "next"))
		}
		require.NoError(t, w.Close())
		require.Equal(t, "page 0\n"+
			"1000 so far, 500 a second, 2s\r\x1b[Kpage 1\n"+
			"2000 so far, 500 a second, 4s\r\x1b[K"+
			"2000 so far, 500 a second, 4s\n", terminal.String())
	})
}

// Not parallel: flags and standard streams are those of the process.
func TestProgressIsShownOnATerminalOnly(t *testing.T) {
	stdout, stderr, flags := os.Stdout, os.Stderr, flag.CommandLine
	t.Cleanup(func() { os.Stdout, os.Stderr, flag.CommandLine = stdout, stderr, flags })
	device, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0) // as good as a terminal
	require.NoError(t, err)
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	require.NoError(t, err)
	out, pipe, err := os.Pipe()
	require.NoError(t, err)
	closed, err := os.Open(os.DevNull)
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	for _, row := range []struct {
		out, notes *os.File
		shown      bool
	}{
		{device, device, true},
		{pipe, device, false}, // into a pager
		{device, pipe, false},
		{file, device, false},
		{device, file, false},
		{closed, device, false},
		{device, closed, false},
	} {
		os.Stdout, os.Stderr, flag.CommandLine = row.out, row.notes, flag.NewFlagSet("", flag.PanicOnError)
		progress := WalkFlags().Progress
		if row.shown {
			require.Same(t, row.notes, progress)
		} else {
			require.Nil(t, progress, "%s and %s", row.out.Name(), row.notes.Name())
		}
	}
	for _, f := range []*os.File{device, file, out, pipe} {
		require.NoError(t, f.Close())
	}
}

func TestWalkThatStopsTellsTheWayOn(t *testing.T) {
	t.Parallel()
	cut := errors.New("connection cut")
	canceled := fmt.Errorf("list: %w", context.Canceled)
	lost := fmt.Errorf("list: %w", types.ErrIncomplete)
	for _, row := range []struct {
		walk  Walk
		pages int
		err   error
		want  string
	}{
		{Walk{}, 2, canceled, "stopped after 2; go on with -resume cursor2"},
		{Walk{}, 1, cut, "connection cut; go on with -resume cursor1"},
		{Walk{}, 0, cut, "connection cut"},
		{Walk{}, 0, canceled, "stopped before the first page"},
		{Walk{Resume: "cursor7"}, 0, canceled, "stopped before the first page"},
		{Walk{Resume: "nonsense"}, 0, cut, "connection cut"},
		{Walk{Resume: "cursor7"}, 1, cut, "connection cut; go on with -resume cursor1"},
		{Walk{}, 2, lost, "list: incomplete listing"},
	} {
		var out bytes.Buffer
		w := row.walk
		w.Out = &out
		for i := range row.pages {
			fmt.Fprint(&w, "page ")
			require.NoError(t, w.Page(1, fmt.Sprint("cursor", i+1)))
		}
		fmt.Fprint(&w, "and words")
		err := w.Stopped(row.err)
		require.EqualError(t, err, row.want)
		require.Contains(t, out.String(), "and words", "nothing is held back")
	}
}

func TestWalkThatStopsAfterTheLastPageHasNoWayOn(t *testing.T) {
	t.Parallel()
	for _, items := range []int{0, 5} {
		w := &Walk{Out: new(bytes.Buffer)}
		require.NoError(t, w.Page(items, ""))
		require.EqualError(t, w.Stopped(context.Canceled), fmt.Sprint("stopped after ", items))
		require.EqualError(t, w.Stopped(errors.New("connection cut")), "connection cut")
	}
}

func TestWalkThatCannotWriteFails(t *testing.T) {
	t.Parallel()
	full := errors.New("disk full")
	for _, end := range []func(*Walk) error{
		func(w *Walk) error { return w.Page(1, "next") },
		(*Walk).Close,
		func(w *Walk) error { return w.Stopped(context.Canceled) },
	} {
		w := &Walk{Out: broken{full}}
		fmt.Fprint(w, "words")
		require.ErrorIs(t, end(w), full)
	}
}

type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }
