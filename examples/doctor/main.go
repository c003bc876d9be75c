// Doctor checks in a minute whether a key, a plan and a network work: the key and its plan, the
// host, proxy and TLS, latency, clock and rate limits. It only reads.
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
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
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

// A Result is the finding of a check.
type Result struct {
	Check   string `json:"check"`
	State   State  `json:"state"`
	Found   string `json:"found"`
	Advice  string `json:"advice,omitempty"` // the next step
	Credits uint64 `json:"credits"`
	Millis  int64  `json:"millis"`
}

// A State is the outcome of a check.
type State string

// The states. Only Wrong makes the doctor fail: a plan or a network may lack an API.
const (
	OK      State = "ok"
	Absent  State = "absent"
	Refused State = "refused by the plan"
	Wrong   State = "wrong"
)

// maxCredits is the price of all checks, as documented for each operation, and a margin for
// the WebSocket connection and slots without a block.
const maxCredits = 170

func main() {
	asJSON := flag.Bool("json", false, "print the report as JSON")
	network := flag.String("network", string(types.NetworkMainnet), "`network` of the key's endpoint: mainnet or devnet")
	url := flag.String("url", "", "`URL` to use for all APIs instead, such as examples/devserver")
	progress.Arguments("")
	progress.Main(func(ctx context.Context, cfg types.Config, out io.Writer) error {
		isFake, meter := fake.Of(cfg) != nil, cfg.Meter
		if isFake && *url != "" {
			return errors.New("a host needs a key, any text if it does not check it")
		}
		if isFake {
			cfg = fake.New(&fake.Options{Network: types.Network(*network)}).Config() // current time
		} else {
			cfg.Network = types.Network(*network)
		}
		if *url != "" {
			cfg.RPCURL, cfg.WalletURL, cfg.WebhooksURL = *url, *url, *url
		}
		cfg.Meter = meter
		log.Printf("The checks cost up to %d credits and change nothing. Ctrl-C ends them.", maxCredits)
		lines := out
		if *asJSON {
			lines = io.Discard
		}
		report, err := run(ctx, cfg, isFake, lines)
		if *asJSON && report != nil {
			encoder := json.NewEncoder(out)
			encoder.SetIndent("", "  ")
			err = cmp.Or(encoder.Encode(report), err)
		}
		if err == nil && !report.Healthy() {
			err = errors.New("something is wrong")
		}
		return err
	})
}

// Healthy reports whether nothing is wrong.
func (r *Report) Healthy() bool {
	return !slices.ContainsFunc(r.Results, func(r Result) bool { return r.State == Wrong })
}

// run makes all checks and prints a line for each.
func run(ctx context.Context, cfg types.Config, isFake bool, out io.Writer) (*Report, error) {
	watch := &watcher{next: http.DefaultTransport, header: map[string]string{}}
	if cfg.HTTPClient != nil { // of the fake
		watch.next = cfg.HTTPClient.Transport
	}
	cfg.HTTPClient = &http.Client{Transport: watch, Timeout: 5 * time.Second}
	cfg.Network, cfg.Meter = cmp.Or(cfg.Network, types.NetworkMainnet), cmp.Or(cfg.Meter, new(types.Meter))
	cfg.MaxAttempts = 1 // a response that cannot be read may be charged
	node, err := rpc.New(cfg)
	if err != nil {
		return nil, err
	}
	report := &Report{version(), runtime.Version(), isFake, string(cfg.Network), masked(cfg.APIKey.Reveal()), 0, []Result{}}
	fmt.Fprintf(out, "solwire %s, %s, %s, key %s\n\n", report.Library, report.Go, report.Network, report.Key)
	fmt.Fprintf(out, "%-14s %-8s %7s %6s  %s\n", "CHECK", "STATE", "CREDITS", "MS", "FOUND")
	for _, check := range checks(cfg, node, watch) {
		before, start := cfg.Meter.Credits(), time.Now()
		found, err := check.do(ctx)
		if ctx.Err() != nil {
			break
		}
		r := Result{check.name, OK, found, "", cfg.Meter.Credits() - before, time.Since(start).Milliseconds()}
		if err != nil {
			r.State, r.Advice = diagnose(err)
			if check.name == "key" && r.State != Wrong { // every plan has its method
				r.State, r.Advice = Wrong, "the key may be restricted to addresses or domains: look at its rules in the service's dashboard"
			}
			r.Found = progress.Printable(err.Error(), 300) // it may be by a server or a proxy
		}
		report.Results = append(report.Results, r)
		fmt.Fprintf(out, "%-14s %-8s %7d %6d  %s\n", r.Check, r.State, r.Credits, r.Millis, strings.TrimSuffix(r.Found+"; "+r.Advice, "; "))
	}
	report.Credits = cfg.Meter.Credits()
	return report, context.Cause(ctx)
}

// diagnose returns the state of a failed check and the next step.
func diagnose(err error) (State, string) {
	refusal, own := new(types.APIError), wrong{}
	is := errors.As(err, &refusal)
	text := strings.ToLower(err.Error())
	says := func(words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
	}
	switch {
	case errors.As(err, &own):
		return Wrong, own.advice
	case errors.Is(err, types.ErrInvalid): // for this network
		return Absent, ""
	case errors.Is(err, types.ErrQuotaExceeded):
		return Wrong, "the credits of the plan are used up: wait for the next month or buy more"
	case errors.Is(err, types.ErrRateLimited):
		return Wrong, "other programs use the rate of this key: set Config.Limiter in all of them"
	// the texts are not documented
	case is && (refusal.StatusCode == http.StatusForbidden || says("plan", "upgrade", "subscription")):
		return Refused, "a larger plan has it; without it, do not call this API"
	case errors.Is(err, types.ErrUnauthorized):
		return Wrong, "copy the key from the service's dashboard into HELIUS_API_KEY; if other checks pass, look at the rules of the key there"
	case is && (refusal.Code == -32601 || refusal.StatusCode == http.StatusNotFound):
		return Absent, "this host does not have it; the service's own host does, without -url"
	case says("no such host"):
		return Wrong, "look for a typo in the URL, and whether DNS works"
	case says("proxyconnect", "proxy authentication"):
		return Wrong, "the proxy fails: look at HTTPS_PROXY"
	case says("certificate", "tls:"):
		return Wrong, "a proxy may replace certificates: install its root certificate"
	case says("websocket"):
		return Wrong, "a proxy or the host lets no WebSocket connections through"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return Wrong, "the network or a firewall drops packets: try another network"
	default:
		return Wrong, "try again; if it remains, look at the service's status page"
	}
}

// masked returns the ends of a key.
func masked(key string) string {
	if len(key) < 16 {
		return fmt.Sprintf("of %d characters", len(key))
	}
	return key[:4] + "…" + key[len(key)-4:]
}

// version returns the version of the library that the program was built with.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append(info.Deps, &info.Main) {
			if m.Path == "github.com/solwire/solwire-go" && m.Version != "" {
				return m.Version
			}
		}
	}
	return "(devel)"
}
