package conformance_test

import (
	"flag"
	"fmt"
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

// composite lists methods without a row: they combine other operations, or take
// the method's name as an argument.
var composite = []string{
	"webhooks.Client.Update", "webhooks.Client.AddAddresses", "webhooks.Client.RemoveAddresses", "webhooks.Client.Reconcile",
	"webhooks.Client.Backfill",
	"rpc.Client.Call", "rpc.Client.Batch", "rpc.Client.Balances",
	"compressed.Client.AllPartitionedAccountsByOwner", "compressed.Client.PlanPartitionedAccountsByOwner",
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
			if slices.Contains(composite, method) {
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
			example := "Client_" + short(r.method)
			walked := "Client_All" + short(r.method)
			require.True(t, a.examples[example] || a.examples[walked], "%s has no Example%s with output", r.method, example)
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
	for _, client := range []any{&compressed.Client{}, &das.Client{}, &rpc.Client{}, &wallet.Client{}, &webhooks.Client{}} {
		typ := reflect.TypeOf(client)
		for i := range typ.NumMethod() {
			method := typ.Method(i)
			name := strings.TrimPrefix(typ.String(), "*") + "." + method.Name
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

var update = flag.Bool("update", false, "write the tables of operations into docs")

// page returns the page in docs that lists the operations of an area.
func page(area string) string {
	name := path.Base(area)
	var b strings.Builder
	fmt.Fprintf(&b, "# Package %s: methods\n\n", name)
	fmt.Fprintf(&b, "Package documentation: [%s](https://pkg.go.dev/github.com/solwire/solwire-go/%s).\n\n", name, area)
	b.WriteString("| Question | Go | On the wire |\n|---|---|---|\n")
	all := rows()
	for i, r := range all {
		same := func(o row) bool { return o.method == r.method }
		if !strings.HasPrefix(r.method, name+".Client.") || slices.ContainsFunc(all[:i], same) {
			continue
		}
		var wires []string
		for _, o := range all[i:] {
			if wire := "`" + o.wire + "`"; same(o) && !slices.Contains(wires, wire) {
				wires = append(wires, wire)
			}
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s |\n", r.does, short(r.method), strings.Join(wires, ", "))
	}
	return b.String()
}

// To write the pages: go test ./internal/conformance -update.
func TestMethodPagesMatchRows(t *testing.T) {
	t.Parallel()
	for _, area := range areas {
		file := filepath.Join("../../docs", path.Base(area)+".md")
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(page(area)), 0o600))
			continue
		}
		got, err := os.ReadFile(file)
		require.NoError(t, err, "run go test ./internal/conformance -update")
		require.Equal(t, page(area), string(got), "run go test ./internal/conformance -update")
	}
}
