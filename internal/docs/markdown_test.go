package docs_test

import (
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

const root = "../.."

// A document is a Markdown file.
type document struct {
	name  string // relative to the root of the module
	prose string // without the code blocks; lines keep their numbers
	code  []block
}

// A block is a piece of code in a document or in a package comment.
type block struct {
	lang string
	text string
	at   string // file and line, for messages

	given string // declarations that a comment before it has
}

var (
	fence     = regexp.MustCompile("^```([a-z]*)$")
	inComment = regexp.MustCompile("^<!-- ((?:var|func|type|const) .*) -->$")
)

// documents returns all Markdown files of the module.
func documents(t *testing.T) []document {
	var all []document
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if err == nil && filepath.Ext(path) == ".md" {
			all = append(all, readDocument(t, path))
		}
		return err
	}))
	require.NotEmpty(t, all)
	return all
}

func readDocument(t *testing.T, path string) document {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	name, err := filepath.Rel(root, path)
	require.NoError(t, err)
	d := document{name: filepath.ToSlash(name)}
	var open *block
	var given string
	for i, line := range strings.Split(string(text), "\n") {
		m := fence.FindStringSubmatch(line)
		switch {
		case m != nil && open == nil:
			open = &block{lang: m[1], at: d.at(i), given: given}
			given = ""
		case m != nil:
			d.code = append(d.code, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		default:
			if m := inComment.FindStringSubmatch(line); m != nil {
				given += m[1] + "\n"
			}
			d.prose += line
		}
		d.prose += "\n"
	}
	require.Nil(t, open, "%s: a code block has no end", d.name)
	return d
}

func (d *document) at(line int) string { return d.name + ":" + strconv.Itoa(line+1) }

// anchors returns the anchors of the headings.
func (d *document) anchors() []string {
	var all []string
	for _, m := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(d.prose, -1) {
		all = append(all, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, m[1]))
	}
	return all
}

// Text blocks show the output of an example program or of an Example.
func TestOutputIsThatOfAProgram(t *testing.T) {
	t.Parallel()
	outputs := sources(t, "examples/*/testdata/*.txt")
	for _, dir := range append(packageDirs(t), "internal/docs") {
		_, _, tests := parseDir(t, dir, parser.ParseComments)
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
		if slices.Contains([]string{"examples", "internal", "testdata", ".git", ".ci", "docs", "prometheus"}, d.Name()) { // the last one is a module of its own
			return fs.SkipDir
		}
		files, err := filepath.Glob(filepath.Join(root, path, "*.go"))
		if slices.ContainsFunc(files, func(name string) bool { return !strings.HasSuffix(name, "_test.go") }) {
			dirs = append(dirs, path)
		}
		return err
	}))
	require.NotEmpty(t, dirs)
	return dirs
}

// commentBlocks returns the Go code in the comment of a package. Preformatted text
// that is not Go, such as a table, is left out.
func commentBlocks(t *testing.T, dir string) []block {
	var all []block
	_, files, _ := parseDir(t, dir, parser.PackageClauseOnly|parser.ParseComments)
	for _, f := range files {
		for _, part := range new(comment.Parser).Parse(f.Doc.Text()).Content {
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
