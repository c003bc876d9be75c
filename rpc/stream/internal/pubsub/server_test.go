//go:build !js

package pubsub_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/rpc/stream/internal/pubsub"
	"github.com/solwire/solwire-go/types"
)

// A server is a node whose slots take 400 ms. It notifies each subscription of each slot.
type server struct {
	fault map[int]string // by number of the socket, from 1
	// the members of an answer; empty for an id, "cut" and "none" for none
	answer func(socket int, method string) string
	ids    func(method string) uint64 // of subscriptions; nil counts from 0
	begun  time.Time
	log    bytes.Buffer // of the manager

	mu       sync.Mutex
	sockets  int
	requests []string               // methods with params
	codes    []websocket.StatusCode // with which clients closed
	most     int                    // subscriptions of a socket
}

func (s *server) slot() uint64 { return 1000 + uint64(time.Since(s.begun)/(400*time.Millisecond)) }

func (s *server) dial(ctx context.Context) (*websocket.Conn, func() error, error) {
	s.mu.Lock()
	s.sockets++
	fault := s.fault[s.sockets]
	s.mu.Unlock()
	if fault == "401" {
		return nil, nil, errUnauthorized
	}
	if fault == "down" {
		return nil, nil, errors.New("connection refused")
	}
	way := &upgrade{next: fakeapi.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := websocket.Accept(w, r, nil)
		if err == nil {
			s.serve(r.Context(), ws, fault)
		}
	}))}
	ws, _, err := websocket.Dial(ctx, "ws://node", &websocket.DialOptions{HTTPClient: &http.Client{Transport: way}})
	return ws, way.end, err
}

var errUnauthorized = errors.New("unauthorized")

// An upgrade keeps the end of the connection that it opens.
type upgrade struct {
	next http.RoundTripper
	end  func() error
}

func (u *upgrade) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := u.next.RoundTrip(r)
	if err == nil {
		u.end = resp.Body.Close
	}
	return resp, err
}

// serve runs one socket. After 10 slots the fault strikes.
func (s *server) serve(ctx context.Context, ws *websocket.Conn, fault string) {
	// the context of the request ends with the hijacking
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer func() { _ = ws.CloseNow() }()
	var mu sync.Mutex
	type subscribed struct {
		id     uint64
		method string
	}
	subs := map[subscribed]bool{}
	write := func(format string, args ...any) {
		_ = ws.Write(ctx, websocket.MessageText, fmt.Appendf(nil, format, args...))
	}
	go func() {
		for n := 0; ; n++ {
			select {
			case <-ctx.Done():
				return
			case <-time.After(400 * time.Millisecond):
			}
			if n > 10 {
				switch fault {
				case "cut":
					_ = ws.CloseNow()
				case "1000", "1001", "1008":
					var code websocket.StatusCode
					_, _ = fmt.Sscan(fault, &code)
					_ = ws.Close(code, "bye")
				case "silence":
					continue
				case "unreadable":
					write(`{"jsonrpc":`)
				}
			}
			mu.Lock()
			for sub := range subs {
				id, method := sub.id, sub.method
				if method == "slotSubscribe" {
					write(`{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"parent":1,"root":1,"slot":%d},"subscription":%d}}`, s.slot(), id)
				} else {
					write(`{"jsonrpc":"2.0","method":%q,"params":{"result":%q,"subscription":%d}}`, strings.TrimSuffix(method, "Subscribe")+"Notification", fmt.Sprint(method, s.slot()), id)
				}
			}
			mu.Unlock()
		}
	}()
	for next := uint64(0); ; {
		_, message, err := ws.Read(ctx)
		if err != nil {
			s.mu.Lock()
			s.codes = append(s.codes, websocket.CloseStatus(err))
			s.mu.Unlock()
			return
		}
		var r struct {
			ID     uint64
			Method string
			Params json.RawMessage
		}
		if json.Unmarshal(message, &r) != nil {
			return
		}
		s.mu.Lock()
		s.requests = append(s.requests, r.Method+string(r.Params))
		socket := s.sockets
		s.mu.Unlock()
		answer := ""
		if s.answer != nil {
			answer = s.answer(socket, r.Method)
		}
		id := next
		if s.ids != nil {
			id = s.ids(r.Method)
		}
		next++
		switch {
		case answer == "cut":
			return
		case answer == "none":
			continue
		case strings.HasPrefix(answer, "{"): // a whole frame
			write("%s", answer)
			continue
		case answer != "":
			write(`{"jsonrpc":"2.0","id":%d,%s}`, r.ID, answer)
			continue
		}
		mu.Lock()
		if strings.HasSuffix(r.Method, "Unsubscribe") {
			var params [1]uint64
			_ = json.Unmarshal(r.Params, &params)
			maps.DeleteFunc(subs, func(sub subscribed, _ bool) bool { return sub.id == params[0] })
		} else {
			subs[subscribed{id, r.Method}] = true
			s.mu.Lock()
			s.most = max(s.most, len(subs))
			s.mu.Unlock()
		}
		write(`{"jsonrpc":"2.0","id":%d,"result":%d}`, r.ID, id)
		mu.Unlock()
	}
}

// A sink records its calls.
type sink struct {
	mu      sync.Mutex
	results []string
	pulses  []uint64
	breaks  []error
	err     error
}

func (s *sink) Notify(result json.RawMessage) {
	s.do(func() { s.results = append(s.results, string(result)) })
}

func (s *sink) Pulse(slot uint64) { s.do(func() { s.pulses = append(s.pulses, slot) }) }
func (s *sink) Break(err error)   { s.do(func() { s.breaks = append(s.breaks, err) }) }
func (s *sink) Fail(err error)    { s.do(func() { s.err = err }) }

func (s *sink) do(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// with runs f with a manager of connections to s, in a bubble.
func with(t *testing.T, s *server, f func(t *testing.T, m *pubsub.Manager)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s.begun = time.Now()
		api, err := transport.New(types.Config{APIKey: types.Key("0123abcd-4567-89ab-cdef-0123456789ab")}, transport.RPC, nil)
		require.NoError(t, err)
		m := pubsub.New(pubsub.Options{
			API: api, Dial: s.dial, Slot: func(context.Context) (uint64, error) { return s.slot(), nil },
			Final: func(err error, _ bool) error {
				var refusal *types.APIError
				if errors.Is(err, errUnauthorized) || errors.Is(err, types.ErrQuotaExceeded) || errors.As(err, &refusal) && strings.Contains(refusal.Message, "plan") {
					return err
				}
				return nil
			},
			BytesPerCredit: 50_000, MaxConnections: 2, MaxSubscriptions: 4,
			Logger: slog.New(slog.NewTextHandler(&s.log, nil)),
		})
		defer m.Close()
		f(t, m)
	})
}

// after advances the time.
func after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func byLength(method string) uint64 { return uint64(len(method)) }
