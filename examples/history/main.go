// History prints the latest transactions of a wallet, and its SOL after the oldest of them. 100
// transactions cost 100 credits, the SOL 100 more, and the symbols of tokens 10.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/wallet"
)

func main() {
	kind := flag.String("type", "", "only transactions of this `type`, such as SWAP")
	since := progress.Duration("since", 0, "only transactions of the last `duration`, such as 24h")
	n := flag.Uint("n", 25, "`maximum` number of transactions")
	owner := progress.Arguments("WALLET", string(fake.WalletAddress))[0]
	opts := &wallet.HistoryOptions{Type: txtype.Type(*kind)}
	if *since > 0 {
		opts.Since = time.Now().Add(-*since)
	}
	progress.Main(func(ctx context.Context, cfg types.Config, out io.Writer) error {
		return run(ctx, cfg, types.Address(owner), opts, int(*n), out)
	})
}

func run(ctx context.Context, cfg types.Config, owner types.Address, opts *wallet.HistoryOptions, n int, out io.Writer) error {
	wallets, err := wallet.New(cfg)
	if err != nil {
		return err
	}
	var latest []wallet.Transaction
	for tx, err := range wallets.History(ctx, owner, opts).All() {
		if err != nil {
			return err
		}
		latest = append(latest, tx)
		if len(latest) == n {
			break
		}
	}
	symbols, mints := map[types.Address]string{}, []types.Address(nil)
	for _, tx := range latest {
		for _, c := range tx.BalanceChanges {
			mints = append(mints, c.Mint)
		}
	}
	if err := progress.AddSymbols(ctx, cfg, symbols, mints...); err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "TIME (UTC)\tFEE IN SOL\t  CHANGES")
	for _, tx := range latest {
		when := "just now" // the newest transactions have no block time yet
		if !tx.BlockTime.IsZero() {
			when = tx.BlockTime.UTC().Format(time.DateTime)
		}
		fmt.Fprintf(table, "%s\t%s\t  %s\n", when, tx.Fee.StringFixed(9), outcome(tx, symbols))
	}
	if err := table.Flush(); err != nil || len(latest) == 0 {
		return err
	}
	sol, err := wallets.BalanceAt(ctx, owner, types.NativeSOLMint, wallet.AtSlot(latest[len(latest)-1].Slot))
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s SOL after the oldest of these transactions.\n", sol.Amount)
	return nil
}

// outcome describes the balance changes of a transaction.
func outcome(tx wallet.Transaction, symbols map[types.Address]string) string {
	if tx.TransactionError != "" {
		return "failed"
	}
	text := []byte("ok")
	for _, c := range tx.BalanceChanges {
		text = fmt.Appendf(text, "  %s %s", c.Amount, symbols[c.Mint])
	}
	return string(text)
}
