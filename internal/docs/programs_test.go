package docs_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types/fake"
)

// onFake is added to a program, so that its requests to the public hosts reach a
// fake of the service. Clients without an HTTPClient copy the default transport.
const onFake = `package main

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"

	"github.com/solwire/solwire-go/types/fake"
)

func init() {
	server := httptest.NewServer(fake.New(nil))
	http.DefaultTransport.(*http.Transport).DialTLSContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
	}
}
`

// Whole programs in the documentation build, run and print something. Each is
// built as it is, in a directory that exists only for the go command. The module with
// the databases runs that of package sqlseen.
func TestProgramsRun(t *testing.T) {
	t.Parallel()
	programs := map[string]string{} // the directory of each text
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
		add(commentBlocks(t, dir))
	}
	tmp := t.TempDir()
	var overlay struct{ Replace map[string]string }
	overlay.Replace = map[string]string{}
	base, err := filepath.Abs("programs")
	require.NoError(t, err)
	args := []string{"build", "-buildvcs=false", "-ldflags=-s -w", "-overlay=" + filepath.Join(tmp, "overlay.json"), "-o", filepath.Join(tmp, "bin") + string(filepath.Separator)}
	place := func(file, text string) {
		copied := filepath.Join(tmp, strings.ReplaceAll(file, "/", "_"))
		require.NoError(t, os.WriteFile(copied, []byte(text), 0o600))
		overlay.Replace[filepath.Join(base, filepath.FromSlash(file))] = copied
	}
	for text, dir := range programs {
		place(dir+"/main.go", text)
		place(dir+"/fake.go", onFake)
		args = append(args, "./programs/"+dir)
	}
	config, err := json.Marshal(overlay)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(tmp, "overlay.json"), config, 0o600))
	out, err := exec.CommandContext(t.Context(), "go", args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	for text, dir := range programs {
		program := exec.CommandContext(t.Context(), filepath.Join(tmp, "bin", dir))
		program.Env = append(os.Environ(), "HELIUS_API_KEY="+fake.Key, "WEBHOOK_SECRET=secret")
		out, err := program.CombinedOutput()
		require.NoError(t, err, "%s\n%s", text, out)
		require.NotEmpty(t, out, text)
	}
}
