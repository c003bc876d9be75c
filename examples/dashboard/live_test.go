package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/types/fake"
)

// Incoming tokens name only the token account of the wallet.
func TestLiveTellsWhatHappens(t *testing.T) {
	t.Parallel()
	service := newTestFake(t)
	d := newTestDashboard(t, service)
	server := httptest.NewServer(d.handler())
	t.Cleanup(server.Close)
	get(t, d, "/")
	lines := listen(t, server.URL)
	await := func(want string) {
		t.Helper()
		for line := range lines {
			if line == want {
				return
			}
		}
		t.Fatal("the stream has ended before " + want)
	}
	await("data: Connected")
	await("data: Connected") // each second, so that silence can be told
	service.Transfer(fake.ExchangeAddress, fake.WalletAddress, 1_500_000_000)
	await("event: transaction")
	service.Happen(fake.Transaction{Transfers: []fake.Transfer{{
		From: fake.CollectorAddress, To: fake.WalletAddress, Mint: progress.USDC, Amount: decimal.NewFromInt(25),
	}}})
	await("event: transaction")
	require.Contains(t, get(t, d, "/").Body.String(), "newer transactions are not in it yet")
}

// A pipe is a listener with one connection, in which nothing is buffered.
type pipe chan net.Conn

func (p pipe) Accept() (net.Conn, error) {
	if c, ok := <-p; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}
func (p pipe) Close() error   { return nil }
func (p pipe) Addr() net.Addr { return new(net.TCPAddr) }

func TestLiveEventsEndForAClientThatDoesNotRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		handler, ended := newTestDashboard(t, newTestFake(t)).handler(), make(chan struct{})
		server := &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer close(ended)
			handler.ServeHTTP(w, r)
		})}
		client, conn := net.Pipe()
		connections := make(pipe, 1)
		connections <- conn
		go func() { _ = server.Serve(connections) }()
		_, err := io.WriteString(client, "GET /live?wallet="+string(fake.WalletAddress)+" HTTP/1.1\r\nHost: localhost\r\n\r\n")
		require.NoError(t, err)
		select {
		case <-ended:
		case <-time.After(time.Minute):
			t.Error("the handler still waits for the client")
		}
		require.NoError(t, client.Close())
		close(connections)
		<-ended
	})
}

func TestLiveEventsOfAnEndedDashboardDoNotFail(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "http://localhost/live?wallet="+string(fake.WalletAddress), nil)
	w := httptest.NewRecorder()
	newTestDashboard(t, newTestFake(t)).handler().ServeHTTP(w, r)
	require.NotContains(t, w.Body.String(), "event: failed")
}

// listen returns the lines of the live events.
func listen(t *testing.T, url string) <-chan string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/live?wallet="+string(fake.WalletAddress), nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	require.Equal(t, "text/event-stream", response.Header.Get("Content-Type"))
	all := make(chan string)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer close(all)
		for lines := bufio.NewScanner(response.Body); lines.Scan(); {
			select {
			case all <- lines.Text():
			case <-ctx.Done():
			}
		}
	}()
	t.Cleanup(func() {
		cancel()
		_ = response.Body.Close()
		<-done
	})
	return all
}
