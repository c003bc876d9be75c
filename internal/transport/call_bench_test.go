package transport_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/bench"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

type accountPage = types.Page[compressed.Account]

const owner types.Address = "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"

// A rawClient is a hand-written client for one call, with net/http, io.ReadAll and
// encoding/json.
type rawClient struct {
	url  string
	http *http.Client
}

func (c *rawClient) accountsByOwner(ctx context.Context, owner types.Address) (*accountPage, error) {
	type params struct {
		Owner types.Address `json:"owner"`
	}
	body, err := json.Marshal(struct {
		JSONRPC string `json:"jsonrpc"`
		ID      string `json:"id"`
		Method  string `json:"method"`
		Params  params `json:"params"`
	}{"2.0", "1", "getCompressedAccountsByOwner", params{owner}})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err = io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, errors.New(resp.Status)
	}
	var answer struct {
		Error *struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
		Result struct {
			Value accountPage `json:"value"`
		} `json:"result"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, err
	}
	if e := answer.Error; e != nil {
		return nil, fmt.Errorf("%d: %s", e.Code, e.Message)
	}
	return &answer.Result.Value, nil
}

// TestMain runs many tests at once, since most of them wait, and discards the log of
// net/http.
func TestMain(m *testing.M) {
	log.SetOutput(io.Discard)
	flag.Parse()
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	bench.Main(m)
}

func clients(tb testing.TB, url string) (*compressed.Client, *rawClient) {
	tb.Helper()
	c, err := compressed.New(types.Config{APIKey: types.Key(key), RPCURL: url})
	require.NoError(tb, err)
	return c, &rawClient{url + "/?api-key=x", &http.Client{Timeout: 30 * time.Second, Transport: transport.SharedTransport().Clone()}}
}

// callPage returns a call that gets a page from url, by ours and by the raw client.
func callPage(tb testing.TB, url string) (ours, raw func() error) {
	tb.Helper()
	c, r := clients(tb, url)
	ours = func() error {
		_, err := c.AccountsByOwner(tb.Context(), owner, nil).Page()
		return err
	}
	raw = func() error {
		_, err := r.accountsByOwner(tb.Context(), owner)
		return err
	}
	return ours, raw
}

// Other is the raw client.
func BenchmarkSmallCall(b *testing.B) {
	for _, callers := range []int{1, 8, 64} {
		b.Run(fmt.Sprint(callers, "Callers"), func(b *testing.B) {
			ours, raw := callPage(b, bench.Serve(b, bench.CompressedAccounts(0)))
			bench.Compare(b, callers, ours, raw)
			allocs, _ := bench.Allocs(b, 200, ours)
			b.ReportMetric(allocs, "allocs/ours")
			allocs, _ = bench.Allocs(b, 200, raw)
			b.ReportMetric(allocs, "allocs/other")
		})
	}
}

func BenchmarkPage(b *testing.B) {
	page := bench.CompressedAccounts(1000)
	b.Run("Plain", func(b *testing.B) {
		ours, raw := callPage(b, bench.Serve(b, page))
		bench.Compare(b, 1, ours, raw)
		b.ReportMetric(overDecode(b, page, bench.Serve(b, page)), "bytes/decode")
	})
	b.Run("Gzip", func(b *testing.B) {
		ours, raw := callPage(b, bench.Serve(b, bench.Gzip(page)))
		bench.Compare(b, 1, ours, raw)
	})
	b.Run("Zstd", func(b *testing.B) {
		ours, _ := callPage(b, bench.Serve(b, bench.Zstd(page)))
		_, raw := callPage(b, bench.Serve(b, bench.Gzip(page))) // net/http accepts nothing else
		bench.Compare(b, 1, ours, raw)
	})
}

// overDecode returns the bytes that a call of a page from url allocates besides
// decoding the page.
func overDecode(tb testing.TB, page []byte, url string) float64 {
	tb.Helper()
	runs := 16 << 20 / len(page)
	ours, _ := callPage(tb, url)
	_, call := bench.Allocs(tb, runs, ours)
	_, alone := bench.Allocs(tb, runs, func() error {
		return decode.JSON(page, new(struct{ Result struct{ Value accountPage } }))
	})
	return call / alone
}

// 64 callers make 10 000 calls over TLS and HTTP/1.1. The result is the median of the rounds.
// While a connection is dialled, another may become idle, so every caller may open one more.
func BenchmarkConnections(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var opened []float64
	for b.Loop() {
		opened = append(opened, connectionsOf(b, 64, 10_000))
	}
	b.ReportMetric(slices.Max(opened), "connections-at-most")
	b.ReportMetric(bench.Median(opened), "connections")
}

func connectionsOf(tb testing.TB, callers, calls int) float64 {
	tb.Helper()
	var opened atomic.Int64
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{}`)
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	s.StartTLS()
	defer s.Close()
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	next := transport.SharedTransport().Clone()
	next.TLSClientConfig = &tls.Config{RootCAs: roots}
	defer next.CloseIdleConnections()
	c, err := transport.New(types.Config{APIKey: types.Key(key), WalletURL: s.URL, HTTPClient: &http.Client{Transport: next}}, transport.Wallet, nil)
	require.NoError(tb, err)
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for range calls / callers {
				if err := get(tb.Context(), c, "/x", new(struct{})); err != nil {
					tb.Error(err)
				}
			}
		})
	}
	all.Wait()
	return float64(opened.Load())
}

func TestRawClientGetsTheSamePage(t *testing.T) {
	t.Parallel()
	for _, page := range [][]byte{bench.CompressedAccounts(10), bench.Gzip(bench.CompressedAccounts(10))} {
		ours, raw := clients(t, bench.Serve(t, page))
		want, err := ours.AccountsByOwner(t.Context(), owner, nil).Page()
		require.NoError(t, err)
		require.Len(t, want.Items, 10)
		got, err := raw.accountsByOwner(t.Context(), owner)
		require.NoError(t, err)
		require.Equal(t, want.Items, got.Items)
		require.Equal(t, got.Cursor, strings.Split(want.Cursor, "~")[0], "without the mark of the listing")
	}
}
