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
