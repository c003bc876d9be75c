// History prints what a wallet did lately, and how much SOL it had before.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/solwire/solwire-go/examples/internal/demo"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/wallet"
)

func main() {
	owner := flag.String("wallet", demo.Wallet, "`address` of the wallet")
	kind := flag.String("type", "", "only transactions of this `type`, such as SWAP")
	n := flag.Uint("n", 25, "`how many` transactions at most; 0 for all")
	walk := demo.WalkFlags()
	demo.Main("history", func(ctx context.Context, cfg types.Config, out io.Writer) error {
		walk.Out = out
		return run(ctx, cfg, types.Address(*owner), txtype.Type(*kind), int(*n), walk)
	})
}

func run(ctx context.Context, cfg types.Config, owner types.Address, kind txtype.Type, n int, walk *demo.Walk) error {
	wallets, err := wallet.New(cfg)
	if err != nil {
		return err
	}
	table := demo.Table(walk, "TIME (UTC)\tFEE IN SOL\t  CHANGES")
	var oldest uint64
	for page, err := range wallets.HistoryPages(ctx, owner, &wallet.HistoryOptions{Cursor: walk.Resume, Type: kind}) {
		if err != nil {
			return walk.Stopped(err)
		}
		more := n <= 0 || len(page.Items) < n
		if !more {
			page.Items, page.Cursor = page.Items[:n], "" // that cursor would skip the rest
		}
		n -= len(page.Items)
		for _, tx := range page.Items {
			walk.Object(tx)
			oldest = tx.Slot
			fmt.Fprintf(table, "%s\t%s\t  %s\n", demo.Time(tx.Timestamp), tx.Fee.StringFixed(9), outcome(tx))
		}
		if err := cmp.Or(table.Flush(), walk.Page(len(page.Items), page.Cursor)); err != nil {
			return err
		}
		if !more {
			break
		}
	}
	return finish(ctx, wallets, owner, oldest, walk)
}
