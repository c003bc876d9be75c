package conformance_test

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

// homes are the files that have the facts.
var homes = []string{"types/chain.go", "types/config.go", "internal/facts/facts.go"}

// zeros are 32 zero bytes: the system program, and an empty hash.
var zeros = strings.Repeat("1", 32)

var (
	factText = regexp.MustCompile(`\b[1-9A-HJ-NP-Za-km-z]{30,46}\b`)
	hostText = regexp.MustCompile(`\b[\w.-]+\.helius(-rpc)?\.(com|xyz|dev)\b`)
)

// price is the name of a constant, a variable or a member that is a price, unless it is
// a limit.
var price, limit = regexp.MustCompile(`([pP]rice|[cC]redits)$`), regexp.MustCompile(`^(max|defaultFill)`)

// A place is where an address, a hash or a host stands.
type place struct {
	file, constant string // the constant of which it is the value, if it is one
	line           int
}

func (p place) home() bool { return slices.Contains(homes, p.file) }

// example reports whether people copy the code.
func (p place) example() bool {
	return strings.HasSuffix(p.file, "_test.go") && strings.Contains(filepath.Base(p.file), "example")
}

// A copied fact is how a genesis hash with two wrong letters passed its test. Addresses of
// wallets and mints may stand in several tests and examples, since they are made up or
// belong to a captured response.
func TestFactsStandOnce(t *testing.T) {
	t.Parallel()
	texts, known := places(t), map[string]string{}
	for text, all := range texts {
		for _, p := range all {
			if p.home() && p.constant != "" {
				known[strings.TrimPrefix(text, "https://")] = p.constant
			}
		}
	}
	require.Greater(t, len(known), 15)
	for text, all := range texts {
		fact, isFact := known[text]
		var files []string
		for _, p := range all {
			switch program := !strings.HasSuffix(p.file, "_test.go") && !strings.HasPrefix(p.file, "examples/") && !strings.Contains(p.file, "/testdata/"); {
			// an exported constant, which shows its value in the documentation
			case p.constant != "" && path.Ext(p.constant) == path.Ext(fact):
			case p.home() || p.example() || filepath.Ext(p.file) != ".go" || text == zeros:
			case isFact || hostText.MatchString(text):
				t.Errorf("%s:%d has %s: use %s", p.file, p.line, text, cmp.Or(fact, "a constant of package types"))
			case program && decoded(text) && !slices.Contains(files, p.file):
				files = append(files, p.file)
			}
		}
		if len(files) > 1 {
			t.Errorf("%s is in %v: declare it once; facts are in %v", text, files, homes)
		}
		for other, name := range known {
			if !isFact && strings.Trim(text, "1") != "" && near(text, other, edits(other)) {
				t.Errorf("%s:%d has %s, which is almost %s", all[0].file, all[0].line, text, name)
			}
		}
	}
}

// edits is the number of letters in which a typo differs from its fact. It is small for addresses
// of mostly ones, such as Vote111….
func edits(fact string) int {
	if strings.Contains(fact, "1111") {
		return 1
	}
	return 4
}

func decoded(text string) bool {
	_, err := types.ParseAddress(text)
	return err == nil
}

// refusePrice refuses a price that a program has beside the facts.
func refusePrice(t *testing.T, p place, name string, value ast.Expr) {
	t.Helper()
	if number, ok := value.(*ast.BasicLit); ok && number.Kind == token.INT && number.Value != "0" && price.MatchString(name) && !limit.MatchString(name) && !p.home() && !strings.HasSuffix(p.file, "_test.go") {
		t.Errorf("%s has the price %s = %s: use internal/facts", p.file, name, number.Value)
	}
}

// near reports whether a number of edits make b of a.
func near(a, b string, edits int) bool {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	if a == "" || b == "" {
		return len(a)+len(b) <= edits
	}
	return edits > 0 && (near(a[1:], b[1:], edits-1) || near(a[1:], b, edits-1) || near(a, b[1:], edits-1))
}

// literal returns the text of a string literal or of a sum of them.
func literal(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return literal(e.X) + literal(e.Y)
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, _ := strconv.Unquote(e.Value)
			return text
		}
	}
	return ""
}

// places returns where addresses, hashes and hosts stand: in the string literals of Go
// files, and anywhere in documents and golden files.
func places(t *testing.T) map[string][]place {
	t.Helper()
	all := map[string][]place{}
	add := func(text string, p place) {
		for _, word := range append(factText.FindAllString(text, -1), hostText.FindAllString(text, -1)...) {
			all[word] = append(all[word], p)
		}
	}
	require.NoError(t, filepath.WalkDir("../..", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if err == nil && d.Name() == ".git" {
				return filepath.SkipDir
			}
			return err
		}
		name, err := filepath.Rel("../..", file)
		if err != nil {
			return err
		}
		p := place{file: filepath.ToSlash(name)}
		switch filepath.Ext(file) {
		case ".go":
			set := token.NewFileSet()
			parsed, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			var of map[ast.Expr]string // the constant of a value
			ast.Inspect(parsed, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.KeyValueExpr:
					if name, ok := n.Key.(*ast.Ident); ok {
						refusePrice(t, p, name.Name, n.Value)
					}
				case *ast.AssignStmt:
					for i, value := range n.Rhs {
						if name, ok := n.Lhs[min(i, len(n.Lhs)-1)].(*ast.Ident); ok {
							refusePrice(t, p, name.Name, value)
						}
					}
				case *ast.ValueSpec:
					of = map[ast.Expr]string{}
					for i, value := range n.Values {
						refusePrice(t, p, n.Names[i].Name, value)
						of[value] = parsed.Name.Name + "." + n.Names[i].Name
					}
				case *ast.BinaryExpr: // a text in parts
					p.line, p.constant = set.Position(n.Pos()).Line, ""
					add(literal(n.X)+literal(n.Y), p)
				case *ast.BasicLit:
					p.line, p.constant = set.Position(n.Pos()).Line, of[n]
					add(literal(n), p)
				}
				return true
			})
		case ".md", ".json", ".requests", ".txt", ".jsonl":
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			add(string(text), p)
		}
		return nil
	}))
	return all
}
