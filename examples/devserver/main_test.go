package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/wallet"
	"github.com/solwire/solwire-go/webhooks"
)

// A welcomeWriter receives the first output of the server.
type welcomeWriter chan string

func (w welcomeWriter) Write(b []byte) (int, error) {
	w <- string(b)
	return len(b), nil
}

// start runs the server until the test ends, and returns its output.
func start(t *testing.T, c *control) string {
	ctx, interrupt := context.WithCancel(t.Context())
	out := make(welcomeWriter, 1)
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, c, "127.0.0.1:0", out) }()
	t.Cleanup(func() {
		interrupt()
		require.NoError(t, <-ended)
	})
	return <-out
}

// serve starts a server and returns a Config for it.
func serve(t *testing.T, c *control) types.Config {
	base, _, _ := strings.Cut(start(t, c), "\n")
	return types.Config{APIKey: types.Key(fake.Key), RPCURL: base, WalletURL: base, WebhooksURL: base}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	cfg := serve(t, new(control))
	cfg.MaxAttempts = 1
	for key, want := range map[string]error{
		"limited-key": types.ErrRateLimited,
		"expired-key": types.ErrUnauthorized,
		"my-own-key":  types.ErrUnauthorized,
	} {
		cfg.APIKey = types.Key(key)
		wallets, err := wallet.New(cfg)
		require.NoError(t, err)
		_, err = wallets.Balances(t.Context(), fake.WalletAddress, nil).Page()
		require.ErrorIs(t, err, want)
		if key == "limited-key" {
			var refused *types.APIError
			require.ErrorAs(t, err, &refused)
			require.Equal(t, 2*time.Second, refused.RetryAfter)
		}
	}
}

func TestDevnetHasAirdrops(t *testing.T) {
	t.Parallel()
	c := new(control)
	require.NoError(t, c.network("devnet"))
	require.Error(t, new(control).network("testnet"))
	node, err := rpc.New(serve(t, c))
	require.NoError(t, err)
	var signature types.Signature
	require.NoError(t, node.Call(t.Context(), "requestAirdrop", []any{fake.WalletAddress, 1_000_000_000}, &signature))
	require.NotEmpty(t, signature)
}

func TestPrintedCommandsWork(t *testing.T) {
	t.Parallel()
	text := start(t, new(control))
	base, _, _ := strings.Cut(text, "\n")
	commands := 0
	for line := range strings.Lines(text) {
		command, isCommand := strings.CutPrefix(line, "  curl ")
		if !isCommand {
			continue
		}
		commands++
		words := regexp.MustCompile(`-d|-H|'[^']*'`).FindAllString(command, -1)
		url := strings.Trim(words[0], "'")
		require.Contains(t, url, base+"/")
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
		require.NoError(t, err)
		for i := 1; i+1 < len(words); i += 2 {
			value := strings.Trim(words[i+1], "'")
			switch words[i] {
			case "-H":
				name, text, _ := strings.Cut(value, ": ")
				req.Header.Set(name, text)
			case "-d":
				req.Method = http.MethodPost
				req.Body = io.NopCloser(strings.NewReader(value))
			}
		}
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, http.StatusOK, resp.StatusCode, "%s\n%s", line, body)
		require.NotContains(t, string(body), `"error"`, line)
	}
	require.Equal(t, 4, commands)
}

func TestFaultsAreOfAllKinds(t *testing.T) {
	t.Parallel()
	cfg := serve(t, &control{faults: 1})
	cfg.MaxAttempts = 1
	reader, err := wallet.New(cfg)
	require.NoError(t, err)
	seen := map[string]bool{}
	for n := 0; len(seen) < 5; n++ {
		require.Less(t, n, 1000, "%v", seen)
		_, err = reader.Balances(t.Context(), fake.WalletAddress, nil).Page()
		require.Error(t, err)
		seen[err.Error()] = true
	}
}

func TestFaultsAreAFractionOfTheRequests(t *testing.T) {
	t.Parallel()
	cfg := serve(t, &control{faults: 0.5})
	cfg.MaxAttempts = 1
	wallets, err := wallet.New(cfg)
	require.NoError(t, err)
	failed := 0
	for range 100 {
		if _, err := wallets.Balances(t.Context(), fake.WalletAddress, nil).Page(); err != nil {
			failed++
		}
	}
	require.NotZero(t, failed)
	require.Less(t, failed, 100)
}

