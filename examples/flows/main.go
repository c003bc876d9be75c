// Flows prints who paid whom in a month, in the transactions of a wallet and its token
// accounts. With -state, it can be interrupted or killed at any time: run it again with the
// same flags, and it resumes where it stopped.
//
//	go run ./examples/flows -month 2025-05 -state may.state ADDRESS
package main

import (
	"cmp"
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
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/parsed"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	parsedtypes "github.com/solwire/solwire-go/types/parsed"
)

// A job is a period of an address.
type job struct {
	Address types.Address
	Since   time.Time // zero means from the beginning
	Until   time.Time // not included; zero means no end
}

// A flow is what one wallet paid another in one token. A token account stands for an
// owner that is unknown.
type flow struct {
	From, To, Mint types.Address // From is empty for new tokens, To for burned ones; for SOL, unknown
	Amount         decimal.Decimal
	Transfers      int
}

// A state is the progress of a job.
type state struct {
	job
	Cursor       string // of the next page
	Transactions int
	Failed       int // which moved nothing
	NotParsed    int // by the service
	Flows        []flow
	Done         bool

	places map[[3]types.Address]int // in Flows
}

func main() {
	var j job
	flag.Func("month", "`month` in UTC, such as 2025-05; without it all transactions", func(text string) (err error) {
		j.Since, err = time.Parse("2006-01", text)
		j.Until = j.Since.AddDate(0, 1, 0)
		return err
	})
	file := flag.String("state", "", "`file` to resume from; without it, every run starts over")
	n := flag.Int("n", 25, "`maximum` number of rows; 0 means all")
	j.Address = types.Address(progress.Arguments("ADDRESS", string(fake.WalletAddress))[0])
	cfg := types.Config{APIKey: os.Getenv("HELIUS_API_KEY")}
	if cfg.APIKey == "" {
		fmt.Fprintln(os.Stderr, "HELIUS_API_KEY is not set: this is made-up data.")
		cfg = fake.Config()
	}
	cfg.Meter = new(types.Meter)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	s, err := run(ctx, cfg, j, *file, progress.New(os.Stderr, cfg.Meter))
	stop()
	if err != nil {
		log.Fatal(err)
	}
	if err := s.print(os.Stdout, *n); err != nil {
		log.Fatal(err)
	}
	fmt.Fprintln(os.Stderr, cfg.Meter.Credits(), "credits")
}

// run continues the job and returns its state.
func run(ctx context.Context, cfg types.Config, j job, file string, line *progress.Line) (*state, error) {
	node, err := rpc.New(cfg)
	if err != nil {
		return nil, err
	}
	parser, err := parsed.New(cfg)
	if err != nil {
		return nil, err
	}
	s, err := load(j, file)
	if err != nil || s.Done {
		return s, err
	}
	defer line.Clear()
	opts := &rpc.TransactionsForAddressOptions{
		Ascending: true, Since: j.Since, Until: j.Until, TokenAccounts: types.TokenAccountHistoryAll, Limit: 500, Cursor: s.Cursor, Prefetch: true,
	}
	for page, err := range node.TransactionSignaturesForAddress(ctx, j.Address, opts).Pages() {
		if err != nil {
			return s, err
		}
		signatures := make([]types.Signature, len(page.Items))
		latest := time.Time{}
		for i, t := range page.Items {
			signatures[i], latest = t.Signature, t.BlockTime.Time
		}
		results, err := parser.Transactions(ctx, signatures, nil)
		if err != nil {
			return s, err
		}
		for _, r := range results {
			s.Transactions++
			if r == nil || r.Parsed == nil {
				s.NotParsed++
				continue
			}
			if r.Parsed.Failed() {
				s.Failed++
			}
			s.addTransfers(r.Parsed)
		}
		s.Cursor, s.Done = page.Cursor, !page.HasMore
		if err := s.save(file); err != nil {
			return s, err
		}
		line.Show(progress.Of(latest, j.Since, j.Until), fmt.Sprintf("%d transactions, %d flows", s.Transactions, len(s.Flows)))
	}
	return s, nil
}

// addTransfers adds the transfers of a transaction; a failed one has none.
func (s *state) addTransfers(x *parsedtypes.Transaction) {
	for _, t := range x.NativeTransfers() {
		s.add(t.FromUserAccount, t.ToUserAccount, types.NativeSOLMint, t.Amount())
	}
	for _, t := range x.TokenTransfers() {
		from, to := cmp.Or(t.FromUserAccount, t.FromTokenAccount), cmp.Or(t.ToUserAccount, t.ToTokenAccount)
		s.add(from, to, t.Mint, t.Amount())
	}
}

func (s *state) add(from, to, mint types.Address, amount decimal.Decimal) {
	if s.places == nil {
		s.places = map[[3]types.Address]int{}
		for i, f := range s.Flows {
			s.places[[3]types.Address{f.From, f.To, f.Mint}] = i
		}
	}
	i, known := s.places[[3]types.Address{from, to, mint}]
	if !known {
		i = len(s.Flows)
		s.places[[3]types.Address{from, to, mint}] = i
		s.Flows = append(s.Flows, flow{From: from, To: to, Mint: mint})
	}
	s.Flows[i].Amount = s.Flows[i].Amount.Add(amount)
	s.Flows[i].Transfers++
}

// load returns the state of an earlier run, or the state of a new job.
func load(j job, file string) (*state, error) {
	b, err := os.ReadFile(file)
	if file == "" || errors.Is(err, fs.ErrNotExist) {
		return &state{job: j}, nil
	}
	if err != nil {
		return nil, err
	}
	s := new(state)
	if err := json.Unmarshal(b, s); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if s.Address != j.Address || !s.Since.Equal(j.Since) || !s.Until.Equal(j.Until) {
		return nil, fmt.Errorf("%s is of another address or period; use another file", file)
	}
	return s, nil
}

// save replaces the state atomically, so that a crash leaves the old or the new one.
func (s *state) save(file string) error {
	if file == "" {
		return nil
	}
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", b, 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

// print writes a table of the first n flows, sorted by token, the largest of each first.
func (s *state) print(out io.Writer, n int) error {
	sorted := slices.SortedFunc(slices.Values(s.Flows), func(a, b flow) int {
		return cmp.Or(strings.Compare(string(a.Mint), string(b.Mint)), b.Amount.Cmp(a.Amount), strings.Compare(string(a.From+a.To), string(b.From+b.To)))
	})
	if n > 0 {
		sorted = sorted[:min(n, len(sorted))]
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "FROM\tTO\tAMOUNT\tTOKEN\tTRANSFERS")
	for _, f := range sorted {
		token, from, to := f.Mint, types.Address("new tokens"), types.Address("burned")
		if f.Mint == types.NativeSOLMint {
			token, from, to = types.SOL, "unknown", "unknown"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d\n", cmp.Or(f.From, from), cmp.Or(f.To, to), f.Amount, token, f.Transfers)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "%d of %d flows in %d transactions, of which %d failed and %d could not be read\n",
		len(sorted), len(s.Flows), s.Transactions, s.Failed, s.NotParsed)
	return err
}
