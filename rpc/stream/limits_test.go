package stream_test

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha1"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// A permanent refusal of a handshake or a history ends the loop at once; after others, it
// tries again.
func TestRefusals(t *testing.T) {
	t.Parallel()
	dns := &net.DNSError{Err: "no such host", Name: "mainnet.helius-rpc.cm", IsNotFound: true}
	const page = "<html>log in</html>"
	rpcError := func(code int, message string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","error":{"code":%d,"message":%q},"id":null}`, code, message)
	}
	for name, test := range map[string]struct {
		status int
		body   string
		err    error
		ends   string // the advice in the error
	}{
		"301": {status: 301, ends: "another service"}, "302": {status: 302, ends: "another service"}, "400": {status: 400, ends: "another service"},
		"401": {status: 401, ends: "wrong or expired"}, "402": {status: 402, ends: "the plan of the key"}, "403": {status: 403, ends: "firewalls"},
		"404": {status: 404, ends: "another service"}, "405": {status: 405, ends: "another service"}, "410": {status: 410, ends: "another service"},
		"426":          {status: 426, ends: "another service"},
		"page":         {status: 200, body: page, ends: "text/html instead of JSON: 127.0.0.1:1 may be another service"},
		"exhausted":    {status: 429, body: rpcError(-32429, "max usage reached"), ends: "waiting does not help"},
		"no such host": {err: dns, ends: "does not exist; check RPCURL in types.Config, the proxy and the DNS"},
		"certificate":  {err: &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}, ends: "the proxy and the certificates"},
		"no method":    {status: 200, body: rpcError(-32601, "Method not found"), ends: "the node may not include it"},
		"no plan":      {status: 200, body: rpcError(-32600, "not on the free plan"), ends: "the plan or"},
		"no history":   {status: 200, body: rpcError(-32011, "no history on this node"), ends: "a node with a history"},
		"429":          {status: 429}, "408": {status: 408}, "500": {status: 500}, "503": {status: 503},
		"refused":        {err: net.UnknownNetworkError("x")},
		"DNS fails":      {err: &net.DNSError{Err: "server misbehaving", IsTemporary: true}},
		"node not yet":   {status: 200, body: rpcError(-32004, "Block not available for slot")},
		"node is behind": {status: 200, body: rpcError(-32005, "Node is behind by 200 slots")},
	} {
		for _, history := range []bool{false, true} {
			test := test
			if test.body == page && history {
				test.ends = "" // calls retry it
			}
			if test.body != page && test.status == http.StatusOK && !history { // no connection
				test.body, test.ends = "", "another service"
			}
			t.Run(fmt.Sprintf("%s, history %v", name, history), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					var n atomic.Int64
					c := client(t, new(node), types.Config{}, func(r *http.Request, next http.RoundTripper) (*http.Response, error) {
						if (r.Header.Get("Upgrade") == "") != history {
							return next.RoundTrip(r)
						}
						n.Add(1)
						if test.err != nil && history {
							return nil, test.err
						}
						if test.err != nil {
							return nil, fmt.Errorf("dialing %s: %w", r.URL, test.err)
						}
						resp := respond(test.status, cmp.Or(test.body, `{"error":"no `+r.URL.String()+`"}`)) // with the key
						resp.Header.Set("Location", r.URL.String())
						if test.body == page {
							resp.Header.Set("Content-Type", "text/html")
						}
						return resp, nil
					})
					began := time.Now()
					for _, err := range c.Transactions(within(t, 4*time.Minute), []types.Address{wallet}, &stream.TransactionsOptions{SinceSlot: firstSlot}) {
						require.Error(t, err)
						require.NotContains(t, err.Error(), key)
						if test.ends != "" {
							// of four attempts of a call, or to connect
							require.Less(t, time.Since(began), 8*time.Second, "%v", err)
							require.ErrorContains(t, err, test.ends)
							require.LessOrEqual(t, strings.Count(err.Error(), "another service"), 1, "advice is given once: %v", err)
							if !history && test.status == http.StatusOK {
								require.Equal(t, int64(4), n.Load())
							}
							require.Equal(t, !history, strings.Contains(err.Error(), "types.Config.RPCURL: "))
							return
						}
						require.ErrorIs(t, err, context.DeadlineExceeded)
						require.ErrorContains(t, err, "(last: ")
					}
					require.Empty(t, test.ends)
					require.Less(t, n.Load(), int64(4*20))
				})
			})
		}
	}
}

