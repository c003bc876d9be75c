package faults_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

const million = 1_000_000

// A bomb is an answer that would cost far more than it brings.
type bomb struct {
	name string
	act  func(w *world, c net.Conn, good []byte) bool
	is   error // that errors.Is finds; nil for any error
}

var bombs = []bomb{
	{"64 MiB and a byte", spaces(64<<20+1, true), types.ErrTooLarge},
	{"64 MiB and a byte, of no told length", spaces(64<<20+1, false), types.ErrTooLarge},
	{"a gigabyte without an end", spaces(1<<30, false), types.ErrTooLarge},
	{"gzip of a gigabyte", zipped, types.ErrTooLarge},
	{"a gigabyte of refusal", endlessRefusal, nil},
	{"one byte of a promised petabyte", promising(200), nil},
	{"one byte of a promised petabyte of refusal", promising(400), nil},
	{"fifty megabytes of {}", emptyObjects, types.ErrTooLarge},
	{"a million lists", answer(200, nested), nil},
	{"a million open lists", answer(200, nested[:million]), nil},
	{"a million objects", answer(200, strings.Repeat(`{"value":`, million)+"1"+strings.Repeat("}", million)), nil},
	{"a million lists in an error", answer(400, `{"error":`+nested+`}`), nil},
	{"a million lists in an error with 200", answer(200, `{"error":`+nested+`}`), nil},
}

var nested = strings.Repeat("[", million) + strings.Repeat("]", million)

// values are bombs too, where a number or an amount is due and where nothing is.
var values = map[string]string{
	"a million lists":                 nested,
	"a million objects":               strings.Repeat(`{"a":`, million) + "1" + strings.Repeat("}", million),
	"a million digits":                strings.Repeat("9", million),
	"a million digits in quotes":      `"` + strings.Repeat("9", million) + `"`,
	"a fraction of a million digits":  "0." + strings.Repeat("9", million),
	"an exponent of a million digits": "1e" + strings.Repeat("9", million),
}

// amounts are bombs only where an amount is due.
var amounts = map[string]string{
	"1e999999999":           "1e999999999",
	"-1e999999999":          "-1e999999999",
	"1e-999999999":          "1e-999999999",
	"1e999999999 in quotes": `"1e999999999"`,
	"1e2147483648":          "1e2147483648",
	"1e10001":               "1e10001",
}

// valued are answers in which ? stands for a value. Each is good where ? is 7,
// except that it is not the answer that the call checks for.
var valued = map[string][]string{
	"balances": {
		`{"balances":[{"balance":?}],"pagination":{"page":1}}`,
		`{"balances":[{"usdValue":?}],"pagination":{"page":1}}`,
		`{"balances":[],"totalUsdValue":?}`,
	},
	"history": {
		`{"data":[{"fee":?,"balanceChanges":[]}],"pagination":{"hasMore":false}}`,
		`{"data":[{"balanceChanges":[{"amount":?}]}],"pagination":{"hasMore":false}}`,
	},
	"compressed accounts": {
		`{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":1},"value":{"items":[{"lamports":?}]}}}`,
		`{"context":{"slot":?},"value":{"items":[]}}`,
	},
	"token accounts": {
		`{"context":{"slot":1},"value":[{"account":{"rentEpoch":?}}]}`,
		`{"context":{"slot":1},"value":[{"account":{"data":{"parsed":{"info":{"tokenAmount":{"decimals":?}}}}}}]}`,
		`{"context":{"slot":1},"value":[{"account":{"data":{"parsed":{"info":{"extensions":[{"state":?}]}}}}}]}`,
	},
}

// unasked has ? where nothing is due.
const unasked = `{"other":?,"balances":[],"data":[],"value":{"items":[]},"result":{"value":[]}}`

// TestBombsEndSoon is not parallel, so that what is allocated is its own.
func TestBombsEndSoon(t *testing.T) {
	for i, call := range calls[:4] {
		for _, b := range bombs {
			if raced && b.is != nil && i > 0 {
				continue // these are the large ones
			}
			t.Run(call.name+"/"+b.name, func(t *testing.T) { explode(t, &call, &b) })
		}
		for i, form := range append(valued[call.name], unasked) {
			if form != unasked {
				t.Run(fmt.Sprint(call.name, "/7/", i), func(t *testing.T) {
					explode(t, &call, &bomb{act: answer(200, strings.Replace(form, "?", "7", 1)), is: errWrongResult})
				})
			}
			for name, value := range values {
				t.Run(fmt.Sprint(call.name, "/", name, "/", i), func(t *testing.T) {
					explode(t, &call, &bomb{act: answer(200, strings.Replace(form, "?", value, 1))})
				})
			}
		}
	}
	for _, call := range calls[:2] {
		for i, form := range valued[call.name] {
			for name, value := range amounts {
				t.Run(fmt.Sprint(call.name, "/", name, "/", i), func(t *testing.T) {
					explode(t, &call, &bomb{act: answer(200, strings.Replace(form, "?", value, 1))})
				})
			}
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
			require.Equal(t, errors.Is(b.is, errWrongResult), errors.Is(err, errWrongResult), err)
			if b.is != nil {
				require.ErrorIs(t, err, b.is)
			}
			require.Less(t, len(err.Error()), 3000)
			w.err(err)
			require.EqualValues(t, 1, w.requests.Load())
		})
	})
}

// requireCheap runs f within a time that would not do for what grows with the
// square of a bomb, and within so many bytes allocated.
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

