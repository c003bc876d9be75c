package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Commands in sh blocks and tables: those that run an example are run without a
// key, those that run make or the gate name a target or a step. The tests need neither
// make nor Bash.
func TestCommandsRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, d := range documents(t) {
		for _, command := range commands(d) {
			words := strings.Fields(command)
			switch {
			case strings.HasPrefix(command, "go run ./examples/devserver"): // runs until it is stopped; its tests start it
				require.FileExists(t, filepath.Join(root, "examples/devserver/main.go"))
			case strings.HasPrefix(command, "go run ./examples/"):
				run(t, dir, filepath.Base(words[2]), words[3:]...)
			case strings.HasPrefix(command, "go run -C "): // an example that is a module
				require.FileExists(t, filepath.Join(root, words[3], "main.go"))
			case words[0] == "go" && (words[1] == "test" || words[1] == "run"):
				for _, word := range words[2:] {
					if dir, ok := strings.CutPrefix(word, "./"); ok {
						require.DirExists(t, filepath.Join(root, strings.TrimSuffix(dir, "...")), command)
					}
				}
			case words[0] == "go" && words[1] == "doc":
				c := exec.CommandContext(t.Context(), "go", words[1:]...)
				c.Dir = root
				out, err := c.CombinedOutput()
				require.NoError(t, err, "%s: %s", command, out)
			case words[0] == "make":
				makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
				require.NoError(t, err)
				for _, target := range words[1:] {
					require.Contains(t, string(makefile), "\n"+target+":\n", command)
				}
			case words[0] == "bash":
				gate, err := os.ReadFile(filepath.Join(root, words[1]))
				require.NoError(t, err)
				for _, step := range words[2:] {
					require.Contains(t, string(gate), "\nstep_"+step+"() {\n", command)
				}
			}
		}
	}
}

// commands returns the commands in the sh blocks of d, and those in its running
// text that start with go, make or bash.
func commands(d document) []string {
	var all []string
	for _, b := range d.code {
		if b.lang == "sh" {
			for line := range strings.Lines(b.text) {
				all = append(all, strings.Split(strings.TrimSpace(line), " && ")...)
			}
		}
	}
	for i, span := range strings.Split(d.prose, "`") {
		if name, rest, _ := strings.Cut(span, " "); i%2 == 1 && rest != "" && (name == "go" || name == "make" || name == "bash") {
			all = append(all, span)
		}
	}
	return all
}
