package servers

import (
	"encoding/json"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types/fake"
)

// onFake directs the requests of the program to a fake of the service. Its world is the
// same at the same time.
const onFake = `package main

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/solwire/solwire-go/types/fake"
)

func init() {
	server := httptest.NewServer(fake.New(&fake.Options{Seed: 1, Clock: func() time.Time { return time.Unix(NOW, 0) }}))
	http.DefaultTransport.(*http.Transport).DialTLSContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
	}
}
`

// The program in the comment of package sqlseen handles each event once in two runs.
func TestProgramOfThePackageComment(t *testing.T) {
	t.Parallel()
	f, err := parser.ParseFile(token.NewFileSet(), "../../sqlseen.go", nil, parser.ParseComments|parser.PackageClauseOnly)
	require.NoError(t, err)
	var program string
	for _, part := range new(comment.Parser).Parse(f.Doc.Text()).Content {
		if code, ok := part.(*comment.Code); ok && strings.Contains(code.Text, "package main\n") {
			program = code.Text
		}
	}
	tmp := t.TempDir()
	replace := map[string]string{}
	dir, err := filepath.Abs("program")
	require.NoError(t, err)
	now := strconv.FormatInt(time.Now().Unix(), 10)
	for name, text := range map[string]string{"main.go": program, "fake.go": strings.Replace(onFake, "NOW", now, 1)} {
		require.NoError(t, os.WriteFile(filepath.Join(tmp, name), []byte(text), 0o600))
		replace[filepath.Join(dir, name)] = filepath.Join(tmp, name)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(tmp, "overlay.json"), overlay, 0o600))
	bin := filepath.Join(tmp, "catchup")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-overlay="+filepath.Join(tmp, "overlay.json"), "-o", bin, "./program").CombinedOutput()
	require.NoError(t, err, "%s", out)
	run := func() string {
		c := exec.CommandContext(t.Context(), bin)
		c.Dir, c.Env = tmp, append(os.Environ(), "HELIUS_API_KEY="+fake.Key)
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	require.Contains(t, run(), "2 new, 0 handled before")
	require.Equal(t, "0 new, 2 handled before\n", run())
}
