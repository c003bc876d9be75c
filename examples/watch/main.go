// Watch prints the transactions of wallets and their token accounts as they happen, and appends
// them to a file. It can be interrupted or killed at any time. Run it again with the same file:
// it continues where it stopped, with the transactions in between. 100 000 bytes of transactions
// cost 2 credits, the symbol of a token 10, an idle day about 1900, and a restart 20. It needs a
// paid plan.
//
//	go run ./examples/watch -file wallet.jsonl ADDRESS
package main

import (
	"bufio"
	"bytes"
	"cmp"
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
	"strings"
	"time"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/tx"
)

// An entry is a line of the file.
type entry struct {
	Slot      uint64          `json:"slot"`
	Signature types.Signature `json:"signature"`
	Text      string          `json:"text"`
	Resume    uint64          `json:"resume"`
	MadeUp    bool            `json:"madeUp,omitempty"` // by a fake, whose slots are not real
}

func main() {
	file := flag.String("file", os.DevNull, "`file` to append to and to resume from; without it, every run starts now")
	health := flag.String("health", "", "`address` on which GET /health tells whether transactions can arrive")
	n := flag.Uint("n", 0, "`number` of transactions after which to stop; 0 means never")
	var wallets []types.Address
	for _, text := range progress.Arguments("ADDRESS ...", string(fake.WalletAddress)) {
		wallets = append(wallets, types.Address(text))
	}
	progress.Main(func(ctx context.Context, cfg types.Config, out io.Writer) error {
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
	// a position before the first event: a kill until then loses nothing
	if resume == 0 && name != os.DevNull {
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
	opts := &stream.TransactionsOptions{SinceSlot: resume}
	for e, err := range streams.Transactions(ctx, wallets, opts) {
		if err != nil {
			return err
		}
		t := &e.Transaction
		if seen[t.Signature] { // it comes again after a restart
			continue
		}
		changes := slices.DeleteFunc(t.Changes(), func(c tx.Change) bool { return !slices.Contains(wallets, c.Account) })
		for _, c := range changes {
			if err := progress.AddSymbols(ctx, cfg, symbols, c.Mint); err != nil {
				log.Print(err) // the mints tell the tokens
			}
		}
		text := describe(t, changes, symbols)
		if e.Err != nil { // the service sent something unexpected
			text = e.Err.Error()
		}
		if e.Gap != nil {
			log.Printf("disconnected (%v); slots %d to %d are filled from the history", e.Gap.Reason, e.Gap.SinceSlot, e.Gap.UntilSlot)
		}
		// Send your alert here. If it fails, it is sent after the next start.
		if _, err := fmt.Fprintln(out, e.Slot, t.Signature, text); err != nil {
			return err
		}
		if err := lines.Encode(entry{e.Slot, t.Signature, text, e.Resume, madeUp}); err != nil {
			return err
		}
		seen[t.Signature] = true
		n--
		if n == 0 {
			return nil
		}
	}
	return nil
}

// describe returns the changes of the wallets in a transaction, with the fees that they paid.
func describe(t *tx.Transaction, changes []tx.Change, symbols map[types.Address]string) string {
	var parts []string
	if t.Meta.TransactionError != nil {
		parts = append(parts, "failed")
	}
	for _, c := range changes {
		sign := ""
		if c.Net().IsPositive() {
			sign = "+"
		}
		parts = append(parts, fmt.Sprintf("%.4s… %s%s %s", c.Account, sign, c.Net(), cmp.Or(symbols[c.Mint], string(c.Mint))))
	}
	if len(parts) == 0 {
		return "no change of the wallets"
	}
	return strings.Join(parts, ", ")
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
