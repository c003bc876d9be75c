package conformance_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// publicPackages lists the directories that a user's program can import.
func publicPackages(t *testing.T) []string {
	t.Helper()
	var dirs []string
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		switch entry.Name() {
		case "internal", "examples", "testdata", "docs", ".git", ".ci":
			return filepath.SkipDir
		}
		if nested, _ := filepath.Glob(filepath.Join(path, "go.mod")); nested != nil && path != "../.." {
			return filepath.SkipDir
		}
		if files, _ := filepath.Glob(filepath.Join(path, "*.go")); files != nil && path != "../.." {
			dirs = append(dirs, path)
		}
		return nil
	})
	require.NoError(t, err)
	return dirs
}

// declarations prints the exported declarations of a package without comments.
func declarations(t *testing.T, dir string) string {
	t.Helper()
	fset := token.NewFileSet()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	var files []*ast.File
	for _, name := range paths {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		files = append(files, file)
	}
	pkg, err := doc.NewFromFiles(fset, files, dir)
	require.NoError(t, err)
	var all []ast.Decl
	add := func(values []*doc.Value, functions []*doc.Func) {
		for _, v := range values {
			all = append(all, v.Decl)
		}
		for _, f := range functions {
			all = append(all, f.Decl)
		}
	}
	add(slices.Concat(pkg.Consts, pkg.Vars), pkg.Funcs)
	for _, typ := range pkg.Types {
		all = append(all, typ.Decl)
		add(slices.Concat(typ.Consts, typ.Vars), slices.Concat(typ.Funcs, typ.Methods))
	}
	var b strings.Builder
	b.WriteString("package " + pkg.Name + "\n")
	for _, decl := range all {
		b.WriteString("\n")
		require.NoError(t, (&printer.Config{Mode: printer.UseSpaces, Tabwidth: 4}).Fprint(&b, fset, decl))
		b.WriteString("\n")
	}
	return b.String()
}

var renames = flag.Bool("renames", false, "with -update, accept names that went or changed although CHANGELOG.md does not say so")

// The API of each package is kept as text, which is a promise. A changed or removed name needs a
// line under Changed in CHANGELOG.md, and a new name a line under Added. Only then does make
// update write the text. Until the release the lines have to stay.
func TestExportedAPIIsPromised(t *testing.T) {
	t.Parallel()
	changelog, err := os.ReadFile("../../CHANGELOG.md")
	require.NoError(t, err)
	const file = "testdata/api/unreleased"
	recorded, err := os.ReadFile(file)
	require.NoError(t, err)
	unreleased := strings.Split(strings.TrimSpace(string(recorded)), "\n")
	if !strings.Contains(string(changelog), "\n## Unreleased\n") { // it was released
		unreleased = nil
	}
	texts, err := filepath.Glob("testdata/api/*.txt")
	require.NoError(t, err)
	apis := map[string]string{}
	for _, dir := range publicPackages(t) {
		relative, err := filepath.Rel("../..", dir)
		require.NoError(t, err)
		pkg := filepath.ToSlash(relative)
		file := filepath.Join("testdata/api", strings.ReplaceAll(pkg, "/", ".")+".txt")
		texts = slices.DeleteFunc(texts, func(text string) bool { return text == file })
		promised, err := os.ReadFile(file)
		if err != nil {
			promised = []byte("package " + path.Base(pkg))
		}
		apis[file] = declarations(t, dir)
		if !*renames {
			unreleased = append(unreleased, changes(t, pkg, string(promised), apis[file])...)
		}
	}
	unreleased = withoutShortLived(unreleased)
	if missing := unsaid(unreleased, string(changelog)); len(missing) > 0 {
		require.Fail(t, "CHANGELOG.md does not say it", strings.Join(missing, "\n"))
	}
	for file, api := range apis {
		requireUpdated(t, file, api)
	}
	requireUpdated(t, file, strings.Join(unreleased, "\n")+"\n")
	for _, file := range texts {
		if *update && *renames {
			require.NoError(t, os.Remove(file))
			continue
		}
		require.Fail(t, "a package is gone, which breaks programs: bring it back, or delete its text and say under Changed in CHANGELOG.md what replaces it", file)
	}
}

