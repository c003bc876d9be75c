package conformance_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// One warm call runs through few functions of this module, so that it can be read.
func TestFunctionsOfACall(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the functions are the same with all toolchains")
	}
	const module = "github.com/solwire/solwire-go/"
	rows := []struct {
		call, golden string
		most         int
	}{
		{"listing", "compressed/getCompressedAccountsByOwnerV2.json", 48},
		{"read", "wallet/identity.json", 24},
	}
	dir := t.TempDir()
	// The go command links the program once and keeps it in the build cache.
	program := []string{"run", "-buildvcs=false", "-cover", "-covermode=atomic", "-coverpkg=" + module + "...", "./testdata/warmcall"}
	for _, row := range rows {
		answer, err := os.ReadFile(filepath.Join("../golden", row.golden))
		require.NoError(t, err)
		// of any request, and the last page
		answer = regexp.MustCompile(`"(id|cursor)":\s*"[^"]*"`).ReplaceAll(answer, []byte(`"$1":null`))
		require.NoError(t, os.Mkdir(filepath.Join(dir, row.call), 0o700))
		program = append(program, row.call, string(answer), filepath.Join(dir, row.call))
	}
	output(t, program...)
	for _, row := range rows {
		functions := regexp.MustCompile(`(?m)^`+module+`(\S+):\d+:\s+(\S+)\s+(?:[1-9]|0\.[1-9])\S*%$`).
			FindAllStringSubmatch(output(t, "tool", "covdata", "func", "-i="+filepath.Join(dir, row.call)), -1)
		functions = slices.DeleteFunc(functions, func(f []string) bool { return strings.Contains(f[1], "/warmcall/") })
		for _, f := range functions {
			t.Log(row.call, f[1], f[2])
		}
		t.Logf("%s: %d functions", row.call, len(functions))
		require.NotEmpty(t, functions)
		require.LessOrEqual(t, len(functions), row.most, row.call)
	}
}

func output(t *testing.T, args ...string) string {
	out, err := exec.CommandContext(t.Context(), "go", args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}
