// Backfill writes every transaction of a wallet and its token accounts, or of any address, in a
// month to a file. Each is a line of JSON, the oldest first. After an interruption or a crash,
// run it again with the same flags: it resumes where it stopped. 100 transactions cost 10
// credits.
//
//	go run ./examples/backfill -month 2025-05 -out may.jsonl ADDRESS
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// A job is a period of an address, and the file for its transactions.
type job struct {
	Address types.Address
	Since   time.Time // zero means from the beginning
	Until   time.Time // not included; zero means no end
	MadeUp  bool      // whether a fake has the transactions
	out     string    // the output; the state is in a file next to it
}

// A state is the progress of a job. Output beyond Size belongs to an unfinished page.
type state struct {
	job
	Cursor string // of the next page
	Size   int64  // of the output, in bytes
	Lines  int
	Done   bool
}

func main() {
	var j job
	since, until := progress.Month()
	flag.StringVar(&j.out, "out", "history.jsonl", "`file` of the transactions")
	j.Address = types.Address(progress.Arguments("ADDRESS", string(fake.WalletAddress))[0])
	j.Since, j.Until = *since, *until
	progress.Main(func(ctx context.Context, cfg types.Config, out io.Writer) error {
		j.MadeUp = cfg.APIKey == types.Key(fake.Key)
		s, err := run(ctx, cfg, j)
		if s.Lines > 0 || err == nil {
			fmt.Fprintf(out, "%d transactions in %s\n", s.Lines, j.out)
		}
		return err
	})
}

// run continues the job and returns its state.
func run(ctx context.Context, cfg types.Config, j job) (state, error) {
	client, err := rpc.New(cfg)
	if err != nil {
		return state{}, err
	}
	s, err := load(j)
	if err != nil || s.Done {
		return s, err
	}
	out, err := os.OpenFile(j.out, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return s, err
	}
	defer func() { _ = out.Close() }() // every page is synced
	if err := out.Truncate(s.Size); err != nil {
		return s, err
	}
	if _, err := out.Seek(s.Size, io.SeekStart); err != nil {
		return s, err
	}
	opts := &rpc.TransactionsForAddressOptions{Ascending: true, Since: j.Since, Until: j.Until, PageOptions: types.PageOptions{Cursor: s.Cursor, Prefetch: true}}
	for page, err := range client.TransactionsForAddress(ctx, j.Address, opts).Pages() {
		if err != nil {
			return s, err
		}
		var lines bytes.Buffer
		encoder := json.NewEncoder(&lines)
		for i := range page.Items {
			if err := encoder.Encode(&page.Items[i]); err != nil {
				return s, err
			}
		}
		s.Size += int64(lines.Len())
		s.Lines += len(page.Items)
		if _, err := lines.WriteTo(out); err != nil {
			return s, err
		}
		if err := out.Sync(); err != nil {
			return s, err
		}
		s.Cursor, s.Done = page.Cursor, !page.HasMore
		if err := save(s); err != nil {
			return s, err
		}
	}
	return s, nil
}

// load returns the state of an earlier run, or the state of a new job.
func load(j job) (state, error) {
	fresh := state{job: j}
	b, err := os.ReadFile(j.out + ".state")
	if errors.Is(err, fs.ErrNotExist) {
		if info, err := os.Stat(j.out); err == nil && info.Size() > 0 {
			return fresh, fmt.Errorf("%s exists and was not written by an earlier run; use another file", j.out)
		}
		return fresh, nil
	}
	if err != nil {
		return fresh, err
	}
	s := fresh
	if err := json.Unmarshal(b, &s); err != nil {
		return fresh, fmt.Errorf("%s.state: %w", j.out, err)
	}
	if info, err := os.Stat(j.out); err != nil || info.Size() < s.Size {
		return fresh, fmt.Errorf("%s lacks transactions that were written; remove %s.state to start over", j.out, j.out)
	}
	if s.Address != j.Address || !s.Since.Equal(j.Since) || !s.Until.Equal(j.Until) || s.MadeUp != j.MadeUp {
		return fresh, fmt.Errorf("%s has another address, period or service; use another file", j.out)
	}
	return s, nil
}

// save replaces the state atomically, so that a crash leaves the old or the new one.
func save(s state) error {
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	name := s.out + ".state"
	if err := os.WriteFile(name+".new", b, 0o600); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}