// A laptop that sleeps, or a portal, has no hosts and wrong certificates for a while.
func TestNetworkThatIsDownEndsNoLoop(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := &node{faults: faults{cuts: 0.05, codes: []int{0}}}
		down := errors.Join(&net.DNSError{Err: "no such host", IsNotFound: true}, x509.HostnameError{})
		c := client(t, n, types.Config{}, func(r *http.Request, next http.RoundTripper) (*http.Response, error) {
			if since := time.Since(n.begun); since > 10*time.Second && since < 10*time.Minute {
				return nil, down
			}
			return next.RoundTrip(r)
		})
		for _, err := range c.Transactions(t.Context(), []types.Address{wallet}, nil) {
			require.NoError(t, err)
			if time.Since(n.begun) > 11*time.Minute {
				break
			}
		}
	})
}

// Within two seconds of Close, all requests, events and goroutines end. Synctest fails if a
// goroutine is left.
func TestCloseIsBounded(t *testing.T) {
	t.Parallel()
	frame := func(text string) []byte {
		if len(text) < 126 {
			return append([]byte{0x81, byte(len(text))}, text...)
		}
		return append([]byte{0x81, 126, byte(len(text) >> 8), byte(len(text))}, text...)
	}
	const slot = `{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"parent":1,"root":1,"slot":7},"subscription":0}}`
	answer := frame(`{"jsonrpc":"2.0","id":1,"result":0}`)
	// begins a frame of 1 MiB
	long := append([]byte{0x81, 127, 0, 0, 0, 0, 0, 0x10, 0, 0}, strings.Repeat("x", 700)...)
	for name, serve := range map[string]func(c net.Conn){
		"no upgrade":         nil,
		"says nothing":       func(net.Conn) {},
		"answers":            func(c net.Conn) { send(c, answer) },
		"tells slots":        func(c net.Conn) { send(c, answer); repeat(c, frame(slot), 400*time.Millisecond) },
		"a close, and stays": func(c net.Conn) { send(c, []byte{0x88, 2, 3, 232}) },
		"slot, then half":    func(c net.Conn) { send(c, answer); send(c, frame(slot)); send(c, long[:700]) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				var conns []net.Conn
				c, err := stream.New(types.Config{APIKey: types.Key(key), RPCURL: "http://127.0.0.1:1", HTTPClient: &http.Client{Transport: &http.Transport{
					DialContext: func(context.Context, string, string) (net.Conn, error) {
						ours, theirs := net.Pipe()
						mu.Lock()
						defer mu.Unlock()
						conns = append(conns, theirs)
						go handshake(theirs, serve)
						return ours, nil
					},
				}}})
				require.NoError(t, err)
				var took time.Duration
				time.AfterFunc(10*time.Second, func() {
					began := time.Now()
					c.Close()
					took = time.Since(began)
				})
				began := time.Now()
				var loops sync.WaitGroup
				for _, since := range []uint64{0, 1} { // from now on, and from an empty history
					loops.Go(func() {
						for _, err := range c.Logs(t.Context(), wallet, &stream.LogsOptions{SinceSlot: since}) {
							require.ErrorContains(t, err, "closed")
						}
					})
				}
				loops.Go(func() {
					_, err := c.Confirm(t.Context(), types.Signature(signature(7)), nil)
					require.ErrorContains(t, err, "closed")
				})
				loops.Wait()
				ended := time.Since(began)
				for _, err := range c.Slots(t.Context()) {
					require.ErrorContains(t, err, "closed")
				}
				time.Sleep(2 * time.Second)
				synctest.Wait()
				require.LessOrEqual(t, ended, 10*time.Second)
				require.LessOrEqual(t, took, 2*time.Second)
				dialed := len(conns)
				time.Sleep(time.Minute)
				require.Len(t, conns, dialed)
				for _, conn := range conns {
					_ = conn.Close()
				}
			})
		})
	}
}

func send(c net.Conn, b []byte) bool {
	_, err := c.Write(b)
	return err == nil
}

func repeat(c net.Conn, b []byte, pause time.Duration) {
	for send(c, b) {
		time.Sleep(pause)
	}
}

