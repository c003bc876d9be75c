package progress

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The program that TestArguments runs.
func TestMain(m *testing.M) {
	if names, ok := os.LookupEnv("PROGRESS_TEST_ARGUMENTS"); ok {
		flag.CommandLine = flag.NewFlagSet("example", flag.ExitOnError)
		month := flag.String("month", "", "a `month`")
		Duration("since", 0, "a `duration`")
		fallback := []string{"fallback"}
		if names == "" {
			fallback = nil
		}
		all := Arguments(names, fallback...)
		fmt.Print(strings.Join(append(all, *month), "|"))
		return
	}
	os.Exit(m.Run())
}

func TestArguments(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		names, args, want string
		code              int
	}{
		{"ADDRESS", "", "fallback|", 0},
		{"ADDRESS", "a", "a|", 0},
		{"ADDRESS", "-month 2025-05 a", "a|2025-05", 0},
		{"ADDRESS", "a -month 2025-05", "a|2025-05", 0}, // package flag alone would ignore the flag
		{"ADDRESS ...", "a -month 2025-05 b", "a|b|2025-05", 0},
		{"ADDRESS", "a b", `unknown argument "b"`, 2},
		{"ADDRESS", "a -since -24h", `invalid value "-24h" for flag -since: is negative`, 2},
		{"ADDRESS", "a -moth 2025-05", "flag provided but not defined: -moth", 2},
		{"", "a", `unknown argument "a"`, 2},
		{"ADDRESS", "-h", "usage: example [flags] ADDRESS\n  default: fallback\n  -month month", 0},
	} {
		c := exec.CommandContext(t.Context(), os.Args[0], strings.Fields(row.args)...)
		c.Env = append(os.Environ(), "PROGRESS_TEST_ARGUMENTS="+row.names)
		out, err := c.CombinedOutput()
		require.Equal(t, row.code, c.ProcessState.ExitCode(), "%s: %v %s", row.args, err, out)
		require.Contains(t, string(out), row.want)
	}
}
