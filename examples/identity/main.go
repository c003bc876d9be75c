// Identity prints who is behind wallets, and who sent them their first SOL.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/wallet"
)

func main() {
	// An exchange, a domain name, an unknown wallet and a name that does not resolve.
	names := progress.Arguments("ADDRESS|NAME ...", "HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664", "toly.sol",
		"4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R", "nobody-has-this.sol")
	cfg := types.Config{APIKey: os.Getenv("HELIUS_API_KEY")}
	if cfg.APIKey == "" {
		fmt.Fprintln(os.Stderr, "HELIUS_API_KEY is not set: this is made-up data.")
		cfg = fake.Config()
	}
	cfg.Meter = new(types.Meter)
	if err := run(context.Background(), cfg, names, os.Stdout, progress.New(os.Stderr, cfg.Meter)); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, cfg types.Config, names []string, out io.Writer, line *progress.Line) error {
	wallets, err := wallet.New(cfg)
	if err != nil {
		return err
	}
	defer line.Clear()
	identities, err := wallets.Identities(ctx, names) // has an entry for each name, even after an error
	for i, id := range identities {
		if id == nil {
			continue // the request for this one failed; err says why
		}
		first, fundingErr := firstSOL(ctx, wallets, id)
		if fundingErr != nil {
			return errors.Join(err, fundingErr)
		}
		line.Clear()
		fmt.Fprintf(out, "%q is %q, first SOL: %s\n", names[i], cmp.Or(id.Name, "unknown"), first)
		line.Show(float64(i+1)/float64(len(names)), fmt.Sprintf("%d of %d wallets", i+1, len(names)))
	}
	return err
}

// firstSOL describes the first SOL that a wallet received.
func firstSOL(ctx context.Context, wallets *wallet.Client, id *wallet.Identity) (string, error) {
	if id.Unresolved || id.Address == "" {
		return "no such name", nil
	}
	f, err := wallets.FundedBy(ctx, id.Address)
	if errors.Is(err, types.ErrNotFound) {
		return "unknown", nil
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s SOL from %q", f.Amount, cmp.Or(f.FunderName, string(f.Funder))), nil
}
