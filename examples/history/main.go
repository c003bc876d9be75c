// History prints what a wallet did lately, and how much SOL it had before.
package main

import (
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
	n := flag.Int("n", 25, "`how many` transactions at most; 0 for all")
	demo.Main("history", func(ctx context.Context, cfg types.Config, out io.Writer) error {
		return run(ctx, cfg, types.Address(*owner), txtype.Type(*kind), *n, out)
	})
}

func run(ctx context.Context, cfg types.Config, owner types.Address, kind txtype.Type, n int, out io.Writer) error {
	wallets, err := wallet.New(cfg)
	if err != nil {
		return err
	}
	table := demo.Table(out, "TIME (UTC)\tFEE IN SOL\t  CHANGES")
	var oldest uint64
	for tx, err := range wallets.AllHistory(ctx, owner, &wallet.HistoryOptions{Type: kind}) {
		if err != nil {
			return err
		}
		oldest = tx.Slot
		fmt.Fprintf(table, "%s\t%s\t  %s\n", demo.Time(tx.Timestamp), tx.Fee, outcome(tx))
		n--
		if n == 0 {
			break
		}
	}
	sol, err := wallets.BalanceAt(ctx, owner, types.NativeSOLMint, wallet.AtSlot(oldest))
	if err != nil {
		return err
	}
	fmt.Fprintf(table, "\t\t  %s SOL were left after the oldest of these\n", sol.Amount)
	return table.Flush()
}

func outcome(tx wallet.Transaction) string {
	if tx.Error != "" {
		return "failed"
	}
	text := []byte("ok")
	for _, c := range tx.BalanceChanges {
		text = fmt.Appendf(text, "  %s %s", c.Amount, demo.Token(c.Mint))
	}
	return string(text)
}
