// Dashboard serves a page that shows a wallet: its holdings, their value over time, NFTs, and
// transactions as they happen.
//
//	go run -C examples/dashboard . WALLET
//
// A view of a wallet costs about 170 credits and is kept for five minutes. While the page is
// open, each transaction costs 1 credit. Reading the holdings again costs 20 to 30 credits, at
// most twice a minute.
//
// The key stays in this process. The program has no login: it listens on loopback, and everybody
// who can open the page spends credits. Logos, and images that the service has no copy of, come
// from hosts of the creators of tokens. These see the IP address of the viewer, as anybody can
// send a token to a wallet. To prevent this, remove https: from the policy in server.go or serve
// the images through a proxy.
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
	explorer := flag.String("explorer", "https://explorer.solana.com", "`URL` of an explorer, with pages /tx/SIGNATURE and /address/ADDRESS")
	owner := progress.Arguments("WALLET", string(fake.WalletAddress))[0]
	progress.Main(func(ctx context.Context, cfg types.Config, out io.Writer) error {
		service := fake.Of(cfg)
		if service != nil { // one whose time passes, with months of history
			var err error
			if service, err = newFake(time.Now); err != nil {
				return err
			}
			meter := cfg.Meter
			cfg = service.Config()
			cfg.Meter = meter
		}
		d, err := newDashboard(cfg, *explorer, time.Now)
		if err != nil {
			return err
		}
		d.madeUp = cfg.RPCURL != "" // as of fake.FromEnv without a key
		if d.owner, err = d.resolve(ctx, owner); err != nil {
			return fmt.Errorf("%q: %w", owner, err)
		}
		if service != nil {
			go progress.Demo(ctx, service, d.owner, 15*time.Second) // ends with ctx
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

// written is the time at which assets/world.json was written.
const written = 1748876700

// newFake returns a fake, in which a wallet has four months of history until now.
func newFake(clock func() time.Time) (*fake.Service, error) {
	data, err := embedded.ReadFile("assets/world.json")
	if err != nil {
		return nil, err
	}
	world, err := fake.ParseWorld(data)
	if err != nil {
		return nil, err
	}
	for i := range world.Transactions {
		at := &world.Transactions[i].BlockTime
		at.Time = at.Add(clock().Sub(time.Unix(written, 0)))
	}
	return fake.New(&fake.Options{World: world, Clock: clock}), nil
}
