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
	name  string // relative to the root of the module
	prose string // without the code blocks; lines keep their numbers
	code  []block
}

// A block is a piece of code in a document or in a package comment.
type block struct {
	lang string
	text string
	at   string // file and line, for messages

	given string // declarations that a comment before it has
}

var (
	fence     = regexp.MustCompile("^```([a-z]*)$")
	inComment = regexp.MustCompile("^<!-- ((?:var|func|type|const) .*) -->$")
)

// documents returns all Markdown files of the module.
func documents(t *testing.T) []document {
	var all []document
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if err == nil && filepath.Ext(path) == ".md" {
			all = append(all, readDocument(t, path))
		}
		return err
	}))
	require.NotEmpty(t, all)
	return all
}

func readDocument(t *testing.T, path string) document {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	name, err := filepath.Rel(root, path)
	require.NoError(t, err)
	d := document{name: filepath.ToSlash(name)}
	var open *block
	var given string
	for i, line := range strings.Split(string(text), "\n") {
		m := fence.FindStringSubmatch(line)
		switch {
		case m != nil && open == nil:
			open = &block{lang: m[1], at: d.at(i), given: given}
			given = ""
		case m != nil:
			d.code = append(d.code, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		default:
			if m := inComment.FindStringSubmatch(line); m != nil {
				given += m[1] + "\n"
			}
			d.prose += line
		}
		d.prose += "\n"
	}
	require.Nil(t, open, "%s: a code block has no end", d.name)
	return d
}

func (d *document) at(line int) string { return d.name + ":" + strconv.Itoa(line+1) }

// anchors returns the anchors of the headings.
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
