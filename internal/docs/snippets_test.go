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
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// packages are those that a user imports.
var packages = []string{"types", "types/txtype", "rpc", "compressed", "wallet", "webhooks"}

// Each piece of Go in the documentation stands, but for its indentation, in a
// Go file, and a test runs it.
func TestSnippetsRun(t *testing.T) {
	t.Parallel()
	run := programs(t)
	for _, b := range snippets(t) {
		require.True(t, run.contain(b.text), "%s: no test runs this:\n%s", b.at, b.text)
	}
}

func TestOutputIsThatOfATest(t *testing.T) {
	t.Parallel()
	var outputs []string
	goldens, err := filepath.Glob(root + "/examples/*/testdata/*.txt")
	require.NoError(t, err)
	for _, file := range goldens {
		golden, err := os.ReadFile(file)
		require.NoError(t, err)
		outputs = append(outputs, "\n"+string(golden))
	}
	for _, p := range programs(t) {
		for _, e := range doc.Examples(p.files...) {
			outputs = append(outputs, "\n"+e.Output)
		}
	}
	for _, d := range documents(t) {
		for _, b := range d.code {
			found := b.lang != "text"
			for _, o := range outputs {
				found = found || strings.Contains(o, "\n"+b.text)
			}
			require.True(t, found, "%s: no golden file and no example prints this:\n%s", b.at, b.text)
		}
	}
}

// snippets returns the Go code in Markdown files and in package comments.
func snippets(t *testing.T) []block {
	var all []block
	for _, d := range documents(t) {
		for _, b := range d.code {
			if b.lang == "go" {
				all = append(all, b)
			}
		}
	}
	for _, dir := range packages {
		for _, f := range parse(t, dir, func(name string) bool { return name == "doc.go" }).files {
			parsed := new(comment.Parser).Parse(f.Doc.Text())
			for _, part := range parsed.Content {
				if code, ok := part.(*comment.Code); ok {
					all = append(all, block{"go", code.Text, dir + "/doc.go"})
				}
			}
		}
	}
	require.NotEmpty(t, all)
	return all
}

// A program is a directory of Go files.
type program struct {
	set   *token.FileSet
	files []*ast.File
	texts []string        // of the files
	ran   map[string]bool // functions that a test or an example with output reaches by name
}

type collection []*program

// programs returns what documentation may quote: the examples, the tests of
// this package and the programs beneath it, and the module that uses this one.
func programs(t *testing.T) collection {
	var mains []string
	for _, pattern := range []string{"/examples/*/main.go", "/internal/docs/*/main.go"} {
		found, err := filepath.Glob(root + pattern)
		require.NoError(t, err)
		mains = append(mains, found...)
	}
	all := collection{
		parse(t, "internal/docs", isTest),
		parse(t, "internal/testdata/consumer", isTest),
	}
	for _, file := range mains {
		dir, err := filepath.Rel(root, filepath.Dir(file))
		require.NoError(t, err)
		all = append(all, parse(t, dir, func(string) bool { return true }))
	}
	return all
}

func isTest(name string) bool { return strings.HasSuffix(name, "_test.go") }

func parse(t *testing.T, dir string, want func(string) bool) *program {
	p := &program{set: token.NewFileSet(), ran: map[string]bool{}}
	require.NoError(t, fs.WalkDir(os.DirFS(filepath.Join(root, dir)), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != ".":
			return fs.SkipDir
		case filepath.Ext(path) != ".go" || !want(path):
			return nil
		}
		text, err := os.ReadFile(filepath.Join(root, dir, path))
		require.NoError(t, err)
		f, err := parser.ParseFile(p.set, path, text, parser.ParseComments)
		require.NoError(t, err)
		p.files, p.texts = append(p.files, f), append(p.texts, string(text))
		return nil
	}))
	p.findRan()
	return p
}

func (p *program) findRan() {
	bodies := map[string]*ast.BlockStmt{}
	var run func(name string)
	run = func(name string) {
		if p.ran[name] || bodies[name] == nil {
			return
		}
		p.ran[name] = true
		ast.Inspect(bodies[name], func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				run(id.Name)
			}
			return true
		})
	}
	var roots []string
	for _, f := range p.files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				bodies[fn.Name.Name] = fn.Body
				if strings.HasPrefix(fn.Name.Name, "Test") {
					roots = append(roots, fn.Name.Name)
				}
			}
		}
	}
	for _, e := range doc.Examples(p.files...) {
		if e.Output != "" {
			roots = append(roots, "Example"+e.Name)
		}
	}
	for _, name := range roots {
		run(name)
	}
}

func (c collection) contain(code string) bool {
	for _, p := range c {
		for i, text := range p.texts {
			for tabs := range 5 {
				at := strings.Index("\n"+text, "\n"+indented(code, tabs))
				if at >= 0 && p.runs(p.files[i], at, at+len(indented(code, tabs))) {
					return true
				}
			}
		}
	}
	return false
}

// indented returns code as it stands inside a function.
func indented(code string, tabs int) string {
	lines := strings.SplitAfter(code, "\n")
	for i, line := range lines {
		if strings.TrimSpace(line) != "" {
			lines[i] = strings.Repeat("\t", tabs) + line
		}
	}
	return strings.Join(lines, "")
}

// runs reports whether every function that has a part between two offsets of a
// file is run. Main is not: what it calls is.
func (p *program) runs(f *ast.File, start, end int) bool {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Name.Name == "main" {
			continue
		}
		overlaps := p.set.Position(fn.Pos()).Offset < end && start < p.set.Position(fn.End()).Offset
		if overlaps && !p.ran[fn.Name.Name] {
			return false
		}
	}
	return true
}
