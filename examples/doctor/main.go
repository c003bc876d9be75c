// Doctor checks in a minute whether a key, a plan and a network work: the key and what its
// plan has, the host, proxy and TLS, latency, clock and rate limits. It only reads.
//
//	HELIUS_API_KEY=… go run ./examples/doctor
package main

import (
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
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// A Result is what a check found.
type Result struct {
	Check   string `json:"check"`
	State   State  `json:"state"`
	Found   string `json:"found"`
	Advice  string `json:"advice,omitempty"` // what to do next
	Credits uint64 `json:"credits"`
	Millis  int64  `json:"millis"`
}

// A State is the outcome of a check.
type State string

// The states. Only Wrong makes the doctor fail: a plan may lack an API.
const (
	OK      State = "ok"
	Refused State = "refused by the plan"
	Wrong   State = "wrong"
)

// A Report is all that the doctor found.
type Report struct {
	Library string   `json:"library"`
	Go      string   `json:"go"`
	Fake    bool     `json:"fake"`
	Network string   `json:"network"`
	Key     string   `json:"key"`
	Credits uint64   `json:"credits"`
	Results []Result `json:"results"`
}

// maxCredits is the price of all checks, as documented for each operation, and a margin for
// the WebSocket connection.
const maxCredits = 160

func main() {
	log.SetFlags(0)
	asJSON := flag.Bool("json", false, "print the report as JSON")
	network := flag.String("network", string(types.NetworkMainnet), "`network` of the key's endpoint: mainnet or devnet")
	url := flag.String("url", "", "`URL` to use for all APIs instead, such as examples/devserver")
	progress.Arguments("")
	cfg := types.Config{APIKey: os.Getenv("HELIUS_API_KEY"), Network: types.Network(*network), RPCURL: *url, WalletURL: *url, WebhooksURL: *url}
	isFake := cfg.APIKey == ""
	if isFake && *url != "" {
		log.Fatal("HELIUS_API_KEY is not set: a host needs a key, any text if it does not check it")
	}
	if isFake {
		fmt.Fprintln(os.Stderr, "HELIUS_API_KEY is not set: this is a fake of the service.")
		cfg = fake.New(nil).Config() // with the current time
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	fmt.Fprintf(os.Stderr, "The checks cost up to %d credits and change nothing. Ctrl-C ends them.\n", maxCredits)
	out := io.Writer(os.Stdout)
	if *asJSON {
		out = io.Discard
	}
	report, err := run(ctx, cfg, isFake, out)
	stop()
	if *asJSON && report != nil {
		text, marshalErr := json.MarshalIndent(report, "", "  ")
		err = cmp.Or(err, marshalErr)
		fmt.Println(string(text))
	}
	if err != nil {
		log.Fatal(err)
	}
	if !report.Healthy() {
		os.Exit(1)
	}
}

// Healthy reports whether nothing is wrong.
func (r *Report) Healthy() bool {
	return !slices.ContainsFunc(r.Results, func(r Result) bool { return r.State == Wrong })
}

// run makes all checks and prints a line for each, and a table in the end.
func run(ctx context.Context, cfg types.Config, isFake bool, out io.Writer) (*Report, error) {
	cfg.Meter = new(types.Meter)
	watch := &watcher{next: http.DefaultTransport}
	if cfg.HTTPClient != nil && cfg.HTTPClient.Transport != nil {
		watch.next = cfg.HTTPClient.Transport
	}
	cfg.HTTPClient = &http.Client{Transport: watch, Timeout: 10 * time.Second}
	cfg.MaxAttempts = 1 // a response that cannot be read may be charged
	d := &doctor{cfg: cfg, watch: watch}
	if err := d.connect(); err != nil {
		return nil, err
	}
	defer d.streams.Close()
	report := &Report{Library: version(), Go: runtime.Version(), Fake: isFake, Network: string(cmp.Or(cfg.Network, types.NetworkMainnet)), Key: masked(cfg.APIKey)}
	fmt.Fprintf(out, "solwire %s, %s, %s, key %s\n\n", report.Library, report.Go, report.Network, report.Key)
	for _, check := range d.checks() {
		before, start := cfg.Meter.Credits(), time.Now()
		checkCtx, cancel := context.WithTimeout(ctx, 30*time.Second)
		found, advice, err := check.do(checkCtx)
		cancel()
		if ctx.Err() != nil {
			break
		}
		r := Result{check.name, OK, found, advice, cfg.Meter.Credits() - before, time.Since(start).Milliseconds()}
		if err != nil {
			r.State, r.Found, r.Advice = diagnose(err)
			if r.State == Refused && check.name == "key" { // of a method that every plan has
				r.State, r.Advice = Wrong, "the key may be restricted to other addresses or domains: look at its rules in the service's dashboard"
			}
		}
		report.Results = append(report.Results, r)
		fmt.Fprintf(out, "%-14s %s\n", check.name+":", strings.Join(slices.DeleteFunc([]string{string(r.State), r.Found, r.Advice}, func(s string) bool { return s == "" }), "; "))
	}
	report.Credits = cfg.Meter.Credits()
	if err := table(out, report); err != nil {
		return report, err
	}
	return report, context.Cause(ctx)
}

// table prints the results in one view.
func table(out io.Writer, report *Report) error {
	fmt.Fprintln(out)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CHECK\tSTATE\tCREDITS\tMS")
	for _, r := range report.Results {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\n", r.Check, r.State, r.Credits, r.Millis)
	}
	fmt.Fprintf(w, "all\t\t%d\t\n", report.Credits)
	return w.Flush()
}

// diagnose returns the state of a failed check, its error, and what to do next.
func diagnose(err error) (state State, found, advice string) {
	refusal := new(types.APIError)
	isRefusal := errors.As(err, &refusal)
	switch text := err.Error(); {
	case errors.Is(err, types.ErrUnauthorized) && (!isRefusal || refusal.StatusCode != http.StatusForbidden):
		return Wrong, text, "copy the key from the service's dashboard into HELIUS_API_KEY"
	case errors.Is(err, types.ErrQuotaExceeded):
		return Wrong, text, "the credits of the plan are used up: wait for the next month or buy more"
	case errors.Is(err, types.ErrRateLimited):
		return Wrong, text, "other programs use the rate of this key: set Config.Limiter in all of them"
	case isRefusal && isPlan(refusal):
		return Refused, text, "a larger plan has it; without it, do not call this API"
	case isRefusal && refusal.Code == -32601:
		return Wrong, text, "this host does not have the method: leave the URL of the service's host empty"
	case strings.Contains(text, "no such host"):
		return Wrong, text, "look for a typo in the URL, and whether DNS works"
	case strings.Contains(text, "certificate"), strings.Contains(text, "tls:"):
		return Wrong, text, "a proxy may replace certificates: install its root certificate"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return Wrong, text, "the network or a firewall drops packets: try another network"
	default:
		return Wrong, text, ""
	}
}

// isPlan reports whether the service refuses a method because of the plan. The texts of
// such refusals are not documented.
func isPlan(e *types.APIError) bool {
	text := strings.ToLower(e.Message + " " + e.Details)
	return e.StatusCode == http.StatusForbidden || slices.ContainsFunc([]string{"plan", "upgrade", "subscription"}, func(word string) bool {
		return strings.Contains(text, word)
	})
}

// masked returns the ends of a key.
func masked(key string) string {
	if len(key) < 16 {
		return "of " + strconv.Itoa(len(key)) + " characters"
	}
	return key[:4] + "…" + key[len(key)-4:]
}

// version returns the version of the library that the program was built with.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	const module = "github.com/solwire/solwire-go"
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == module && m.Version != "" {
			return m.Version
		}
	}
	return "(devel)"
}
