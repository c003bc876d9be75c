package docs_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the output of the examples into their golden files")

// Each example prints its golden file when it runs without a key and without
// flags: go test ./internal/docs -run Examples -update. The devserver does not end, and
// backfill writes a file.
func TestExamplesPrintTheirGoldenFiles(t *testing.T) {
	t.Parallel()
	bin := copyExamples(t)
	for _, name := range exampleNames(t) {
		if name == "devserver" || name == "backfill" {
			continue
		}
		golden := filepath.Join(root, "examples", name, "testdata", "golden.txt")
		out := bin.run(t, t.TempDir(), name)
		if *update {
			require.NoError(t, os.WriteFile(golden, []byte(out), 0o600))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		require.Equal(t, string(want), out, name)
	}
}

func TestStoppedListingResumesAtItsCheckpoint(t *testing.T) {
	t.Parallel()
	bin, dir := copyExamples(t), t.TempDir()
	whole := bin.run(t, dir, "compressed")
	resumed := bin.run(t, dir, "compressed", "-checkpoint", "accounts.json", "-stop", "1")
	resumed += bin.run(t, dir, "compressed", "-checkpoint", "accounts.json", "-stop", "3")
	require.FileExists(t, filepath.Join(dir, "accounts.json"))
	resumed += bin.run(t, dir, "compressed", "-checkpoint", "accounts.json")
	require.Equal(t, whole, resumed)
	require.NoFileExists(t, filepath.Join(dir, "accounts.json"), "the listing is complete")
}

func exampleNames(t *testing.T) []string {
	programs, err := filepath.Glob(filepath.Join(root, "examples", "*", "main.go"))
	require.NoError(t, err)
	require.NotEmpty(t, programs)
	var names []string
	for _, program := range programs {
		names = append(names, filepath.Base(filepath.Dir(program)))
	}
	return names
}

// examples is a module with the example programs, built in its directory bin.
type examples string

// built is the directory of the examples. TestMain makes it, the first test that
// needs the examples fills it.
var built struct {
	sync.Mutex
	dir  string
	done bool
}

// copyExamples copies the examples into an empty module that requires this one, as
// a user does, and builds them there.
func copyExamples(t *testing.T) examples {
	built.Lock()
	defer built.Unlock()
	if built.done {
		return examples(built.dir)
	}
	const module = "github.com/solwire/solwire-go"
	goMod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	goSum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	abs, err := filepath.Abs(root)
	require.NoError(t, err)
	goMod = bytes.Replace(goMod, []byte("module "+module), []byte("module example.com/copy"), 1)
	goMod = fmt.Appendf(goMod, "\nrequire %s v0.0.0\n\nreplace %[1]s => %s\n", module, abs)
	for _, name := range exampleNames(t) {
		require.NoError(t, os.CopyFS(filepath.Join(built.dir, name), os.DirFS(filepath.Join(root, "examples", name))))
	}
	require.NoError(t, os.WriteFile(filepath.Join(built.dir, "go.mod"), goMod, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(built.dir, "go.sum"), goSum, 0o600))
	bin := filepath.Join(built.dir, "bin") + string(filepath.Separator)
	build := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-o", bin, "./...")
	build.Dir, build.Env = built.dir, append(os.Environ(), "GOWORK=off")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	built.done = true
	return examples(built.dir)
}

// run runs an example in a directory, without a key, and returns what it printed
// to standard output.
func (e examples) run(t *testing.T, dir, name string, args ...string) string {
	c := exec.CommandContext(t.Context(), filepath.Join(string(e), "bin", name), args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "HELIUS_API_KEY=")
	var notes strings.Builder
	c.Stderr = &notes
	out, err := c.Output()
	require.NoError(t, err, "%s %v: %s", name, args, notes.String())
	require.NotEmpty(t, out, "%s %v", name, args)
	return string(out)
}
