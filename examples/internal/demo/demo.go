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
	"syscall"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
)

// Wallet is the one that the examples show unless told otherwise. It exists,
// so that there is something to see with a key as well as without.
const Wallet = fake.Wallet

// Delegate may spend from token accounts of others, and Owner has compressed
// accounts. Both are the ones of the service's own examples.
const (
	Delegate = fake.Delegate
	Owner    = fake.Owner
)

// Names are those whose identity the examples show: an exchange, a name, a
// wallet of which nothing is known, and a name that leads nowhere.
const Names = "HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664,toly.sol,4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R,nobody-has-this.sol"

// A Program is what an example does once its flags are parsed. The context
// ends with the first interrupt or SIGTERM.
type Program func(ctx context.Context, cfg types.Config, out io.Writer) error

// Main parses the flags and runs p. An error becomes one line on standard
// error and exit status 1.
func Main(name string, p Program) {
	base := flag.String("devserver", "", "ask the devserver at this `address`, such as http://127.0.0.1:8899")
	flag.Usage = func() { // not by the path of the program, which go run makes up
		fmt.Fprintf(flag.CommandLine.Output(), "Usage of %s:\n", name)
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "%s: unexpected argument %q\n", name, flag.Arg(0))
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // asked again, the process ends at once
	os.Exit(p.run(ctx, name, config(os.Getenv("HELIUS_API_KEY"), *base, os.Stderr), os.Stdout, os.Stderr))
}

// config returns a Config for the service, for the devserver at base, or with
// neither a key nor a base for the service in small inside this process. A key
// for the service is none for the devserver, and none of its business.
func config(key, base string, notes io.Writer) types.Config {
	switch {
	case base != "":
		if key != fake.LimitedKey && key != fake.ExpiredKey {
			key = fake.DemoKey
		}
		return types.Config{APIKey: key, RPCURL: base, WalletURL: base, WebhooksURL: base}
	case key != "":
		return types.Config{APIKey: key}
	}
	fmt.Fprintln(notes, "HELIUS_API_KEY is not set: this is made-up data.")
	return fake.New().Config()
}

// run returns the exit status.
func (p Program) run(ctx context.Context, name string, cfg types.Config, out, notes io.Writer) int {
	if err := p(ctx, cfg, out); err != nil {
		fmt.Fprintf(notes, "%s: %s\n", name, strings.ReplaceAll(err.Error(), "\n", "; "))
		return 1
	}
	return 0
}

// Table returns a writer of columns and writes their heads. Cells end with a
// tab and stand at the right of their column; what follows the last tab stands
// at the left.
func Table(out io.Writer, heads string) *tabwriter.Writer {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, heads)
	return table
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

// Token names the token of a mint: by the mint's first and last letters,
// unless it is one of the three that stand for SOL.
func Token(mint types.Address) string {
	switch {
	case mint.IsNativeSOL():
		return "SOL"
	case mint == types.WrappedSOL:
		return "SOL or wSOL"
	}
	return Short(string(mint))
}

// Short returns the first and last letters of an address or a signature.
func Short(s string) string {
	if len(s) < 12 {
		return Text(s)
	}
	return Text(s[:4] + "…" + s[len(s)-4:])
}

// Time returns t in UTC, to the second.
func Time(t types.Time) string {
	if t.IsZero() {
		return "a moment ago"
	}
	return t.UTC().Format(time.DateTime)
}
