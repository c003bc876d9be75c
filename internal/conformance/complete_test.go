package conformance_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/facts"
	"github.com/solwire/solwire-go/internal/golden"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/rpc/parsedapi"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/wallet"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/enhancedapi"
)

// areas are the directories of the packages that have a Client.
var areas = []string{"rpc", "rpc/das", "rpc/parsedapi", "rpc/stream", "compressed", "wallet", "webhooks", "webhooks/enhancedapi"}

var clientTypes = map[string]reflect.Type{
	"rpc":                  reflect.TypeFor[*rpc.Client](),
	"rpc/das":              reflect.TypeFor[*das.Client](),
	"rpc/parsedapi":        reflect.TypeFor[*parsedapi.Client](),
	"rpc/stream":           reflect.TypeFor[*stream.Client](),
	"compressed":           reflect.TypeFor[*compressed.Client](),
	"wallet":               reflect.TypeFor[*wallet.Client](),
	"webhooks":             reflect.TypeFor[*webhooks.Client](),
	"webhooks/enhancedapi": reflect.TypeFor[*enhancedapi.Client](),
}

// An area is the source code of an area package.
type area struct {
	name     string
	ops      map[string][]string // the wire names of each Go method; several if it has versions
	comments map[string]string   // the doc comments of the methods of Client
	examples map[string]bool
	params   map[string][]string // the names of the parameters of the methods of Client
}

func readArea(t *testing.T, name string) area {
	t.Helper()
	dir := filepath.Join("../..", filepath.FromSlash(name))
	fset := token.NewFileSet()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	a := area{name, map[string][]string{}, map[string]string{}, map[string]bool{}, map[string][]string{}}
	op := regexp.MustCompile(`"(\w+\.Client\.\w+)", (?:Wire: )?"([^"]*)"(?:, "([^"]*)")?`)
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
			method := string(match[1])
			for _, wire := range match[2:] { // the second one is an older version
				if len(wire) > 0 {
					a.ops[method] = append(a.ops[method], string(wire))
				}
			}
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
			for _, param := range m.Decl.Type.Params.List {
				for _, name := range param.Names {
					a.params[m.Name] = append(a.params[m.Name], name.Name)
				}
			}
		}
	}
	return a
}

func short(method string) string { return method[strings.LastIndex(method, ".")+1:] }

func TestEveryOperationIsComplete(t *testing.T) {
	t.Parallel()
	all := everyRow()
	for _, name := range areas {
		a := readArea(t, name)
		for method, wires := range a.ops {
			if _, ok := combined()[method]; ok {
				continue
			}
			for _, wire := range wires {
				if name == "rpc/stream" && !strings.HasSuffix(wire, "Subscribe") {
					continue // a request beside the subscription
				}
				i := slices.IndexFunc(all, func(r row) bool { return r.method == method && r.wire == wire })
				require.GreaterOrEqual(t, i, 0, "%s has no row for %s; add one beside its neighbours' in internal/conformance/%s*_rows_test.go", method, wire, path.Base(name))
			}
		}
		for _, r := range all {
			if !strings.HasPrefix(r.method, path.Base(name)+".Client.") {
				continue
			}
			require.Contains(t, a.ops[r.method], r.wire, "no transport.Op names the operation of the row of %s", r.method)
			kind := "JSON-RPC method: "
			switch {
			case r.streams():
				kind = "WebSocket method: "
			case strings.Contains(r.wire, "/"):
				kind = "REST: "
			}
			comment := strings.Join(strings.Fields(a.comments[short(r.method)]), " ")
			line := regexp.MustCompile(regexp.QuoteMeta(kind) + `(\w+, or )?` + regexp.QuoteMeta(r.wire) + `(\W|$)`)
			require.Regexp(t, line, comment, "the comment of %s has no wire line %q", r.method, kind+r.wire+".")
			require.Contains(t, comment, "credit", "the comment of %s does not say what a call costs", r.method)
			if method, ok := clientTypes[name].MethodByName(short(r.method)); ok && returnsList(method) {
				require.Regexp(t, `\bCollect\b`, comment, "the comment of %s does not say how its list is read", r.method)
				require.True(t, slices.ContainsFunc(all, func(o row) bool { return o.method == r.method && (o.list != nil || o.unlisted != "") }),
					"no row of %s has a list", r.method)
			}
			require.True(t, facts.Known(r.wire), "add the price of %s to internal/facts", r.wire)
			if price := regexp.MustCompile(`\bcosts\s+(\d+)\s+credit`).FindStringSubmatch(comment); price != nil && r.wire == a.ops[r.method][0] {
				require.Equal(t, price[1], strconv.FormatUint(facts.Of(r.wire).Credits, 10), "the comment of %s and internal/facts", r.method)
			}
		}
		methods := map[string]bool{}
		for method, wire := range combined() {
			methods[method] = true
			require.True(t, wire == "" || slices.ContainsFunc(all, func(o row) bool { return o.wire == wire }),
				"%s combines operations, but %s has no row", method, wire)
		}
		for _, r := range all {
			methods[r.method] = true
		}
		for method := range methods {
			if strings.HasPrefix(method, path.Base(name)+".Client.") {
				example := "Client_" + short(method)
				require.True(t, a.examples[example], "%s has no Example%s with output", method, example)
			}
		}
	}
}

