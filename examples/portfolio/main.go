// Portfolio prints the token balances of a wallet, the most valuable first, and
// their total value.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/wallet"
)

func main() {
	nfts := flag.Bool("nfts", false, "list NFTs too")
	url := flag.String("url", "", "`URL` of a devserver to use instead")
	owner := progress.Arguments("WALLET", string(fake.WalletAddress))[0]
	cfg := types.Config{APIKey: os.Getenv("HELIUS_API_KEY")}
	switch {
	case *url != "":
		cfg = types.Config{APIKey: fake.Key, WalletURL: *url}
	case cfg.APIKey == "":
		fmt.Fprintln(os.Stderr, "HELIUS_API_KEY is not set: this is made-up data.")
		cfg = fake.Config()
	}
	cfg.Meter = new(types.Meter)
	if err := run(context.Background(), cfg, types.Address(owner), *nfts, os.Stdout, progress.New(os.Stderr, cfg.Meter)); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, cfg types.Config, owner types.Address, nfts bool, out io.Writer, line *progress.Line) error {
	wallets, err := wallet.New(cfg)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "SYMBOL\tAMOUNT\tPRICE\tVALUE\t  PROGRAM")
	defer line.Clear()
	var total decimal.Decimal // TotalUSDValue covers one page
	tokens, priced := 0, 0
	var found []types.NFT
	for page, err := range wallets.Balances(ctx, owner, &wallet.BalancesOptions{ShowNFTs: nfts}).Pages() {
		if err != nil {
			return err
		}
		total = total.Add(page.TotalUSDValue)
		for _, b := range page.Items {
			name := printable(cmp.Or(b.Symbol, string(b.Mint)))
			tokens++
			price, value := "-", "-"
			if b.PricePerToken.Valid && b.USDValue.Valid {
				priced++
				price, value = b.PricePerToken.Decimal.String(), b.USDValue.Decimal.StringFixed(2)
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t  %s\n", name, b.Amount, price, value, b.TokenProgram)
		}
		found = append(found, page.NFTs...)
		line.Show(0, fmt.Sprint(tokens, " tokens"))
	}
	line.Clear()
	fmt.Fprintf(table, "TOTAL\t\t\t%s\t  USD\n", total.StringFixed(2))
	if err := table.Flush(); err != nil {
		return err
	}
	if priced < tokens {
		fmt.Fprintf(out, "%d of %d tokens have no price and are not in the total.\n", tokens-priced, tokens)
	}
	for _, n := range found {
		name, collection := printable(cmp.Or(n.Name, string(n.Mint))), printable(cmp.Or(n.CollectionName, "no collection"))
		fmt.Fprintf(out, "NFT  %s, %s\n", name, collection)
	}
	return nil
}

// printable makes untrusted text safe for a terminal: it removes control characters and
// shortens the text.
func printable(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, s)
	if chars := []rune(s); len(chars) > 20 {
		return string(chars[:19]) + "…"
	}
	return s
}
