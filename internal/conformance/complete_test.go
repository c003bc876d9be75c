package conformance_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/wallet"
	"github.com/solwire/solwire-go/webhooks"
)

// areas are the directories of the packages that have a Client.
var areas = []string{"rpc", "rpc/das", "compressed", "wallet", "webhooks"}

var clientTypes = map[string]reflect.Type{
	"rpc":        reflect.TypeFor[*rpc.Client](),
	"rpc/das":    reflect.TypeFor[*das.Client](),
	"compressed": reflect.TypeFor[*compressed.Client](),
	"wallet":     reflect.TypeFor[*wallet.Client](),
	"webhooks":   reflect.TypeFor[*webhooks.Client](),
}

// An area is the source code of an area package.
type area struct {
	name     string
	ops      map[string][]string // the wire names of each Go method; several if it has versions
	comments map[string]string   // the doc comments of the methods of Client
	examples map[string]bool
}

func readArea(t *testing.T, name string) area {
	t.Helper()
	dir := filepath.Join("../..", filepath.FromSlash(name))
	fset := token.NewFileSet()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	a := area{name, map[string][]string{}, map[string]string{}, map[string]bool{}}
	op := regexp.MustCompile(`"(\w+\.Client\.\w+) ([^"]*)"`)
	var files []*ast.File
	for _, name := range paths {
		source, err := os.ReadFile(name)
		require.NoError(t, err)
		file, err := parser.ParseFile(fset, name, source, parser.ParseComments)
		require.NoError(t, err)
		if strings.HasSuffix(name, "_test.go") {
			for _, example := range doc.Examples(file) {
				a.examples[example.Name] = a.examples[example.Name] || example.Output != ""
			}
			continue
		}
		files = append(files, file)
		for _, match := range op.FindAllSubmatch(source, -1) {
			method, wires := string(match[1]), []string{string(match[2])}
			if !strings.Contains(wires[0], "/") { // JSON-RPC, perhaps in several versions
				wires = strings.Fields(wires[0])
			}
			a.ops[method] = append(a.ops[method], wires...)
		}
	}
	pkg, err := doc.NewFromFiles(fset, files, "github.com/solwire/solwire-go/"+name)
	require.NoError(t, err)
	for _, typ := range pkg.Types {
		if typ.Name != "Client" {
			continue
		}
		for _, m := range typ.Methods {
			a.comments[m.Name] = m.Doc
		}
	}
	return a
}

func short(method string) string { return method[strings.LastIndex(method, ".")+1:] }

func TestEveryOperationIsComplete(t *testing.T) {
	t.Parallel()
	all := rows()
	for _, name := range areas {
		a := readArea(t, name)
		for method, wires := range a.ops {
			if slices.ContainsFunc(composite(), func(r row) bool { return r.method == method }) {
				continue
			}
			for _, wire := range wires {
				i := slices.IndexFunc(all, func(r row) bool { return r.method == method && r.wire == wire })
				require.GreaterOrEqual(t, i, 0, "%s has no row for %s in internal/conformance/rows_test.go", method, wire)
			}
		}
		for _, r := range all {
			if !strings.HasPrefix(r.method, path.Base(name)+".Client.") {
				continue
			}
			require.Contains(t, a.ops[r.method], r.wire, "no constant names the operation of the row of %s", r.method)
			kind := "JSON-RPC method: "
			if strings.Contains(r.wire, "/") {
				kind = "REST: "
			}
			comment := strings.Join(strings.Fields(a.comments[short(r.method)]), " ")
			line := regexp.MustCompile(regexp.QuoteMeta(kind) + `(\w+, or )?` + regexp.QuoteMeta(r.wire) + `(\W|$)`)
			require.Regexp(t, line, comment, "the comment of %s has no wire line %q", r.method, kind+r.wire+".")
			require.Contains(t, comment, "credit", "the comment of %s does not say what a call costs", r.method)
			if price := regexp.MustCompile(`\bcosts\s+(\d+)\s+credit`).FindStringSubmatch(comment); price != nil {
				op := transport.Op(r.method + " " + r.wire)
				require.Equal(t, price[1], strconv.FormatUint(op.Price(), 10), "the comment of %s and transport.Op.Price", r.method)
			}
		}
		for _, r := range append(all, composite()...) {
			if strings.HasPrefix(r.method, path.Base(name)+".Client.") {
				example := "Client_" + short(r.method)
				walked := "Client_All" + short(r.method)
				require.True(t, a.examples[example] || a.examples[walked], "%s has no Example%s with output", r.method, example)
			}
		}
	}
}

// A method with arguments that can be wrong says in one of its rows how it refuses
// them. A number cannot be wrong.
func TestEveryMethodRefusesBadArguments(t *testing.T) {
	t.Parallel()
	refuses := map[string]bool{}
	for _, r := range rows() {
		refuses[r.method] = refuses[r.method] || len(r.refused) > 0
	}
	for _, name := range areas {
		typ := clientTypes[name]
		for i := range typ.NumMethod() {
			method := typ.Method(i)
			name := path.Base(name) + ".Client." + method.Name
			if _, isRow := refuses[name]; !isRow {
				continue
			}
			for j := 2; j < method.Type.NumIn(); j++ {
				if method.Type.In(j).Kind() != reflect.Uint64 {
					require.True(t, refuses[name], "%s has no refused arguments in its row", name)
				}
			}
		}
	}
}
