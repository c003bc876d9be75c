// Package hosts has the service in small answer on the public hosts, so that
// the documentation runs as it stands.
package hosts

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/solwire/solwire-go/internal/fake"
)

// Main is a TestMain. Clients without an HTTPClient reach the public hosts by
// a copy of the default transport, which leads to this process here.
func Main(m *testing.M) {
	server := httptest.NewServer(fake.New())
	if t, ok := http.DefaultTransport.(*http.Transport); ok {
		t.DialTLSContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
		}
	}
	_ = os.Setenv("HELIUS_API_KEY", fake.Key)
	code := m.Run()
	server.Close()
	os.Exit(code)
}
