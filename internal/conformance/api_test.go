package conformance_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// publicPackages lists the directories that a user's program can import.
func publicPackages(t *testing.T) []string {
	t.Helper()
	var dirs []string
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		switch entry.Name() {
		case "internal", "examples", "testdata", "docs", ".git", ".ci":
			return filepath.SkipDir
		}
		if nested, _ := filepath.Glob(filepath.Join(path, "go.mod")); nested != nil && path != "../.." {
			return filepath.SkipDir
		}
		if files, _ := filepath.Glob(filepath.Join(path, "*.go")); files != nil && path != "../.." {
			dirs = append(dirs, path)
		}
		return nil
	})
	require.NoError(t, err)
	return dirs
}

// declarations prints the exported declarations of a package without comments.
func declarations(t *testing.T, dir string) string {
	t.Helper()
	fset := token.NewFileSet()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	var files []*ast.File
	for _, name := range paths {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		files = append(files, file)
	}
	pkg, err := doc.NewFromFiles(fset, files, dir)
	require.NoError(t, err)
	var b strings.Builder
	b.WriteString("package " + pkg.Name + "\n")
	show := func(decl ast.Decl) {
		ast.Inspect(decl, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GenDecl:
				n.Doc = nil
			case *ast.FuncDecl:
				n.Doc = nil
			case *ast.Field:
				n.Doc, n.Comment = nil, nil
			case *ast.ValueSpec:
				n.Doc, n.Comment = nil, nil
			case *ast.TypeSpec:
				n.Doc, n.Comment = nil, nil
			}
			return true
		})
		b.WriteString("\n")
		require.NoError(t, (&printer.Config{Mode: printer.UseSpaces, Tabwidth: 4}).Fprint(&b, fset, decl))
		b.WriteString("\n")
	}
	values := func(list []*doc.Value) {
		for _, v := range list {
			show(v.Decl)
		}
	}
	functions := func(list []*doc.Func) {
		for _, f := range list {
			show(f.Decl)
		}
	}
	values(pkg.Consts)
	values(pkg.Vars)
	functions(pkg.Funcs)
	for _, typ := range pkg.Types {
		show(typ.Decl)
		values(typ.Consts)
		values(typ.Vars)
		functions(typ.Funcs)
		functions(typ.Methods)
	}
	return b.String()
}

// The snapshot is text, so that a review shows what a change does to the exported
// API. To write it: go test ./internal/conformance -update.
func TestExportedAPIMatchesSnapshot(t *testing.T) {
	t.Parallel()
	for _, dir := range publicPackages(t) {
		relative, err := filepath.Rel("../..", dir)
		require.NoError(t, err)
		file := filepath.Join("testdata/api", strings.ReplaceAll(filepath.ToSlash(relative), "/", ".")+".txt")
		api := declarations(t, dir)
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(api), 0o600))
			continue
		}
		want, err := os.ReadFile(file)
		require.NoError(t, err, "run go test ./internal/conformance -update")
		require.Equal(t, string(want), api, "run go test ./internal/conformance -update, and say what changed in CHANGELOG.md")
	}
}