// Each row has its golden files, and each golden file a row or a test that names it.
func TestGoldenFilesBelongToRows(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for _, r := range everyRow() {
		for _, name := range r.missingFiles() {
			require.Fail(t, "a row has no golden request or response", "%s: internal/golden/%s; requests are the sections of a file with the ending .requests", r.method, name)
		}
		used[r.golden+".json"] = true
		used[r.golden+".minimal"] = r.minimal != nil
		used[r.golden+".full"] = r.full != nil
	}
	named := map[string]bool{} // by string literals in Go, without endings
	require.NoError(t, filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" {
			return err
		}
		source, err := os.ReadFile(name)
		for _, literal := range regexp.MustCompile(`"[a-z]+/[^"\s]+"`).FindAllString(string(source), -1) {
			named[strings.Trim(literal, `"`)] = true
		}
		return err
	}))
	for _, r := range everyRow() {
		delete(named, r.golden) // used says which of its files the row uses
	}
	for _, name := range golden.Names() {
		require.True(t, used[name] || named[strings.TrimSuffix(name, path.Ext(name))], "nothing uses internal/golden/%s (requests are sections of a file)", name)
	}
}

// With -v, it prints how many goldens are captured, documented and invented.
func TestGoldensHaveASource(t *testing.T) {
	t.Parallel()
	counts := map[string]int{}
	for _, name := range golden.Names() {
		name, isResponse := strings.CutSuffix(name, ".json")
		kind, detail, _ := strings.Cut(golden.Source(strings.TrimSuffix(strings.TrimSuffix(name, ".minimal"), ".full")), ": ")
		require.Contains(t, []string{"captured", "documented", "invented"}, kind, "internal/golden/%s.requests does not begin with a source, such as \"source: captured: Agave 4.2.2\"", name)
		require.NotEmpty(t, detail, name)
		if isResponse {
			counts[kind]++
		}
	}
	t.Logf("responses: %d captured, %d documented, %d invented", counts["captured"], counts["documented"], counts["invented"])
}

// The rows of a method set all of its options. A row with options is compared with a golden
// request that has every option, and lacks the fields without a row.
func TestRowsSetEveryOption(t *testing.T) {
	t.Parallel()
	withOptions := map[string]bool{}
	for _, r := range everyRow() {
		withOptions[r.method] = withOptions[r.method] || r.full != nil
	}
	for name, method := range methods() {
		full, isRow := withOptions[name]
		for j := 2; isRow && j < method.Type.NumIn(); j++ {
			opts := method.Type.In(j)
			if opts.Kind() != reflect.Pointer || !strings.HasSuffix(opts.Elem().Name(), "Options") {
				continue
			}
			require.True(t, full, "no row of %s has a call with all options (full)", name)
			for _, field := range unset(opts.Elem()) {
				require.Fail(t, "an option is in no row", "%s of %s", field, name)
			}
		}
	}
}

// unset returns the fields of options, and of structs of the same package in them, that
// are in no row.
func unset(options reflect.Type) []string {
	var missing []string
	for i := range options.NumField() {
		field := options.Field(i)
		nested := field.Type
		if nested.Kind() == reflect.Pointer {
			nested = nested.Elem()
		}
		if nested.Kind() == reflect.Struct && nested.PkgPath() == options.PkgPath() && nested.NumField() > 0 && nested.Field(0).IsExported() {
			missing = append(missing, unset(nested)...)
		}
		name := options.String() + "." + field.Name
		if _, set := givenOptions.Load(name); !field.Anonymous && !set {
			missing = append(missing, name)
		}
	}
	return missing
}

// givenOptions has the fields that arguments of [calling] set, as in
// wallet.BalancesOptions.Limit.
var givenOptions sync.Map

// noteOptions adds the fields of a struct that are set.
func noteOptions(v reflect.Value) {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	for i := 0; v.Kind() == reflect.Struct && i < v.NumField(); i++ {
		if field := v.Type().Field(i); field.IsExported() && !v.Field(i).IsZero() {
			givenOptions.Store(v.Type().String()+"."+field.Name, true)
			noteOptions(v.Field(i))
		}
	}
}

// A method with arguments that can be wrong says in one of its rows how it refuses the arguments
// unknown to TestInvalidArgumentsOfEveryMethod. A number cannot be wrong.
func TestEveryMethodRefusesBadArguments(t *testing.T) {
	t.Parallel()
	refuses := map[string]bool{}
	for _, r := range everyRow() {
		refuses[r.method] = refuses[r.method] || len(r.refused) > 0
	}
	for name, method := range methods() {
		if _, isRow := refuses[name]; !isRow {
			continue
		}
		for j := 2; j < method.Type.NumIn(); j++ {
			typ := method.Type.In(j)
			if typ.Kind() != reflect.Uint64 && typ.Kind() != reflect.Pointer && badValues(typ) == nil {
				require.True(t, refuses[name], "%s has no refused arguments in its row", name)
			}
		}
	}
}
