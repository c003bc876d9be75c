package docs_test

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// forms are grammar that hides the subject of a sentence, with the most of each per 1000 lines of
// comments. Lower a limit when the count is lower; never raise one.
var forms = []struct {
	name  string
	form  *regexp.Regexp
	limit float64
}{
	{"what is, what it, what the", regexp.MustCompile(`(?i)\bwhat (is|was|it|the)\b`), 0.1},
	{"those of, that of, those that", regexp.MustCompile(`(?i)\b(those|that) of\b|\bthose that\b`), 0.1},
	{"one that", regexp.MustCompile(`(?i)\bone (that|which)\b`), 0.1},
	{"lets … do", regexp.MustCompile(`(?i)\blets \w+`), 0.1},
	{"more than 100 columns", regexp.MustCompile(`^.{101}`), 0.3},
}

// Comments of Go files, of the module and of its tests alike.
func TestCommentsNameTheThing(t *testing.T) {
	t.Parallel()
	lines, counts := 0, make([]int, len(forms))
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, line := range comments(source) {
			lines++
			for i, f := range forms {
				counts[i] += len(f.form.FindAllString(line, -1))
			}
		}
		return nil
	}))
	require.Greater(t, lines, 5000)
	for i, f := range forms {
		rate := 1000 * float64(counts[i]) / float64(lines)
		t.Logf("%s: %.1f per 1000 lines", f.name, rate)
		require.LessOrEqual(t, rate, f.limit, f.name)
	}
}

// comments returns the lines of comments in a file, without code and the output of examples.
func comments(source []byte) []string {
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, scanner.ScanComments)
	var all []string
	output := false
	for {
		_, kind, text := s.Scan()
		switch {
		case kind == token.EOF:
			return all
		case kind != token.COMMENT:
			output = false
		case strings.HasSuffix(text, "utput:"):
			output = true
		case !output && !strings.HasPrefix(text, "//\t"):
			all = append(all, strings.Split(text, "\n")...)
		}
	}
}
