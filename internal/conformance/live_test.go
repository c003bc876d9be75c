package conformance_test

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/compare"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/webhooks"
)

var (
	live        = flag.Bool("live", false, "call the service that HELIUS_API_KEY names, and HELIUS_RPC_URL, HELIUS_WALLET_URL and HELIUS_WEBHOOKS_URL")
	liveWrite   = flag.Bool("write", false, "with -live, also create, change and delete a webhook")
	liveWallets = flag.String("wallets", wellKnown, "`addresses` to begin with, of which some have tokens, NFTs, transactions and compressed accounts")
	liveCredits = flag.Uint64("credits", 10_000, "the most `credits` to spend")
	liveRate    = flag.Float64("rate", 2, "`requests` per second")
	liveReport  = flag.String("report", "", "JSON `file` for the report")
)

// wellKnown are addresses that the fake has too.
const wellKnown = walletKey + "," + string(fake.CollectorAddress+","+fake.OwnerAddress+","+fake.ProgramAddress+","+fake.DelegateAddress+","+fake.V2DelegateAddress)

// TestLive calls every operation that reads, and compares each response with its result,
// leaf by leaf. Without -live, it calls the fake.
func TestLive(t *testing.T) {
	t.Parallel()
	cfg, rate := withWebhook(t), 1e6
	if *live {
		rate = *liveRate
		cfg = liveConfig(os.Getenv)
	}
	require.Positive(t, rate, "-rate is not positive")
	ctx, stop := signal.NotifyContext(t.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	report := conduct(ctx, t, cfg, *liveCredits, rate, unchanged)
	t.Log("\n" + report.String())
	require.NoError(t, ctx.Err(), "interrupted: the report is not kept")
	if *liveReport != "" {
		text, err := json.MarshalIndent(report, "", "  ")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(*liveReport, append(text, '\n'), 0o600))
	}
	for _, r := range report.Results {
		require.NotContains(t, []outcome{differing, failed}, r.Outcome, "%s: %s %v", r.Method, r.Error, r.Differences)
		require.True(t, *live || r.Outcome == whole, "%s: %s", r.Method, r.Outcome)
	}
	if *liveWrite || !*live {
		cleaner := connect(t, cfg).webhooks // beyond the budget: the webhook has to go
		cfg.Meter = new(types.Meter)
		cfg.Limiter = &budget{meter: cfg.Meter, credits: *liveCredits - report.Credits, pause: time.Duration(float64(time.Second) / rate)}
		require.NoError(t, changesWebhook(ctx, connect(t, cfg).webhooks, cleaner))
		t.Logf("the webhook: %v", cfg.Meter)
	}
}

// liveConfig returns the Config that the environment names. If it names a host, the APIs
// without one are looked for there: the key goes to no other host.
func liveConfig(env func(string) string) types.Config {
	node, wallet, hooks := env("HELIUS_RPC_URL"), env("HELIUS_WALLET_URL"), env("HELIUS_WEBHOOKS_URL")
	one := cmp.Or(node, wallet, hooks)
	return types.Config{APIKey: types.Key(env("HELIUS_API_KEY")), RPCURL: cmp.Or(node, one), WalletURL: cmp.Or(wallet, one), WebhooksURL: cmp.Or(hooks, one)}
}

// withWebhook returns the Config of a fake that has a webhook.
func withWebhook(t *testing.T) types.Config {
	t.Helper()
	cfg := fake.New(nil).Config()
	_, err := connect(t, cfg).webhooks.Create(t.Context(), webhooks.Settings{
		URL: "https://hooks.example/", Type: webhooks.TypeEnhanced, AccountAddresses: []types.Address{walletKey}, AuthHeader: "a secret of the account",
	})
	require.NoError(t, err)
	return cfg
}

