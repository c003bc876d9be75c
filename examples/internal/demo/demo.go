// Package demo holds what the example programs share.
package demo

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
)

// Wallet is the one that the examples show unless told otherwise. It exists,
// so that there is something to see with a key as well as without.
const Wallet = fake.Wallet

// A Program is what an example does once its flags are parsed. The context
// ends with the first interrupt.
type Program func(ctx context.Context, cfg types.Config, out io.Writer) error

// Main parses the flags and runs p. An error becomes one line on standard
// error and exit status 1.
func Main(name string, p Program) {
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "%s: unexpected argument %q\n", name, flag.Arg(0))
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	os.Exit(p.run(ctx, name, os.Getenv("HELIUS_API_KEY"), os.Stdout, os.Stderr))
}

// run returns the exit status.
func (p Program) run(ctx context.Context, name, key string, out, notes io.Writer) int {
	cfg := types.Config{APIKey: key}
	if key == "" {
		fmt.Fprintln(notes, "HELIUS_API_KEY is not set: this is made-up data.")
		cfg = fake.New().Config()
	}
	if err := p(ctx, cfg, out); err != nil {
		fmt.Fprintf(notes, "%s: %s\n", name, strings.ReplaceAll(err.Error(), "\n", "; "))
		return 1
	}
	return 0
}

// Table returns a writer of columns. Cells end with a tab and stand at the
// right of their column; what follows the last tab stands at the left.
func Table(out io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
}

// Text makes a text that a stranger chose fit for a table: without what would
// move the cursor or turn the direction of writing, and not too long.
func Text(s string) string {
	const longest = 20
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, s)
	if chars := []rune(s); len(chars) > longest {
		return string(chars[:longest-1]) + "…"
	}
	return s
}
