// Dashboard serves a page that shows a wallet: its value and holdings, its value over
// time, transfers and who the other side is, NFTs, compressed tokens, and transactions as
// they happen.
//
//	go run -C examples/dashboard . WALLET
//
// A view of a wallet costs about 600 credits, which the page says, and is kept for a minute.
//
// The key stays in this process. The program has no login: it listens on loopback, and
// everybody who can open the page spends credits. Logos, and images that the service has
// no copy of, come from hosts that the creators of tokens chose: these see the IP address
// of the viewer, as anybody can send a token to a wallet. To prevent this, remove https:
// from the policy in server.go or serve the images through a proxy.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:8080", "`address` to listen on")
	explorer := flag.String("explorer", "https://explorer.solana.com/tx/", "`URL` of an explorer, before the signature of a transaction")
	owner := progress.Arguments("WALLET", string(fake.WalletAddress))[0]
	progress.Main(func(ctx context.Context, cfg types.Config, out io.Writer) error {
		clock := time.Now
		if fake.Of(cfg) != nil {
			start, meter := time.Now(), cfg.Meter
			clock = func() time.Time { return time.Unix(begin, 0).Add(time.Since(start)) }
			service, err := newFake(clock)
			if err != nil {
				return err
			}
			cfg = service.Config()
			cfg.Meter = meter
		}
		d, err := newDashboard(cfg, *explorer, clock)
		if err != nil {
			return err
		}
		if d.owner, err = d.resolve(ctx, owner); err != nil {
			return fmt.Errorf("%q: %w", owner, err)
		}
		if service := fake.Of(cfg); service != nil {
			go progress.Demo(ctx, service, d.owner, 3*time.Second) // ends with ctx
		}
		return run(ctx, d, *listen, out)
	})
}

// run serves the page until ctx ends.
func run(ctx context.Context, d *dashboard, listen string, out io.Writer) error {
	defer d.streams.Close()
	address, wait, err := progress.Serve(ctx, listen, d.handler())
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "Open http://%s/ in a browser.\n", address)
	return wait()
}

// begin is the time of the fake when the program starts, after the latest transactions of
// its world: 2 June 2025, 15:05 UTC.
const begin = 1748876700

// newFake returns a fake, in which the wallet also holds compressed tokens.
func newFake(clock func() time.Time) (*fake.Service, error) {
	data, err := embedded.ReadFile("assets/world.json")
	if err != nil {
		return nil, err
	}
	world, err := fake.ParseWorld(data)
	if err != nil {
		return nil, err
	}
	return fake.New(&fake.Options{World: world, Clock: clock}), nil
}
