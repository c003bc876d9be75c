// Token prints the supply of a mint, who controls it and who holds most of it.
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

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

func main() {
	top := flag.Int("top", 10, "how many holders to print")
	flag.Parse()
	mint := types.Address(cmp.Or(flag.Arg(0), "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263"))
	cfg := types.Config{APIKey: os.Getenv("HELIUS_API_KEY")}
	if cfg.APIKey == "" {
		fmt.Fprintln(os.Stderr, "HELIUS_API_KEY is not set: this is made-up data.")
		cfg = fake.Config()
	}
	cfg.Meter = new(types.Meter)
	if err := run(context.Background(), cfg, mint, *top, os.Stdout); err != nil {
		log.Fatal(err)
	}
	log.Print(cfg.Meter.Credits(), " credits")
}

func run(ctx context.Context, cfg types.Config, mint types.Address, top int, out io.Writer) error {
	client, err := rpc.New(cfg)
	if err != nil {
		return err
	}
	account, err := client.Account(ctx, mint, nil)
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

	held, accounts, err := holders(ctx, client, account.Owner, mint)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d holders with %d accounts\n\n", len(held), accounts)
	owners := slices.SortedFunc(maps.Keys(held), func(a, b types.Address) int {
		return cmp.Or(held[b].Cmp(held[a]), cmp.Compare(a, b))
	})
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "HOLDER\tTOKENS\tSHARE\t")
	for _, owner := range owners[:min(top, len(owners))] {
		amount := held[owner].Shift(-int32(info.Decimals))
		fmt.Fprintf(table, "%s\t%s\t%s\t\n", owner, amount, share(amount, info.Supply()))
	}
	return table.Flush()
}

// holders returns the amount of a mint in each wallet, in the smallest unit. A wallet may
// have several accounts.
func holders(ctx context.Context, client *rpc.Client, program, mint types.Address) (held map[types.Address]decimal.Decimal, accounts int, err error) {
	opts := &rpc.ProgramAccountsV2Options{}
	opts.Filters = []rpc.Filter{rpc.MemcmpAddress(0, mint)} // the first 32 bytes of a token account are its mint
	opts.Prefetch = true
	held = map[types.Address]decimal.Decimal{}
	for item, err := range client.AllProgramAccountsV2(ctx, program, opts) {
		if err != nil {
			return nil, 0, err
		}
		info, err := item.Account.Data.TokenAccount()
		if err != nil { // not a token account, or one that the node could not parse
			continue
		}
		accounts++
		if info.TokenAmount.RawAmount > 0 {
			held[info.Owner] = held[info.Owner].Add(decimal.NewFromUint64(info.TokenAmount.RawAmount))
		}
	}
	return held, accounts, nil
}

func share(part, whole decimal.Decimal) string {
	if whole.IsZero() {
		return ""
	}
	return part.Shift(2).DivRound(whole, 3).String() + " %"
}
