package docs_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the output of the examples into their golden files")

// Each example prints its golden file when it runs without a key and without
// flags: go test ./internal/docs -run Examples -update. The devserver and watch do not end,
// backfill writes a file, and doctor measures times.
func TestExamplesPrintTheirGoldenFiles(t *testing.T) {
	t.Parallel()
	bin := copyExamples(t)
	for _, name := range exampleNames(t) {
		if slices.Contains([]string{"backfill", "devserver", "doctor", "watch"}, name) {
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

// examples is a program that runs the example that its first argument names.
type examples string

// built is the directory of the examples. TestMain makes it, the first test that
// needs the examples fills it.
var built struct {
	sync.Mutex
	dir  string
	done bool
}

// runExample runs an example with the other arguments.
const runExample = `package main

import (
	"os"
IMPORTS)

func main() {
	os.Args = os.Args[1:]
	map[string]func(){EXAMPLES}[os.Args[0]]()
}
`

// copyExamples copies the examples into an empty module that requires this one, as a
// user does. One binary has them all, as linking takes the most time: main becomes Main.
func copyExamples(t *testing.T) examples {
	built.Lock()
	defer built.Unlock()
	bin := filepath.Join(built.dir, "bin", "run")
	if built.done {
		return examples(bin)
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
	place := func(file, text string) {
		file = filepath.Join(built.dir, filepath.FromSlash(file))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	var imports, table strings.Builder
	for _, name := range exampleNames(t) {
		files, err := filepath.Glob(filepath.Join(root, "examples", name, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			place(name+"/"+filepath.Base(file), strings.NewReplacer(
				"\npackage main\n", "\npackage "+name+"\n", "\nfunc main() {\n", "\nfunc Main() {\n").Replace("\n"+string(text)))
		}
		fmt.Fprintf(&imports, "\t\"example.com/copy/%s\"\n", name)
		fmt.Fprintf(&table, "%q: %s.Main, ", name, name)
	}
	place("run/main.go", strings.NewReplacer("IMPORTS", imports.String(), "EXAMPLES", table.String()).Replace(runExample))
	place("go.mod", string(goMod))
	place("go.sum", string(goSum))
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Dir(bin)+string(filepath.Separator), "./run")
	build.Dir, build.Env = built.dir, append(os.Environ(), "GOWORK=off")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	built.done = true
	return examples(bin)
}

// run runs an example in a directory, without a key, and returns what it printed
// to standard output.
func (e examples) run(t *testing.T, dir, name string, args ...string) string {
	c := exec.CommandContext(t.Context(), string(e), append([]string{name}, args...)...)
	c.Dir = dir
	c.Env = append(os.Environ(), "HELIUS_API_KEY=")
	var notes strings.Builder
	c.Stderr = &notes
	out, err := c.Output()
	require.NoError(t, err, "%s %v: %s", name, args, notes.String())
	require.NotEmpty(t, out, "%s %v", name, args)
	return string(out)
}
