package docs_test

import (
	"go/doc"
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

// Names in tables and running text exist: those with the name of a package of ours.
func TestNamesExist(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	ours := map[string]bool{}
	for _, dir := range packageDirs(t) {
		set, files, _ := parseDir(t, dir)
		pkg, err := doc.NewFromFiles(set, files, dir)
		require.NoError(t, err)
		base := path.Base(dir)
		ours[base] = true
		for _, name := range packageNames(pkg) {
			known[base+"."+name] = true
		}
	}
	for _, d := range documents(t) {
		for _, m := range qualified.FindAllStringSubmatch(d.prose, -1) {
			if name := m[1] + "." + m[2]; ours[m[1]] {
				require.True(t, known[name], "%s: %s does not exist", d.name, name)
				if m[3] != "" && m[2] == "Client" {
					require.True(t, known[name+"."+m[3]], "%s: %s.%s does not exist", d.name, name, m[3])
				}
			}
		}
		for _, m := range others.FindAllStringSubmatch(d.prose, -1) {
			for name := range strings.FieldsFuncSeq(m[2], func(r rune) bool { return r == '`' || r == ',' || r == ' ' }) {
				require.True(t, known[m[1]+"."+name], "%s: %s.%s does not exist", d.name, m[1], name)
			}
		}
	}
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
