package docs_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types/fake"
)

// runAny runs the program or the example that its first argument names. Requests of the
// programs to the public hosts reach a fake of the service: clients without an HTTPClient copy
// the default transport.
const runAny = `package main

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/solwire/solwire-go/types/fake"
IMPORTS)

func main() {
	os.Args = os.Args[1:]
	if strings.HasPrefix(os.Args[0], "program") {
		serve()
	}
	map[string]func(){PROGRAMS}[os.Args[0]]()
}

func serve() {
	const collection = "J1S9H3QjnRtBbbuD4HjPV6RpRhwuk4zKbxsnCHuTgh9w"
	service := fake.New(&fake.Options{World: &fake.World{Preset: fake.PresetDefault, NFTs: []fake.NFT{
		{ID: collection, Owner: fake.WalletAddress}, {Owner: fake.WalletAddress, Collection: collection, Name: "Lad"},
	}}})
	server := httptest.NewServer(service)
	http.DefaultTransport.(*http.Transport).DialTLSContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
	}
}
`

// built is the binary of the programs and examples. TestMain makes its directory, and the first
// test that needs it builds it.
var built struct {
	sync.Mutex
	dir  string
	done bool
}

// documented returns the names of the whole programs in the documentation, by their texts. The
// module with the databases runs the program of package sqlstore.
func documented(t *testing.T) map[string]string {
	programs := map[string]string{}
	add := func(blocks []block) {
		for _, b := range blocks {
			if b.lang == "go" && isProgram(b) && programs[b.text] == "" && !strings.Contains(b.text, "modernc.org/sqlite") {
				programs[b.text] = fmt.Sprint("program", len(programs))
			}
		}
	}
	for _, d := range documents(t) {
		add(d.code)
	}
	for _, dir := range packageDirs(t) {
		blocks := commentBlocks(t, dir)
		require.True(t, dir == "." || slices.ContainsFunc(blocks, isProgram), "the comment of package %s has no program", dir)
		add(blocks)
	}
	return programs
}

// programs builds one binary of all programs and examples, as linking takes the most time. It
// renames main to Main, and compiles the rest as it is, in directories that exist only for the
// go command.
func programs(t *testing.T) string {
	built.Lock()
	defer built.Unlock()
	bin := filepath.Join(built.dir, "any")
	if built.done {
		return bin
	}
	var overlay struct{ Replace map[string]string }
	overlay.Replace = map[string]string{}
	base, err := filepath.Abs("programs")
	require.NoError(t, err)
	place := func(dir, file, text string) {
		require.NotRegexp(t, `solwire-go/\S*internal/`, text, "%s/%s: users cannot import it", dir, file)
		copied := filepath.Join(built.dir, dir+"_"+file)
		text = strings.Replace("\n"+text, "\npackage main\n", "\npackage "+dir+"\n", 1)
		require.NoError(t, os.WriteFile(copied, []byte(strings.Replace(text, "\nfunc main() {\n", "\nfunc Main() {\n", 1)), 0o600))
		overlay.Replace[filepath.Join(base, dir, file)] = copied
	}
	names := exampleNames(t)
	for _, name := range names {
		files, err := filepath.Glob(filepath.Join(root, "examples", name, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			place(name, filepath.Base(file), string(text))
		}
	}
	for text, name := range documented(t) {
		place(name, "main.go", text)
		names = append(names, name)
	}
	slices.Sort(names)
	var imports, table strings.Builder
	for _, name := range names {
		fmt.Fprintf(&imports, "\t\"github.com/solwire/solwire-go/internal/docs/programs/%s\"\n", name)
		fmt.Fprintf(&table, "%q: %s.Main, ", name, name)
	}
	main := filepath.Join(built.dir, "main.go")
	require.NoError(t, os.WriteFile(main, []byte(strings.NewReplacer("IMPORTS", imports.String(), "PROGRAMS", table.String()).Replace(runAny)), 0o600))
	overlay.Replace[filepath.Join(base, "any", "main.go")] = main
	config, err := json.Marshal(overlay)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(built.dir, "overlay.json"), config, 0o600))
	// Unlike go build, go run finds the linked binary in the build cache.
	out, err := exec.CommandContext(t.Context(), "go", "run", "-exec=cp", "-buildvcs=false", "-overlay="+filepath.Join(built.dir, "overlay.json"), "./programs/any", bin).CombinedOutput()
	require.NoError(t, err, "%s", out)
	built.done = true
	return bin
}

// Whole programs in the documentation build, run and print something, and each package
// comment except for the root has one.
func TestProgramsRun(t *testing.T) {
	t.Parallel()
	bin := programs(t)
	devserver := start(t, exec.CommandContext(t.Context(), bin, "devserver", "-addr", "127.0.0.1:0", "-every", "100ms"))
	for text, name := range documented(t) {
		program := exec.CommandContext(t.Context(), bin, name)
		program.Env = append(os.Environ(), "HELIUS_API_KEY="+fake.Key, "WEBHOOK_SECRET=secret", "LISTEN=127.0.0.1:0")
		if strings.Contains(text, "fake.FromEnv()") { // it runs as it stands
			program.Env = append(program.Env, "HELIUS_API_KEY=", "SOLWIRE_URL=")
		}
		if strings.Contains(text, "http.Serve(") {
			program.Env = append(program.Env, "SOLWIRE_URL="+devserver)
			requireServes(t, start(t, program))
			continue
		}
		out, err := program.CombinedOutput()
		require.NoError(t, err, "%s\n%s", text, out)
		require.NotEmpty(t, out, text)
		if m := regexp.MustCompile(`at most (\d+) credits, spent (\d+)`).FindSubmatch(out); m != nil {
			most, _ := strconv.Atoi(string(m[1]))
			spent, _ := strconv.Atoi(string(m[2]))
			require.InDelta(t, most-5, spent, 5, text) // at most a page less
		}
	}
}

// start runs a program until the test ends, and returns the URL that it prints.
func start(t *testing.T, program *exec.Cmd) string {
	out, err := program.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, program.Start())
	t.Cleanup(func() { _, _ = program.Process.Kill(), program.Wait() })
	url, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	return strings.TrimSpace(url)
}

// requireServes reads an event from a URL.
func requireServes(t *testing.T, url string) {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	response, err := (&http.Client{Timeout: time.Minute}).Do(r)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "data: ") {
			return
		}
	}
	require.Fail(t, "no event", url)
}
