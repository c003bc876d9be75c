package consumer

import (
	"bufio"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/solwire/solwire-go/types"
)

// devserver starts the service in small, until the test ends, and returns a
// Config for it.
func devserver(t *testing.T, flags ...string) types.Config {
	t.Helper()
	program := filepath.Join(t.TempDir(), "devserver.exe") // Windows needs the .exe
	build := exec.Command("go", "build", "-o", program, "github.com/solwire/solwire-go/examples/devserver")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	server := exec.CommandContext(t.Context(), program, append(flags, "-addr", "127.0.0.1:0")...)
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Wait() }) // t.Context has ended it by then
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url = strings.TrimSpace(url)
	return types.Config{APIKey: "demo-key", RPCURL: url, WalletURL: url, WebhooksURL: url}
}

func TestTotal(t *testing.T) {
	cfg := devserver(t)
	total, err := Total(t.Context(), cfg, "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY")
	if err != nil {
		t.Fatal(err)
	}
	if !total.IsPositive() {
		t.Errorf("the wallet is worth %s", total)
	}

	cfg.APIKey = "expired-key"
	_, err = Total(t.Context(), cfg, "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY")
	if !errors.Is(err, types.ErrUnauthorized) {
		t.Errorf("got %v instead of a refusal", err)
	}
}
