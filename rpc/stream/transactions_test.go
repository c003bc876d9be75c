package stream_test

import (
	"bytes"
	"context"
	"io"
	"iter"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// Whatever the network and the loop do, each transaction comes, in the order of slots, and
// once within a loop.
func TestNoTransactionIsLost(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		faults
		slow, kill float64 // the share of events after which the loop stands still, or ends
	}{
		"cuts":             {faults{cuts: 0.05, codes: []int{0, 1000, 1001, 1008}}, 0, 0.002},
		"a cut per second": {faults{cuts: 0.4, codes: []int{0}}, 0, 0.001},
		"silence":          {faults{silence: 0.01}, 0, 0},
		"disorder":         {faults{repeats: 0.3, back: 0.1}, 0, 0.01},
		"unreadable":       {faults{unreadable: 0.01}, 0, 0},
		"refused upgrades": {faults{cuts: 0.02, codes: []int{0}, refused: 0.5}, 0, 0},
		"slow loop":        {faults{}, 0.002, 0},
		"nodes behind":     {faults{cuts: 0.05, codes: []int{0}, behind: 0.5}, 0, 0.01},
		"kills":            {faults{cuts: 0.01, codes: []int{0}}, 0.001, 0.02},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				n := &node{faults: test.faults}
				var log bytes.Buffer
				var meter types.Meter
				c := client(t, n, types.Config{Logger: slog.New(slog.NewTextHandler(&log, nil)), Meter: &meter})
				r := rand.New(rand.NewPCG(5, 6))
				got, late := map[types.Signature]bool{}, 0
				for since := uint64(firstSlot); len(got) < *events; {
					start := since
					last, seen := uint64(0), map[types.Signature]bool{}
					for e, err := range c.Transactions(t.Context(), []types.Address{wallet}, &stream.TransactionsOptions{SinceSlot: since}) {
						require.NoError(t, err)
						s := e.Transaction.Signature
						require.False(t, seen[s], "%s came twice", s)
						seen[s], got[s] = true, true
						require.True(t, e.Late || e.Slot >= last, "slot %d after %d", e.Slot, last)
						require.GreaterOrEqual(t, e.Slot, start)
						last = max(last, e.Slot)
						if e.Late {
							late++
						}
						require.True(t, e.Err == nil || test.unreadable > 0)
						if e.Gap != nil {
							require.True(t, e.Gap.Filled)
							require.NotContains(t, e.Gap.Reason.Error(), key)
						}
						since = e.Resume
						if r.Float64() < test.slow {
							time.Sleep(time.Duration(r.IntN(60)) * time.Second)
						}
						if r.Float64() < test.kill || len(got) >= *events {
							break
						}
					}
				}
				for number := range uint64(*events - 100*perSlot) {
					require.True(t, got[types.Signature(signature(number))], "transaction %d is lost", number)
				}
				require.Less(t, late, *events/4)
				require.NotContains(t, log.String(), key)
				require.Contains(t, log.String(), "stream connected")
				require.Contains(t, meter.String(), "WebSocket connections")
			})
		})
	}
}

// One odd transaction in 1000 is an event too, and costs nothing: live, in the history, and
// at a restart.
func TestUnreadableTransactionStopsNothing(t *testing.T) {
	t.Parallel()
	const odd, n = 500, 1000
	for name, test := range map[string]struct {
		starts   time.Duration // after the first slot
		restarts bool          // after the odd one
	}{"live": {}, "in the history": {starts: 2 * time.Minute}, "at a restart": {restarts: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var meter types.Meter
				c := client(t, &node{odd: odd}, types.Config{Meter: &meter})
				began := time.Now()
				time.Sleep(test.starts)
				const oddSlot = firstSlot + odd/perSlot
				seen, unreadable, resume, settled := map[types.Signature]bool{}, 0, uint64(firstSlot), time.Duration(0)
				var took time.Duration // until all were delivered
				for settled == 0 {
					for e, err := range c.Transactions(t.Context(), []types.Address{wallet}, &stream.TransactionsOptions{SinceSlot: resume}) {
						require.NoError(t, err)
						s := e.Transaction.Signature
						seen[s], resume = true, e.Resume
						if len(seen) == n {
							took = time.Since(began)
						}
						if took != 0 && resume > oddSlot {
							settled = time.Since(began)
							break
						}
						require.Equal(t, s == types.Signature(signature(odd)), e.Err != nil)
						if e.Err == nil {
							continue
						}
						require.Equal(t, uint64(oddSlot), e.Slot)
						require.Equal(t, string(s), e.Err.ID)
						require.True(t, strings.HasSuffix(e.Err.Path, "meta.fee"))
						require.Contains(t, string(e.Err.JSON), `"fee":"5000"`)
						require.Equal(t, uint64(1), c.Status().Loops[0].Unreadable)
						if unreadable++; unreadable == 1 && test.restarts {
							break
						}
					}
				}
				t.Logf("%s: %d events after %v, %d unreadable, Resume %d (the odd slot is %d) after %v, %v", name, n, took, unreadable, resume, uint64(oddSlot), settled, &meter)
				require.Less(t, took-max(test.starts, n/perSlot*slotTime), 2*time.Second)
				require.Less(t, settled-took, 2*time.Minute)
			})
		})
	}
}

