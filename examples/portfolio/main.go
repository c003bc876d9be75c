// Portfolio prints what a wallet holds, the most valuable first, and what it
// is worth in all.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/examples/internal/demo"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

func main() {
	owner := flag.String("wallet", demo.Wallet, "`address` of the wallet")
	nfts := flag.Bool("nfts", false, "list NFTs too")
	demo.Main("portfolio", func(ctx context.Context, cfg types.Config, out io.Writer) error {
		return run(ctx, cfg, types.Address(*owner), *nfts, out)
	})
}

func run(ctx context.Context, cfg types.Config, owner types.Address, nfts bool, out io.Writer) error {
	wallets, err := wallet.New(cfg)
	if err != nil {
		return err
	}
	table := demo.Table(out, "SYMBOL\tAMOUNT\tPRICE\tVALUE\t  PROGRAM")
	var total decimal.Decimal // a page tells only its own
	var shown []wallet.NFT
	for page, err := range wallets.BalancePages(ctx, owner, &wallet.BalancesOptions{ShowNFTs: nfts}) {
		if err != nil {
			return err
		}
		total = total.Add(page.TotalUSDValue)
		for _, b := range page.Items {
			name := cmp.Or(demo.Text(b.Symbol), demo.Text(string(b.Mint)))
			price, value := "-", "-"
			if b.PricePerToken.Valid && b.USDValue.Valid {
				price, value = b.PricePerToken.Decimal.String(), b.USDValue.Decimal.StringFixed(2)
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t  %s\n", name, b.Amount, price, value, b.TokenProgram)
		}
		shown = append(shown, page.NFTs...)
	}
	fmt.Fprintf(table, "TOTAL\t\t\t%s\t  USD\n", total.StringFixed(2))
	if err := table.Flush(); err != nil {
		return err
	}
	for _, n := range shown {
		name := cmp.Or(demo.Text(n.Name), demo.Text(string(n.Mint)))
		fmt.Fprintf(out, "NFT  %s, %s\n", name, cmp.Or(demo.Text(n.CollectionName), "in no collection"))
	}
	return nil
}
