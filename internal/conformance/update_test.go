package conformance_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The recipe of "make update" runs in a copy of the module whose pages lack a line.
func TestMakeUpdateWritesThePages(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it is the same with all toolchains")
	}
	makefile, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)
	recipe := regexp.MustCompile(`\nupdate:\n\tgo test ./internal/conformance -run '([^']+)' (.*)\n`).FindSubmatch(makefile)
	require.NotNil(t, recipe)
	sources, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	for _, source := range sources {
		text, err := os.ReadFile(source)
		require.NoError(t, err)
		for _, function := range strings.Split(string(text), "\nfunc ")[1:] {
			name, _, _ := strings.Cut(function, "(")
			if strings.HasPrefix(name, "Test") && strings.Contains(function, "requireUpdated"+"(t") {
				require.Regexp(t, string(recipe[1]), name, "make update does not run this test")
			}
		}
	}
	dir := t.TempDir()
	entries, err := os.ReadDir("../..")
	require.NoError(t, err)
	for _, e := range entries {
		switch from, to := filepath.Join("../..", e.Name()), filepath.Join(dir, e.Name()); {
		case e.Name() == ".git":
		case e.IsDir():
			require.NoError(t, os.CopyFS(to, os.DirFS(from)))
		default:
			text, err := os.ReadFile(from)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(to, text, 0o600))
		}
	}
	files := []string{"docs/methods.md", "docs/prices.md"}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(dir, file))
		require.NoError(t, err)
		lines := strings.SplitAfter(string(text), "\n")
		shorter := strings.Join(append(lines[:8], lines[9:]...), "")
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(shorter), 0o600))
	}
	program, err := os.Executable() // these tests, as the recipe would compile them
	require.NoError(t, err)
	c := exec.CommandContext(t.Context(), program, append(strings.Fields(string(recipe[2])), "-test.run", string(recipe[1]))...)
	c.Dir = filepath.Join(dir, "internal", "conformance")
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, file := range files {
		want, err := os.ReadFile(filepath.Join("../..", file))
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(dir, file))
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), file)
	}
}
