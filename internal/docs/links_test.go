package docs_test

import (
	"cmp"
	"go/doc"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

var link = regexp.MustCompile(`\[[^\]\n]*\]\(([^)\s]*)\)`)

func TestLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	all := map[string]document{}
	for _, d := range documents(t) {
		all[d.name] = d
	}
	published := 0
	for _, d := range all {
		for i, line := range strings.Split(d.prose, "\n") {
			for _, m := range link.FindAllStringSubmatch(line, -1) {
				target, anchor, _ := strings.Cut(m[1], "#")
				if of, ours := strings.CutPrefix(target, pages); ours {
					dir := strings.TrimPrefix(of, "/")
					require.Contains(t, packages, dir, d.at(i))
					if anchor != "" {
						require.Contains(t, pageAnchors(t, dir), anchor, "%s: %s", d.at(i), m[1])
					}
					published++
				}
				if strings.HasPrefix(target, "https://") {
					continue
				}
				require.NotRegexp(t, `^(\w+:|/)`, target, "%s: a relative link or one to https is due", d.at(i))
				file := d.name
				if target != "" {
					file = path.Join(path.Dir(d.name), target)
					_, err := os.Stat(path.Join(root, file))
					require.NoError(t, err, d.at(i))
				}
				if anchor != "" {
					to := all[file]
					require.Contains(t, to.anchors(), anchor, "%s: %s", d.at(i), m[1])
				}
			}
		}
	}
	require.NotZero(t, published)
}

// pages is where the documentation of this module is published.
const pages = "https://pkg.go.dev/github.com/solwire/solwire-go"

// pageAnchors returns what the page of a package can be linked by: names, and
// examples such as example-Limiter or example-Client.Get-Missing.
func pageAnchors(t *testing.T, dir string) []string {
	anchors := slices.Collect(maps.Keys(exported(t, dir)))
	for _, e := range doc.Examples(parse(t, dir, isTest).files...) {
		name, suffix := e.Name, ""
		if i := strings.LastIndex(name, "_"); i >= 0 && unicode.IsLower(rune(name[i+1])) {
			name, suffix = name[:i], "-"+strings.ToUpper(name[i+1:i+2])+name[i+2:]
		}
		name = strings.ReplaceAll(name, "_", ".")
		anchors = append(anchors, "example-"+cmp.Or(name, "package")+suffix)
	}
	return anchors
}

func TestHeadingsHaveOneAnchorEach(t *testing.T) {
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
