package webhooks_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	public "github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
)

// A process is a Receiver that can be restarted. Only seen survives a restart.
type process struct {
	t    *testing.T
	seen webhooks.Seen

	mu       sync.Mutex
	receiver *webhooks.Receiver // nil while it is down
	life     int
	calls    int
	failed   map[types.Signature]bool  // events whose first call was made to fail
	handled  map[types.Signature][]int // the lives in which an event was handled
}

func (p *process) start() {
	r, _ := receiver(p.t, webhooks.ReceiverConfig{Handle: p.handle, Seen: p.seen})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.life++
	p.receiver = r
}

func (p *process) stop() {
	p.mu.Lock()
	r := p.receiver
	p.receiver = nil
	p.mu.Unlock()
	if err := r.Shutdown(p.t.Context()); err != nil {
		p.t.Error(err)
	}
}

// handle fails the first call of one event in ten, half of them with a panic.
func (p *process) handle(_ context.Context, e *webhooks.Event) error {
	time.Sleep(time.Duration(e.Signature[20]) * ms) // so that duplicates meet
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls++
	if n := e.Enhanced.NativeTransfers[0].Lamports; n%10 == 3 && !p.failed[e.Signature] {
		p.failed[e.Signature] = true
		if n%20 == 3 {
			panic("not now")
		}
		return errors.New("not now")
	}
	p.handled[e.Signature] = append(p.handled[e.Signature], p.life)
	return nil
}

func (p *process) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	receiver := p.receiver
	p.mu.Unlock()
	if receiver == nil {
		panic(http.ErrAbortHandler) // the connection is closed
	}
	receiver.ServeHTTP(w, r)
}

func TestThousandsOfEventsAreHandledOnce(t *testing.T) {
	for name, row := range map[string]struct {
		seen      webhooks.Seen
		thousands int
	}{"memory": {nil, 4}, "shared store": {newSeen(), 2}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := fake.New()
				s.Unrecorded, s.Keep = true, 100
				settings := full()
				settings.TransactionTypes = []txtype.Type{txtype.Any}
				_, err := client(t, s).Create(t.Context(), settings)
				require.NoError(t, err)
				p := &process{t: t, seen: row.seen}
				p.start()
				service := public.Of(s.Config())
				var first, last uint64
				var report public.Report
				for thousand := range row.thousands {
					p.failed, p.handled = map[types.Signature]bool{}, map[types.Signature][]int{}
					var events []public.Event
					for i := range uint64(1000) {
						events = append(events, service.Transfer(account, another, i))
					}
					var wg sync.WaitGroup
					if thousand == row.thousands/2 {
						wg.Go(func() { // in the middle of it
							time.Sleep(5 * time.Second)
							p.stop()
							time.Sleep(1500 * ms)
							p.start()
						})
					}
					r := service.Deliver(t.Context(), &public.Delivery{Handler: p, Concurrency: 8, Duplicate: 10, Shuffle: true}, events...)
					wg.Wait()
					report.Acknowledged += r.Acknowledged
					report.Tries += r.Tries
					require.Empty(t, r.Lost)
					p.check(events)
					events = nil
					last = heap()
					if thousand == 0 {
						first = last
					}
				}
				t.Logf("acknowledged %d in %d tries, %d calls, %d lives; heap %d KiB after the first thousand, %d KiB after the last",
					report.Acknowledged, report.Tries, p.calls, p.life, first>>10, last>>10)
				require.Equal(t, row.thousands*1100, report.Acknowledged)
				require.Greater(t, report.Tries, row.thousands*1200) // the failures were delivered again
				require.Equal(t, 2, p.life)
				require.Less(t, last, first+1<<20)
				p.stop()
			})
		})
	}
}

