// Flows prints who paid whom in a month, in the transactions of a wallet and its token
// accounts. 100 transactions cost 12 credits.
//
//	go run ./examples/flows -month 2025-05 ADDRESS
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/parsedapi"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/parsed"
)

// A flow is a token that one wallet paid another. A token account stands for an owner that
// is unknown.
type flow struct {
	From, To, Mint types.Address // From is empty for new tokens, To for burned ones; or unknown SOL
}

// A total is the sum of the transfers of a flow.
type total struct {
	Amount    decimal.Decimal
	Transfers int
}

// A ledger has the flows of some transactions.
type ledger struct {
	Transactions int
	Failed       int // which moved nothing
	NotParsed    int // by the service
	Flows        map[flow]total
}

func main() {
	since, until := progress.Month()
	n := flag.Uint("n", 25, "`maximum` number of rows; 0 means all")
	owner := types.Address(progress.Arguments("ADDRESS", string(fake.WalletAddress))[0])
	progress.Main(func(ctx context.Context, cfg types.Config, out io.Writer) error {
		l, err := read(ctx, cfg, owner, *since, *until)
		if err != nil {
			return err
		}
		return l.print(ctx, cfg, out, int(*n))
	})
}

// read returns the ledger of a period of an address. Zero times mean no limit.
func read(ctx context.Context, cfg types.Config, owner types.Address, since, until time.Time) (*ledger, error) {
	node, err := rpc.New(cfg)
	if err != nil {
		return nil, err
	}
	parser, err := parsedapi.New(cfg)
	if err != nil {
		return nil, err
	}
	l := &ledger{Flows: map[flow]total{}}
	opts := &rpc.TransactionsForAddressOptions{
		Ascending: true, Since: since, Until: until, TokenAccounts: types.TokenAccountHistoryAll, PageOptions: types.PageOptions{Limit: 500, Prefetch: true},
	}
	for page, err := range node.TransactionSignaturesForAddress(ctx, owner, opts).Pages() {
		if err != nil {
			return nil, err
		}
		signatures := make([]types.Signature, len(page.Items))
		for i, t := range page.Items {
			signatures[i] = t.Signature
		}
		results, err := parser.Transactions(ctx, signatures, nil)
		if err != nil {
			return nil, err
		}
		for _, r := range results {
			l.Transactions++
			if r == nil || r.Parsed == nil {
				l.NotParsed++
				continue
			}
			if r.Parsed.Failed() {
				l.Failed++
			}
			l.addTransfers(r.Parsed)
		}
	}
	return l, nil
}

// addTransfers adds the transfers of a transaction; a failed one has none.
func (l *ledger) addTransfers(x *parsed.Transaction) {
	for _, t := range x.NativeTransfers() {
		l.add(flow{t.FromUserAccount, t.ToUserAccount, types.NativeSOLMint}, t.Amount())
	}
	for _, t := range x.TokenTransfers() {
		l.add(flow{cmp.Or(t.FromUserAccount, t.FromTokenAccount), cmp.Or(t.ToUserAccount, t.ToTokenAccount), t.Mint}, t.Amount())
	}
}

func (l *ledger) add(f flow, amount decimal.Decimal) {
	l.Flows[f] = total{l.Flows[f].Amount.Add(amount), l.Flows[f].Transfers + 1}
}

// print writes a table of the first n flows, sorted by token, the largest of each first.
func (l *ledger) print(ctx context.Context, cfg types.Config, out io.Writer, n int) error {
	sorted := slices.SortedFunc(maps.Keys(l.Flows), func(a, b flow) int {
		return cmp.Or(cmp.Compare(a.Mint, b.Mint), l.Flows[b].Amount.Cmp(l.Flows[a].Amount), cmp.Compare(a.From+a.To, b.From+b.To))
	})
	if n > 0 {
		sorted = sorted[:min(n, len(sorted))]
	}
	symbols, mints := map[types.Address]string{}, make([]types.Address, len(sorted))
	for i, f := range sorted {
		mints[i] = f.Mint
	}
	if err := progress.AddSymbols(ctx, cfg, symbols, mints...); err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "FROM\tTO\tAMOUNT\tTOKEN\tTRANSFERS")
	for _, f := range sorted {
		from, to := types.Address("new tokens"), types.Address("burned")
		if f.Mint == types.NativeSOLMint {
			from, to = "unknown", "unknown"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d\n", cmp.Or(f.From, from), cmp.Or(f.To, to), l.Flows[f].Amount, symbols[f.Mint], l.Flows[f].Transfers)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "%d of %d flows in %d transactions, of which %d failed and %d could not be read\n",
		len(sorted), len(l.Flows), l.Transactions, l.Failed, l.NotParsed)
	return err
}
