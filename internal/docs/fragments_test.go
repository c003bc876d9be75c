package docs_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// given declares the undeclared names in fragments of Go in the documentation. A fragment in
// Markdown can have its own in a comment before it: <!-- var n int -->.
const given = `
var (
	ctx                          context.Context
	cfg                          types.Config
	key, name, saved             string
	owner, address, mint, another types.Address
	delegate, holder, program    types.Address
	names                        []string
	addresses, writable          []types.Address
	signature                    types.Signature
	hash                         types.Hash
	slot                         uint64
	total, fees                  decimal.Decimal
	publicKey                    [32]byte
	secret                       webhooks.Secret
	created                      time.Time
	store                        func(...any)
	save                         func(...any) error
	sign                         func(...any) []byte
	handle                       func(context.Context, *webhooks.Event) error
	done                         bool
	b                            wallet.Balance
	asset                        *das.Asset
	db                           *sql.DB
	hook                         *webhooks.Webhook
	receiver                     *webhooks.Receiver
	wallets                      *wallet.Client
	node                         *rpc.Client
	hooks                        *webhooks.Client
	settings                     webhooks.Settings
	events                       *parsedapi.Client
	service                      *fake.Service
	t                            *testing.T
)

type PublicKey [32]byte // of another library
`

// elsewhere are directories with tests of the fragments that need other modules than the
// standard library and this one.
var elsewhere = []string{
	"internal/testdata/consumer/*.go", "webhooks/keeper/sqlstore/internal/servers/*_test.go", "internal/fleet/*_test.go", "internal/bench/solanago/*_test.go", "types/prometheus/*_test.go",
}

// Every fragment of Go in a Markdown file or package comment compiles. A fragment that needs
// another module is part of a test in a nested module.
func TestFragmentsCompile(t *testing.T) {
	t.Parallel()
	c := newCompiler(t)
	tested := sources(t, elsewhere...)
	var failed []string
	check := func(b block) {
		if b.lang != "go" || isProgram(b) || contains(tested, b.text) {
			return
		}
		if err := c.compile(b); err != nil {
			failed = append(failed, fmt.Sprintf("%s: %v\n%s", b.at, err, b.text))
		}
	}
	for _, d := range documents(t) {
		for _, b := range d.code {
			check(b)
		}
	}
	for _, dir := range packageDirs(t) {
		for _, b := range commentBlocks(t, dir) {
			if slices.Contains([]string{"compressed", "rpc", "rpc/das"}, dir) {
				b.given = "var client *" + path.Base(dir) + ".Client\n"
			}
			check(b)
		}
	}
	require.Empty(t, failed, "these fragments do not compile:\n%s", strings.Join(failed, "\n"))
}

// Only programs that follow the chain live link a WebSocket library.
func TestOnlyStreamsImportWebSocket(t *testing.T) {
	t.Parallel()
	for _, p := range listed(t) {
		dir, ours := strings.CutPrefix(p.path, "github.com/solwire/solwire-go/")
		area, _, _ := strings.Cut(dir, "/")
		if ours && !strings.HasPrefix(dir, "rpc/stream/") && slices.Contains([]string{"wallet", "webhooks", "compressed", "rpc"}, area) {
			require.Equal(t, dir == "rpc/stream", strings.Contains(p.deps, "coder/websocket"), dir)
		}
	}
}

// A listing is a package as go list describes it.
type listing struct{ name, path, export, deps string }

var list = sync.OnceValues(func() ([]byte, error) {
	c := exec.Command("go", "list", "-export", "-deps", "-f", "{{.Name}} {{.ImportPath}} {{.Export}} {{if .Module}}{{if .Module.Main}}{{.Deps}}{{end}}{{end}}", "./...", "testing", "testing/synctest", "net/http/httptest", "database/sql")
	c.Dir, c.Stderr = root, os.Stderr
	return c.Output()
})

// listed returns the packages of this module and their imports, once compiled. Package
// unsafe has no export data.
func listed(t *testing.T) (all []listing) {
	t.Helper()
	out, err := list()
	require.NoError(t, err)
	for line := range strings.Lines(string(out)) {
		if fields := strings.SplitN(line, " ", 4); fields[2] != "" {
			all = append(all, listing{fields[0], fields[1], fields[2], fields[3]})
		}
	}
	return all
}

// A compiler type-checks fragments.
type compiler struct {
	set   *token.FileSet
	types types.Importer
	paths map[string]string // import paths by the name of the package
}

func newCompiler(t *testing.T) *compiler {
	t.Helper()
	c := &compiler{set: token.NewFileSet(), paths: map[string]string{}}
	exports := map[string]string{}
	for _, p := range listed(t) {
		name, importPath := p.name, p.path
		exports[importPath] = p.export
		if strings.Contains("/"+importPath, "/internal/") || strings.HasPrefix(importPath, "vendor/") {
			continue
		}
		have, taken := c.paths[name]
		ours := func(p string) bool { return strings.HasPrefix(p, "github.com/solwire/") }
		// rpc/parsedapi rather than types/parsed
		client := strings.HasSuffix(have, "/types/"+name) && ours(importPath)
		if !taken || client || !ours(have) && (ours(importPath) || len(importPath) < len(have)) {
			c.paths[name] = importPath
		}
	}
	c.types = importer.ForCompiler(c.set, "gc", func(name string) (io.ReadCloser, error) { return os.Open(exports[name]) })
	return c
}

// compile returns the first error of a fragment, which holds declarations or statements.
func (c *compiler) compile(b block) error {
	var first error
	for _, around := range [][2]string{
		{"", ""},
		{"func _() error {\n", "\nreturn nil\n}"},
		{"func _() {\n", "\n}"},
		{"func _() error {\nfor {\n", "\n}\n}"},
	} {
		err := c.check(around[0] + b.given + b.text + around[1])
		if err == nil {
			return nil
		}
		if first == nil || around[1] == "\nreturn nil\n}" {
			first = err
		}
	}
	return first
}

func (c *compiler) check(fragment string) error {
	var files []*ast.File
	for _, text := range []string{fragment, given} {
		parsed, err := parser.ParseFile(c.set, "fragment", "package fragment\n"+text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		var imports strings.Builder
		for _, name := range packagesOf(parsed) {
			if path, ok := c.paths[name]; ok {
				fmt.Fprintf(&imports, "import %s %q; ", name, path)
			}
		}
		parsed, err = parser.ParseFile(c.set, "fragment", "package fragment\n"+imports.String()+text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, parsed)
	}
	var hard error
	config := types.Config{Importer: c.types, Error: func(err error) {
		var e types.Error
		if errors.As(err, &e) && !e.Soft && hard == nil { // unused variables and imports are soft
			hard = err
		}
	}}
	_, _ = config.Check("fragment", c.set, files, nil)
	return hard
}

// packagesOf returns the identifiers of a file that may name a package.
func packagesOf(file *ast.File) []string {
	var names []string
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && !slices.Contains(names, x.Name) {
				names = append(names, x.Name)
			}
		}
		return true
	})
	return names
}
