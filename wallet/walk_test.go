package wallet_test

import (
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

// faults makes three of ten requests fail, always the same ones, each in
// another way than the one before.
type faults struct {
	mu       sync.Mutex
	requests int
	failed   int
}

func (f *faults) strike(w http.ResponseWriter, _ *http.Request) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests++
	if "..xx....x."[f.requests%10] == '.' {
		return false
	}
	f.failed++
	switch f.failed % 7 {
	case 0:
		http.Error(w, `{"error":"Internal server error","code":500}`, http.StatusInternalServerError)
	case 1:
		w.Header().Set("Retry-After", "3")
		http.Error(w, `{"error":"RATE_LIMIT_EXCEEDED","code":429}`, http.StatusTooManyRequests)
	case 2:
		panic(http.ErrAbortHandler) // the connection closes without an answer
	case 3:
		http.Error(w, "<html><body>502 Bad Gateway</body></html>", http.StatusBadGateway)
	case 4:
		w.Header().Set("Content-Length", "5000") // the answer breaks off
		_, _ = w.Write([]byte(`{"balances":[{"mint":"So11111111111111111111111111111111111111112","balance":15`))
	case 5:
		_, _ = w.Write([]byte("<html>maintenance</html>")) // with status 200
	case 6:
		_, _ = w.Write([]byte(`{"error":"overloaded","code":503}`)) // with status 200
	}
	return true
}

// walk walks all balances in pages of ten. Where a call fails for good, it
// resumes after the last page it got.
func walk(t *testing.T, c *wallet.Client, prefetch bool) (all []string, resumed int) {
	t.Helper()
	opts := &wallet.BalancesOptions{Page: 1, Limit: 10, Prefetch: prefetch}
	for {
		var failed error
		for page, err := range c.BalancePages(t.Context(), fake.Wallet, opts) {
			if failed = err; err == nil {
				all = append(all, entries(page)...)
				opts.Page = page.Pagination.Page + 1
			}
		}
		if failed == nil {
			return all, resumed
		}
		resumed++
		require.Less(t, resumed, 100, failed)
	}
}

func TestWalkWithFaultsYieldsEachBalanceOnce(t *testing.T) {
	t.Parallel()
	want := holdings(t, fake.New())
	for _, prefetch := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) { // the waits between tries take no time
			f := new(faults)
			s := fake.New()
			s.Before = f.strike
			cfg := s.Config()
			cfg.MaxAttempts = 2
			c, err := wallet.New(cfg)
			require.NoError(t, err)
			got, resumed := walk(t, c, prefetch)
			require.Equal(t, want, got)
			require.Greater(t, f.failed, 7, "each kind of fault occurs")
			require.Positive(t, resumed)
		})
	}
}

func TestWalkWithFaultsAndRestartsOverTCPYieldsEachBalanceOnce(t *testing.T) {
	t.Parallel()
	want := holdings(t, fake.New())
	for _, prefetch := range []bool{false, true} {
		f := new(faults)
		s := fake.New()
		r := &restarting{handler: s, address: "127.0.0.1:0"}
		r.start(t)
		t.Cleanup(func() { _ = r.server.Close() })
		s.Before = func(w http.ResponseWriter, req *http.Request) bool {
			if f.strike(w, req) {
				return true
			}
			if f.requests%9 == 0 {
				r.restart(t)
			}
			return false
		}
		c, err := wallet.New(types.Config{
			APIKey:      fake.Key,
			WalletURL:   "http://" + r.address,
			HTTPClient:  &http.Client{Transport: new(http.Transport)},
			MaxAttempts: 1, // so that nothing waits: each fault ends the walk, which is resumed
		})
		require.NoError(t, err)
		got, resumed := walk(t, c, prefetch)
		require.Equal(t, want, got)
		require.Positive(t, resumed)
		require.Greater(t, f.failed, 7, "each kind of fault occurs")
		require.Greater(t, r.restarts, 2)
	}
}

// A restarting server keeps its address.
type restarting struct {
	handler  http.Handler
	address  string
	server   *http.Server
	restarts int
}

func (r *restarting) start(t *testing.T) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", r.address)
	if err != nil {
		t.Error(err)
		return
	}
	r.address = listener.Addr().String()
	server := &http.Server{Handler: r.handler}
	r.server = server
	go func() { _ = server.Serve(listener) }() // ends with Close
}

// restart ends all connections, that of the request which asks for it too.
func (r *restarting) restart(t *testing.T) {
	t.Helper()
	_ = r.server.Close()
	r.restarts++
	r.start(t)
}
