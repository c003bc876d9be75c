package docs_test

import (
	"cmp"
	"go/ast"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever a user can name has a comment, above it or at the end of its line.
// Names of one line share it, and so do the constants of a block; fields that
// merely stand together do not.
func TestExportedNamesAreExplained(t *testing.T) {
	t.Parallel()
	for _, dir := range packages {
		names := explanations(parse(t, dir, func(name string) bool { return !isTest(name) }).files)
		require.NotEmpty(t, names, dir)
		for name, comment := range names {
			if comment == "" {
				t.Errorf("%s.%s has no comment", dir, name)
			}
		}
	}
}

// explanations returns the exported names with their comments.
func explanations(files []*ast.File) map[string]string {
	all := map[string]string{}
	note := func(of string, names []*ast.Ident, comments ...*ast.CommentGroup) {
		for _, n := range names {
			if n.IsExported() {
				text := ""
				for _, c := range comments {
					text = cmp.Or(text, c.Text())
				}
				all[of+n.Name] = text
			}
		}
	}
	var members func(of string, kind ast.Expr)
	members = func(of string, kind ast.Expr) {
		var list *ast.FieldList
		switch kind := kind.(type) {
		case *ast.StructType:
			list = kind.Fields
		case *ast.InterfaceType:
			list = kind.Methods
		default:
			return
		}
		for _, f := range list.List {
			note(of, f.Names, f.Doc, f.Comment)
			for _, n := range f.Names {
				members(of+n.Name+".", f.Type)
			}
		}
	}
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				of := receiver(d)
				if of == "" || ast.IsExported(of) {
					note(of, []*ast.Ident{d.Name}, d.Doc)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.ValueSpec:
						note("", s.Names, s.Doc, s.Comment, d.Doc)
					case *ast.TypeSpec:
						note("", []*ast.Ident{s.Name}, s.Doc, s.Comment, d.Doc)
						if s.Name.IsExported() {
							members(s.Name.Name+".", s.Type)
						}
					}
				}
			}
		}
	}
	return all
}
