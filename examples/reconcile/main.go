// Reconcile compares the addresses of a webhook with those in a file, and corrects the
// webhook on request. Run it every day: addresses have been known to vanish. With an API
// key a correction costs 100 credits.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/webhooks"
)

func main() {
	id := flag.String("webhook", "", "`ID` of the webhook")
	file := flag.String("addresses", "", "`file` with the wanted addresses, one per line")
	apply := flag.Bool("apply", false, "correct the webhook instead of only reporting the differences")
	progress.Arguments("")
	ctx := context.Background()
	cfg := types.Config{APIKey: os.Getenv("HELIUS_API_KEY")}
	if cfg.APIKey == "" {
		fmt.Fprintln(os.Stderr, "HELIUS_API_KEY is not set: this is made-up data.")
		if err := demo(ctx, fake.Config(), os.Stdout); err != nil {
			log.Fatal(err)
		}
		return
	}
	wanted, err := read(*file)
	if err == nil {
		err = run(ctx, cfg, *id, wanted, *apply, os.Stdout)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, cfg types.Config, id string, wanted []types.Address, apply bool, out io.Writer) error {
	hooks, err := webhooks.New(cfg)
	if err != nil {
		return err
	}
	want := webhooks.Wanted{Settings: webhooks.Settings{AccountAddresses: wanted}} // and active; other settings are not compared
	differences, err := hooks.Reconcile(ctx, id, want, &webhooks.ReconcileOptions{Apply: apply})
	if err != nil {
		return err
	}
	fmt.Fprintln(out, differences)
	for _, a := range differences.Missing {
		fmt.Fprintln(out, "+", a)
	}
	for _, a := range differences.Unwanted {
		fmt.Fprintln(out, "-", a)
	}
	if apply && !differences.Empty() {
		fmt.Fprintln(out, "corrected")
	}
	return nil
}

// read returns the addresses in a file. A file without addresses is an error.
func read(file string) ([]types.Address, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var all []types.Address
	for line := range strings.FieldsSeq(string(text)) {
		all = append(all, types.Address(line))
	}
	if len(all) == 0 {
		return nil, errors.New(file + " has no addresses")
	}
	return all, nil
}

// demo corrects a webhook that lacks an address and has a wrong one.
func demo(ctx context.Context, cfg types.Config, out io.Writer) error {
	hooks, err := webhooks.New(cfg)
	if err != nil {
		return err
	}
	hook, err := hooks.Create(ctx, webhooks.Settings{
		URL:              "https://example.com/hook",
		Type:             webhooks.TypeRaw,
		AccountAddresses: []types.Address{fake.WalletAddress, fake.ExchangeAddress},
		AuthHeader:       webhooks.Secret(rand.Text()),
	})
	if err != nil {
		return err
	}
	wanted := []types.Address{fake.WalletAddress, "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"}
	for _, apply := range []bool{false, true, false} {
		fmt.Fprintf(out, "apply %t:\n", apply)
		if err := run(ctx, cfg, hook.ID, wanted, apply, out); err != nil {
			return err
		}
	}
	return nil
}