// An answer of exactly the cap is one like any other.
func TestAnswerOf64MiBIsRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := inPipes(t)
		w.plan = func(*asked) *kind {
			return &kind{act: func(_ *world, c net.Conn, good []byte) bool {
				body := good[header(good):]
				_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", 64<<20, body)
				_, err := io.Copy(c, io.LimitReader(blank{}, int64(64<<20-len(body))))
				return err == nil
			}}
		}
		require.NoError(t, calls[0].run(t.Context(), connect(t, w.config())))
	})
}

// Data of an account comes as text, and is decoded only when it is asked for.
func TestBombsInAccountData(t *testing.T) {
	var expands bytes.Buffer
	z, err := zstd.NewWriter(&expands)
	require.NoError(t, err)
	_, err = io.Copy(z, io.LimitReader(blank{}, 256<<20))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	require.Less(t, expands.Len(), 64<<10)
	claims := []byte("\x28\xb5\x2f\xfd\xe0\x00\x00\x00\x00\x00\x01\x00\x00") // a terabyte is to come

	for name, row := range map[string]struct {
		encoding rpc.Encoding
		data     string
		is       error
	}{
		"zstd of 256 MiB":         {rpc.Base64Zstd, base64.StdEncoding.EncodeToString(expands.Bytes()), types.ErrTooLarge},
		"zstd that promises much": {rpc.Base64Zstd, base64.StdEncoding.EncodeToString(claims), types.ErrTooLarge},
		"base58 of 10 MB":         {rpc.Base58, strings.Repeat("z", 10<<20), types.ErrTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			requireCheap(t, 256<<20, func() {
				synctest.Test(t, func(t *testing.T) {
					w := inPipes(t)
					w.plan = func(*asked) *kind {
						return &kind{act: answer(200, `{"value":[{"account":{"data":["`+row.data+`","`+string(row.encoding)+`"]}}]}`)}
					}
					list, err := connect(t, w.config()).rpc.TokenAccountsByDelegate(t.Context(), fake.Delegate, rpc.ByMint(usdc), nil)
					require.NoError(t, err)
					b, err := list.Items[0].Account.Data.Bytes()
					require.ErrorIs(t, err, row.is)
					require.Nil(t, b)
				})
			})
		})
	}
}

// An address of 10 MB is refused as an argument; in an answer it is only text.
func TestHugeAddresses(t *testing.T) {
	huge := types.Address(strings.Repeat("z", 10<<20))
	requireCheap(t, 256<<20, func() {
		synctest.Test(t, func(t *testing.T) {
			w := inPipes(t)
			c, ctx := connect(t, w.config()), t.Context()
			_, err := c.wallet.Balances(ctx, huge, nil)
			require.ErrorIs(t, err, types.ErrInvalid)
			_, err = c.compressed.AccountsByOwner(ctx, huge, nil)
			require.ErrorIs(t, err, types.ErrInvalid)
			_, err = c.rpc.TokenAccountsByDelegate(ctx, huge, rpc.ByMint(usdc), nil)
			require.ErrorIs(t, err, types.ErrInvalid)
			_, err = c.rpc.TokenAccountsByDelegate(ctx, fake.Delegate, rpc.ByMint(huge), nil)
			require.ErrorIs(t, err, types.ErrInvalid)
			require.Zero(t, w.requests.Load())

			w.plan = func(*asked) *kind {
				return &kind{act: answer(200, `{"value":{"items":[{"owner":"`+string(huge)+`"}]}}`)}
			}
			p, err := c.compressed.AccountsByOwner(ctx, fake.Owner, nil)
			require.NoError(t, err)
			require.Equal(t, huge, p.Items[0].Owner)
			_, err = p.Items[0].Owner.Bytes()
			require.ErrorIs(t, err, types.ErrInvalid)
		})
	})
}

// blank is white space without an end.
type blank struct{}

func (blank) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

// spaces is an answer of so many spaces.
func spaces(count int64, told bool) func(*world, net.Conn, []byte) bool {
	return func(_ *world, c net.Conn, _ []byte) bool {
		length := "Connection: close"
		if told {
			length = fmt.Sprint("Content-Length: ", count)
		}
		_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\n%s\r\n\r\n", length)
		_, _ = io.Copy(c, io.LimitReader(blank{}, count))
		return false
	}
}

// promising says that far more is to come than it sends.
func promising(status int) func(*world, net.Conn, []byte) bool {
	return say(fmt.Sprintf("HTTP/1.1 %d Some Words\r\nContent-Length: %d\r\n\r\n{", status, int64(1)<<50), false)
}

func emptyObjects(_ *world, c net.Conn, _ []byte) bool {
	_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n[")
	for range 50 {
		_, _ = io.WriteString(c, strings.Repeat("{},", million/3))
	}
	_, _ = io.WriteString(c, "{}]")
	return false
}

func endlessRefusal(_ *world, c net.Conn, _ []byte) bool {
	_, _ = io.WriteString(c, "HTTP/1.1 400 Bad Request\r\n\r\n")
	_, _ = io.Copy(c, io.LimitReader(blank{}, 1<<30))
	return false
}

func zipped(_ *world, c net.Conn, _ []byte) bool {
	_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
	z, _ := gzip.NewWriterLevel(c, gzip.BestSpeed)
	_, _ = io.Copy(z, io.LimitReader(blank{}, 1<<30))
	_ = z.Close()
	return false
}
