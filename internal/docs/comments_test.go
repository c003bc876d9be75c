package docs_test

import (
	"cmp"
	"go/ast"
	"regexp"
	"strings"
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

var walks = regexp.MustCompile(`^Client\.(All\w+|\w+Pages)$`)

// Who reads about options or a walk alone learns what nil options are, and what
// a walk costs and how it fails.
func TestOptionsAndWalksAreExplained(t *testing.T) {
	t.Parallel()
	options, walked := 0, 0
	for _, dir := range packages {
		for name, comment := range explanations(parse(t, dir, func(name string) bool { return !isTest(name) }).files) {
			if strings.HasSuffix(name, "Options") {
				require.Regexp(t, `(?i)\bzero\s+value,\s+like\s+nil,`, comment, dir+"."+name)
				options++
			}
			if walks.MatchString(name) {
				require.Regexp(t, `\bcosts?\b`, comment, dir+"."+name)
				require.Regexp(t, `\berrors?\b`, comment, dir+"."+name)
				walked++
			}
		}
	}
	require.Equal(t, 6, options)
	require.Equal(t, 11, walked, "two for each listing, and one for that of rpc")
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
