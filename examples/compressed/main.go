// Compressed lists the compressed accounts of an owner. After an interruption or a
// crash, it resumes at its checkpoint.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"os/signal"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

func main() {
	file := flag.String("checkpoint", "", "`file` that stores where to resume")
	stop := flag.Int("stop", 0, "`page` after which to stop; 0 for none")
	owner := progress.Arguments("OWNER", string(fake.OwnerAddress))[0]
	cfg := types.Config{APIKey: os.Getenv("HELIUS_API_KEY")}
	if cfg.APIKey == "" {
		fmt.Fprintln(os.Stderr, "HELIUS_API_KEY is not set: this is made-up data.")
		cfg = fake.Config()
	}
	cfg.Meter = new(types.Meter)
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, cfg, types.Address(owner), *file, *stop, os.Stdout, progress.New(os.Stderr, cfg.Meter))
	cancel()
	if err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, cfg types.Config, owner types.Address, file string, stop int, out io.Writer, line *progress.Line) error {
	client, err := compressed.New(cfg)
	if err != nil {
		return err
	}
	at, err := load(file, owner)
	if err != nil {
		return err
	}
	defer line.Clear()
	opts := &compressed.AccountsByOwnerOptions{Cursor: at.Cursor}
	for page, err := range client.AccountsByOwner(ctx, owner, opts).Pages() {
		if err != nil {
			return err // the checkpoint of the previous page remains
		}
		at = checkpoint{owner, page.Cursor, at.Pages + 1, at.Accounts + len(page.Items)}
		line.Clear()
		fmt.Fprintf(out, "page %d: %d accounts as of slot %d, %d so far\n", at.Pages, len(page.Items), page.Slot, at.Accounts)
		line.Show(0, fmt.Sprint(at.Accounts, " accounts"))
		if !page.HasMore {
			break
		}
		if err := at.save(file); err != nil {
			return err
		}
		if at.Pages == stop {
			return nil
		}
	}
	line.Clear()
	fmt.Fprintf(out, "%d accounts in total\n", at.Accounts)
	if file == "" {
		return nil
	}
	return os.RemoveAll(file) // the next run starts over
}

// A checkpoint is the position of a listing after a page.
type checkpoint struct {
	Owner    types.Address `json:"owner"`
	Cursor   string        `json:"cursor"` // of the last page that was handled
	Pages    int           `json:"pages"`
	Accounts int           `json:"accounts"`
}

// load returns the checkpoint in file, or the start of the listing if there is
// none. A checkpoint of another owner is an error: the service would accept its
// cursor and start somewhere in the middle.
func load(file string, owner types.Address) (checkpoint, error) {
	c := checkpoint{Owner: owner}
	text, err := os.ReadFile(file)
	if file == "" || errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return c, fmt.Errorf("%s: %w", file, err)
	}
	if c.Owner != owner {
		return c, fmt.Errorf("%s is a checkpoint of another owner, %s", file, c.Owner)
	}
	return c, nil
}

// save replaces file atomically, so that a crash leaves the old checkpoint or the
// new one.
func (c checkpoint) save(file string) error {
	if file == "" {
		return nil
	}
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}
