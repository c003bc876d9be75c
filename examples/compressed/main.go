// Compressed lists the accounts of an owner. Stopped or killed at any moment,
// it can go on where it was.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/examples/internal/demo"
	"github.com/solwire/solwire-go/types"
)

func main() {
	owner := flag.String("owner", demo.Owner, "`address` of the owner")
	file := flag.String("checkpoint", "", "`file` that keeps the place, so that the next run goes on there")
	stop := flag.Int("stop", 0, "the `page` after which to stop; 0 for never")
	walk := demo.WalkFlags()
	demo.Main("compressed", func(ctx context.Context, cfg types.Config, out io.Writer) error {
		walk.Out = out
		return run(ctx, cfg, types.Address(*owner), *file, *stop, walk)
	})
}

func run(ctx context.Context, cfg types.Config, owner types.Address, file string, stop int, walk *demo.Walk) error {
	client, err := compressed.New(cfg)
	if err != nil {
		return err
	}
	at, err := load(file, owner, walk.Resume)
	if err != nil {
		return err
	}
	fmt.Fprintf(walk, "Starting at %s.\n", cmp.Or(at.Cursor, "the first page"))
	for page, err := range client.AccountsByOwnerPages(ctx, owner, &compressed.AccountsByOwnerOptions{Cursor: at.Cursor}) {
		if err != nil {
			return walk.Stopped(err)
		}
		for _, account := range page.Items {
			walk.Object(account)
		}
		at = checkpoint{owner, page.Cursor, at.Pages + 1, at.Accounts + len(page.Items)}
		fmt.Fprintf(walk, "  page %d: %d accounts as of slot %d, %d so far\n", at.Pages, len(page.Items), page.Slot, at.Accounts)
		if err := walk.Page(len(page.Items), page.Cursor); err != nil {
			return err
		}
		if err := at.save(file); err != nil {
			return err
		}
		if at.Pages == stop && page.Cursor != "" {
			return walk.Stopped(context.Canceled)
		}
	}
	fmt.Fprintf(walk, "%d accounts in all.\n", at.Accounts)
	return walk.Close()
}
