// Report runs the benchmarks and prints what they measure beside what they
// should: one table. It is what make bench runs, in the module's directory.
package main

import (
	"bufio"
	"bytes"
	"context"
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
	if err := run(context.Background(), os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out, progress io.Writer) error {
	m := metrics{}
	for _, step := range []struct {
		what     string
		times    int
		args     string
		optional bool
	}{
		{"decoding", 3, "test -cpu 1 -run ^$ -bench Decode -benchtime 8x ./internal/transport", false},
		{"calls", 3, "test -cpu 1 -run ^$ -bench . -skip Decode -benchtime 8x ./internal/transport", false},
		{"a walk over 1 000 000 accounts", 3, "run ./internal/bench/walk -accounts 1000000", false},
		{"a walk over 100 000 accounts", 3, "run ./internal/bench/walk -accounts 100000", false},
		{"a slow walk with Prefetch", 3, "run ./internal/bench/walk -accounts 100000 -latency 20ms -work 10ms -prefetch", false},
		{"a slow walk without", 1, "run ./internal/bench/walk -accounts 100000 -latency 20ms -work 10ms", false},
		{"solana-go, if it can be downloaded", 1, "test -C internal/bench/solanago -cpu 1 -run ^$ -bench . -benchtime 8x", true},
	} {
		_, _ = fmt.Fprintf(progress, "%s ...\n", step.what)
		for range step.times {
			err := m.collect(ctx, strings.Fields(step.args))
			switch {
			case err != nil && step.optional:
				_, _ = fmt.Fprintln(progress, err)
			case err != nil:
				return err
			}
		}
	}
	return m.print(out)
}

// metrics are what was measured, by the names of benchmark and unit.
type metrics map[string][]float64

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
