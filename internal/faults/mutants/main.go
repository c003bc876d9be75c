// Command mutants breaks the promises of this module on purpose, one line at a
// time, and tells which test notices. It works on a copy of the tree:
//
//	go run ./internal/faults/mutants             all of them
//	go run ./internal/faults/mutants redirects   those whose names contain a word
//
// It fails when a mutant survives, and when one no longer fits the code.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Stdout, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, words []string) error {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := copyTree(dir, "."); err != nil {
		return err
	}
	var failures []error
	caught := 0
	for _, m := range mutants() {
		if len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(m.name, w) }) {
			continue
		}
		start := time.Now()
		by, err := m.try(ctx, dir)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			failures = append(failures, fmt.Errorf("%s: %w", m.name, err))
			by = "!!! " + err.Error()
		default:
			caught++
		}
		_, _ = fmt.Fprintf(out, "%-55s %s (%.0f s)\n", m.name, by, time.Since(start).Seconds())
	}
	_, _ = fmt.Fprintf(out, "%d of %d caught\n", caught, caught+len(failures))
	return errors.Join(failures...)
}

// copyTree copies what Go reads, and no history.
func copyTree(to, from string) error {
	return filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, path), 0o700)
		case !d.Type().IsRegular():
			return nil
		}
		b, err := os.ReadFile(path) //nolint:gosec // a path of the tree
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, path), b, 0o600) //nolint:gosec // likewise
	})
}

// A mutant is a change of one line, and the packages whose tests should notice,
// the nearest first.
type mutant struct {
	name, file, from, to string
	packages             string
}

// failed finds in what go test prints the tests that failed, or that ran when
// the time was over.
var failed = regexp.MustCompile(`(?m)^(?: *--- FAIL: |\t+)(Test\S+) \(`)

// try applies the mutant, tests, and takes it back. It returns the tests that
// failed, or an error when none did.
func (m *mutant) try(ctx context.Context, dir string) (by string, err error) {
	file := filepath.Join(dir, m.file)
	source, err := os.ReadFile(file) //nolint:gosec // a path of the table
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(source), m.from); n != 1 || strings.Contains(m.from, "\n") {
		return "", fmt.Errorf("does not fit: its line is there %d times", n)
	}
	changed := strings.Replace(string(source), m.from, m.to, 1)
	if err := os.WriteFile(file, []byte(changed), 0o600); err != nil { //nolint:gosec // likewise
		return "", err
	}
	defer func() { err = errors.Join(err, os.WriteFile(file, source, 0o600)) }() //nolint:gosec // likewise
	for p := range strings.FieldsSeq(m.packages) {
		cmd := exec.CommandContext(ctx, "go", "test", "-vet=off", "-count=1", "-failfast", "-timeout=3m", "./"+p) //nolint:gosec // of the table
		cmd.Dir = dir
		output, err := cmd.CombinedOutput()
		if err == nil {
			continue
		}
		if strings.Contains(string(output), "[build failed]") || strings.Contains(string(output), "[setup failed]") {
			return "", fmt.Errorf("does not build:\n%s", output)
		}
		var tests []string
		for _, found := range failed.FindAllStringSubmatch(string(output), -1) {
			tests = append(tests, found[1])
		}
		if len(tests) == 0 {
			tests = []string{"a panic or a deadlock"}
		}
		return p + ": " + deepest(tests), nil
	}
	return "", errors.New("survives")
}

// deepest returns a test that failed, with its subtest, and how many more did.
func deepest(tests []string) string {
	first := tests[0]
	for _, t := range tests {
		if strings.HasPrefix(t, first+"/") {
			first = t
		}
	}
	top := map[string]bool{}
	for _, t := range tests {
		name, _, _ := strings.Cut(t, "/")
		top[name] = true
	}
	if len(top) > 1 {
		first += fmt.Sprintf(" and %d other tests", len(top)-1)
	}
	return first
}
