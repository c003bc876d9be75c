package stream_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

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

// A node has perSlot transactions of the wallet in each slot, which are confirmed a slot
// later and listed in the history 13 s later. It cuts connections at random.
type node struct {
	begun  time.Time
	cuts   float64 // share of slots
	refuse string  // the answer to transactionSubscribe
	status int     // of upgrades, unless 0

	mu   sync.Mutex
	rand *rand.Rand
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

const meta = `{"err":null,"fee":5000,"preBalances":[1],"postBalances":[1]}`

// ServeHTTP answers getTransactionsForAddress and getSlot, and serves subscriptions.
func (n *node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Upgrade") != "" {
		if n.status != 0 {
			w.WriteHeader(n.status)
			return
		}
		if ws, err := websocket.Accept(w, r, nil); err == nil {
			n.serve(ws) //nolint:contextcheck // that of the request ends with the upgrade
		}
		return
	}
	var in struct {
		ID     json.RawMessage
		Method string
		Params []json.RawMessage
	}
	_ = json.NewDecoder(r.Body).Decode(&in)
	w.Header().Set("Content-Type", "application/json")
	if in.Method == "getSlot" {
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%d}`, in.ID, n.slot())
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
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32016,"message":"Minimum context slot has not been reached"}}`, in.ID)
		return
	}
	var page []string
	number := max(config.Cursor, (max(config.Filters.Slot.GTE, firstSlot)-firstSlot)*perSlot)
	for ; number/perSlot+firstSlot < config.Filters.Slot.LT && len(page) < 100; number++ {
		slot := number/perSlot + firstSlot
		if n.slot()-slot < number%33 { // the history lags
			continue
		}
		page = append(page, fmt.Sprintf(`{"slot":%d,"transactionIndex":%d,"blockTime":1790000000,"transaction":%s,"meta":%s,"version":0}`, slot, number%perSlot, signed(number), meta))
	}
	token := "null"
	if number/perSlot+firstSlot < config.Filters.Slot.LT {
		token = fmt.Sprintf(`"%d"`, number)
	}
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"data":[%s],"paginationToken":%s}}`, in.ID, strings.Join(page, ","), token)
}

func (n *node) serve(ws *websocket.Conn) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer func() { _ = ws.CloseNow() }()
	var mu sync.Mutex
	subscribed := map[string]bool{}
	write := func(format string, args ...any) {
		_ = ws.Write(ctx, websocket.MessageText, fmt.Appendf(nil, format, args...))
	}
	go func() {
		for {
			next := n.begun.Add(time.Duration(n.slot()-firstSlot+1) * slotTime)
			select {
			case <-ctx.Done():
				return
			case <-time.After(time.Until(next)):
			}
			n.mu.Lock()
			cut := n.rand.Float64() < n.cuts
			n.mu.Unlock()
			if cut {
				_ = ws.CloseNow()
				return
			}
			mu.Lock()
			pulse, live := subscribed["slotSubscribe"], subscribed["transactionSubscribe"]
			mu.Unlock()
			slot := n.slot()
			if pulse {
				write(`{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"parent":1,"root":1,"slot":%d},"subscription":0}}`, slot)
			}
			for i := uint64(0); live && i < perSlot; i++ {
				number := (slot-1-firstSlot)*perSlot + i
				write(`{"jsonrpc":"2.0","method":"transactionNotification","params":{"subscription":4743323479349712,"result":{"signature":"%s","slot":%d,"transactionIndex":%d,"transaction":{"transaction":%s,"meta":%s,"version":0}}}}`,
					signature(number), slot-1, i, signed(number), meta)
			}
		}
	}()
	for {
		_, message, err := ws.Read(ctx)
		if err != nil {
			return
		}
		var r struct {
			ID     uint64
			Method string
		}
		_ = json.Unmarshal(message, &r)
		switch r.Method {
		case "slotSubscribe":
			write(`{"jsonrpc":"2.0","id":%d,"result":0}`, r.ID)
		case "transactionSubscribe":
			if n.refuse != "" {
				write(`{"jsonrpc":"2.0","id":%d,"error":%s}`, r.ID, n.refuse)
				continue
			}
			write(`{"jsonrpc":"2.0","id":%d,"result":4743323479349712}`, r.ID)
		}
		mu.Lock()
		subscribed[r.Method] = true
		mu.Unlock()
	}
}

type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if c, ok := <-p; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}
func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

// client returns a Client of n over pipes, which closes with the test.
func client(t *testing.T, n *node, cfg types.Config) *stream.Client {
	t.Helper()
	n.begun, n.rand = time.Now(), rand.New(rand.NewPCG(1, 2))
	listener := make(pipes)
	hs := &http.Server{Handler: n}
	go func() { _ = hs.Serve(listener) }()
	transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		listener <- theirs
		return ours, nil
	}}
	cfg.APIKey, cfg.RPCURL, cfg.HTTPClient = key, "http://127.0.0.1:1", &http.Client{Transport: transport}
	c, err := stream.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() {
		c.Close()
		transport.CloseIdleConnections()
		close(listener)
		_ = hs.Close()
	})
	return c
}

func TestTransactionsSurviveAnHourOfCutsAndKills(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &node{cuts: 0.05}
		var log bytes.Buffer
		var meter types.Meter
		c := client(t, n, types.Config{Logger: slog.New(slog.NewTextHandler(&log, nil)), Meter: &meter})
		const all = 3600 * perSlot * 10 / 4
		got, gaps, loops := map[types.Signature]bool{}, 0, 0
		r := rand.New(rand.NewPCG(5, 6))
		for since := uint64(firstSlot); len(got) < all; loops++ {
			last, seen := uint64(0), map[types.Signature]bool{}
			for e, err := range c.Transactions(t.Context(), &stream.TransactionsOptions{Accounts: []types.Address{wallet}, SinceSlot: since}) {
				require.NoError(t, err)
				s := e.Transaction.Signature()
				require.False(t, seen[s])
				seen[s], got[s] = true, true
				require.True(t, e.Late || e.Transaction.Slot >= last)
				last = max(last, e.Transaction.Slot)
				if e.Gap != nil {
					gaps++
					require.True(t, e.Gap.Filled)
				}
				since = e.Resume
				if r.Float64() < 0.0005 || len(got) >= all {
					break
				}
			}
		}
		for number := range uint64(all - 100*perSlot) {
			require.True(t, got[types.Signature(signature(number))], "transaction %d is lost", number)
		}
		require.Greater(t, gaps, 50)
		require.Greater(t, loops, 10)
		require.NotContains(t, log.String(), key)
		require.Contains(t, log.String(), "stream filled")
		require.Contains(t, meter.String(), "WebSocket messages")
	})
}

func TestPlanRefusalNamesTheWayThatWorks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := client(t, &node{refuse: `{"code":-32600,"message":"transactionSubscribe is not available on the free plan"}`}, types.Config{})
		for _, err := range c.Transactions(t.Context(), &stream.TransactionsOptions{Accounts: []types.Address{wallet}}) {
			require.ErrorContains(t, err, "free plan")
			require.ErrorContains(t, err, "Logs of an address")
		}
	})
}

func TestUnauthorizedUpgradeEndsTheLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := client(t, &node{status: http.StatusUnauthorized}, types.Config{})
		for _, err := range c.Transactions(t.Context(), &stream.TransactionsOptions{Accounts: []types.Address{wallet}}) {
			require.ErrorIs(t, err, types.ErrUnauthorized)
			require.NotContains(t, err.Error(), key)
		}
	})
}

func TestInvalidOptionsFailBeforeTheConnection(t *testing.T) {
	c, err := stream.New(types.Config{APIKey: key})
	require.NoError(t, err)
	for _, opts := range []*stream.TransactionsOptions{
		nil,
		{Accounts: []types.Address{"x"}},
		{Accounts: []types.Address{wallet}, Commitment: "soon"},
		{Accounts: []types.Address{wallet}, Commitment: types.CommitmentProcessed},
		{Accounts: []types.Address{wallet}, Encoding: types.EncodingBase64Zstd},
	} {
		n := 0
		for _, err := range c.Transactions(t.Context(), opts) {
			require.ErrorIs(t, err, types.ErrInvalid)
			n++
		}
		require.Equal(t, 1, n)
	}
}
