package docs_test

import (
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var link = regexp.MustCompile(`\[[^\]\n]*\]\(([^)\s]*)\)`)

func TestLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	all := map[string]document{}
	for _, d := range documents(t) {
		all[d.name] = d
	}
	for _, d := range all {
		for i, line := range strings.Split(d.prose, "\n") {
			for _, m := range link.FindAllStringSubmatch(line, -1) {
				target, anchor, _ := strings.Cut(m[1], "#")
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
