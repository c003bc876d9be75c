package webhooks_test

import (
	"bufio"
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

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

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
	return []hostile{
		{"wrong secret", length(eight), "guess", strings.Repeat(" ", 1<<20), 401},
		{"wrong secret, slow", length(1000), "guess", "[", 401},
		{"slow", length(1000), secret, event(sig4)[:20], 408},
		{"slow in white space", length(eight), secret, strings.Repeat(" ", 1<<20), 408},
		{"oversized", length(eight + 1), secret, "", 408},
		{"oversized in chunks", "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n", secret, fmt.Sprintf("%x\r\n%s\r\n", eight+1, strings.Repeat(" ", eight+1)) + "0\r\n\r\n", 413},
		whole("malformed", strings.Repeat("x", eight), 400),
		whole("nested", strings.Repeat("[", eight), 400),
		whole("nested objects", strings.Repeat(`{"a":`, eight/5), 400),
		whole("many events", "["+strings.Repeat(event(sig4)+",", 70_000)+event(sig4)+"]", 413),
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
		service := fakeapi.New()
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
