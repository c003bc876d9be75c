package docs_test

import (
	"context"
	"flag"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/solwire/solwire-go/types/fake"
)

// TestMain directs requests to the public hosts to a fake of the service: clients
// without an HTTPClient copy the default transport.
func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() { // they are the same for all toolchains
		log.Print("the documentation is not tested with -short")
		return
	}
	server := httptest.NewServer(fake.New(nil))
	if t, ok := http.DefaultTransport.(*http.Transport); ok {
		t.DialTLSContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
		}
	}
	dir, err := os.MkdirTemp("", "examples")
	if err != nil {
		log.Fatal(err)
	}
	built.dir = dir
	code := m.Run()
	server.Close()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}
