// Package progress runs the examples on a terminal: it has their arguments, their Config, and
// their cost.
package progress

import (
	"context"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// Main runs an example until it is interrupted, with the service that the environment names: see
// [fake.FromEnv]. The example writes to out. Standard error ends with its
// error, if there is one, and the credits that it cost.
func Main(run func(ctx context.Context, cfg types.Config, out io.Writer) error) {
	log.SetFlags(0)
	cfg := fake.FromEnv()
	switch {
	case fake.Of(cfg) != nil:
		log.Print("HELIUS_API_KEY is not set: this is made-up data.")
	case cfg.RPCURL != "":
		log.Print("SOLWIRE_URL is set: this is made-up data.")
	}
	cfg.Meter = new(types.Meter)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, cfg, os.Stdout)
	stop()
	if err != nil {
		log.Print(err)
	}
	log.Print("credits: ", cfg.Meter.Credits())
	if err != nil {
		os.Exit(1)
	}
}
