// Delegates prints what a delegate may spend from ordinary and from compressed token accounts.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/examples/internal/demo"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

func main() {
	delegate := flag.String("delegate", demo.Delegate, "`address` of the delegate")
	owner := flag.String("owner", "", "only what belongs to this `address`, such as your own")
	demo.Main("delegates", func(ctx context.Context, cfg types.Config, out io.Writer) error {
		return run(ctx, cfg, types.Address(*delegate), types.Address(*owner), out)
	})
}

func run(ctx context.Context, cfg types.Config, delegate, owner types.Address, out io.Writer) error {
	accounts, err := rpc.New(cfg)
	small, err2 := compressed.New(cfg)
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	table := demo.Table(out, "OWNER\tHAS\tMAY BE SPENT\tTOKEN\t  STATE")
	for item, err := range accounts.AllTokenAccountsByDelegate(ctx, delegate, nil) {
		if err != nil {
			return err
		}
		if info := item.Account.Data.Parsed; info != nil && (owner == "" || info.Owner == owner) {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t  %s\n", demo.Short(string(info.Owner)), shown(info.TokenAmount),
				shown(info.DelegatedAmount), demo.Short(string(info.Mint)), demo.Text(string(info.State)))
		}
	}
	count := map[types.Address]int{}
	for item, err := range small.AllTokenAccountsByDelegate(ctx, delegate, nil) {
		if err != nil {
			return err
		}
		if owner == "" || item.TokenData.Owner == owner {
			count[item.TokenData.Mint]++
		}
	}
	for _, mint := range slices.Sorted(maps.Keys(count)) {
		fmt.Fprintf(table, "COMPRESSED\t%d accounts\tnot told\t%s\t\n", count[mint], demo.Short(string(mint)))
	}
	return table.Flush()
}
