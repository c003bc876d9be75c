package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/wallet"
	"github.com/solwire/solwire-go/webhooks"
)

// said takes what the server says when it starts.
type said chan string

func (s said) Write(b []byte) (int, error) {
	s <- string(b)
	return len(b), nil
}

// start runs the server until the test ends, and returns what it says.
func start(t *testing.T, every time.Duration, trouble trouble) string {
	ctx, interrupt := context.WithCancel(t.Context())
	out := make(said, 1)
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, settings{"127.0.0.1:0", every, trouble}, out) }()
	t.Cleanup(func() {
		interrupt()
		require.NoError(t, <-ended)
	})
	return <-out
}

// serve starts a server and returns a Config for it.
func serve(t *testing.T, trouble trouble) types.Config {
	base, _, _ := strings.Cut(start(t, time.Hour, trouble), "\n")
	return types.Config{APIKey: fake.DemoKey, RPCURL: base, WalletURL: base, WebhooksURL: base}
}

func TestEveryAreaIsServed(t *testing.T) {
	t.Parallel()
	cfg := serve(t, trouble{})
	wallets, err := wallet.New(cfg)
	require.NoError(t, err)
	page, err := wallets.Balances(t.Context(), fake.Wallet, nil)
	require.NoError(t, err)
	require.Len(t, page.Items, 100)
	lists, err := compressed.New(cfg)
	require.NoError(t, err)
	accounts, err := lists.AccountsByOwner(t.Context(), fake.Owner, nil)
	require.NoError(t, err)
	require.Len(t, accounts.Items, 1000)
	reader, err := rpc.New(cfg)
	require.NoError(t, err)
	delegated, err := reader.TokenAccountsByDelegate(t.Context(), fake.Delegate, rpc.ByProgram(types.TokenProgram), nil)
	require.NoError(t, err)
	require.NotEmpty(t, delegated.Items)
}

func TestKeysAreWhatTheyAreCalled(t *testing.T) {
	t.Parallel()
	cfg := serve(t, trouble{})
	cfg.MaxAttempts = 1
	for key, want := range map[string]error{
		"limited-key": types.ErrRateLimited,
		"expired-key": types.ErrUnauthorized,
		"my-own-key":  types.ErrUnauthorized,
	} {
		cfg.APIKey = key
		wallets, err := wallet.New(cfg)
		require.NoError(t, err)
		_, err = wallets.Balances(t.Context(), fake.Wallet, nil)
		require.ErrorIs(t, err, want)
		if key == "limited-key" {
			var refused *types.APIError
			require.ErrorAs(t, err, &refused)
			require.Equal(t, 2*time.Second, refused.RetryAfter)
		}
	}
}

func TestCommandsThatItPrintsWork(t *testing.T) {
	t.Parallel()
	text := start(t, time.Hour, trouble{})
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

func TestFaultsPass(t *testing.T) {
	t.Parallel()
	cfg := serve(t, trouble{faults: 1})
	cfg.MaxAttempts = 1
	reader, err := wallet.New(cfg)
	require.NoError(t, err)
	seen := map[string]bool{}
	for range 100 {
		_, err := reader.Balances(t.Context(), fake.Wallet, nil)
		require.Error(t, err)
		seen[err.Error()] = true
	}
	require.GreaterOrEqual(t, len(seen), 5, "%v", seen)

	cfg = serve(t, trouble{faults: 0.1})
	cfg.MaxAttempts = 20
	lists, err := compressed.New(cfg)
	require.NoError(t, err)
	accounts := 0
	for _, err := range lists.AllAccountsByOwner(t.Context(), fake.Owner, nil) {
		require.NoError(t, err)
		accounts++
	}
	require.Equal(t, 3500, accounts)
}

func TestFaultsAreAShareOfTheRequests(t *testing.T) {
	t.Parallel()
	cfg := serve(t, trouble{faults: 0.5})
	cfg.MaxAttempts = 1
	wallets, err := wallet.New(cfg)
	require.NoError(t, err)
	failed := 0
	for range 100 {
		if _, err := wallets.Balances(t.Context(), fake.Wallet, nil); err != nil {
			failed++
		}
	}
	require.NotZero(t, failed)
	require.Less(t, failed, 100)
}

func TestWebhooksGetTransfersAndSwaps(t *testing.T) {
	t.Parallel()
	base, _, _ := strings.Cut(start(t, 10*time.Millisecond, trouble{}), "\n")
	began := time.Now().Truncate(time.Second)
	got := make(chan *webhooks.Event, 100)
	watch(t, base, receive(t, got))
	seen := map[txtype.Type]bool{}
	for len(seen) < 2 { // one event may overtake another, as with the service
		e := <-got
		seen[e.Enhanced.Type] = true
		require.False(t, e.Time.Before(began), "a receiver with a MaxAge would skip it: %s", e.Time)
		require.False(t, e.Time.After(time.Now()), e.Time)
	}
	require.Equal(t, map[txtype.Type]bool{txtype.Transfer: true, txtype.Swap: true}, seen)
}

// Such a webhook is tried for seven seconds before an event is given up.
func TestDeadWebhookHoldsNoOtherUp(t *testing.T) {
	t.Parallel()
	base, _, _ := strings.Cut(start(t, 10*time.Millisecond, trouble{}), "\n")
	dead := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // or the end of the connection would not be noticed
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
			require.Fail(t, "held up", "after %d events", n)
		}
	}
}