func TestWebhookGetsTransfersAndSwaps(t *testing.T) {
	t.Parallel()
	base, _, _ := strings.Cut(start(t, &control{every: 10 * time.Millisecond}), "\n")
	began := time.Now().Truncate(time.Second)
	got := make(chan *webhooks.Event, 100)
	watch(t, base, receive(t, got))
	seen := map[txtype.Type]bool{}
	for len(seen) < 2 { // events are not ordered
		e := <-got
		seen[e.Enhanced.Type] = true
		require.False(t, e.BlockTime.Before(began), "a receiver with a MaxAge would skip it: %s", e.BlockTime)
		require.False(t, e.BlockTime.After(time.Now()), e.BlockTime)
	}
	require.Equal(t, map[txtype.Type]bool{txtype.Transfer: true, txtype.Swap: true}, seen)
}

func TestDeadWebhookDelaysNoOther(t *testing.T) {
	t.Parallel()
	base, _, _ := strings.Cut(start(t, &control{every: 10 * time.Millisecond}), "\n")
	dead := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // or the context would not end with the connection
		<-r.Context().Done()
	}))
	t.Cleanup(dead.Close)
	watch(t, base, dead.URL)
	got := make(chan *webhooks.Event, 100)
	watch(t, base, receive(t, got))
	late := time.After(30 * time.Second)
	for n := range 20 {
		select {
		case <-got:
		case <-late:
			require.Fail(t, "delayed", "after %d events", n)
		}
	}
}

// receive starts a receiver and returns its URL.
func receive(t *testing.T, got chan<- *webhooks.Event) string {
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Secrets: []webhooks.Secret{"secret of this test"},
		Handle: func(_ context.Context, e *webhooks.Event) error {
			select {
			case got <- e:
			default: // the test has enough
			}
			return nil
		},
	})
	require.NoError(t, err)
	listening := httptest.NewServer(receiver)
	t.Cleanup(listening.Close)
	return listening.URL
}

// watch creates a webhook for the wallet that posts to url.
func watch(t *testing.T, base, url string) {
	hooks, err := webhooks.New(types.Config{APIKey: types.Key(fake.Key), WebhooksURL: base})
	require.NoError(t, err)
	_, err = hooks.Create(t.Context(), webhooks.Settings{
		URL:              url,
		Type:             webhooks.TypeEnhanced,
		TransactionTypes: []txtype.Type{txtype.Any},
		AccountAddresses: []types.Address{fake.WalletAddress},
		AuthHeader:       "secret of this test",
	})
	require.NoError(t, err)
}

func TestInvalidFlagsAreRefused(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]*control{
		"-faults -0.1 is not a fraction from 0 to 1": {faults: -0.1},
		"-faults 1.1 is not":                         {faults: 1.1},
		"-faults NaN is not":                         {faults: math.NaN()},
	} {
		err := run(t.Context(), c, "127.0.0.1:0", io.Discard)
		require.ErrorContains(t, err, want)
	}
}

// Clients use plain HTTP only for loopback addresses, and [::] is not one.
func TestBaseOfAllInterfacesIsLoopback(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]string{
		"[::]:8899":      "http://127.0.0.1:8899",
		"0.0.0.0:8899":   "http://127.0.0.1:8899",
		"127.0.0.1:8899": "http://127.0.0.1:8899",
		"[::1]:8899":     "http://[::1]:8899",
	} {
		resolved, err := net.ResolveTCPAddr("tcp", addr)
		require.NoError(t, err)
		require.Equal(t, want, base(resolved))
	}
}

func TestLatencyDelaysAnswers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &control{latency: time.Hour}
		c.reset()
		started := time.Now()
		c.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
		require.Equal(t, time.Hour, time.Since(started))
	})
}

func TestAddressInUseIsAnError(t *testing.T) {
	t.Parallel()
	base, _, _ := strings.Cut(start(t, new(control)), "\n")
	require.ErrorContains(t, run(t.Context(), new(control), strings.TrimPrefix(base, "http://"), io.Discard), "-addr")
}

func TestBrowserGetsAPage(t *testing.T) {
	t.Parallel()
	base, _, _ := strings.Cut(start(t, new(control)), "\n")
	get := func(accept string) (int, string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/", http.NoBody)
		require.NoError(t, err)
		r.Header.Set("Accept", accept)
		resp, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		defer func() { _ = resp.Body.Close() }()
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return resp.StatusCode, string(body)
	}
	status, page := get("text/html,*/*")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, page, "curl &#39;"+base)
	status, _ = get("*/*")
	require.Equal(t, http.StatusUnauthorized, status, "programs meet the service")
}

