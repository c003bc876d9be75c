// History prints the latest transactions of a wallet, and the SOL that it had
// after the oldest of them.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
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
	since := flag.Duration("since", 0, "only transactions of the last `duration`, such as 24h")
	n := flag.Int("n", 25, "`maximum` number of transactions")
	owner := progress.Arguments("WALLET", string(fake.WalletAddress))[0]
	cfg := types.Config{APIKey: os.Getenv("HELIUS_API_KEY")}
	if cfg.APIKey == "" {
		fmt.Fprintln(os.Stderr, "HELIUS_API_KEY is not set: this is made-up data.")
		cfg = fake.Config()
	}
	cfg.Meter = new(types.Meter)
	opts := &wallet.HistoryOptions{Type: txtype.Type(*kind)}
	if *since > 0 {
		opts.Since = time.Now().Add(-*since)
	}
	if err := run(context.Background(), cfg, types.Address(owner), opts, *n, os.Stdout, progress.New(os.Stderr, cfg.Meter)); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, cfg types.Config, owner types.Address, opts *wallet.HistoryOptions, n int, out io.Writer, line *progress.Line) error {
	wallets, err := wallet.New(cfg)
	if err != nil {
		return err
	}
	var latest []wallet.Transaction
	defer line.Clear()
	for tx, err := range wallets.History(ctx, owner, opts).All() {
		if err != nil {
			return err
		}
		latest = append(latest, tx)
		line.Show(0, fmt.Sprint(len(latest), " transactions"))
		if len(latest) == n {
			break
		}
	}
	line.Clear()
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "TIME (UTC)\tFEE IN SOL\t  CHANGES")
	for _, tx := range latest {
		when := "just now" // the newest transactions have no block time yet
		if !tx.BlockTime.IsZero() {
			when = tx.BlockTime.UTC().Format(time.DateTime)
		}
		fmt.Fprintf(table, "%s\t%s\t  %s\n", when, tx.Fee.StringFixed(9), outcome(tx))
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
func outcome(tx wallet.Transaction) string {
	if tx.Err != "" {
		return "failed"
	}
	text := []byte("ok")
	for _, c := range tx.BalanceChanges {
		token := fmt.Sprintf("%.4s…", c.Mint)
		switch {
		case c.Mint.IsNativeSOL():
			token = "SOL"
		case c.Mint == types.WrappedSOL:
			token = "SOL or wSOL"
		}
		text = fmt.Appendf(text, "  %s %s", c.Amount, token)
	}
	return string(text)
}
