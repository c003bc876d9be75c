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
		asked = append(asked, types.Address(strings.TrimSpace(name)))
	}
	all, err := wallets.Identities(ctx, asked)
	if all == nil {
		return err
	}
	table := demo.Table(out, "WALLET\tWHO\t  FIRST SOL")
	for i, who := range all {
		if who.Type == "" {
			continue // could not be asked: err says why
		}
		first, failed := firstSOL(ctx, wallets, who)
		if failed != nil {
			err = errors.Join(err, failed)
			break
		}
		fmt.Fprintf(table, "%s\t%s\t  %s\n", demo.Text(string(asked[i])), cmp.Or(demo.Text(who.Name), "unknown"), first)
	}
	return errors.Join(err, table.Flush())
}
