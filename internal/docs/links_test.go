package docs_test

import (
	"cmp"
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

// packagePages is where the documentation of packages is published.
const packagePages = "https://pkg.go.dev/github.com/solwire/solwire-go"

var link = regexp.MustCompile(`\]\(([^)\s]*)\)`) // a badge is a link around another

func TestLinksResolve(t *testing.T) {
	t.Parallel()
	all := map[string]document{}
	for _, d := range documents(t) {
		all[d.name] = d
	}
	for _, d := range all {
		for i, line := range strings.Split(d.prose, "\n") {
			for _, m := range link.FindAllStringSubmatch(line, -1) {
				target, anchor, _ := strings.Cut(m[1], "#")
				if dir, ours := strings.CutPrefix(target, packagePages); ours {
					checkPackageLink(t, d.at(i), dir, anchor)
					continue
				}
				if strings.HasPrefix(target, "https://") {
					continue
				}
				file := d.name
				if target != "" {
					file = path.Join(path.Dir(d.name), target)
					require.FileExists(t, filepath.Join(root, file), d.at(i))
				}
				if to := all[file]; anchor != "" {
					require.Contains(t, to.anchors(), anchor, "%s: %s", d.at(i), m[1])
				}
			}
		}
	}
}

// checkPackageLink checks a link to the page of a package, and its anchor. This is the name of a
// type, function or method, a heading such as hdr-Amounts, or an example such as example-Limiter
// or example-Client.Get-Missing.
func checkPackageLink(t *testing.T, at, dir, anchor string) {
	set, files, tests := parseDir(t, strings.TrimPrefix(dir, "/"), parser.ParseComments)
	require.NotEmpty(t, files, "%s: %s has no Go files", at, dir)
	if anchor == "" {
		return
	}
	anchors := []string{"pkg-overview", "pkg-index"}
	pkg, err := doc.NewFromFiles(set, files, strings.TrimPrefix(packagePages, "https://pkg.go.dev/")+dir)
	require.NoError(t, err)
	for _, block := range pkg.Parser().Parse(pkg.Doc).Content {
		if heading, ok := block.(*comment.Heading); ok {
			anchors = append(anchors, heading.DefaultID())
		}
	}
	anchors = append(anchors, packageNames(pkg)...)
	for _, e := range doc.Examples(tests...) {
		name, suffix := e.Name, ""
		if i := strings.LastIndex(name, "_"); i >= 0 && unicode.IsLower(rune(name[i+1])) {
			name, suffix = name[:i], "-"+strings.ToUpper(name[i+1:i+2])+name[i+2:]
		}
		anchors = append(anchors, "example-"+cmp.Or(strings.ReplaceAll(name, "_", "."), "package")+suffix)
	}
	require.Contains(t, anchors, anchor, at)
}

// parseDir returns the Go files of a directory of the module.
func parseDir(t *testing.T, dir string, mode parser.Mode) (set *token.FileSet, files, tests []*ast.File) {
	set = token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*.go"))
	require.NoError(t, err)
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		f, err := parser.ParseFile(set, name, text, mode)
		require.NoError(t, err)
		if strings.HasSuffix(name, "_test.go") {
			tests = append(tests, f)
		} else {
			files = append(files, f)
		}
	}
	return set, files, tests
}

func TestAnchorsAreUnique(t *testing.T) {
	t.Parallel()
	for _, d := range documents(t) {
		if d.name == "CHANGELOG.md" { // each version has the same ones
			continue
		}
		seen := map[string]bool{}
		for _, a := range d.anchors() {
			require.False(t, seen[a], "%s: %s", d.name, a)
			seen[a] = true
		}
	}
}
