package faults_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

const million = 1_000_000

// A bomb is a response that would cost far more to read than it is worth.
type bomb struct {
	name string
	act  func(w *world, c net.Conn, good []byte) bool
	is   error // that errors.Is finds; nil for any error
}

var bombs = []bomb{
	{"64 MiB and a byte", blanks("200 OK\r\nContent-Length: 67108865", 64<<20+1), types.ErrTooLarge},
	{"a gigabyte of unknown length", blanks("200 OK\r\nConnection: close", 1<<30), types.ErrTooLarge},
	{"gzip of a gigabyte", zipped, types.ErrTooLarge},
	{"a gigabyte of refusal", blanks("400 Bad Request", 1<<30), nil},
	{"one byte of a promised petabyte", blanks("200 OK\r\nContent-Length: 1125899906842624", 1), nil},
	{"one byte of a promised petabyte of refusal", blanks("400 Bad Request\r\nContent-Length: 1125899906842624", 1), nil},
	{"a million lists in an error", answer(400, `{"error":`+nested+`}`), nil},
	{"a million lists in an error with 200", answer(200, `{"error":`+nested+`}`), nil},
}

var nested = strings.Repeat("[", million) + strings.Repeat("]", million)

// TestBombsEndSoon is not parallel, since it counts the allocations of the process.
func TestBombsEndSoon(t *testing.T) {
	for i, call := range calls[:4] {
		for _, b := range bombs {
			if !*thorough && b.is != nil && i > 0 {
				continue // these are the large ones
			}
			t.Run(call.name+"/"+b.name, func(t *testing.T) { explode(t, &call, &b) })
		}
	}
}

func explode(t *testing.T, call *call, b *bomb) {
	t.Helper()
	requireCheap(t, 1<<30, func() {
		synctest.Test(t, func(t *testing.T) {
			w := inPipes(t)
			w.plan = func(*asked) *kind { return &kind{act: b.act} }
			cfg := w.config()
			cfg.MaxAttempts = 1
			err := call.run(t.Context(), connect(t, cfg))
			require.Error(t, err)
			require.NotErrorIs(t, err, errWrongResult)
			if b.is != nil {
				require.ErrorIs(t, err, b.is)
			}
			require.Less(t, len(err.Error()), 3000)
			w.err(err)
			require.EqualValues(t, 1, w.requests.Load())
		})
	})
}

// requireCheap fails if f allocates more than most bytes or takes long, as an
// algorithm does whose time grows with the square of its input.
func requireCheap(t *testing.T, most uint64, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	f()
	require.Less(t, time.Since(start), 30*time.Second)
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, most, "bytes")
}

// blank is endless white space.
type blank struct{}

func (blank) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

// blanks sends a status and headers, and then spaces.
func blanks(head string, count int64) func(*world, net.Conn, []byte) bool {
	return func(_ *world, c net.Conn, _ []byte) bool {
		_, _ = fmt.Fprintf(c, "HTTP/1.1 %s\r\n\r\n", head)
		_, _ = io.Copy(c, io.LimitReader(blank{}, count))
		return false
	}
}

func zipped(_ *world, c net.Conn, _ []byte) bool {
	_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
	var member bytes.Buffer
	z := gzip.NewWriter(&member)
	_, _ = io.CopyN(z, blank{}, 8<<20)
	_ = z.Close()
	for range 128 { // gzip allows for any number of members
		if _, err := c.Write(member.Bytes()); err != nil {
			break
		}
	}
	return false
}
