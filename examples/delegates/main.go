// Delegates prints what a delegate may spend from SPL token accounts and from
// compressed token accounts.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

func main() {
	delegate := progress.Arguments("DELEGATE", string(fake.DelegateAddress))[0]
	cfg := types.Config{APIKey: os.Getenv("HELIUS_API_KEY")}
	if cfg.APIKey == "" {
		fmt.Fprintln(os.Stderr, "HELIUS_API_KEY is not set: this is made-up data.")
		cfg = fake.Config()
	}
	cfg.Meter = new(types.Meter)
	if err := run(context.Background(), cfg, types.Address(delegate), os.Stdout, progress.New(os.Stderr, cfg.Meter)); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, cfg types.Config, delegate types.Address, out io.Writer, line *progress.Line) error {
	rpcClient, err := rpc.New(cfg)
	if err != nil {
		return err
	}
	compressedClient, err := compressed.New(cfg)
	if err != nil {
		return err
	}
	defer line.Clear()
	accounts := 0
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "OWNER\tHAS\tMAY BE SPENT\t  TOKEN")
	for account, err := range rpcClient.TokenAccountsByDelegate(ctx, delegate, rpc.AnyProgram(), nil).All() {
		if err != nil {
			return err
		}
		info, err := account.Account.Data.TokenAccount()
		if err != nil {
			return err
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t  %s\n", short(info.Owner), tokens(info.TokenAmount), tokens(info.DelegatedAmount), short(info.Mint))
		accounts++
		line.Show(0, fmt.Sprint(accounts, " accounts"))
	}
	count := map[types.Address]int{} // by mint
	for account, err := range compressedClient.TokenAccountsByDelegate(ctx, delegate, nil).All() {
		if err != nil {
			return err
		}
		count[account.TokenData.Mint]++
		accounts++
		line.Show(0, fmt.Sprint(accounts, " accounts"))
	}
	for _, mint := range slices.Sorted(maps.Keys(count)) {
		fmt.Fprintf(table, "COMPRESSED\t%d accounts\tunknown\t  %s\n", count[mint], short(mint))
	}
	line.Clear()
	return table.Flush()
}

// tokens returns an amount in whole tokens. Nodes send no usable text for some
// Token-2022 tokens that are scaled or bear interest; then it is computed from the
// raw amount.
func tokens(a types.TokenAmount) string {
	switch a.UIAmountString {
	case "", "inf", "NaN":
		return types.Amount(a.RawAmount, a.Decimals).String()
	}
	return a.UIAmountString
}

// short returns the first and last characters of an address.
func short(a types.Address) string {
	if len(a) < 12 {
		return string(a)
	}
	return string(a[:4] + "…" + a[len(a)-4:])
}
