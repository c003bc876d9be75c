// Scan prints the swaps of a wallet with a program since a day, and the cost against reading the
// history: 10 000 transactions cost 20 credits, not 1000.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"strings"
	"time"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/rpc/parsedapi"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

func main() {
	program := flag.String("program", "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4", "`address` of the program, by default Jupiter")
	names := flag.String("instructions", "", "`names` of its instructions, such as route,sharedAccountsRoute; empty means all")
	day := flag.String("since", "2025-05-01", "the first `day`")
	owner := progress.Arguments("WALLET", string(fake.WalletAddress))[0]
	since, err := time.Parse(time.DateOnly, *day)
	if err != nil {
		log.Fatal(err)
	}
	calls := parsedapi.ProgramMatch{ProgramID: types.Address(*program)}
	if *names != "" {
		calls.Instructions = strings.Split(*names, ",")
	}
	progress.Main(func(ctx context.Context, cfg types.Config, out io.Writer) error {
		return run(ctx, cfg, types.Address(owner), calls, since, out)
	})
}

func run(ctx context.Context, cfg types.Config, owner types.Address, calls parsedapi.ProgramMatch, since time.Time, out io.Writer) error {
	client, err := parsedapi.New(cfg)
	if err != nil {
		return err
	}
	match := parsedapi.Match{Programs: []parsedapi.ProgramMatch{calls}}
	opts := &parsedapi.ScanOptions{HistoryOptions: parsedapi.HistoryOptions{Since: since, Outcome: types.OutcomeSucceeded}}
	var total parsedapi.Scanned
	for page, err := range client.Scan(ctx, owner, match, opts).Pages() {
		if err != nil {
			return err
		}
		for _, r := range page.Items {
			if r.Parsed == nil {
				fmt.Fprintln(out, r.Signature, r.ParserError)
				continue
			}
			when := "just now           " // the newest transactions have no block time yet
			if !r.Parsed.BlockTime.IsZero() {
				when = r.Parsed.BlockTime.UTC().Format(time.DateTime)
			}
			fmt.Fprintln(out, when, r.Parsed.Describe(owner, nil))
		}
		total.Searched += page.Searched
		total.Matched += page.Matched
		total.Credits += page.Credits
	}
	fmt.Fprintf(out, "%d of %d transactions for %d credits; reading all of them costs %d.\n",
		total.Matched, total.Searched, total.Credits, 10*max(1, (total.Searched+99)/100))
	return nil
}