func TestSeedFileIsTheWorld(t *testing.T) {
	t.Parallel()
	file, c := filepath.Join(t.TempDir(), "seed.json"), new(control)
	require.NoError(t, os.WriteFile(file, []byte(`{"preset":"default","accounts":3}`), 0o600))
	require.NoError(t, c.seed(file))
	require.Equal(t, &fake.World{Preset: fake.PresetDefault, Accounts: 3}, c.options.World)
	require.NoError(t, os.WriteFile(file, []byte(`{"acounts":3}`), 0o600))
	require.ErrorContains(t, c.seed(file), `unknown field "acounts"`)
	require.ErrorContains(t, c.seed("x.json"), "x.json")
	require.NotContains(t, welcome("", &fake.World{Wallets: []fake.Wallet{{Address: fake.ExchangeAddress}}}), fake.OwnerAddress, "which this World lacks")
}

// ask sends a request to the control endpoint and returns the status and the body.
func ask(t *testing.T, method, url, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	answer, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode, string(answer)
}

func TestControlEndpoint(t *testing.T) {
	t.Parallel()
	cfg := serve(t, &control{open: true})
	cfg.MaxAttempts = 1
	base := cfg.WalletURL + "/_fake/"
	wallets, err := wallet.New(cfg)
	require.NoError(t, err)

	status, body := ask(t, "POST", base+"faults", `{"operation":"GET /v1/wallet/{wallet}/history","nth":2,"status":429,"retryAfter":"3s"}`)
	require.Equal(t, 200, status, body)
	_, err = wallets.History(t.Context(), fake.WalletAddress, nil).Page()
	require.NoError(t, err)
	_, err = wallets.History(t.Context(), fake.WalletAddress, nil).Page()
	require.ErrorIs(t, err, types.ErrRateLimited)
	status, body = ask(t, "POST", base+"faults", `{"operation":"getSlot","from":2,"code":-32005,"delay":"1ms"}`)
	require.Equal(t, 200, status, body)
	_, body = ask(t, "GET", base+"unused", "")
	require.Equal(t, `["FailFrom(\"getSlot\", 2)"]`+"\n", body)
	for path, invalid := range map[string]string{"faults": `{"operation":"GET /v1/nothing"}`, "streams": `{"late":1}`, "events": `{"signature":"1"}`} {
		status, body = ask(t, "POST", base+path, invalid)
		require.Equal(t, 400, status, body)
	}
	status, body = ask(t, "POST", base+"streams", `{"lag":20,"repeat":0.5}`)
	require.Equal(t, 200, status, body)

	status, body = ask(t, "GET", base+"requests", "")
	require.Equal(t, 200, status)
	require.Equal(t, 2, strings.Count(body, `"operation":"GET /v1/wallet/{wallet}/history"`), body)
	require.NotContains(t, body, cfg.APIKey.Reveal())

	got := make(chan *webhooks.Event, 1)
	watch(t, cfg.WalletURL, receive(t, got))
	status, body = ask(t, "POST", base+"events", payment("0.000000007"))
	require.Equal(t, 200, status, body)
	require.Contains(t, body, string((<-got).Signature))
	require.Contains(t, body, `"acknowledged":1`)
	var sent struct{ Signature string }
	require.NoError(t, json.Unmarshal([]byte(body), &sent))
	_, body = ask(t, "POST", base+"events", `{"signature":"`+sent.Signature+`"}`)
	require.Contains(t, body, `"acknowledged":1`, "it is delivered again")

	status, _ = ask(t, "POST", base+"reset", "")
	require.Equal(t, 200, status)
	_, body = ask(t, "GET", base+"requests", "")
	require.Equal(t, "[]\n", body)
}

func TestControlEndpointIsClosed(t *testing.T) {
	t.Parallel()
	status, _ := ask(t, "GET", serve(t, new(control)).WalletURL+"/_fake/requests", "")
	require.Equal(t, 400, status)
}

// payment is a transfer of the wallet as the body of an event.
func payment(sol string) string {
	return fmt.Sprintf(`{"transaction":{"transfers":[{"from":%q,"to":%q,"amount":%s}]}}`, fake.WalletAddress, fake.CollectorAddress, sol)
}

// The World has less SOL than that, which must not end the process.
func TestRefusedEventIsABadRequest(t *testing.T) {
	t.Parallel()
	base := serve(t, &control{open: true}).WalletURL + "/_fake/events"
	status, text := ask(t, "POST", base, payment("18446744073.709551615"))
	require.Equal(t, http.StatusBadRequest, status, text)
	status, text = ask(t, "POST", base, "{}")
	require.Equal(t, http.StatusBadRequest, status, text)
	status, text = ask(t, "POST", base, payment("0.000000001"))
	require.Equal(t, http.StatusOK, status, text)
}