// requireUpdated fails with the first line of a file that is not as wanted. With -update, it writes
// the file.
func requireUpdated(t *testing.T, file, want string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(want), 0o600))
	}
	b, _ := os.ReadFile(file) // a missing file is empty
	got, wanted := strings.Split(string(b), "\n"), strings.Split(want, "\n")
	for i := range max(len(got), len(wanted)) {
		if i >= len(got) || i >= len(wanted) || got[i] != wanted[i] {
			require.Fail(t, "run make update", "%s is out of date from line %d on: %q", file, i+1, append(wanted, "(the end)")[min(i, len(wanted))])
		}
	}
}

// changes returns a sentence for each name that went or changed, and for each new one.
func changes(t *testing.T, pkg, promised, api string) []string {
	t.Helper()
	before, after := namesOf(t, promised), namesOf(t, api)
	var all []string
	for _, name := range slices.Sorted(maps.Keys(before)) {
		owner, _, isMember := strings.Cut(name, ".")
		_, ownerStays := after[owner]
		switch now, stays := after[name]; {
		case now == before[name] || isMember && !ownerStays:
		case stays:
			all = append(all, fmt.Sprintf("%s.%s was %q and is %q, which breaks programs: undo that, or name `%[2]s` under Changed in CHANGELOG.md", pkg, name, before[name], now))
		default:
			all = append(all, fmt.Sprintf("%s.%s is gone, which breaks programs: bring it back, or say under Changed in CHANGELOG.md what replaces `%[2]s`", pkg, name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		owner, _, isMember := strings.Cut(name, ".")
		_, known := before[name]
		_, ownerKnown := before[owner]
		if known || isMember && !ownerKnown || !strings.HasPrefix(after[name], "func") && usedByNew(name, before, after) {
			continue
		}
		all = append(all, fmt.Sprintf("%s.%s is new: name `%[2]s` under Added in CHANGELOG.md, in a line that begins with %[1]s", pkg, name))
	}
	return all
}

// withoutShortLived sorts changes and leaves out the names that came and went between releases.
func withoutShortLived(changes []string) []string {
	subject := func(change string) string { return strings.SplitN(change, " ", 2)[0] }
	came, went := map[string]bool{}, map[string]bool{}
	for _, change := range changes {
		came[subject(change)] = came[subject(change)] || strings.Contains(change, " is new: ")
		went[subject(change)] = went[subject(change)] || strings.Contains(change, " is gone, ")
	}
	slices.Sort(changes)
	return slices.DeleteFunc(slices.Compact(changes), func(change string) bool {
		name := subject(change)
		return name == "" || came[name] && (went[name] || strings.Contains(change, " was "))
	})
}

// unsaid returns the changes that the section Unreleased of a changelog does not name.
func unsaid(changes []string, changelog string) []string {
	_, unreleased, _ := strings.Cut(changelog, "\n## Unreleased\n")
	unreleased, _, _ = strings.Cut(unreleased, "\n## ")
	_, changed, _ := strings.Cut(unreleased, "\n### Changed\n")
	return slices.DeleteFunc(slices.Clone(changes), func(change string) bool {
		pkg, name, _ := strings.Cut(strings.SplitN(change, " ", 2)[0], ".")
		if strings.Contains(change, " is new: ") {
			return mentions(unreleased, pkg, name)
		}
		return mentions(changed, pkg, name)
	})
}

// usedByNew reports whether a new function has a type in its signature: the line of the
// function is enough for it.
func usedByNew(name string, before, after map[string]string) bool {
	word := regexp.MustCompile(`\b` + name + `\b`)
	for other, text := range after {
		if _, known := before[other]; !known && strings.HasPrefix(text, "func") && word.MatchString(text) {
			return true
		}
	}
	return false
}

// mentions reports whether a line of a changelog about a package has a name, such as
// Client.Slot or just Slot, as code.
func mentions(changelog, pkg, name string) bool {
	last := name[strings.LastIndex(name, ".")+1:]
	code := regexp.MustCompile("`[^`]*\\b" + last + "\\b[^`]*`")
	for line := range strings.Lines(changelog) {
		about, _, _ := strings.Cut(line, ":")
		if (strings.Contains(about, "all packages") || slices.Contains(strings.Split(strings.TrimPrefix(about, "- "), ", "), pkg)) && code.MatchString(line) {
			return true
		}
	}
	return false
}

// namesOf returns the declaration of each name in the text of an API: functions, types,
// constants and variables, and methods and fields as Type.Name.
func namesOf(t *testing.T, api string) map[string]string {
	t.Helper()
	// The tag is of use for this module only.
	api = regexp.MustCompile(` required:"[a-z]+"`).ReplaceAllString(api, "")
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", api, parser.SkipObjectResolution)
	require.NoError(t, err)
	names := map[string]string{}
	text := func(n any) string {
		var b strings.Builder
		require.NoError(t, printer.Fprint(&b, set, n))
		return strings.Join(strings.Fields(b.String()), " ")
	}
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok {
			name := f.Name.Name
			if f.Recv != nil {
				name = strings.TrimPrefix(text(f.Recv.List[0].Type), "*") + "." + name
			}
			names[strings.TrimSuffix(name, "[T]")] = text(f)
			continue
		}
		group, _ := decl.(*ast.GenDecl)
		for _, spec := range group.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					names[name.Name] = group.Tok.String() + " " + text(spec)
				}
			case *ast.TypeSpec:
				fields, ok := spec.Type.(*ast.StructType)
				if !ok {
					names[spec.Name.Name] = "type " + text(spec)
					continue
				}
				names[spec.Name.Name] = "type struct"
				for _, field := range fields.Fields.List {
					tag := ""
					if field.Tag != nil {
						tag = " " + field.Tag.Value
					}
					for _, name := range field.Names {
						names[spec.Name.Name+"."+name.Name] = text(field.Type) + tag
					}
					if field.Names == nil { // embedded
						names[spec.Name.Name+"."+text(field.Type)] = "embedded" + tag
					}
				}
			}
		}
	}
	return names
}

