// Devserver serves a fake of the service over HTTP, for programs in any language.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

func main() {
	log.SetFlags(0)
	c := new(control)
	addr := flag.String("addr", "127.0.0.1:8899", "`address` to listen on; port 0 chooses a free port")
	flag.StringVar(&c.sockets, "ws", "", "`address` to listen on too, for clients that open WebSocket connections on the next port")
	every := progress.Duration("every", 5*time.Second, "`time` between events of the wallet and of webhooks; 0 for no events")
	flag.Func("network", "`network` of the genesis hash: mainnet, or devnet, which has requestAirdrop (default mainnet)", c.network)
	flag.Float64Var(&c.faults, "faults", 0, "`fraction` of the requests that fail, such as 0.1")
	latency := progress.Duration("latency", 0, "`time` to wait before each response")
	flag.Uint64Var(&c.options.Seed, "rand", 0, "`number` that determines signatures and random faults; 0 for a random one")
	flag.IntVar(&c.options.Journal, "journal", 10_000, "keep the latest `number` of requests and transactions")
	flag.BoolVar(&c.anywhere, "anywhere", false, "deliver events to webhook URLs beyond loopback too")
	flag.BoolVar(&c.open, "open", false, "let requests to /_fake/ control the server")
	flag.Func("seed", "JSON `file` with a fake.World, instead of {\"preset\": \"default\"}", c.seed)
	progress.Arguments("")
	c.every, c.latency = *every, *latency
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process
	if err := run(ctx, c, *addr, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// seed reads the data from a file.
func (c *control) seed(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	c.options.World, err = fake.ParseWorld(data)
	return err
}

func (c *control) network(name string) error {
	if c.options.Network = types.Network(name); c.options.Network != types.NetworkMainnet && c.options.Network != types.NetworkDevnet {
		return errors.New("not mainnet or devnet")
	}
	return nil
}

// run serves until ctx ends.
func run(ctx context.Context, c *control, addr string, out io.Writer) error {
	var background sync.WaitGroup
	defer background.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if !(c.faults >= 0 && c.faults <= 1) {
		return fmt.Errorf("-faults %v is not a fraction from 0 to 1", c.faults)
	}
	if err := try(c.reset); err != nil { // the flags are wrong
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/", c)
	mux.HandleFunc("GET /{$}", c.page)
	if c.open {
		c.register(mux)
	}
	address, wait, err := progress.Serve(ctx, addr, mux)
	if err != nil {
		return fmt.Errorf("-addr: %w", err)
	}
	if c.sockets != "" {
		_, waitToo, err := progress.Serve(ctx, c.sockets, mux)
		if err != nil {
			return fmt.Errorf("-ws: %w", err)
		}
		background.Go(func() { _ = waitToo() }) // it ends with ctx
	}
	fmt.Fprint(out, welcome(base(address), c.options.World))
	background.Go(func() { c.deliver(ctx) })
	return wait()
}

// base returns the URL of a server. A server on all interfaces has its loopback address
// in the URL, since clients use plain HTTP only there.
func base(addr net.Addr) string {
	if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("http://127.0.0.1:%d", tcp.Port)
	}
	return "http://" + addr.String()
}
