package faults_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEveryRowOfTheTableHasItsTests(t *testing.T) {
	t.Parallel()
	known, tests := map[string]bool{}, map[string]bool{}
	for _, dir := range []string{"../../types", "../../wallet", "../../compressed", "../../rpc", "../../webhooks", "../transport", "../paging", "."} {
		files, err := filepath.Glob(dir + "/*_test.go")
		require.NoError(t, err)
		for _, file := range files {
			readTests(t, file, known, tests)
		}
	}
	require.Greater(t, len(known), 100)
	for _, r := range slices.Concat(table, receiving) {
		require.NotEmpty(t, r.does, r.happens)
		require.NotEmpty(t, strings.Fields(r.cases+r.tests), r.happens)
		for c := range strings.SplitSeq(r.cases, "\n") {
			if c = strings.TrimSpace(c); c != "" {
				require.True(t, known[c], "%s: there is no case %q, or it stands twice", r.happens, c)
				known[c] = false
			}
		}
		for name := range strings.FieldsSeq(r.tests) {
			require.True(t, tests[name], "%s: there is no test %s", r.happens, name)
		}
	}
	for c, left := range known {
		require.False(t, left, "the case %q stands in no row", c)
	}
}

// A row is dropped in two places or in none.
func TestTablesHaveTheRowsTheyMustHave(t *testing.T) {
	t.Parallel()
	for _, each := range []struct {
		rows []row
		want []string
	}{{table, clientsMeet}, {receiving, receiversMeet}} {
		var got []string
		for _, r := range each.rows {
			got = append(got, r.happens)
		}
		require.Equal(t, each.want, got)
	}
}

// readTests notes the tests of a file by package, and the rows of the tables
// failures and connections by the text that begins them.
func readTests(t *testing.T, file string, known, tests map[string]bool) {
	t.Helper()
	source, err := os.ReadFile(file)
	require.NoError(t, err)
	parsed, err := parser.ParseFile(token.NewFileSet(), file, source, parser.SkipObjectResolution)
	require.NoError(t, err)
	in := strings.TrimSuffix(parsed.Name.Name, "_test")
	for _, d := range parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				tests[in+"."+d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				v, ok := spec.(*ast.ValueSpec)
				if !ok || in != "transport" || v.Names[0].Name != "failures" && v.Names[0].Name != "connections" {
					continue
				}
				rows, _ := v.Values[0].(*ast.CompositeLit)
				for _, each := range rows.Elts {
					cells, _ := each.(*ast.CompositeLit)
					first, _ := cells.Elts[0].(*ast.BasicLit)
					name, err := strconv.Unquote(first.Value)
					require.NoError(t, err)
					known[name] = true
				}
			}
		}
	}
}
