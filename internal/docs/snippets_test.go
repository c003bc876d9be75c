package docs_test

import (
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Text blocks show the output of an example program or of an Example.
func TestOutputIsThatOfAProgram(t *testing.T) {
	t.Parallel()
	outputs := sources(t, "examples/*/testdata/*.txt")
	for _, dir := range append(packageDirs(t), "internal/docs") {
		_, _, tests := parseDir(t, dir)
		for _, e := range doc.Examples(tests...) {
			outputs = append(outputs, lines(e.Output))
		}
	}
	for _, d := range documents(t) {
		for _, b := range d.code {
			if b.lang == "text" {
				require.True(t, contains(outputs, b.text), "%s: no example prints this:\n%s", b.at, b.text)
			}
		}
	}
}

func isProgram(b block) bool { return strings.Contains("\n"+b.text, "\npackage main\n") }

// sources returns the lines of each file that matches a pattern.
func sources(t *testing.T, patterns ...string) [][]string {
	var all [][]string
	for _, pattern := range patterns {
		names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		require.NoError(t, err)
		for _, name := range names {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			all = append(all, lines(string(text)))
		}
	}
	return all
}

// lines returns the lines of a text without indentation and blank lines.
func lines(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	return all
}

// contains reports whether the lines of text follow each other in one of all.
func contains(all [][]string, text string) bool {
	want := lines(text)
	return slices.ContainsFunc(all, func(have []string) bool {
		for i := range len(have) - len(want) + 1 {
			if slices.Equal(have[i:i+len(want)], want) {
				return true
			}
		}
		return false
	})
}

// packageDirs returns the directories of the packages that users import.
func packageDirs(t *testing.T) []string {
	var dirs []string
	require.NoError(t, fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if slices.Contains([]string{"examples", "internal", "testdata", ".git", ".ci", "docs"}, d.Name()) {
			return fs.SkipDir
		}
		if _, files, _ := parseDir(t, path); len(files) > 0 {
			dirs = append(dirs, path)
		}
		return nil
	}))
	require.NotEmpty(t, dirs)
	return dirs
}

// commentBlocks returns the Go code in the comment of a package. Preformatted text
// that is not Go, such as a table, is left out.
func commentBlocks(t *testing.T, dir string) []block {
	var all []block
	_, files, _ := parseDir(t, dir)
	for _, f := range files {
		for _, part := range content(f) {
			if code, ok := part.(*comment.Code); ok && isGo(code.Text) {
				all = append(all, block{lang: "go", text: code.Text, at: "the comment of package " + dir})
			}
		}
	}
	return all
}

func isGo(text string) bool {
	_, program := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly)
	_, fragment := parser.ParseFile(token.NewFileSet(), "", "package p; func _() {\n"+text+"}", 0)
	return program == nil || fragment == nil
}

func content(f *ast.File) []comment.Block {
	return new(comment.Parser).Parse(f.Doc.Text()).Content
}
