package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A mutant that no longer fits the code proves nothing: when this fails, change
// the line in the table as the code was changed.
func TestMutantsFitTheCode(t *testing.T) {
	t.Parallel()
	require.GreaterOrEqual(t, len(mutants()), 25)
	names := map[string]bool{}
	for _, m := range mutants() {
		source, err := os.ReadFile(filepath.Join("../../..", m.file))
		require.NoError(t, err, m.name)
		require.Equal(t, 1, strings.Count(string(source), m.from), "%s: its line in %s has changed; change table.go too", m.name, m.file)
		require.NotContains(t, m.from+m.to, "\n", "%s: one line", m.name)
		require.NotEqual(t, m.from, m.to, m.name)
		require.False(t, names[m.name], m.name)
		names[m.name] = true
		for p := range strings.FieldsSeq(m.packages) {
			require.DirExists(t, filepath.Join("../../..", p), m.name)
		}
	}
}

// A tree is a module of one function, whose test wants what it returns.
func tree(t *testing.T, want string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":      "module m\n\ngo 1.25.0\n",
		"m.go":        "package m\n\nfunc f() int { return 7 }\n\nfunc g() int { return 7 }\n",
		"m_test.go":   "package m\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) {\n\tif f() != " + want + " {\n\t\tt.Fatal(f())\n\t}\n\t_ = g()\n}\n",
		".git/config": "",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

func TestMutantsAreCaughtOrSurvive(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	err := run(t.Context(), &out, tree(t, "7"), []mutant{
		{"tested", "m.go", "f() int { return 7 }", "f() int { return 8 }", "."},
		{"untested", "m.go", "g() int { return 7 }", "g() int { return 8 }", "."},
		{"gone", "m.go", "return 9", "return 8", "."},
	})
	require.EqualError(t, err, "untested: survives\ngone: does not fit: its line is there 0 times")
	require.Regexp(t, `^tested +\.: TestF \(.*\n(.*\n)*1 of 3 caught\n$`, out.String())
}

// A test that fails anyway would catch everything.
func TestFailingTestsCatchNothing(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	err := run(t.Context(), &out, tree(t, "6"), []mutant{{"untested", "m.go", "g() int { return 7 }", "g() int { return 8 }", "."}})
	require.ErrorContains(t, err, ". fails without a mutant: ")
	require.ErrorContains(t, err, "--- FAIL: TestF")
	require.Empty(t, out.String())
}

func TestMutantsAreChosenByWords(t *testing.T) {
	t.Parallel()
	require.Len(t, named(nil), len(mutants()))
	for _, m := range named([]string{"budget", "retry a create"}) {
		require.Regexp(t, "budget|^retry a create$", m.name)
	}
	require.Len(t, named([]string{"retry a create"}), 1)
	require.Empty(t, named([]string{"no such mutant"}))
}

func TestDeepestFailureIsShown(t *testing.T) {
	t.Parallel()
	for want, tests := range map[string][]string{
		"TestA":                     {"TestA"},
		"TestA/x/y":                 {"TestA", "TestA/x", "TestA/x/y", "TestA/z"},
		"TestA/x and 2 other tests": {"TestA", "TestA/x", "TestB", "TestC", "TestC/x"},
	} {
		require.Equal(t, want, deepest(tests))
	}
}
