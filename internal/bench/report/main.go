// Report runs the benchmarks and prints what they measure beside what they
// should: one table. It is what make bench runs, in the module's directory.
//
// With -short it runs them as briefly as they can, and says only whether each
// row of the table is measured.
package main

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/solwire/solwire-go/internal/bench"
)

func main() {
	short := flag.Bool("short", false, "see only whether everything runs")
	flag.Parse()
	if err := run(context.Background(), *short, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A step runs some benchmarks, several times where neighbours on the machine
// may disturb one of them.
type step struct {
	what  string
	times int
	args  string
}

func steps(short bool) []step {
	flags, walk := "-cpu 1 -run ^$ -benchtime 8x", "run ./internal/bench/walk -accounts"
	if short {
		flags = "-cpu 1 -run ^$ -benchtime 1x -short"
	}
	all := []step{
		{"decoding", 3, "test " + flags + " -bench Decode ./internal/transport"},
		{"calls", 3, "test " + flags + " -bench . -skip Decode ./internal/transport"},
		{"a long walk", 3, fmt.Sprint(walk, " ", long(short))},
		{"one on two processors", 3, fmt.Sprint(walk, " ", long(short), " -procs 2")},
		{"a tenth of it", 3, fmt.Sprint(walk, " ", long(short)/10)},
		{"a slow walk with Prefetch", 3, fmt.Sprint(walk, " ", long(short)/10, " -latency 20ms -work 10ms -prefetch")},
		{"a slow walk without", 1, fmt.Sprint(walk, " ", long(short)/10, " -latency 20ms -work 10ms")},
		{solanago, 3, "test -C internal/bench/solanago " + flags + " -bench ."},
	}
	for i := range all {
		if short {
			all[i].times = 1
		}
	}
	return all
}

const solanago = "solana-go, if it can be downloaded"

// long is the number of accounts that a long walk is over.
func long(short bool) int {
	if short {
		return 10_000
	}
	return 1_000_000
}

func run(ctx context.Context, short bool, out, progress io.Writer) error {
	m := metrics{}
	for _, s := range steps(short) {
		_, _ = fmt.Fprintf(progress, "%s ...\n", s.what)
		for range s.times {
			err := m.collect(ctx, strings.Fields(s.args))
			switch {
			case err != nil && s.what == solanago && !short:
				_, _ = fmt.Fprintln(progress, err)
			case err != nil:
				return err
			}
		}
	}
	if short {
		return m.complete(out)
	}
	return m.print(out)
}

// metrics are what was measured, by the names of benchmark and unit.
type metrics map[string][]float64

// complete fails when a row of the table has no figure.
func (m metrics) complete(out io.Writer) error {
	for _, r := range rows(long(true)) {
		if _, ok := m.median(r.metric); !ok {
			return fmt.Errorf("nothing measured %q", r.metric)
		}
	}
	_, err := fmt.Fprintf(out, "each of the %d rows is measured\n", len(rows(long(true))))
	return err
}

// collect runs the go command and takes what it prints of benchmarks.
func (m metrics) collect(ctx context.Context, args []string) error {
	command := exec.CommandContext(ctx, "go", args...) //nolint:gosec // with what run says
	command.Env = append(command.Environ(), "GOWORK=off")
	if args[0] == "run" { // go test has -cpu
		command.Env = append(command.Env, "GOMAXPROCS=1")
	}
	output, err := command.CombinedOutput()
	if err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, output)
	}
	for lines := bufio.NewScanner(bytes.NewReader(output)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields)%2 == 1 || !strings.HasPrefix(lines.Text(), "Benchmark") {
			continue // a result is a name, the number of rounds, and pairs of value and unit
		}
		for pair := range slices.Chunk(fields[2:], 2) { // after the name and the number of rounds
			value, err := strconv.ParseFloat(pair[0], 64)
			if err != nil {
				return fmt.Errorf("%q: %w", lines.Text(), err)
			}
			name := strings.TrimPrefix(fields[0], "Benchmark") + " " + pair[1]
			m[name] = append(m[name], value)
		}
	}
	return nil
}

// median returns what was measured under a name, or the quotient of two names
// with " over " between them. It is false when there is nothing.
func (m metrics) median(name string) (float64, bool) {
	if above, below, ok := strings.Cut(name, " over "); ok {
		a, measured := m.median(above)
		b, ok := m.median(below)
		return a / b, measured && ok
	}
	values := m[name]
	if len(values) == 0 {
		return 0, false
	}
	middle := bench.Median(values)
	return middle, middle > 0 // a figure of 0 is one that this system does not tell
}
