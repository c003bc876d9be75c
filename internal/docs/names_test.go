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

// written is a name such as compressed.TokenPoolOwner in a comment, and link one in brackets
// that is not of another package.
var (
	written   = regexp.MustCompile(`\b([a-z]+)\.([A-Z]\w*)(?:\.([A-Z]\w*))?`)
	localLink = regexp.MustCompile(`\[([A-Z]\w*)(?:\.(\w+))?\]`)
)

// Names in comments exist: those with the name of a package of ours, and links in brackets.
func TestNamesInCommentsExist(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	comments := map[string][]string{} // by package
	for _, dir := range packageDirs(t) {
		set, files, _ := parseDir(t, dir)
		for _, file := range files {
			for _, group := range file.Comments {
				comments[path.Base(dir)] = append(comments[path.Base(dir)], group.Text())
			}
		}
		pkg, err := doc.NewFromFiles(set, files, dir)
		require.NoError(t, err)
		known[path.Base(dir)] = true
		for _, name := range packageNames(pkg) {
			known[path.Base(dir)+"."+name] = true
		}
	}
	var missing []string
	for base, texts := range comments {
		for _, text := range texts {
			for line := range strings.Lines(text) {
				if strings.HasPrefix(line, "\t") {
					continue // code, which is compiled
				}
				for _, m := range written.FindAllStringSubmatch(line, -1) {
					method := m[2] == "Client" && m[3] != "" && !known[m[0]]
					if known[m[1]] && (!known[m[1]+"."+m[2]] || method) {
						missing = append(missing, "package "+base+": "+m[0])
					}
				}
				for _, m := range localLink.FindAllStringSubmatch(line, -1) {
					if !known[base+"."+m[1]] {
						missing = append(missing, "package "+base+": "+m[0])
					}
				}
			}
		}
	}
	require.Empty(t, missing)
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
