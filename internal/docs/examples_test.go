package docs_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the output of the examples into their golden files")

// Each example prints its golden file when it runs without a key and without
// flags: go test ./internal/docs -run Examples -update. The devserver and watch do not end,
// backfill writes a file, and doctor measures times.
func TestExamplesPrintTheirGoldenFiles(t *testing.T) {
	t.Parallel()
	for _, name := range exampleNames(t) {
		if slices.Contains([]string{"backfill", "devserver", "doctor", "watch"}, name) {
			continue
		}
		golden := filepath.Join(root, "examples", name, "testdata", "golden.txt")
		out := run(t, t.TempDir(), name)
		if *update {
			require.NoError(t, os.WriteFile(golden, []byte(out), 0o600))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		require.Equal(t, string(want), out, name)
	}
}

// exampleNames returns the names of the examples in this module.
func exampleNames(t *testing.T) []string {
	programs, err := filepath.Glob(filepath.Join(root, "examples", "*", "main.go"))
	require.NoError(t, err)
	require.NotEmpty(t, programs)
	var names []string
	for _, program := range programs {
		if _, err := os.Stat(filepath.Join(filepath.Dir(program), "go.mod")); err == nil {
			continue
		}
		names = append(names, filepath.Base(filepath.Dir(program)))
	}
	return names
}

// run runs an example in a directory, without a key, and returns its standard output.
func run(t *testing.T, dir, name string, args ...string) string {
	c := exec.CommandContext(t.Context(), programs(t), append([]string{name}, args...)...)
	c.Dir = dir
	c.Env = append(os.Environ(), "HELIUS_API_KEY=")
	var notes strings.Builder
	c.Stderr = &notes
	out, err := c.Output()
	require.NoError(t, err, "%s %v: %s", name, args, notes.String())
	require.NotEmpty(t, out, "%s %v", name, args)
	return string(out)
}
