// Watch prints the transactions of wallets as they happen, and appends them to a file. It can
// be interrupted or killed at any time: run it again with the same file, and it continues where
// it stopped, with what happened in between. A transaction costs 1 credit, the symbol
// of a token 10, an idle day about 1900, and a restart 20.
//
//	go run ./examples/watch -file wallet.jsonl ADDRESS
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// An entry is a line of the file.
type entry struct {
	Slot      uint64          `json:"slot"`
	Signature types.Signature `json:"signature"`
	Text      string          `json:"text"`
	Resume    uint64          `json:"resume"`
	MadeUp    bool            `json:"madeUp,omitempty"` // by a fake, whose slots are no places of the chain
}

func main() {
	file := flag.String("file", os.DevNull, "`file` to append to and to resume from; without it, every run starts now")
	node := flag.String("url", "", "`URL` of a fake, such as examples/devserver; empty means the real service")
	health := flag.String("health", "", "`address` on which GET /health tells whether transactions can arrive")
	n := flag.Uint("n", 0, "`number` of transactions after which to stop; 0 means never")
	var wallets []types.Address
	for _, text := range progress.Arguments("ADDRESS ...", string(fake.WalletAddress)) {
		wallets = append(wallets, types.Address(text))
	}
	progress.Main(func(ctx context.Context, cfg types.Config, out io.Writer) error {
		if *node != "" {
			cfg = types.Config{APIKey: types.Key(fake.Key), RPCURL: *node, Meter: cfg.Meter}
		}
		if service := fake.Of(cfg); service != nil {
			go progress.Demo(ctx, service, wallets[0], time.Second) // ends with ctx
		}
		err := watch(ctx, cfg, wallets, *file, *health, int(*n), out)
		if errors.Is(err, context.Canceled) {
			return nil
		}
		return err
	})
}

// watch appends the transactions that the file does not have yet.
func watch(ctx context.Context, cfg types.Config, wallets []types.Address, name, health string, n int, out io.Writer) error {
	streams, err := stream.New(cfg)
	if err != nil {
		return err
	}
	defer streams.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if health != "" {
		if _, _, err := progress.Serve(ctx, health, healthOf(streams)); err != nil {
			return err
		}
	}
	madeUp := cfg.APIKey == types.Key(fake.Key)
	file, seen, resume, err := open(name, madeUp)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	lines := json.NewEncoder(file)
	if resume == 0 && name != os.DevNull { // a position before the first event: a kill until then loses nothing
		node, err := rpc.New(cfg)
		if err != nil {
			return err
		}
		if resume, err = node.Slot(ctx, nil); err != nil {
			return err
		}
		if err := lines.Encode(entry{Slot: resume, Resume: resume, MadeUp: madeUp}); err != nil {
			return err
		}
	}
	symbols := map[types.Address]string{} // by mint
	opts := &stream.ParsedTransactionsOptions{Accounts: wallets, SinceSlot: resume}
	for e, err := range streams.ParsedTransactions(ctx, opts) {
		if err != nil {
			return err
		}
		if seen[e.Signature] { // what comes again after a restart
			continue
		}
		text := "could not be read"
		if e.Parsed != nil {
			var mints []types.Address
			about := wallets[0]
			for _, c := range e.Parsed.Changes() {
				mints = append(mints, c.Mint)
				if slices.Contains(wallets, c.Account) {
					about = c.Account
				}
			}
			if err := progress.AddSymbols(ctx, cfg, symbols, mints...); err != nil {
				log.Print(err) // the mints tell the tokens
			}
			text = fmt.Sprintf("%.4s… %s", about, e.Parsed.Describe(about, symbols))
		}
		if err := lines.Encode(entry{e.Slot, e.Signature, text, e.Resume, madeUp}); err != nil {
			return err
		}
		seen[e.Signature] = true
		if e.Gap != nil {
			fmt.Fprintf(out, "disconnected (%v); slots %d to %d are filled from the history\n", e.Gap.Reason, e.Gap.SinceSlot, e.Gap.UntilSlot)
		}
		fmt.Fprintln(out, e.Slot, e.Signature, text)
		n--
		if n == 0 {
			return nil
		}
	}
	return nil
}

// healthOf answers 503 while no transactions can arrive, with the reason.
func healthOf(streams *stream.Client) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) {
		for _, loop := range streams.Status().Loops {
			if loop.Reason != nil {
				http.Error(w, loop.Reason.Error(), http.StatusServiceUnavailable)
				return
			}
		}
	})
	return mux
}

// open returns the file, without the line that a kill broke off, the signatures in it, and
// the slot to resume from. A program that runs for long would keep only those since that
// slot.
func open(name string, madeUp bool) (f *os.File, seen map[types.Signature]bool, resume uint64, err error) {
	seen = map[types.Signature]bool{}
	f, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, nil, 0, err
	}
	whole := int64(0)
	for in := bufio.NewReader(f); ; {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		var e entry
		if err == nil {
			err = json.Unmarshal(bytes.TrimSpace(line), &e)
		}
		if err == nil && e.MadeUp != madeUp {
			err = errors.New("it has transactions of another service; use another file")
		}
		if err != nil {
			return nil, nil, 0, errors.Join(fmt.Errorf("%s: %w", name, err), f.Close())
		}
		whole += int64(len(line))
		seen[e.Signature], resume = true, e.Resume
	}
	if name != os.DevNull {
		err = f.Truncate(whole)
	}
	if err == nil {
		_, err = f.Seek(whole, io.SeekStart)
	}
	return f, seen, resume, err
}
