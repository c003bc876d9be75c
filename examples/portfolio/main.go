// Portfolio prints the token balances of a wallet, the most valuable first, and their total
// value. 100 tokens cost 100 credits.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/wallet"
)

func main() {
	n := flag.Uint("n", 10, "`maximum` number of tokens to print; 0 for all")
	owner := progress.Arguments("WALLET", string(fake.WalletAddress))[0]
	progress.Main(func(ctx context.Context, cfg types.Config, out io.Writer) error {
		return run(ctx, cfg, types.Address(owner), int(*n), out)
	})
}

func run(ctx context.Context, cfg types.Config, owner types.Address, n int, out io.Writer) error {
	wallets, err := wallet.New(cfg)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "SYMBOL\tAMOUNT\tPRICE\tVALUE\t  PROGRAM")
	var total decimal.Decimal // TotalUSDValue covers one page
	tokens, priced := 0, 0
	for page, err := range wallets.Balances(ctx, owner, nil).Pages() {
		if err != nil {
			return err
		}
		total = total.Add(page.TotalUSDValue)
		for _, b := range page.Items {
			name := progress.Printable(cmp.Or(b.Symbol, string(b.Mint)), 20)
			tokens++
			price, value := "-", "-"
			if b.PricePerToken.Valid && b.USDValue.Valid {
				priced++
				price, value = b.PricePerToken.Decimal.String(), b.USDValue.Decimal.StringFixed(2)
			}
			if n > 0 && tokens > n {
				continue
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t  %s\n", name, b.Amount, price, value, b.TokenProgram)
		}
	}
	if n > 0 && tokens > n {
		fmt.Fprintf(table, "%d more\t\t\t\t\n", tokens-n)
	}
	fmt.Fprintf(table, "TOTAL\t\t\t%s\t  USD\n", total.StringFixed(2))
	if err := table.Flush(); err != nil {
		return err
	}
	if priced < tokens {
		fmt.Fprintf(out, "%d of %d tokens have no price and are not in the total.\n", tokens-priced, tokens)
	}
	return nil
}
