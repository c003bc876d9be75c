package servers

import (
	"database/sql"
	"encoding/json"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types/fake"
)

// onFake directs the requests of the program to a fake of the service. Once the program has
// its webhook, an event is delivered, and the program is interrupted.
const onFake = `package main

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"syscall"
	"time"

	"github.com/solwire/solwire-go/types/fake"
)

func init() {
	service := fake.New(&fake.Options{World: &fake.World{}})
	server := httptest.NewServer(service)
	http.DefaultTransport.(*http.Transport).DialTLSContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
	}
	go func() {
		for len(service.Watched()) == 0 {
			time.Sleep(10 * time.Millisecond)
		}
		service.Deliver(context.Background(), nil, service.Swap(service.Watched()[0]))
		me, _ := os.FindProcess(os.Getpid())
		_ = me.Signal(syscall.SIGTERM) // as containers are stopped
	}()
}
`

// The program in the comment of package sqlstore stores the event of each of two runs.
func TestProgramOfThePackageComment(t *testing.T) {
	t.Parallel()
	f, err := parser.ParseFile(token.NewFileSet(), "../../sqlstore.go", nil, parser.ParseComments|parser.PackageClauseOnly)
	require.NoError(t, err)
	var program string
	for _, part := range new(comment.Parser).Parse(f.Doc.Text()).Content {
		if code, ok := part.(*comment.Code); ok && strings.Contains(code.Text, "package main\n") {
			program = code.Text
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()
	require.NoError(t, listener.Close())
	require.Contains(t, program, `":8080"`)
	program = strings.NewReplacer("127.0.0.1:8081", "127.0.0.1:0", ":8080", address).Replace(program)
	tmp := t.TempDir()
	replace := map[string]string{}
	dir, err := filepath.Abs("program")
	require.NoError(t, err)
	for name, text := range map[string]string{"main.go": program, "fake.go": onFake} {
		require.NoError(t, os.WriteFile(filepath.Join(tmp, name), []byte(text), 0o600))
		replace[filepath.Join(dir, name)] = filepath.Join(tmp, name)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(tmp, "overlay.json"), overlay, 0o600))
	bin := filepath.Join(tmp, "keep")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-overlay="+filepath.Join(tmp, "overlay.json"), "-o", bin, "./program").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for range 2 {
		c := exec.CommandContext(t.Context(), bin)
		c.Dir, c.Env = tmp, append(os.Environ(), "HELIUS_API_KEY="+fake.Key, "WEBHOOK_SECRET="+secret, "WEBHOOK_URL=http://"+address)
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	db, err := sql.Open("sqlite", filepath.Join(tmp, "events.db"))
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	var stored int
	require.NoError(t, db.QueryRow("SELECT COUNT(*) FROM swaps WHERE event LIKE '%SWAP%'").Scan(&stored))
	require.Equal(t, 2, stored)
}
