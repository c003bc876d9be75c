package docs_test

import (
	"go/ast"
	"go/doc"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var qualified = regexp.MustCompile(`\b(types|txtype|rpc|compressed|wallet|webhooks)((?:\.[A-Z]\w*)+)`)

func TestNamesExist(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, dir := range packages {
		for name := range exported(t, dir) {
			known[path.Base(dir)+"."+name] = true
		}
	}
	checked := 0
	for _, d := range documents(t) {
		for _, span := range d.spans() {
			for _, m := range qualified.FindAllStringSubmatch(span, -1) {
				require.True(t, known[m[1]+m[2]], "%s: there is no %s", d.name, m[0])
				checked++
			}
		}
	}
	require.NotZero(t, checked)
}

// exported returns the names that a package declares, those of methods and
// fields as Type.Name, each with its comment.
func exported(t *testing.T, dir string) map[string]string {
	names := map[string]string{}
	for _, f := range parse(t, dir, func(name string) bool { return !isTest(name) }).files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				names[receiver(d)+d.Name.Name] = d.Doc.Text()
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.ValueSpec:
						for _, n := range s.Names {
							names[n.Name] = ""
						}
					case *ast.TypeSpec:
						names[s.Name.Name] = ""
						for _, n := range fields(s.Type) {
							names[s.Name.Name+"."+n] = ""
						}
					}
				}
			}
		}
	}
	for name := range names {
		if !token.IsExported(name[strings.Index(name, ".")+1:]) {
			delete(names, name)
		}
	}
	return names
}

func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	kind := f.Recv.List[0].Type
	if star, ok := kind.(*ast.StarExpr); ok {
		kind = star.X
	}
	if generic, ok := kind.(*ast.IndexExpr); ok {
		kind = generic.X
	}
	if name, ok := kind.(*ast.Ident); ok {
		return name.Name + "."
	}
	return ""
}

func fields(kind ast.Expr) []string {
	s, ok := kind.(*ast.StructType)
	if !ok {
		return nil
	}
	var all []string
	for _, f := range s.Fields.List {
		for _, n := range f.Names {
			all = append(all, n.Name)
		}
	}
	return all
}

var wireName = regexp.MustCompile(`(?m)^(?:JSON-RPC method|REST): (.+)\.$`)

// The README's table has each operation under the name that the comment of its
// method gives it, and the methods beside it that walk pages and items.
func TestMethodsStandInTheTable(t *testing.T) {
	t.Parallel()
	readme := read(t, filepath.Join(root, "README.md"))
	wired := map[string]string{} // method -> wire name
	methods := map[string]bool{}
	for _, dir := range []string{"rpc", "compressed", "wallet", "webhooks"} {
		for name, comment := range exported(t, dir) {
			if method, ok := strings.CutPrefix(name, "Client."); ok {
				methods[dir+"."+method] = true
				if m := wireName.FindStringSubmatch(comment); m != nil {
					wired[dir+"."+method] = m[1]
				}
			}
		}
	}
	require.NotEmpty(t, wired)
	listed := map[string]bool{}
	for line := range strings.Lines(readme.prose) {
		cells := strings.Split(line, "|")
		if len(cells) < 3 || !strings.Contains(cells[2], ".Client.") {
			continue
		}
		var area string
		for i, m := range regexp.MustCompile("`(?:(\\w+)\\.Client\\.)?(\\w+)`").FindAllStringSubmatch(cells[2], -1) {
			if i == 0 {
				area = m[1]
				require.Equal(t, wired[area+"."+m[2]], strings.Trim(cells[1], " `"), line)
			}
			require.True(t, methods[area+"."+m[2]], "%s: %s.Client has no %s", line, area, m[2])
			listed[area+"."+m[2]] = true
		}
	}
	for method := range methods {
		require.True(t, listed[method], "README.md does not list %s", method)
	}
}

func TestOperationsHaveExamplesThatRun(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"rpc", "compressed", "wallet", "webhooks"} {
		shown := map[string]bool{}
		for _, e := range doc.Examples(parse(t, dir, isTest).files...) {
			name, _, _ := strings.Cut(e.Name, "_")
			if name == "Client" {
				method, _, _ := strings.Cut(strings.TrimPrefix(e.Name, "Client_"), "_")
				name += "." + method
			}
			shown[name] = shown[name] || e.Output != ""
		}
		require.True(t, shown[""], "%s has no Example of the package", dir)
		for name := range exported(t, dir) {
			if strings.HasPrefix(name, "Client.") {
				require.True(t, shown[name], "%s.%s has no Example with output", dir, name)
			}
		}
	}
}

func TestErrorsStandInTheTable(t *testing.T) {
	t.Parallel()
	readme := read(t, filepath.Join(root, "README.md"))
	for name := range exported(t, "types") {
		if strings.HasPrefix(name, "Err") {
			require.Contains(t, readme.prose, "\n| `types."+name+"` | ")
		}
	}
}

// The picture of the layout names each directory of the module.
func TestLayoutIsThatOfTheModule(t *testing.T) {
	t.Parallel()
	var drawn []string
	for _, d := range documents(t) {
		for _, b := range d.code {
			if b.lang != "tree" {
				continue
			}
			for line := range strings.Lines(b.text) {
				name := strings.Fields(line)[0]
				_, err := os.Stat(filepath.Join(root, name))
				require.NoError(t, err, b.at)
				drawn = append(drawn, strings.TrimSuffix(name, "/"))
			}
		}
	}
	for _, pattern := range []string{"*", "types/*", "internal/*", "examples"} {
		dirs, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		for _, dir := range dirs {
			if info, err := os.Stat(dir); err == nil && info.IsDir() && !strings.HasPrefix(filepath.Base(dir), ".") {
				name, err := filepath.Rel(root, dir)
				require.NoError(t, err)
				name = filepath.ToSlash(name)
				covered := slices.ContainsFunc(drawn, func(d string) bool { return d == name || strings.HasPrefix(d, name+"/") })
				require.True(t, covered, "the layout does not show %s", name)
			}
		}
	}
}
