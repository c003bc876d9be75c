package docs_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// qualified is a name such as wallet.Client.Balances in running text.
var qualified = regexp.MustCompile("`(\\w+)\\.([A-Z]\\w*)(?:\\.([A-Z]\\w*))?")

// others are the names that follow a method of a Client in a list: the rest is the same.
var others = regexp.MustCompile("`(\\w+\\.Client)\\.\\w+`((?:, `[A-Z]\\w*`)+)")

// written is a name such as compressed.TokenPoolOwner in a comment, and link one in brackets
// that is not of another package.
var (
	written   = regexp.MustCompile(`\b([a-z]+)\.([A-Z]\w*)(?:\.([A-Z]\w*))?`)
	localLink = regexp.MustCompile(`\[([A-Z]\w*)(?:\.(\w+))?\]`)
)

// Names in tables, running text and comments exist, if they begin with a package of ours or, in
// comments, are links in brackets.
func TestNamesExist(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}           // packages and their names
	comments := map[string][]*ast.File{} // by package
	for _, dir := range packageDirs(t) {
		set, files, _ := parseDir(t, dir, parser.ParseComments)
		pkg, err := doc.NewFromFiles(set, files, dir)
		require.NoError(t, err)
		base := path.Base(dir)
		comments[base] = append(comments[base], files...)
		known[base] = true
		for _, name := range packageNames(pkg) {
			known[base+"."+name] = true
		}
	}
	var missing []string
	check := func(at, text string, names *regexp.Regexp) {
		for _, m := range names.FindAllStringSubmatch(text, -1) {
			name := m[1] + "." + m[2]
			method := m[2] == "Client" && m[3] != "" && !known[name+"."+m[3]]
			if known[m[1]] && (!known[name] || method) {
				missing = append(missing, at+": "+m[0])
			}
		}
	}
	for _, d := range documents(t) {
		check(d.name, d.prose, qualified)
		for _, m := range others.FindAllStringSubmatch(d.prose, -1) {
			for name := range strings.FieldsFuncSeq(m[2], func(r rune) bool { return r == '`' || r == ',' || r == ' ' }) {
				check(d.name, "`"+m[1]+"."+name, qualified)
			}
		}
	}
	for base, files := range comments {
		for _, file := range files {
			for _, group := range file.Comments {
				for line := range strings.Lines(group.Text()) {
					if strings.HasPrefix(line, "\t") {
						continue // code, which is compiled
					}
					check("package "+base, line, written)
					for _, m := range localLink.FindAllStringSubmatch(line, -1) {
						if !known[base+"."+m[1]] {
							missing = append(missing, "package "+base+": "+m[0])
						}
					}
				}
			}
		}
	}
	require.Empty(t, missing, "these names do not exist")
}

// packageNames returns the exported names of a package, and methods as Type.Method.
func packageNames(pkg *doc.Package) []string {
	var names []string
	values := append(pkg.Consts, pkg.Vars...)
	funcs := pkg.Funcs
	for _, typ := range pkg.Types {
		names = append(names, typ.Name)
		values = append(append(values, typ.Consts...), typ.Vars...)
		funcs = append(funcs, typ.Funcs...)
		for _, m := range typ.Methods {
			names = append(names, typ.Name+"."+m.Name)
		}
	}
	for _, v := range values {
		names = append(names, v.Names...)
	}
	for _, f := range funcs {
		names = append(names, f.Name)
	}
	return names
}
