// Token prints the supply of a mint, who controls it and who holds most of it, at 10
// credits per 1000 token accounts.
//
//	go run ./examples/token -top 20 DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

func main() {
	top := flag.Int("top", 10, "how many holders to print")
	mint := types.Address(progress.Arguments("MINT", "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263")[0])
	cfg := types.Config{APIKey: os.Getenv("HELIUS_API_KEY")}
	if cfg.APIKey == "" {
		fmt.Fprintln(os.Stderr, "HELIUS_API_KEY is not set: this is made-up data.")
		cfg = fake.Config()
	}
	cfg.Meter = new(types.Meter)
	if err := run(context.Background(), cfg, mint, *top, os.Stdout, progress.New(os.Stderr, cfg.Meter)); err != nil {
		log.Fatal(err)
	}
	log.Print(cfg.Meter.Credits(), " credits")
}

func run(ctx context.Context, cfg types.Config, mint types.Address, top int, out io.Writer, line *progress.Line) error {
	node, err := rpc.New(cfg)
	if err != nil {
		return err
	}
	account, err := node.Account(ctx, mint, nil)
	if err != nil {
		return err
	}
	info, err := account.Data.Mint()
	if err != nil {
		return fmt.Errorf("%s: %w", mint, err)
	}
	name := string(mint)
	if metadata, ok := info.Extensions.TokenMetadata(); ok {
		name = fmt.Sprintf("%q, %s", metadata.Symbol, mint)
	}
	fmt.Fprintf(out, "%s\n%s tokens with %d decimals\n", name, info.Supply(), info.Decimals)
	fmt.Fprintf(out, "minted by %s, frozen by %s\n", cmp.Or(info.MintAuthority, "nobody"), cmp.Or(info.FreezeAuthority, "nobody"))
	if fee, ok := info.Extensions.TransferFeeConfig(); ok {
		fmt.Fprintf(out, "transfers cost %s %%\n", decimal.New(int64(fee.Newer.BasisPoints), -2))
	}

	held, accounts, err := holders(ctx, cfg, mint, line)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d holders with %d token accounts\n\n", len(held), accounts)
	owners := slices.SortedFunc(maps.Keys(held), func(a, b types.Address) int {
		return cmp.Or(held[b].Cmp(held[a]), cmp.Compare(a, b))
	})
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "HOLDER\tTOKENS\tSHARE\t")
	var sum decimal.Decimal
	for i, owner := range owners {
		amount := held[owner].Shift(-int32(info.Decimals))
		sum = sum.Add(amount)
		if i < top {
			fmt.Fprintf(table, "%s\t%s\t%s\t\n", owner, amount.StringFixed(int32(info.Decimals)), share(amount, info.Supply()))
		}
	}
	fmt.Fprintf(table, "all %d\t%s\t%s\t\n", len(owners), sum.StringFixed(int32(info.Decimals)), share(sum, info.Supply()))
	return table.Flush()
}

// holders returns what each owner has of a mint, in the smallest unit: the sum of its
// token accounts, of which it may have several, and of its compressed accounts.
func holders(ctx context.Context, cfg types.Config, mint types.Address, line *progress.Line) (held map[types.Address]decimal.Decimal, accounts int, err error) {
	assets, err := das.New(cfg)
	if err != nil {
		return nil, 0, err
	}
	defer line.Clear()
	held = map[types.Address]decimal.Decimal{}
	listed := map[types.Address]bool{}
	for account, err := range assets.TokenAccounts(ctx, das.TokenAccountsFilter{Mint: mint}, &das.TokenAccountsOptions{Prefetch: true}).All() {
		if err != nil {
			return nil, 0, err
		}
		if account.Err != "" || listed[account.Address] {
			continue // its amount is unknown, so the shares add up to less than 100 %, or it is listed twice
		}
		listed[account.Address] = true
		held[account.Owner] = held[account.Owner].Add(decimal.NewFromUint64(account.RawAmount))
		line.Show(0, fmt.Sprint(len(listed), " token accounts"))
	}

	delete(held, compressed.TokenPoolOwner) // it holds the tokens of the compressed accounts
	client, err := compressed.New(cfg)
	if err != nil {
		return nil, 0, err
	}
	for holder, err := range client.MintTokenHolders(ctx, mint, nil).All() {
		if err != nil {
			return nil, 0, err
		}
		line.Show(0, fmt.Sprintf("%d token accounts, %d holders", len(listed), len(held)))
		if holder.RawAmount > 0 {
			held[holder.Owner] = held[holder.Owner].Add(decimal.NewFromUint64(holder.RawAmount))
		}
	}
	return held, len(listed), nil
}

// share returns a percentage of the supply.
func share(part, whole decimal.Decimal) string {
	if whole.IsZero() {
		return ""
	}
	return part.Shift(2).DivRound(whole, 4).StringFixed(4) + " %"
}
