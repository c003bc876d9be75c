package docs_test

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Commands in sh blocks and tables: commands that run an example are run without a key, and the
// others are checked. The tests need neither make nor Bash.
func TestCommandsRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, d := range documents(t) {
		for _, command := range commands(d) {
			words := strings.Fields(command)
			switch {
			// runs until it is stopped; its tests start it
			case strings.HasPrefix(command, "go run ./examples/devserver"):
				require.FileExists(t, filepath.Join(root, "examples/devserver/main.go"))
			case strings.HasPrefix(command, "go run ./examples/"):
				run(t, dir, filepath.Base(words[2]), words[3:]...)
			case words[0] == "go" && words[1] == "doc":
				c := exec.CommandContext(t.Context(), "go", words[1:]...)
				c.Dir = root
				out, err := c.CombinedOutput()
				require.NoError(t, err, "%s: %s", command, out)
			default:
				checkCommand(t, ".", command)
			}
		}
	}
}

// Commands in the Makefile, the gate, the workflow, and the comments and messages of Go files.
func TestCommandsOfSourcesAreRight(t *testing.T) {
	t.Parallel()
	makefile := strings.NewReplacer("\\\n", " ", "$$", "$").Replace(read(t, "Makefile"))
	for _, text := range []string{makefile, read(t, ".ci/run"), read(t, ".github/workflows/ci.yml")} {
		for line := range strings.Lines(text) {
			command := strings.TrimPrefix(strings.TrimSpace(line), "- run: ")
			if strings.HasPrefix(command, "go test ") || strings.HasPrefix(command, "bash ") {
				checkCommand(t, ".", command)
			}
		}
	}
	found, tests := 0, map[string]bool{}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || filepath.Dir(path) == "." {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		check := func(text string) {
			for _, m := range inSource.FindAllStringSubmatch(text, -1) {
				found++
				checkCommand(t, strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), root+"/"), cmp.Or(m[1], m[2]))
			}
		}
		for _, d := range file.Decls {
			if function, ok := d.(*ast.FuncDecl); ok {
				tests[function.Name.Name] = true
			}
		}
		for _, group := range file.Comments {
			check(group.Text())
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				text, _ := strconv.Unquote(literal.Value)
				check(text)
			}
			return true
		})
		return nil
	}))
	require.Greater(t, found, 15)
	for _, d := range documents(t) {
		for _, name := range regexp.MustCompile("`(Test[A-Z]\\w+)`").FindAllStringSubmatch(d.prose, -1) {
			require.True(t, tests[name[1]], "%s: %s is no test", d.name, name[1])
		}
	}
}

// inSource matches a command in a comment or a message of a Go file. It is an indented line, or
// follows "run", a colon or a quotation mark, and ends at the next punctuation mark.
var inSource = regexp.MustCompile(`(?m)^\t+((?:\w+=\S+ )?(?:go (?:test|run)|make|bash) .+)$|` +
	`(?:\b[Rr]un\s|: |["\x60])((?:go (?:test|run)|make|bash)(?: [^\s"]*[^\s".,;:)])+)`)

// checkCommand checks the names in a command: directories, tests, flags, targets and steps.
func checkCommand(t *testing.T, dir, command string) {
	t.Helper()
	words := strings.Fields(strings.NewReplacer("'", "", "`", "").Replace(command))
	for len(words) > 0 && strings.Contains(words[0], "=") { // of the environment
		words = words[1:]
	}
	if len(words) < 2 {
		return
	}
	switch words[0] {
	case "make":
		for _, target := range words[1:] {
			require.Contains(t, read(t, "Makefile"), "\n"+target+":\n", command)
		}
	case "bash":
		for _, step := range words[2:] {
			require.Contains(t, read(t, words[1]), "\nstep_"+step+"() {\n", command)
		}
	case "go":
		checkGo(t, dir, command, words)
	}
}

func checkGo(t *testing.T, dir, command string, words []string) {
	t.Helper()
	if i := slices.Index(words, "-C"); i >= 0 {
		dir = words[i+1]
	}
	for _, word := range words[2:] {
		if path, ok := strings.CutPrefix(word, "./"); ok && !strings.Contains(path, "$") {
			dir = strings.TrimSuffix(path, "...")
			require.DirExists(t, filepath.Join(root, dir), command)
		}
	}
	if words[1] != "test" || strings.Contains(command, "...") || strings.Contains(command, "$package") {
		return
	}
	var sources strings.Builder
	files, err := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		sources.Write(text)
	}
	for i, word := range words {
		name, value, inWord := strings.Cut(strings.TrimPrefix(word, "-"), "=")
		switch {
		case strings.HasPrefix(word, "-") && (name == "run" || name == "bench"):
			if !inWord {
				value = words[i+1]
			}
			require.True(t, value == "^$" || matches(sources.String(), `(?m)^func ((?:Test|Benchmark)\w+)`, value), "%s: no test of %s matches", command, dir)
		case strings.HasPrefix(word, "-") && !slices.Contains(goFlags, name):
			require.True(t, matches(sources.String(), `flag\.\w+\((?:&\w+, )?"([^"]+)"`, "^"+name+"$"), "%s: %s has no flag %s", command, dir, name)
		}
	}
}

// goFlags are flags of go test itself that commands use.
var goFlags = []string{"run", "bench", "benchtime", "count", "cpu", "fuzz", "fuzztime", "list", "race", "short", "timeout", "v", "vet"}

// matches reports whether a pattern matches a name in the sources.
func matches(sources, name, pattern string) bool {
	wanted := regexp.MustCompile(pattern)
	return slices.ContainsFunc(regexp.MustCompile(name).FindAllStringSubmatch(sources, -1), func(m []string) bool { return wanted.MatchString(m[1]) })
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(t, err)
	return string(text)
}

// commands returns the commands in the sh blocks of d and in its running text. There, they start
// with go, make or bash, or with a variable for one of them.
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
		if i%2 == 1 && inProse.MatchString(span) {
			all = append(all, span)
		}
	}
	return all
}

var inProse = regexp.MustCompile(`^([A-Z_]+=\S+ )*(go|make|bash) \S`)
