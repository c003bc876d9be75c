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
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types/fake"
)

// runAny runs the program that its first argument names. Requests of the programs to the
// public hosts reach a fake of the service, with captured answers for what it does not have: clients without an HTTPClient copy the
// default transport.
const runAny = `package main

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"time"

	"github.com/solwire/solwire-go/internal/golden"
	"github.com/solwire/solwire-go/types/fake"
IMPORTS)

func main() {
	service := fake.New(nil)
	go func() { // what streams show
		for range time.Tick(100 * time.Millisecond) {
			service.Transfer(fake.WalletAddress, fake.ExchangeAddress, 1)
		}
	}()
	calls := golden.Handler(service.Transport())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") == "websocket" {
			service.ServeHTTP(w, r)
			return
		}
		calls.ServeHTTP(w, r)
	}))
	http.DefaultTransport.(*http.Transport).DialTLSContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
	}
	map[string]func(){PROGRAMS}[os.Args[1]]()
}
`

// Whole programs in the documentation build, run and print something, and each package
// comment except for the root has one. Linking takes the most time, so one binary has
// them all: main becomes Main, and the rest is compiled as it is, in directories that
// exist only for the go command. The module with the databases runs the program of
// package sqlstore.
func TestProgramsRun(t *testing.T) {
	t.Parallel()
	programs := map[string]string{} // the name of each text
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
	tmp := t.TempDir()
	var overlay struct{ Replace map[string]string }
	overlay.Replace = map[string]string{}
	base, err := filepath.Abs("programs")
	require.NoError(t, err)
	place := func(dir, text string) {
		copied := filepath.Join(tmp, dir+".go")
		require.NoError(t, os.WriteFile(copied, []byte(text), 0o600))
		overlay.Replace[filepath.Join(base, dir, "main.go")] = copied
	}
	var imports, table strings.Builder
	for text, name := range programs {
		text = strings.Replace(text, "package main\n", "package "+name+"\n", 1)
		place(name, strings.Replace(text, "func main() {\n", "func Main() {\n", 1))
		fmt.Fprintf(&imports, "\t\"github.com/solwire/solwire-go/internal/docs/programs/%s\"\n", name)
		fmt.Fprintf(&table, "%q: %s.Main, ", name, name)
	}
	place("any", strings.NewReplacer("IMPORTS", imports.String(), "PROGRAMS", table.String()).Replace(runAny))
	config, err := json.Marshal(overlay)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(tmp, "overlay.json"), config, 0o600))
	bin := filepath.Join(tmp, "bin", "any")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-ldflags=-s -w",
		"-overlay="+filepath.Join(tmp, "overlay.json"), "-o", filepath.Dir(bin)+string(filepath.Separator), "./programs/any").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for text, name := range programs {
		program := exec.CommandContext(t.Context(), bin, name)
		program.Env = append(os.Environ(), "HELIUS_API_KEY="+fake.Key, "WEBHOOK_SECRET=secret", "LISTEN=127.0.0.1:0")
		if strings.Contains(text, "http.Serve(") {
			requireServes(t, program)
			continue
		}
		out, err := program.CombinedOutput()
		require.NoError(t, err, "%s\n%s", text, out)
		require.NotEmpty(t, out, text)
		if m := regexp.MustCompile(`estimated (\d+) credits, spent (\d+)`).FindSubmatch(out); m != nil {
			require.Equal(t, string(m[1]), string(m[2]), text)
		}
	}
}

// requireServes starts a program that prints a URL, and reads an event from there.
func requireServes(t *testing.T, program *exec.Cmd) {
	out, err := program.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, program.Start())
	defer func() { _, _ = program.Process.Kill(), program.Wait() }()
	url, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.TrimSpace(url), nil)
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
