package stream_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
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

	"github.com/coder/websocket"
	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

const (
	wallet    = types.Address("86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY")
	key       = "0123abcd-4567-89ab-cdef-0123456789ab"
	firstSlot = 1000
	slotTime  = 400 * time.Millisecond
	perSlot   = 5
)

// A node has perSlot transactions of the wallet in each slot. They are confirmed a slot later
// and listed in the history up to 13 s later.
type node struct {
	faults

	begun time.Time
	votes bool   // whether the transactions are votes
	odd   uint64 // the number of a transaction whose fee is text; 0 for none

	mu   sync.Mutex
	rand *rand.Rand
}

// faults are shares of slots, or of upgrades.
type faults struct {
	cuts       float64
	codes      []int   // of closing connections; 0 means no close frame
	silence    float64 // from then on, only pings are answered
	repeats    float64
	back       float64 // of slots
	unreadable float64 // of slots: the fees of live transactions are text
	refused    float64
	behind     float64 // of connections: to nodes that are 400 slots behind
}

// chance is true for a share of the calls.
func (n *node) chance(share float64) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.rand.Float64() < share
}

func (n *node) slot() uint64 { return firstSlot + uint64(time.Since(n.begun)/slotTime) }

func signature(number uint64) string {
	b := make([]byte, 64)
	copy(b, fmt.Sprintf("%064d", number))
	return base58.Encode(b)
}

func signed(number uint64) string {
	return fmt.Sprintf(`{"signatures":["%s"],"message":{"accountKeys":[{"pubkey":"%s","signer":true,"writable":true,"source":"transaction"}],"instructions":[],"recentBlockhash":"x"}}`, signature(number), wallet)
}

func (n *node) meta(number uint64, odd bool) string {
	logs, fee := "[]", "5000"
	if odd || n.odd != 0 && number == n.odd {
		fee = `"5000"`
	}
	if n.votes {
		logs = `["Program ` + string(types.VoteProgram) + ` invoke [1]","Program ` + string(types.VoteProgram) + ` success"]`
	}
	return fmt.Sprintf(`{"err":null,"fee":%s,"preBalances":[1],"postBalances":[1],"logMessages":%s}`, fee, logs)
}

// subscriptions serves the requests of a WebSocket connection.
func subscriptions(w http.ResponseWriter, r *http.Request, handle func(ctx context.Context, ws *websocket.Conn, id uint64, method string)) {
	ws, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer func() { _ = ws.CloseNow() }()
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context())) // it ends with the upgrade
	defer cancel()
	for {
		_, message, err := ws.Read(ctx)
		if err != nil {
			return
		}
		var in struct {
			ID     uint64
			Method string
		}
		_ = json.Unmarshal(message, &in)
		handle(ctx, ws, in.ID, in.Method)
	}
}

// A request is a JSON-RPC request over HTTP.
type request struct {
	ID     json.RawMessage
	Method string
	Params []json.RawMessage
}

