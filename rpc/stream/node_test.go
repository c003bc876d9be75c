package stream_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
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