// handshake accepts an upgrade, reads everything, and calls serve to write.
func handshake(c net.Conn, serve func(net.Conn)) {
	in := bufio.NewReader(c)
	r, err := http.ReadRequest(in)
	if err != nil || r.Header.Get("Upgrade") == "" || serve == nil {
		_, _ = in.WriteTo(io.Discard) // says nothing
		return
	}
	_, _ = fmt.Fprintf(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n", acceptKey(r.Header.Get("Sec-WebSocket-Key")))
	go func() { _, _ = in.WriteTo(io.Discard) }()
	serve(c)
}

// A failure that lasts costs little: credits of four minutes of one account.
func TestFailuresCostLittle(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		faults
		most uint64
	}{
		"healthy":                  {faults{}, 0},
		"every slot is cut":        {faults{cuts: 0.5, codes: []int{0}}, 2_200},
		"notifications unreadable": {faults{unreadable: 0.5}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var meter types.Meter
				c := client(t, &node{faults: test.faults}, types.Config{Meter: &meter})
				n := all(t, c.Transactions(within(t, 4*time.Minute), []types.Address{wallet}, nil))
				t.Log(meter.String(), len(n), "events")
				require.LessOrEqual(t, c.Status().CreditsSpent, test.most)
			})
		})
	}
}

func TestFillCreditsBoundTheHour(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := client(t, &node{faults: faults{cuts: 0.5, codes: []int{0}}}, types.Config{FillCredits: 500})
		ctx := within(t, time.Hour)
		var told atomic.Bool
		var watching sync.WaitGroup
		watching.Go(func() {
			for ctx.Err() == nil {
				time.Sleep(time.Second)
				s := c.Status()
				if len(s.Loops) == 1 && s.Loops[0].Reason != nil && strings.Contains(s.Loops[0].Reason.Error(), "FillCredits") {
					told.Store(!s.FillsAt.IsZero())
				}
			}
		})
		for _, err := range c.Transactions(ctx, []types.Address{wallet}, nil) {
			if err != nil {
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.ErrorContains(t, err, "(last: ")
			}
		}
		watching.Wait()
		require.True(t, told.Load())
		require.LessOrEqual(t, c.Status().CreditsSpent, uint64(1020)) // of the first hour twice
	})
}

// A budget never comes back: a loop that waited for it would be silent.
func TestLoopsEndAtTheLimitOfTheMeter(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ limit, since uint64 }{
		"opening a connection": {1, 0}, "watching the chain": {2, 0}, "the second page of a history": {12, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := fake.New(nil)
				cfg := s.Config()
				cfg.Meter = &types.Meter{Limit: test.limit}
				chain, err := rpc.New(cfg)
				require.NoError(t, err)
				_, err = chain.Slot(t.Context(), nil) // the first credit
				require.NoError(t, err)
				c, err := stream.New(cfg)
				require.NoError(t, err)
				defer c.Close()
				began := time.Now()
				opts := &stream.TransactionsOptions{SinceSlot: test.since}
				last := error(nil)
				for _, err := range c.Transactions(t.Context(), []types.Address{fake.WalletAddress}, opts) {
					last = err
				}
				require.ErrorIs(t, last, types.ErrBudget)
				require.LessOrEqual(t, time.Since(began), time.Minute+5*time.Second)
				if test.limit == 1 {
					require.Len(t, s.Requests(), 1)
				}
			})
		})
	}
}

func TestStatusTellsWhatALoopDoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var meter types.Meter
		c := client(t, new(node), types.Config{Meter: &meter})
		for e, err := range c.Transactions(t.Context(), []types.Address{wallet}, nil) {
			require.NoError(t, err)
			s := c.Status()
			require.Len(t, s.Loops, 1)
			require.Equal(t, e.Slot, s.Loops[0].Slot)
			require.Equal(t, e.Resume, s.Loops[0].Resume)
			require.NoError(t, s.Loops[0].Reason)
			require.Equal(t, "1 credits: WebSocket connections 1", meter.String())
			require.Len(t, s.Connections, 1)
			require.False(t, s.Connections[0].Since.IsZero())
			require.GreaterOrEqual(t, s.Connections[0].Slot, e.Slot)
			break
		}
		require.Empty(t, c.Status().Loops)
		require.Zero(t, new(stream.Client).Status())
	})
}

func acceptKey(key string) string {
	sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	return base64.StdEncoding.EncodeToString(sum[:])
}
