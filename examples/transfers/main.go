// Transfers prints what a wallet received and sent lately, and what that comes
// to for each token.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/examples/internal/demo"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

func main() {
	owner := flag.String("wallet", demo.Wallet, "`address` of the wallet")
	n := flag.Uint("n", 30, "`how many` transfers at most; 0 for all")
	demo.Main("transfers", func(ctx context.Context, cfg types.Config, out io.Writer) error {
		return run(ctx, cfg, types.Address(*owner), *n, out)
	})
}

func run(ctx context.Context, cfg types.Config, owner types.Address, n uint, out io.Writer) error {
	wallets, err := wallet.New(cfg)
	if err != nil {
		return err
	}
	table := demo.Table(out, "TIME (UTC)\tAMOUNT\t  TOKEN")
	net := map[types.Address]decimal.Decimal{} // by mint: a symbol may be anyone's
	for t, err := range wallets.AllTransfers(ctx, owner, nil) {
		if err != nil {
			return errors.Join(err, table.Flush()) // what came is worth seeing
		}
		token, preposition := demo.Token(t.Mint), "from"
		if t.Symbol != "" {
			token += " (" + demo.Text(t.Symbol) + ")"
		}
		if t.Direction == wallet.Out {
			t.Amount, preposition = t.Amount.Neg(), "to"
		}
		net[t.Mint] = net[t.Mint].Add(t.Amount)
		fmt.Fprintf(table, "%s\t%s\t  %s %s %s\n", demo.Time(t.Timestamp), t.Amount,
			token, preposition, demo.Short(string(t.Counterparty)))
		n--
		if n == 0 {
			break
		}
	}
	for _, mint := range slices.Sorted(maps.Keys(net)) {
		fmt.Fprintf(table, "IN ALL\t%s\t  %s\n", net[mint], demo.Token(mint))
	}
	return table.Flush()
}
