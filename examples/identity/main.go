// Identity prints who is behind wallets, and who gave them their first SOL.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/solwire/solwire-go/examples/internal/demo"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

func main() {
	names := flag.String("wallets", demo.Names, "`addresses` and domain names, with commas between")
	demo.Main("identity", func(ctx context.Context, cfg types.Config, out io.Writer) error {
		return run(ctx, cfg, *names, out)
	})
}

func run(ctx context.Context, cfg types.Config, names string, out io.Writer) error {
	wallets, err := wallet.New(cfg)
	if err != nil {
		return err
	}
	var asked []types.Address
	for name := range strings.SplitSeq(names, ",") {
		asked = append(asked, types.Address(name))
	}
	all, err := wallets.Identities(ctx, asked)
	if err != nil {
		return err
	}
	table := demo.Table(out, "WALLET\tWHO\t  FIRST SOL")
	for i, who := range all {
		first, err := firstSOL(ctx, wallets, who)
		if err != nil {
			return err
		}
		fmt.Fprintf(table, "%s\t%s\t  %s\n", demo.Text(string(asked[i])), cmp.Or(demo.Text(who.Name), "unknown"), first)
	}
	return table.Flush()
}

func firstSOL(ctx context.Context, wallets *wallet.Client, who wallet.Identity) (string, error) {
	f, err := wallets.FundedBy(ctx, who.Address)
	switch {
	case who.Unresolved: // so there was no address to ask about
		return "no such name", nil
	case errors.Is(err, types.ErrNotFound):
		return "unknown", nil
	case err != nil:
		return "", err
	}
	return fmt.Sprintf("%s SOL from %s", f.Amount, cmp.Or(demo.Text(f.FunderName), demo.Short(string(f.Funder)))), nil
}
