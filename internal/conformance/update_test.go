package conformance_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The recipe of "make update" runs every test that writes a page or a snapshot.
func TestMakeUpdateWritesThePages(t *testing.T) {
	t.Parallel()
	makefile, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)
	recipe := regexp.MustCompile(`\nupdate:\n\tgo test ./internal/conformance -run '([^']+)' -update\n`).FindSubmatch(makefile)
	require.NotNil(t, recipe)
	sources, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	for _, source := range sources {
		text, err := os.ReadFile(source)
		require.NoError(t, err)
		for _, function := range strings.Split(string(text), "\nfunc ")[1:] {
			name, _, _ := strings.Cut(function, "(")
			if strings.HasPrefix(name, "Test") && strings.Contains(function, "requireUpdated"+"(t") {
				require.Regexp(t, string(recipe[1]), name, "make update does not run this test")
			}
		}
	}
}