// changesWebhook creates, changes and deletes a webhook, and reads it after each step. It
// deletes the webhook also when a step fails or ctx is cancelled.
func changesWebhook(ctx context.Context, c, cleaner *webhooks.Client) (err error) {
	const address = "https://solwire-live.example/" // a reserved domain: nothing is delivered
	want := webhooks.Settings{URL: address, Type: webhooks.TypeRaw, AccountAddresses: []types.Address{walletKey}}
	before, err := c.Webhooks(ctx)
	if err != nil {
		return err
	}
	hook, err := c.Create(ctx, want)
	defer func() {
		cleanup, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		list, listErr := cleaner.Webhooks(cleanup)
		err = errors.Join(err, listErr)
		for _, w := range list {
			known := slices.ContainsFunc(before, func(b webhooks.Summary) bool { return b.ID == w.ID })
			if w.URL == address && !known { // also one whose creation seemed to fail
				err = errors.Join(err, cleaner.Delete(cleanup, w.ID))
			}
		}
	}()
	if err != nil {
		return err
	}
	if hook, err = c.AddAddresses(ctx, hook.ID, delegate); err != nil {
		return err
	}
	if got, err := c.Get(ctx, hook.ID); err != nil || len(got.AccountAddresses) != 2 || got.URL != address || got.Type != want.Type {
		return fmt.Errorf("the webhook does not have what it was given: %w", cmp.Or(err, errDiffers))
	}
	if hook, err = c.SetActive(ctx, hook.ID, false); err != nil {
		return err
	}
	if hook.Active == nil || *hook.Active {
		return fmt.Errorf("the webhook is still active: %w", errDiffers)
	}
	return nil
}

var errDiffers = errors.New("what the service has differs")

func TestLiveWritesLeaveNothing(t *testing.T) {
	t.Parallel()
	for _, fault := range []struct {
		operation string
		nth       int
	}{{"", 0}, {"PUT /v0/webhooks/{webhookID}", 1}, {"PATCH /v0/webhooks/{webhookID}", 1}, {"GET /v0/webhooks/{webhookID}", 2}, {"POST /v0/webhooks", 1}} {
		service := fake.New(nil)
		if fault.operation != "" {
			f := fake.Status(http.StatusBadRequest)
			if fault.operation == "POST /v0/webhooks" {
				f = fake.Lost() // it is created, and the response is lost
			}
			service.Fail(fault.operation, fault.nth, f)
		}
		c := connect(t, service.Config()).webhooks
		err := changesWebhook(t.Context(), c, c)
		require.Equal(t, fault.operation == "", err == nil, err)
		left, err := c.Webhooks(t.Context())
		require.NoError(t, err)
		require.Empty(t, left, fault.operation)
	}
	// An interrupt after the creation.
	service := fake.New(nil)
	ctx, cancel := context.WithCancel(t.Context())
	service.FailIf("PUT /v0/webhooks/{webhookID}", func(fake.Request) bool { cancel(); return false }, fake.Hang())
	c := connect(t, service.Config()).webhooks
	require.ErrorIs(t, changesWebhook(ctx, c, c), context.Canceled)
	left, err := c.Webhooks(t.Context())
	require.NoError(t, err)
	require.Empty(t, left)
}

func unchanged(next http.RoundTripper) http.RoundTripper { return next }

// A new operation that reads and takes arguments needs its call.
func TestLiveCallsEveryRead(t *testing.T) {
	t.Parallel()
	called := map[string]bool{}
	for _, p := range probes() {
		called[p.method] = true
	}
	changing := []string{"webhooks.Client.Create", "webhooks.Client.Replace", "webhooks.Client.SetActive", "webhooks.Client.Delete", "rpc.Client.SendTransaction"}
	for _, r := range rows() {
		require.True(t, called[r.method] || slices.Contains(changing, r.method), "make live does not call %s; add it to live_calls_test.go", r.method)
	}
}

const (
	whole     outcome = "whole"     // the result holds all of the response
	differing outcome = "different" // it does not
	absent    outcome = "absent"    // the host does not have the operation
	refusedBy outcome = "refused"   // the plan does not have it
	unasked   outcome = "unasked"   // no response had its arguments, or the budget was spent
	failed    outcome = "failed"
)

// errUnasked is the error of a call without arguments.
var errUnasked = errors.New("no response had an argument for it")

// A survey is a run of all calls.
type survey struct {
	clients *clients
	wallets []types.Address
	known   known
	heard   *recorder
	words   compare.Words
	secrets []string // of the key, in each form that a response may have it in

	row    row       // of the current call
	tell   func(any) // learns from a result or an item; nil for nothing
	result *liveResult
}

