// Command mutants breaks the promises of this module on purpose, one line at a
// time, and tells which test notices. It works on a copy of the tree:
//
//	go run ./internal/faults/mutants             all of them
//	go run ./internal/faults/mutants redirects   those whose names contain a word
//
// It fails when a mutant survives, and when one no longer fits the code. Before
// the first it tests the code as it is, since a test that fails anyway notices
// nothing.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
	err := run(ctx, os.Stdout, ".", named(os.Args[1:]))
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// named returns the mutants whose names contain one of the words, or all where
// there are none.
func named(words []string) []mutant {
	all := mutants()
	if len(words) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(m mutant) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(m.name, w) })
	})
}

// run tries mutants of the tree.
func run(ctx context.Context, out io.Writer, tree string, chosen []mutant) error {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := copyTree(dir, tree); err != nil {
		return err
	}
	if err := sound(ctx, dir, chosen); err != nil {
		return err
	}
	var failures []error
	for _, m := range chosen {
		start := time.Now()
		by, err := m.try(ctx, dir)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", m.name, err))
			by = "!!! " + err.Error()
		}
		_, _ = fmt.Fprintf(out, "%-55s %s (%.0f s)\n", m.name, by, time.Since(start).Seconds())
	}
	_, _ = fmt.Fprintf(out, "%d of %d caught\n", len(chosen)-len(failures), len(chosen))
	return errors.Join(failures...)
}

// sound tests the packages of the mutants without one.
func sound(ctx context.Context, dir string, chosen []mutant) error {
	tested := map[string]bool{}
	for _, m := range chosen {
		for p := range strings.FieldsSeq(m.packages) {
			if tested[p] {
				continue
			}
			tested[p] = true
			if output, err := test(ctx, dir, p); err != nil {
				return fmt.Errorf("%s fails without a mutant: %w\n%s", p, err, output)
			}
		}
	}
	return nil
}

// test runs the tests of a package until one fails.
func test(ctx context.Context, dir, pkg string) (output []byte, err error) {
	cmd := exec.CommandContext(ctx, "go", "test", "-vet=off", "-count=1", "-failfast", "-timeout=3m", "./"+pkg) //nolint:gosec // of the table
	cmd.Dir = dir
	return cmd.CombinedOutput()
}

// copyTree copies what Go reads, and no history.
func copyTree(to, from string) error {
	tree := os.DirFS(from)
	return fs.WalkDir(tree, ".", func(path string, d fs.DirEntry, err error) error {
		target := filepath.Join(to, path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(target, 0o700)
		case !d.Type().IsRegular():
			return nil
		}
		b, err := fs.ReadFile(tree, path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, b, 0o600)
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
		output, err := test(ctx, dir, p)
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