func TestBrokenPromiseIsASentence(t *testing.T) {
	t.Parallel()
	const promised = "package rpc\ntype Client struct{}\nfunc (c *Client) Slot() uint64\nfunc (c *Client) Epoch() uint64\ntype Block struct {\n\tSlot uint64 `json:\"slot\"`\n\tHash string\n}\nconst A = 1\n"
	const api = "package rpc\ntype Client struct{}\nfunc (c *Client) Slot(at int) uint64\nfunc (c *Client) Vote(o *VoteOptions) uint64\ntype VoteOptions struct{ Epoch uint64 }\ntype Block struct {\n\tSlot uint64 `json:\"s\"`\n\tTime int\n}\n"
	want := []string{
		"rpc.A is gone, which breaks programs: bring it back, or say under Changed in CHANGELOG.md what replaces `A`",
		"rpc.Block.Hash is gone, which breaks programs: bring it back, or say under Changed in CHANGELOG.md what replaces `Block.Hash`",
		"rpc.Block.Slot was \"uint64 `json:\\\"slot\\\"`\" and is \"uint64 `json:\\\"s\\\"`\", which breaks programs: undo that, or name `Block.Slot` under Changed in CHANGELOG.md",
		"rpc.Client.Epoch is gone, which breaks programs: bring it back, or say under Changed in CHANGELOG.md what replaces `Client.Epoch`",
		"rpc.Client.Slot was \"func (c *Client) Slot() uint64\" and is \"func (c *Client) Slot(at int) uint64\", which breaks programs: undo that, or name `Client.Slot` under Changed in CHANGELOG.md",
		"rpc.Block.Time is new: name `Block.Time` under Added in CHANGELOG.md, in a line that begins with rpc",
		"rpc.Client.Vote is new: name `Client.Vote` under Added in CHANGELOG.md, in a line that begins with rpc",
	}
	all := changes(t, "rpc", promised, api)
	require.Equal(t, want, unsaid(all, "# Changelog\n\n## Unreleased\n\n### Added\n\n### Changed\n\n- wallet: `A`, `Slot`\n\n## 0.1.0\n\n### Added\n\n- rpc: `Vote`\n"))
	require.Empty(t, unsaid(all, "\n## Unreleased\n\n### Added\n\n- rpc: `Vote` and `Block.Time`\n\n### Changed\n\n- rpc, wallet: `A`, `Hash`, `Client.Slot`, `Slot(…)`; `Epoch` → `Slot`\n"))
	require.Empty(t, changes(t, "rpc", api, api))
	require.ElementsMatch(t, want[:5], withoutShortLived(append(all, "rpc.Block.Time is gone, which breaks programs", "rpc.Client.Vote is gone, which breaks programs")))
}