// receive returns the URL of a receiver of deliveries.
func receive(t *testing.T, got chan<- *webhooks.Event) string {
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Secrets: []webhooks.Secret{"of these deliveries"},
		Handle: func(_ context.Context, e *webhooks.Event) error {
			select {
			case got <- e:
			default: // enough of them
			}
			return nil
		},
	})
	require.NoError(t, err)
	listening := httptest.NewServer(receiver)
	t.Cleanup(listening.Close)
	return listening.URL
}

// watch makes a webhook of the wallet that posts to url.
func watch(t *testing.T, base, url string) {
	hooks, err := webhooks.New(types.Config{APIKey: fake.DemoKey, WebhooksURL: base})
	require.NoError(t, err)
	_, err = hooks.Create(t.Context(), webhooks.Settings{
		URL:              url,
		Type:             webhooks.Enhanced,
		TransactionTypes: []txtype.Type{txtype.Any},
		AccountAddresses: []types.Address{fake.Wallet},
		AuthHeader:       "of these deliveries",
	})
	require.NoError(t, err)
}

func TestFlagsThatMakeNoSenseAreRefused(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"-faults -0.1": "devserver: -faults is a share, from 0 to 1\n",
		"-faults 1.1":  "devserver: -faults is a share, from 0 to 1\n",
		"-faults NaN":  "devserver: -faults is a share, from 0 to 1\n",
		"-latency -1s": "devserver: -every and -latency are not below 0\n",
		"-every -1s":   "devserver: -every and -latency are not below 0\n",
		"0.1":          `devserver: unexpected argument "0.1"` + "\n",
		"-faults ten":  "invalid value",
		"-retries 3":   "not defined: -retries",
		"-help":        "time from one webhook event to the next",
	} {
		var notes bytes.Buffer
		_, err := parse(strings.Fields(args), &notes)
		require.Error(t, err, args)
		require.Contains(t, notes.String(), want)
	}
	var notes bytes.Buffer
	s, err := parse(strings.Fields("-addr 127.0.0.1:0 -every 0 -faults 0.1 -latency 20ms"), &notes)
	require.NoError(t, err)
	require.Equal(t, settings{"127.0.0.1:0", 0, trouble{0.1, 20 * time.Millisecond}}, s)
	require.Empty(t, notes)
}

// Clients of ours speak plain HTTP on loopback only, and [::] is not that.
func TestServerOnEveryAddressIsAskedOnLoopback(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]string{
		"[::]:8899":      "http://127.0.0.1:8899",
		"0.0.0.0:8899":   "http://127.0.0.1:8899",
		"127.0.0.1:8899": "http://127.0.0.1:8899",
		"[::1]:8899":     "http://[::1]:8899",
	} {
		listening, err := net.ResolveTCPAddr("tcp", addr)
		require.NoError(t, err)
		require.Equal(t, want, base(listening))
	}
}

func TestLatencyDelaysAnswers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		started := time.Now()
		req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		require.False(t, trouble{latency: time.Hour}.before(httptest.NewRecorder(), req), "the answer follows")
		require.Equal(t, time.Hour, time.Since(started))
	})
}

func TestAddressInUseIsAnError(t *testing.T) {
	t.Parallel()
	base, _, _ := strings.Cut(start(t, time.Hour, trouble{}), "\n")
	err := run(t.Context(), settings{addr: strings.TrimPrefix(base, "http://")}, io.Discard)
	require.Error(t, err)
}
