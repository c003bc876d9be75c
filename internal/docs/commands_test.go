package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A command is looked at word by word. Those that run examples are run too, as
// the processes that they start.
func TestCommandsExist(t *testing.T) {
	t.Parallel()
	checked := 0
	for _, d := range documents(t) {
		for _, b := range d.code {
			for line := range strings.Lines(b.text) {
				if b.lang == "sh" {
					for part := range strings.SplitSeq(line, "&&") {
						checkCommand(t, b.at, strings.Fields(part))
						checked++
					}
				}
			}
		}
		for _, s := range d.spans() {
			if words := strings.Fields(s); len(words) > 1 && regexp.MustCompile(`^(go|make|bash|git)$`).MatchString(words[0]) {
				checkCommand(t, d.name, words)
				checked++
			}
		}
	}
	require.NotZero(t, checked)
}

func checkCommand(t *testing.T, at string, words []string) {
	for len(words) > 0 && regexp.MustCompile(`^[A-Z_]+=`).MatchString(words[0]) {
		words = words[1:]
	}
	require.NotEmpty(t, words, at)
	at += ": " + strings.Join(words, " ")
	switch words[0] {
	case "go":
		checkGo(t, at, words[1:])
	case "make":
		makefile, err := os.ReadFile(root + "/Makefile")
		require.NoError(t, err)
		has := strings.Contains(string(makefile), "\n"+words[1]+":")
		require.True(t, has, "%s: no target %s", at, words[1])
	case "bash":
		require.Equal(t, ".ci/run", words[1], at)
		gate, err := os.ReadFile(root + "/.ci/run")
		require.NoError(t, err)
		for _, step := range words[2:] {
			has := strings.Contains(string(gate), "\nstep_"+step+"() {\n")
			require.True(t, has, "%s: no step %s", at, step)
		}
	case "git", "cd", "export": // nothing of ours
	case "curl": // the test of the devserver runs those that it prints
	default:
		require.Fail(t, "a program that no newcomer has", at)
	}
}

var flagName = regexp.MustCompile(`\.(?:Bool|Duration|Float64|Int|String|Uint)(?:Var)?\((?:&[\w.]+, )?"([\w-]+)"`)

func checkGo(t *testing.T, at string, words []string) {
	switch words[0] {
	case "run":
		dir := filepath.Join(root, words[1])
		program, err := filepath.Glob(dir + "/*.go")
		require.NoError(t, err)
		shared, err := filepath.Glob(root + "/examples/internal/demo/*.go")
		require.NoError(t, err)
		flags := map[string]bool{}
		main := false
		for _, file := range append(shared, program...) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			main = main || strings.Contains(string(text), "\npackage main\n")
			for _, m := range flagName.FindAllStringSubmatch(string(text), -1) {
				flags[m[1]] = true
			}
		}
		require.True(t, main, "%s: no program", at)
		for _, word := range words[2:] {
			if name, isFlag := strings.CutPrefix(word, "-"); isFlag {
				require.True(t, flags[name], "%s: %s has no flag %s", at, words[1], name)
			}
		}
	case "test", "vet":
		for _, word := range words[1:] {
			if dir, ok := strings.CutPrefix(word, "./"); ok {
				_, err := os.Stat(filepath.Join(root, strings.TrimSuffix(dir, "...")))
				require.NoError(t, err, at)
			}
		}
	case "get":
		words = words[1:]
		if words[0] == "-tool" {
			words = words[1:]
		}
		for _, module := range words {
			require.Regexp(t, `^(github\.com/solwire/solwire-go|golang\.org/x/time)\b`, module, at)
		}
	case "doc":
		dir := strings.TrimPrefix(words[1], "./")
		require.Contains(t, packages, dir, at)
		names := exported(t, dir)
		for _, name := range words[2:] {
			require.Contains(t, names, name, at)
		}
	default:
		require.Fail(t, "unknown command", at)
	}
}
