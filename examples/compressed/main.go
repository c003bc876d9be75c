// Compressed counts the accounts of an owner. Killed and started again, it goes on where it was.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/examples/internal/demo"
	"github.com/solwire/solwire-go/types"
)

func main() {
	owner := flag.String("owner", demo.Owner, "`address` of the owner")
	file := flag.String("checkpoint", os.TempDir()+"/solwire-compressed.json", "`file` that keeps the place")
	stop := flag.Int("stop", 2, "the `page` after which to stop and start again; 0 for never")
	demo.Main("compressed", func(ctx context.Context, cfg types.Config, out io.Writer) error {
		return run(ctx, cfg, types.Address(*owner), *file, *stop, out)
	})
}

func run(ctx context.Context, cfg types.Config, owner types.Address, file string, stop int, out io.Writer) error {
	client, err := compressed.New(cfg)
	if err != nil {
		return err
	}
	var at checkpoint
	for done := false; !done; {
		if at, err = load(file); err != nil {
			return err
		}
		fmt.Fprintf(out, "Starting at %s.\n", cmp.Or(at.Cursor, "the first page"))
		for page, err := range client.AccountsByOwnerPages(ctx, owner, &compressed.AccountsByOwnerOptions{Cursor: at.Cursor}) {
			if err != nil {
				return err
			}
			at = checkpoint{page.Cursor, at.Pages + 1, at.Accounts + len(page.Items)}
			if err := at.save(file); err != nil {
				return err
			}
			fmt.Fprintf(out, "  page %d: %d accounts as of slot %d, %d so far\n", at.Pages, len(page.Items), page.Slot, at.Accounts)
			if done = page.Cursor == ""; at.Pages == stop {
				break
			}
		}
	}
	whole := 0
	for _, err := range client.AllAccountsByOwner(ctx, owner, nil) {
		if err != nil {
			return err
		}
		whole++
	}
	fmt.Fprintf(out, "%d accounts in all. A walk without a stop finds %d.\n", at.Accounts, whole)
	return nil
}
