package conformance_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// One warm call runs through few functions of this module, so that it can be read.
func TestFunctionsOfACall(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the functions are the same with all toolchains")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "warmcall")
	run := func(env, name string, args ...string) string {
		c := exec.CommandContext(t.Context(), name, args...)
		c.Env = append(os.Environ(), env)
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	const module = "github.com/solwire/solwire-go/"
	run("GOFLAGS=-buildvcs=false", "go", "build", "-ldflags=-s -w", "-cover", "-covermode=atomic", "-coverpkg="+module+"...", "-o", program, "./testdata/warmcall")
	for _, row := range []struct {
		call, golden string
		most         int
	}{
		{"listing", "compressed/getCompressedAccountsByOwnerV2.json", 55},
		{"read", "wallet/identity.json", 40},
	} {
		answer, err := os.ReadFile(filepath.Join("../golden", row.golden))
		require.NoError(t, err)
		answer = regexp.MustCompile(`"(id|cursor)":\s*"[^"]*"`).ReplaceAll(answer, []byte(`"$1":null`)) // of any request, and the last page
		data := filepath.Join(dir, row.call)
		require.NoError(t, os.Mkdir(data, 0o700))
		run("GOCOVERDIR="+t.TempDir(), program, row.call, string(answer), data)
		profile := filepath.Join(dir, row.call+".txt")
		run("GOFLAGS=", "go", "tool", "covdata", "textfmt", "-i="+data, "-o="+profile)
		var functions []string
		for _, m := range regexp.MustCompile(`(?m)^`+module+`(\S+):\d+:\s+(\S+)\s+(\d+\.\d)%$`).
			FindAllStringSubmatch(run("GOFLAGS=", "go", "tool", "cover", "-func="+profile), -1) {
			if m[3] != "0.0" && m[2] != "main" {
				functions = append(functions, m[1]+" "+m[2])
			}
		}
		for _, f := range functions {
			t.Log(row.call, f)
		}
		t.Logf("%s: %d functions", row.call, len(functions))
		require.NotEmpty(t, functions)
		require.LessOrEqual(t, len(functions), row.most, row.call)
	}
}