// unread returns the errors of events until their context ends.
func unread[E any](t *testing.T, events iter.Seq2[E, error], err func(E) *types.ItemError) (list []*types.ItemError) {
	t.Helper()
	for _, e := range all(t, events) {
		list = append(list, err(e))
	}
	return list
}

// An odd item in any history is one event with its error.
func TestUnreadableItemsOfHistories(t *testing.T) {
	t.Parallel()
	logs := func(e stream.LogsEvent) *types.ItemError { return e.Err }
	ofAddress := func(ctx context.Context, t *testing.T, c *stream.Client, since uint64) []*types.ItemError {
		return unread(t, c.Logs(ctx, fake.WalletAddress, &stream.LogsOptions{SinceSlot: since}), logs)
	}
	for name, test := range map[string]struct {
		method, member string
		read           func(ctx context.Context, t *testing.T, c *stream.Client, since uint64) []*types.ItemError
		refused        string // a method
	}{
		"by address":   {"getTransactionsForAddress", "fee", ofAddress, ""},
		"by signature": {"getTransaction", "fee", ofAddress, "getTransactionsForAddress"},
		"blocks": {"getBlock", "fee", func(ctx context.Context, t *testing.T, c *stream.Client, since uint64) []*types.ItemError {
			return unread(t, c.AllLogs(ctx, &stream.AllLogsOptions{FillFromBlocks: true, SinceSlot: since}), logs)
		}, ""},
		"parsed": {"transaction-history", "fee", func(ctx context.Context, t *testing.T, c *stream.Client, since uint64) []*types.ItemError {
			opts := &stream.ParsedTransactionsOptions{Accounts: []types.Address{fake.WalletAddress}, SinceSlot: since}
			return unread(t, c.ParsedTransactions(ctx, opts), func(e stream.ParsedTransactionEvent) *types.ItemError { return e.Err })
		}, ""},
		"account": {"getAccountInfo", "lamports", func(ctx context.Context, t *testing.T, c *stream.Client, _ uint64) []*types.ItemError {
			return unread(t, c.Account(ctx, fake.WalletAddress, nil), func(e stream.AccountEvent) *types.ItemError { return e.Err })
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := fake.New(nil)
				if test.refused != "" {
					s.FailFrom(test.refused, 1, fake.Fault{Code: -32601, Message: "Method not found"})
				}
				cfg := s.Config()
				var mu sync.Mutex
				left, place := 0, regexp.MustCompile(`"`+test.member+`":(\d+)`)
				if test.member == "fee" {
					left = 1 // transactions before the odd one
				}
				cfg.HTTPClient = &http.Client{Transport: through{func(r *http.Request, next http.RoundTripper) (*http.Response, error) {
					var body []byte
					if r.Body != nil {
						body, _ = io.ReadAll(r.Body)
					}
					r.Body = io.NopCloser(bytes.NewReader(body))
					matches := strings.Contains(string(body)+r.URL.Path, test.method) && r.Header.Get("Upgrade") == ""
					if matches {
						r.Header.Del("Accept-Encoding")
					}
					resp, err := next.RoundTrip(r)
					if err != nil || !matches {
						return resp, err
					}
					got, err := io.ReadAll(resp.Body)
					require.NoError(t, err)
					mu.Lock()
					defer mu.Unlock()
					got = place.ReplaceAllFunc(got, func(member []byte) []byte {
						if left--; left != -1 {
							return member
						}
						return place.ReplaceAll(member, []byte(`"`+test.member+`":"odd $1"`))
					})
					resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(got)), int64(len(got))
					resp.Header.Del("Content-Length")
					return resp, nil
				}, cfg.HTTPClient.Transport}}
				c, err := stream.New(cfg)
				require.NoError(t, err)
				defer c.Close()
				node, err := rpc.New(s.Config())
				require.NoError(t, err)
				since, err := node.Slot(t.Context(), nil)
				require.NoError(t, err)
				pay(s)
				time.Sleep(time.Second)
				second := pay(s).Signature()
				time.Sleep(time.Second)
				pay(s)
				time.Sleep(time.Minute)
				began := time.Now()
				time.AfterFunc(10*time.Second, func() { pay(s) }) // live
				list := test.read(within(t, time.Minute), t, c, since)
				require.Less(t, time.Since(began), 2*time.Minute)
				require.Len(t, slices.DeleteFunc(slices.Clone(list), func(e *types.ItemError) bool { return e != nil }), len(list)-1, "%v", list)
				require.Contains(t, []int{2, 4}, len(list))
				odd := list[slices.IndexFunc(list, func(e *types.ItemError) bool { return e != nil })]
				require.True(t, strings.HasSuffix(odd.Path, test.member), odd.Path)
				if name != "account" {
					require.Equal(t, string(second), odd.ID)
				}
			})
		})
	}
}

// Nodes notify votes to followers of an address that they name.
func TestLogsOfAnAddressHaveItsVotes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := client(t, &node{votes: true}, types.Config{})
		events := first(t, 1, c.Logs(within(t, time.Minute), wallet, &stream.LogsOptions{SinceSlot: firstSlot}))
		require.Len(t, events[0].Logs, 2)
	})
}
