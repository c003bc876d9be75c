package transport_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/bench"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

const owner types.Address = "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"

// A rawClient is what one would write by hand, with net/http, io.ReadAll and
// encoding/json, for this one call.
type rawClient struct {
	url  string
	http *http.Client
}

func (c *rawClient) accountsByOwner(ctx context.Context, owner types.Address) (*compressed.Page[compressed.Account], error) {
	var request struct {
		JSONRPC string `json:"jsonrpc"`
		ID      string `json:"id"`
		Method  string `json:"method"`
		Params  struct {
			Owner types.Address `json:"owner"`
		} `json:"params"`
	}
	request.JSONRPC, request.ID, request.Method = "2.0", "1", "getCompressedAccountsByOwner"
	request.Params.Owner = owner
	body, err := json.Marshal(&request)
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
			Value compressed.Page[compressed.Account] `json:"value"`
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

func TestMain(m *testing.M) { bench.Main(m) }

func clients(tb testing.TB, url string) (*compressed.Client, *rawClient) {
	tb.Helper()
	c, err := compressed.New(types.Config{APIKey: key, RPCURL: url})
	require.NoError(tb, err)
	return c, &rawClient{url + "/?api-key=x", &http.Client{Timeout: 30 * time.Second, Transport: transport.SharedTransport().Clone()}}
}

// callPage returns a call that brings a page from this URL, as ours and by the
// raw client.
func callPage(tb testing.TB, url string) (ours, raw func() error) {
	tb.Helper()
	c, r := clients(tb, url)
	ours = func() error {
		_, err := c.AccountsByOwner(tb.Context(), owner, nil)
		return err
	}
	raw = func() error {
		_, err := r.accountsByOwner(tb.Context(), owner)
		return err
	}
	return ours, raw
}

// Other is the raw client, also below.
func BenchmarkSmallCall(b *testing.B) {
	for _, callers := range []int{1, 8, 64} {
		b.Run(fmt.Sprint(callers, "Callers"), func(b *testing.B) {
			ours, raw := callPage(b, bench.ServeApart(b, bench.CompressedAccounts(0)))
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
		ours, raw := callPage(b, bench.ServeApart(b, page))
		bench.Compare(b, 1, ours, raw)
		b.ReportMetric(pageOverDecode(b), "bytes/decode")
	})
	b.Run("Zipped", func(b *testing.B) {
		ours, raw := callPage(b, bench.ServeApart(b, bench.Zipped(page)))
		bench.Compare(b, 1, ours, raw)
	})
}

// pageOverDecode returns the quotient of the bytes that a page of a call
// allocates and those of decoding it.
func pageOverDecode(tb testing.TB) float64 {
	tb.Helper()
	page := listings()[0]
	ours, _ := callPage(tb, bench.Serve(tb, page.body))
	_, call := bench.Allocs(tb, 50, ours)
	_, decode := bench.Allocs(tb, 50, func() error { return transport.Decode(page.body, page.ours()) })
	return call / decode
}

// 64 callers make 10 000 calls over TLS and HTTP/1.1. What is reported is the
// median of the rounds: while a connection is dialled, another may come free,
// so that in the worst case there is one more for every caller.
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
	c, err := transport.New(types.Config{APIKey: key, WalletURL: s.URL, HTTPClient: &http.Client{Transport: next}}, transport.Wallet)
	require.NoError(tb, err)
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for range calls / callers {
				if err := c.Get(tb.Context(), "/x", nil, nil); err != nil {
					tb.Error(err)
				}
			}
		})
	}
	all.Wait()
	return float64(opened.Load())
}
