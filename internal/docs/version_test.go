package docs_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
)

// The User-Agent names the latest version of the changelog; before the first
// release that is 0.1.0.
func TestVersionIsTheLatestOfTheChangelog(t *testing.T) {
	t.Parallel()
	latest := "0.1.0"
	changelog := readDocument(t, root+"/CHANGELOG.md")
	if m := regexp.MustCompile(`(?m)^## \[?(\d\S*?)\]?(?: |$)`).FindStringSubmatch(changelog.prose); m != nil {
		latest = m[1]
	}
	require.Equal(t, transport.Version, latest)
}
