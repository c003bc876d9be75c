package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

const root = "../.."

// A document is a Markdown file.
type document struct {
	name  string // from the root of the module
	prose string // without the code blocks; lines keep their numbers
	code  []block
}

// A block is a piece of code in a document.
type block struct {
	lang string // go, sh, text or tree
	text string
	at   string // file and line, for messages
}

var fence = regexp.MustCompile("^```([a-z]*)$")

// documents returns all Markdown files of the module.
func documents(t *testing.T) []document {
	var all []document
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && (d.Name() == ".git" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if err == nil && filepath.Ext(path) == ".md" {
			all = append(all, read(t, path))
		}
		return err
	}))
	require.NotEmpty(t, all)
	return all
}

func read(t *testing.T, path string) document {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	name, err := filepath.Rel(root, path)
	require.NoError(t, err)
	d := document{name: filepath.ToSlash(name)}
	require.NotContains(t, string(text), "\r", d.name)
	var open *block
	for i, line := range strings.Split(string(text), "\n") {
		m := fence.FindStringSubmatch(line)
		at := d.at(i)
		switch {
		case m == nil && strings.Contains(line, "```"):
			require.Fail(t, "a fence stands alone, at the left", at)
		case m != nil && open == nil:
			require.Contains(t, []string{"go", "sh", "text", "tree"}, m[1], at)
			open = &block{lang: m[1], at: at}
		case m != nil:
			require.Empty(t, m[1], "%s: this fence opens a block inside that of %s", at, open.at)
			require.NotEmpty(t, open.text, at)
			d.code = append(d.code, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
		if m == nil && open == nil {
			d.prose += line
		}
		d.prose += "\n"
	}
	require.Nil(t, open, "%s: a block has no end", d.name)
	return d
}

func (d *document) at(line int) string { return d.name + ":" + strconv.Itoa(line+1) }

// spans returns the code that stands in the running text.
func (d *document) spans() []string {
	var all []string
	for _, m := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(d.prose, -1) {
		all = append(all, m[1])
	}
	return all
}

// anchors returns what headings can be linked by.
func (d *document) anchors() []string {
	var all []string
	for _, m := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(d.prose, -1) {
		all = append(all, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, m[1]))
	}
	return all
}