// read reads a request. Answer answers it with a member, a result or an error.
func read(w http.ResponseWriter, r *http.Request) (in request, answer func(format string, args ...any)) {
	_ = json.NewDecoder(r.Body).Decode(&in)
	return in, func(format string, args ...any) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,`+format+"}", append([]any{in.ID}, args...)...)
	}
}

func write(ctx context.Context, ws *websocket.Conn, format string, args ...any) error {
	return ws.Write(ctx, websocket.MessageText, fmt.Appendf(nil, format, args...))
}

// ServeHTTP answers getTransactionsForAddress and getSlot, and serves subscriptions.
func (n *node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Upgrade") != "" {
		if n.chance(n.refused) {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		n.serve(w, r)
		return
	}
	in, answer := read(w, r)
	if in.Method == "getSlot" {
		answer(`"result":%d`, n.slot())
		return
	}
	var config struct {
		Cursor  uint64 `json:"paginationToken,string"`
		Min     uint64 `json:"minContextSlot"`
		Filters struct {
			Slot struct{ GTE, LT uint64 }
		}
	}
	_ = json.Unmarshal(in.Params[1], &config)
	if config.Min > n.slot()-1 {
		answer(`"error":{"code":-32016,"message":"Minimum context slot has not been reached"}`)
		return
	}
	var page []string
	number := max(config.Cursor, (max(config.Filters.Slot.GTE, firstSlot)-firstSlot)*perSlot)
	for ; number/perSlot+firstSlot < config.Filters.Slot.LT && len(page) < 100; number++ {
		slot := number/perSlot + firstSlot
		if n.slot()-slot < number%33 { // the history lags
			continue
		}
		page = append(page, fmt.Sprintf(`{"slot":%d,"transactionIndex":%d,"blockTime":1790000000,"transaction":%s,"meta":%s,"version":0}`, slot, number%perSlot, signed(number), n.meta(number, false)))
	}
	token := "null"
	if number/perSlot+firstSlot < config.Filters.Slot.LT {
		token = fmt.Sprintf(`"%d"`, number)
	}
	answer(`"result":{"data":[%s],"paginationToken":%s}`, strings.Join(page, ","), token)
}

func (n *node) serve(w http.ResponseWriter, r *http.Request) {
	var subscribed sync.Map // by method
	var begin sync.Once
	var behind uint64
	if n.chance(n.behind) {
		behind = 400
	}
	subscriptions(w, r, func(ctx context.Context, ws *websocket.Conn, id uint64, method string) {
		_ = write(ctx, ws, `{"jsonrpc":"2.0","id":%d,"result":%d}`, id, map[string]uint64{"logsSubscribe": 1, "transactionSubscribe": 4743323479349712}[method])
		subscribed.Store(method, true)
		begin.Do(func() {
			go n.notify(ctx, behind, func(format string, args ...any) error { return write(ctx, ws, format, args...) }, &subscribed, func(code int) {
				if code == 0 {
					_ = ws.CloseNow()
				} else {
					_ = ws.Close(websocket.StatusCode(code), "seen "+key)
				}
			})
		})
	})
}

// notify notifies a socket of slots and transactions, from a node that is behind.
func (n *node) notify(ctx context.Context, behind uint64, write func(string, ...any) error, subscribed *sync.Map, end func(code int)) {
	for wait.For(ctx, time.Until(n.begun.Add(time.Duration(n.slot()-firstSlot+1)*slotTime))) == nil {
		if n.chance(n.cuts) {
			n.mu.Lock()
			code := n.codes[n.rand.IntN(len(n.codes))]
			n.mu.Unlock()
			end(code)
			return
		}
		if n.chance(n.silence) {
			return
		}
		odd := n.chance(n.unreadable)
		slot := max(n.slot()-behind, firstSlot+1)
		told := slot
		if n.chance(n.back) {
			told -= 5
		}
		if _, pulse := subscribed.Load("slotSubscribe"); pulse {
			_ = write(`{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"parent":1,"root":1,"slot":%d},"subscription":0}}`, told)
		}
		if _, live := subscribed.Load("transactionSubscribe"); !live {
			continue
		}
		for number := (slot - 1 - firstSlot) * perSlot; number < (slot-firstSlot)*perSlot; number++ {
			numbers := []uint64{number}
			if n.chance(n.repeats) && number > 30 {
				numbers = append(numbers, number-30)
			}
			for _, number := range numbers {
				_ = write(`{"jsonrpc":"2.0","method":"transactionNotification","params":{"subscription":4743323479349712,"result":{"signature":"%s","slot":%d,"transactionIndex":%d,"transaction":{"transaction":%s,"meta":%s,"version":0}}}}`,
					signature(number), firstSlot+number/perSlot, number%perSlot, signed(number), n.meta(number, odd))
			}
		}
	}
}

// A roundTripper may answer a request, or pass it on.
type roundTripper func(r *http.Request, next http.RoundTripper) (*http.Response, error)

// through is a Transport whose requests pass a roundTripper.
type through struct {
	pass roundTripper
	next http.RoundTripper
}

func (t through) RoundTrip(r *http.Request) (*http.Response, error) { return t.pass(r, t.next) }

// client returns a Client of n, which begins now.
func client(t *testing.T, n *node, cfg types.Config, pass ...roundTripper) *stream.Client {
	t.Helper()
	n.begun, n.rand = time.Now(), rand.New(rand.NewPCG(1, 2))
	return clientOf(t, n, cfg, pass...)
}

// clientOf returns a Client of a handler without a network, which closes with the test.
func clientOf(t *testing.T, h http.Handler, cfg types.Config, pass ...roundTripper) *stream.Client {
	t.Helper()
	cfg.APIKey, cfg.RPCURL, cfg.HTTPClient = types.Key(key), "http://127.0.0.1:1", &http.Client{Transport: fakeapi.Handler(h)}
	for _, p := range pass {
		cfg.HTTPClient.Transport = through{p, cfg.HTTPClient.Transport}
	}
	c, err := stream.New(cfg)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

var events = flag.Int("events", 1000, "the number of transactions in each test of chaos; 45000 take an hour of virtual time")

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