// conduct makes all calls. The round tripper of above sits between the recorder and the clients.
func conduct(
	ctx context.Context, t *testing.T, cfg types.Config, credits uint64, rate float64, above func(http.RoundTripper) http.RoundTripper,
) *surveyReport {
	t.Helper()
	cfg.Meter = new(types.Meter)
	cfg.Limiter = &budget{meter: cfg.Meter, credits: credits, pause: time.Duration(float64(time.Second) / rate)}
	words, err := constants()
	require.NoError(t, err)
	s := &survey{words: words, known: known{}, heard: &recorder{next: http.DefaultTransport}}
	if cfg.HTTPClient != nil {
		s.heard.next = cfg.HTTPClient.Transport
	}
	s.secrets = spellings(cfg.APIKey.Reveal())
	for a := range strings.SplitSeq(*liveWallets, ",") {
		s.wallets = append(s.wallets, types.Address(a))
	}
	s.known.learn("wallet", s.wallets[0])
	cfg.HTTPClient = &http.Client{Transport: above(s.heard), Timeout: 30 * time.Second}
	s.clients = connect(t, cfg)
	report, start := &surveyReport{}, time.Now()
	for _, p := range probes() {
		before, began := cfg.Meter.Credits(), time.Now()
		s.row = p.row(t)
		s.result = &liveResult{Method: p.method, Wire: s.row.wire, Outcome: whole}
		s.result.judge(p.call(ctx, s))
		s.result.Error = s.hide(s.result.Error) // an argument may come from a response
		s.result.Credits, s.result.Millis = cfg.Meter.Credits()-before, time.Since(began).Milliseconds()
		report.Leaves += s.result.Leaves
		report.Results = append(report.Results, *s.result)
	}
	report.Credits, report.Requests, report.Seconds = cfg.Meter.Credits(), s.heard.requests, time.Since(start).Seconds()
	return report
}

// spellings returns the forms of a key that a response may repeat: escaped for URLs and JSON,
// and in base64 at each of three offsets.
func spellings(key string) (all []string) {
	if key == "" {
		return nil
	}
	escaped, _ := json.Marshal(key)
	all = []string{key, url.QueryEscape(key), url.PathEscape(key), string(escaped[1 : len(escaped)-1])}
	if len(key) < 8 { // a base64 form of so few bytes may be anything
		return all
	}
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		for offset := range 3 {
			text := encoding.EncodeToString([]byte("xx"[:offset] + key))
			all = append(all, text[[]int{0, 2, 3}[offset]:len(text)-4])
		}
	}
	// a form may contain another
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return all
}

// same compares a result with the last response, and returns the error of the call. An operation
// has a row for each form of its response, such as version 1 of a method on a host without
// version 2.
func (s *survey) same(got any, err error) error {
	if err != nil {
		return err
	}
	if s.tell != nil {
		s.tell(got)
	}
	wire, body := s.heard.last()
	leaves, found := s.row.leaves(body, s.row.sent(got), s.words)
	for _, r := range rows() {
		if len(found) > 0 && r.method == s.row.method && r.wire == wire {
			if n, none := r.leaves(body, r.sent(got), s.words); len(none) == 0 {
				leaves, found = n, nil
			}
		}
	}
	s.result.Leaves += leaves
	s.add("", found)
	return nil
}

// resumed compares a page with the page that its predecessor's cursor brings.
func (s *survey) resumed(page, again any) {
	text, err := json.Marshal(page)
	if err != nil {
		s.result.Error = err.Error()
		return
	}
	_, found, err := compare.JSON(text, again, nil)
	if err != nil {
		s.result.Error = err.Error()
		return
	}
	s.add("resumed page: ", found)
}

// leaves compares a result with its part of a response, and looks for the members of all
// responses.
func (r row) leaves(body []byte, got any, words compare.Words) (int, []compare.Difference) {
	doc := parse(body)
	var missing []compare.Difference
	for _, path := range r.needs {
		if at, exists := doc.reach(path); exists && (at == nil || at.isNull()) {
			missing = append(missing, compare.Difference{Path: path, Kind: "missing"})
		}
	}
	part := doc
	if r.answer != "" {
		part = doc.at(r.answer)
	}
	if part == nil {
		return 0, append(missing, compare.Difference{Path: r.answer, Kind: "missing"})
	}
	part.walk("", func(_ string, v *value) {
		for _, name := range r.beside {
			delete(v.object, name)
		}
		if member, ok := v.object[r.renamed[0]]; ok {
			delete(v.object, r.renamed[0])
			v.object[r.renamed[1]] = member
		}
	})
	if both, ok := got.(compared); ok {
		got = both.sent
	}
	leaves, found, err := compare.JSON([]byte(part.String()), got, words)
	if err != nil {
		found = append(found, compare.Difference{Kind: compare.Changed, Value: err.Error()})
	}
	return leaves, append(missing, found...)
}

// row returns the row of a call.
func (p probe) row(t *testing.T) row {
	t.Helper()
	for _, r := range rows() {
		if r.method == p.method && (p.golden == "" || r.golden == p.golden) {
			return r
		}
	}
	require.Fail(t, "no row of "+p.method+" "+p.golden)
	return row{}
}
