package consumer

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/solwire/solwire-go/types"
)

// devserver starts the service in small, until the test ends, and returns a
// Config for it.
func devserver(t *testing.T, flags ...string) types.Config {
	t.Helper()
	tool := exec.Command("go", "tool", "-n", "devserver") // builds it, and says where it is
	tool.Stderr = os.Stderr
	program, err := tool.Output()
	if err != nil {
		t.Fatal(err)
	}
	server := exec.CommandContext(t.Context(), strings.TrimSpace(string(program)), append(flags, "-addr", "127.0.0.1:0")...)
	server.Stderr = os.Stderr
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
	total, err := Total(t.Context(), devserver(t), "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY")
	if err != nil || !total.IsPositive() {
		t.Errorf("the wallet is worth %s, error %v", total, err)
	}
}

func TestTotalDespiteFaults(t *testing.T) {
	cfg := devserver(t, "-faults", "0.1")
	cfg.MaxAttempts = 10
	if _, err := Total(t.Context(), cfg, "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"); err != nil {
		t.Error(err)
	}
}

func TestTotalWithABadKey(t *testing.T) {
	cfg := devserver(t)
	cfg.MaxAttempts = 1
	for key, want := range map[string]error{"expired-key": types.ErrUnauthorized, "limited-key": types.ErrRateLimited} {
		cfg.APIKey = key
		_, err := Total(t.Context(), cfg, "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY")
		if !errors.Is(err, want) {
			t.Errorf("%s: got %v instead of %v", key, err, want)
		}
	}
}
