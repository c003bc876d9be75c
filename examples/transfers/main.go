// Transfers prints the latest transfers to and from a wallet, and their sum for
// each token.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/wallet"
)

func main() {
	n := flag.Int("n", 30, "`maximum` number of transfers")
	owner := progress.Arguments("WALLET", string(fake.WalletAddress))[0]
	cfg := types.Config{APIKey: os.Getenv("HELIUS_API_KEY")}
	if cfg.APIKey == "" {
		fmt.Fprintln(os.Stderr, "HELIUS_API_KEY is not set: this is made-up data.")
		cfg = fake.Config()
	}
	cfg.Meter = new(types.Meter)
	if err := run(context.Background(), cfg, types.Address(owner), *n, os.Stdout, progress.New(os.Stderr, cfg.Meter)); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, cfg types.Config, owner types.Address, n int, out io.Writer, line *progress.Line) error {
	wallets, err := wallet.New(cfg)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "TIME (UTC)\tAMOUNT\t  TOKEN")
	net := map[types.Address]decimal.Decimal{} // by mint, since a symbol is not unique
	defer line.Clear()
	printed := 0
	for t, err := range wallets.Transfers(ctx, owner, nil).All() {
		if err != nil {
			line.Clear()
			return errors.Join(err, table.Flush()) // show the transfers before the error
		}
		when, word := "just now", "from" // the newest transfers have no block time yet
		if !t.BlockTime.IsZero() {
			when = t.BlockTime.UTC().Format(time.DateTime)
		}
		if t.Direction == types.DirectionOut {
			t.Amount, word = t.Amount.Neg(), "to"
		}
		net[t.Mint] = net[t.Mint].Add(t.Amount)
		fmt.Fprintf(table, "%s\t%s\t  %s %q %s %s\n", when, t.Amount, short(t.Mint), t.Symbol, word, short(t.Counterparty))
		printed++
		line.Show(0, fmt.Sprint(printed, " transfers"))
		if printed == n {
			break
		}
	}
	for _, mint := range slices.Sorted(maps.Keys(net)) {
		fmt.Fprintf(table, "TOTAL\t%s\t  %s\n", net[mint], short(mint))
	}
	line.Clear()
	return table.Flush()
}

// short returns the first and last characters of an address.
func short(a types.Address) string {
	switch {
	case a.IsNativeSOL():
		return "SOL"
	case len(a) < 12:
		return string(a)
	}
	return string(a[:4] + "…" + a[len(a)-4:])
}