// check fails the test unless each event was handled once in each life, or once in
// all with a store.
func (p *process) check(events []public.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	failed := 0
	for _, e := range events {
		lives := p.handled[e.Signature()]
		require.NotEmpty(p.t, lives, e.Signature())
		if p.seen != nil {
			require.Len(p.t, lives, 1, e.Signature())
		}
		if len(lives) == 2 {
			require.NotEqual(p.t, lives[0], lives[1], e.Signature())
		}
		require.LessOrEqual(p.t, len(lives), 2)
		if p.failed[e.Signature()] {
			failed++
		}
	}
	require.Equal(p.t, len(events)/10, failed)
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A hostile delivery is a request as bytes. If they are fewer than announced, the
// rest never comes.
type hostile struct {
	name   string
	head   string // after the secret
	secret string
	body   string
	status int
}

func hostiles() []hostile {
	length := func(n int) string { return fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n", n) }
	whole := func(name, body string, status int) hostile {
		return hostile{name, length(len(body)), secret, body, status}
	}
	const eight = 8 << 20
	inEvent := func(member, element string, room int) string {
		body := fmt.Sprintf(`{"signature":%q,%q:[`, sig4, member)
		return body + strings.Repeat(element+",", (room-len(body)-10)/(len(element)+1)) + element + "]}"
	}
	return []hostile{
		{"wrong secret", length(eight), "guess", strings.Repeat(" ", 1<<20), 401},
		{"wrong secret, slow", length(1000), "guess", "[", 401},
		{"slow", length(1000), secret, event(sig4)[:20], 408},
		{"slow in white space", length(eight), secret, strings.Repeat(" ", 1<<20), 408},
		{"oversized", length(eight + 1), secret, "", 413},
		{"oversized in chunks", "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n", secret, fmt.Sprintf("%x\r\n%s\r\n", eight+1, strings.Repeat(" ", eight+1)) + "0\r\n\r\n", 413},
		whole("malformed", strings.Repeat("x", eight), 400),
		whole("nested", strings.Repeat("[", eight), 400),
		whole("nested objects", strings.Repeat(`{"a":`, eight/5), 400),
		whole("empty events", "["+strings.Repeat("{},", 1<<20)+"{}]", 413),
		whole("many events", "["+strings.Repeat(event(sig4)+",", 70_000)+event(sig4)+"]", 413),
		whole("many transfers", inEvent("tokenTransfers", "{}", eight), 413),
		whole("many nulls", inEvent("accountData", "null", eight), 413),
		whole("many instructions", inEvent("instructions", `{"innerInstructions":[{}]}`, eight), 413),
		whole("a long number", inEvent("tokenTransfers", `{"tokenAmount":`+strings.Repeat("9", eight/2)+`}`, 100), 400),
	}
}

// send makes the delivery and returns the status of the response.
func (h hostile) send(conn net.Conn) (int, error) {
	defer func() { _ = conn.Close() }()
	go func() { // ends when the connection is closed; the server may stop reading at any byte
		_, _ = io.WriteString(conn, "POST /hook HTTP/1.1\r\nHost: x\r\nAuthorization: "+h.secret+"\r\n"+h.head+"\r\n"+h.body)
	}()
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, resp.Body.Close()
}

// Time stands still during computation, so only waiting for a hostile delivery
// would delay the others.
func TestHostileDeliveriesDoNotDelayOthers(t *testing.T) {
	rows := hostiles()
	before := heap()
	start := time.Now()
	synctest.Test(t, func(t *testing.T) {
		r, got := receiver(t, webhooks.ReceiverConfig{})
		server := serve(t, r)
		var wg sync.WaitGroup
		for _, h := range rows {
			conn := server.dial()
			wg.Go(func() {
				if status, err := h.send(conn); err != nil || status != h.status {
					t.Errorf("%s: status %d instead of %d, error %v", h.name, status, h.status, err)
				}
			})
		}
		var good []types.Signature
		service := fake.New()
		for range 200 {
			x, err := service.Swap(account)
			require.NoError(t, err)
			e := service.Book().Of(x)
			good = append(good, types.Signature(e.Signature))
			start := time.Now()
			resp, err := server.client.Do(delivery(t, "["+e.Enhanced+"]"))
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, 200, resp.StatusCode)
			require.Zero(t, time.Since(start), "held up")
		}
		wg.Wait()
		require.Equal(t, good, got.list()) // and nothing of the hostile ones
		require.Zero(t, webhooks.InFlight(r))
	})
	took := time.Since(start)
	after := heap()
	t.Logf("took %v; heap %d KiB before, %d KiB after", took, before>>10, after>>10)
	require.Less(t, after, before+4<<20)
	runtime.KeepAlive(rows)
}
