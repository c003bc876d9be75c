package wallet_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

const threeInTen = "..xx....x."

// faults makes the requests fail that have an x in the pattern, each in another
// way than the one before.
type faults struct {
	pattern  string
	mu       sync.Mutex
	requests int
	failed   int
}

func (f *faults) strike(w http.ResponseWriter, _ *http.Request) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests++
	if f.pattern[f.requests%len(f.pattern)] == '.' {
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

// walk walks all pages. Where a call fails for good, it resumes: handle notes
// in the options of pages where the next page starts.
func walk[P any](t *testing.T, pages func() iter.Seq2[P, error], handle func(P)) (resumed int) {
	t.Helper()
	for {
		var failed error
		for page, err := range pages() {
			if failed = err; err == nil {
				handle(page)
			}
		}
		if failed == nil {
			return resumed
		}
		resumed++
		require.Less(t, resumed, 200, failed)
	}
}

// walks are one for each listing, in pages of ten.
var walks = map[string]func(t *testing.T, c *wallet.Client, prefetch bool) (all []string, resumed int){
	"balances": func(t *testing.T, c *wallet.Client, prefetch bool) (all []string, resumed int) {
		opts := &wallet.BalancesOptions{Limit: 10, Prefetch: prefetch}
		resumed = walk(t, func() iter.Seq2[*wallet.BalancePage, error] {
			return c.BalancePages(t.Context(), fake.Wallet, opts)
		}, func(page *wallet.BalancePage) {
			all = append(all, entries(page)...)
			opts.Page = page.Pagination.Page + 1
		})
		return all, resumed
	},
	"history": func(t *testing.T, c *wallet.Client, prefetch bool) (all []string, resumed int) {
		opts := &wallet.HistoryOptions{Limit: 10, Prefetch: prefetch}
		resumed = walk(t, func() iter.Seq2[*wallet.Page[wallet.Transaction], error] {
			return c.HistoryPages(t.Context(), fake.Wallet, opts)
		}, func(page *wallet.Page[wallet.Transaction]) {
			for _, tx := range page.Items {
				all = append(all, string(tx.Signature))
			}
			opts.Cursor = page.Cursor
		})
		return all, resumed
	},
	"transfers": func(t *testing.T, c *wallet.Client, prefetch bool) (all []string, resumed int) {
		opts := &wallet.TransfersOptions{Limit: 10, Prefetch: prefetch}
		resumed = walk(t, func() iter.Seq2[*wallet.Page[wallet.Transfer], error] {
			return c.TransferPages(t.Context(), fake.Wallet, opts)
		}, func(page *wallet.Page[wallet.Transfer]) {
			for _, transfer := range page.Items {
				all = append(all, string(transfer.Signature)+" "+strconv.FormatUint(transfer.AmountRaw, 10))
			}
			opts.Cursor = page.Cursor
		})
		return all, resumed
	},
}

func TestWalksWithFaultsYieldEachItemOnce(t *testing.T) {
	t.Parallel()
	for name, walk := range walks {
		for _, prefetch := range []bool{false, true} {
			want := listed(t, name)
			synctest.Test(t, func(t *testing.T) { // the waits between tries take no time
				f := &faults{pattern: threeInTen}
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
}

func TestWalksResumeAfterEveryPage(t *testing.T) {
	t.Parallel()
	for name, walk := range walks {
		for _, prefetch := range []bool{false, true} {
			f := &faults{pattern: ".x"}
			s := fake.New()
			s.Before = f.strike
			cfg := s.Config()
			cfg.MaxAttempts = 1
			c, err := wallet.New(cfg)
			require.NoError(t, err)
			got, resumed := walk(t, c, prefetch)
			require.Equal(t, listed(t, name), got)
			require.Equal(t, f.requests/2, resumed)
		}
	}
}

func TestWalksWithFaultsAndRestartsOverTCPYieldEachItemOnce(t *testing.T) {
	t.Parallel()
	for name, walk := range walks {
		for _, prefetch := range []bool{false, true} {
			f := &faults{pattern: threeInTen}
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
			require.Equal(t, listed(t, name), got)
			require.Positive(t, resumed)
			require.Greater(t, f.failed, 7, "each kind of fault occurs")
			require.Greater(t, r.restarts, 2)
		}
	}
}

func TestPrefetchAsksForThePageAfterThisOne(t *testing.T) {
	t.Parallel()
	for _, prefetch := range []bool{false, true} {
		asked := map[bool]int{false: 1, true: 2}[prefetch]
		synctest.Test(t, func(t *testing.T) {
			s := fake.New()
			for range client(t, s).BalancePages(t.Context(), fake.Wallet, &wallet.BalancesOptions{Prefetch: prefetch}) {
				synctest.Wait() // until all that was started has come to rest
				require.Len(t, s.Requests(), asked)
				break
			}
			s = fake.New()
			for range client(t, s).HistoryPages(t.Context(), fake.Wallet, &wallet.HistoryOptions{Prefetch: prefetch}) {
				synctest.Wait()
				require.Len(t, s.Requests(), asked)
				break
			}
			s = fake.New()
			for range client(t, s).TransferPages(t.Context(), fake.Wallet, &wallet.TransfersOptions{Prefetch: prefetch}) {
				synctest.Wait()
				require.Len(t, s.Requests(), asked)
				break
			}
		})
	}
}

func TestIteratorMayBeRangedByManyAtOnce(t *testing.T) {
	t.Parallel()
	c := client(t, fake.New())
	balances := c.AllBalances(t.Context(), fake.Wallet, nil)
	history := c.AllHistory(t.Context(), fake.Wallet, nil)
	transfers := c.AllTransfers(t.Context(), fake.Wallet, nil)
	var counts [3][3]int
	var group sync.WaitGroup
	for i := range counts {
		group.Go(func() { counts[i][0] = count(balances) })
		group.Go(func() { counts[i][1] = count(history) })
		group.Go(func() { counts[i][2] = count(transfers) })
	}
	group.Wait()
	all := [3]int{len(listed(t, "balances")), len(listed(t, "history")), len(listed(t, "transfers"))}
	require.Equal(t, [3][3]int{all, all, all}, counts)
}

// count returns how many items there are without an error.
func count[T any](items iter.Seq2[T, error]) (n int) {
	for _, err := range items {
		if err == nil {
			n++
		}
	}
	return n
}

// listed returns what the service has in a listing, without help of the client.
func listed(t *testing.T, listing string) (all []string) {
	t.Helper()
	s := fake.New()
	cfg := s.Config()
	var answer struct {
		Balances, Data []struct {
			Mint, Signature, AmountRaw string
			Balance                    json.Number
		}
		Pagination struct {
			HasMore    bool
			NextCursor string
		}
	}
	query := "?limit=50"
	for page := 1; ; page++ {
		url := cfg.WalletURL + "/v1/wallet/" + fake.Wallet + "/" + listing + query + "&api-key=" + fake.Key
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
		require.NoError(t, err)
		resp, err := cfg.HTTPClient.Do(req)
		require.NoError(t, err)
		answer.Balances, answer.Data, answer.Pagination.NextCursor = nil, nil, ""
		require.NoError(t, json.NewDecoder(resp.Body).Decode(&answer))
		require.NoError(t, resp.Body.Close())
		for _, b := range answer.Balances {
			all = append(all, b.Mint+" "+exact(b.Balance.String()).String())
		}
		for _, d := range answer.Data {
			all = append(all, strings.TrimSpace(d.Signature+" "+d.AmountRaw))
		}
		if !answer.Pagination.HasMore {
			require.Greater(t, len(all), 250)
			return all
		}
		switch listing {
		case "balances":
			query = fmt.Sprintf("?limit=50&page=%d", page+1)
		case "history":
			query = "?limit=50&before=" + answer.Pagination.NextCursor
		default:
			query = "?limit=50&cursor=" + answer.Pagination.NextCursor
		}
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
