package transport_test

import (
	"bufio"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A peer is a server on a TCP connection that plays one act per request, the last one
// again and again.
type peer struct {
	net.Listener
	acts     []act
	dials    atomic.Int64
	requests atomic.Int64
	end      func() // closes all connections, once they are read
}

// An act responds to a request. It reports whether the connection stays open.
type act func(c *net.TCPConn, r *http.Request) bool

func listen(t *testing.T, acts ...act) *peer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &peer{Listener: l, acts: acts}
	p.serve(t)
	return p
}

func (p *peer) serve(t *testing.T) {
	var open sync.WaitGroup
	conns := make(chan *net.TCPConn, 100)
	open.Go(func() {
		defer close(conns)
		for {
			c, err := p.Accept()
			if err != nil {
				return
			}
			p.dials.Add(1)
			conn, _ := c.(*net.TCPConn)
			conns <- conn
			open.Go(func() { p.talk(conn) })
		}
	})
	p.end = sync.OnceFunc(func() {
		_ = p.Close()
		for c := range conns {
			_ = c.CloseWrite()
			_ = c.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
		}
		open.Wait()
	})
	t.Cleanup(p.end)
}

func (p *peer) talk(c *net.TCPConn) {
	defer func() { _ = c.Close() }()
	in := bufio.NewReader(c)
	for {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return
		}
		n := int(p.requests.Add(1))
		if !p.acts[min(n, len(p.acts))-1](c, r) {
			return
		}
	}
}

func (p *peer) url() string { return "http://" + p.Addr().String() }

// reply writes a whole response.
func reply(text string) act {
	return func(c *net.TCPConn, _ *http.Request) bool {
		_, _ = io.WriteString(c, text)
		return true
	}
}

func good(body string) act {
	return reply(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body))
}

// then runs a second act, which ends the connection, after the first.
func then(first act, after func(*net.TCPConn)) act {
	return func(c *net.TCPConn, r *http.Request) bool {
		first(c, r)
		after(c)
		return false
	}
}

func resetIt(c *net.TCPConn) { _ = c.SetLinger(0); _ = c.Close() }
func closeIt(c *net.TCPConn) { _ = c.Close() }

const (
	head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	echo = head + "X-Echo: " + key + "\r\n"
)

// overTCP returns a Config for url with a Transport of its own.
func overTCP(t *testing.T, url string) types.Config {
	t.Helper()
	next, _ := http.DefaultTransport.(*http.Transport)
	next = next.Clone()
	next.Proxy = nil
	t.Cleanup(next.CloseIdleConnections)
	return watched(t, types.Config{
		APIKey: types.Key(key), RPCURL: url, WalletURL: url, WebhooksURL: url,
		HTTPClient: &http.Client{Transport: next, Timeout: time.Minute},
	})
}

// An http2Peer is a server that speaks HTTP/2 in frames of its own making. It
// counts the requests that reach it and plays one act for each, the last one
// again and again.
type http2Peer struct {
	*httptest.Server
	acts     []http2Act
	requests atomic.Int64
}

// An http2Act answers the request of a stream. It reports whether the connection
// stays open.
type http2Act func(w io.Writer, stream uint32) bool

func listenHTTP2(t *testing.T, acts ...http2Act) *http2Peer {
	t.Helper()
	p := &http2Peer{Server: httptest.NewUnstartedServer(http.NotFoundHandler()), acts: acts}
	p.Config.ErrorLog = log.New(io.Discard, "", 0)
	p.TLS = &tls.Config{NextProtos: []string{"h2"}}
	p.Config.TLSNextProto = map[string]func(*http.Server, *tls.Conn, http.Handler){
		"h2": func(_ *http.Server, c *tls.Conn, _ http.Handler) { p.talk(c) },
	}
	p.StartTLS()
	t.Cleanup(p.Close)
	return p
}

const (
	frameData         = 0
	frameHeaders      = 1
	frameReset        = 3
	frameSettings     = 4
	framePing         = 6
	frameGoAway       = 7
	flagEndStream     = 1 // of data and headers
	flagAck           = 1 // of settings and pings
	flagEndHeaders    = 4
	hpackStatus200    = "\x88"
	hpackStatus404    = "\x8d"
	hpackStatus103    = "\x08\x03103"
	http2Preface      = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
	codeProtocolError = 1
)

func writeFrame(w io.Writer, kind, flags byte, stream uint32, payload string) {
	head := binary.BigEndian.AppendUint32(nil, uint32(len(payload))<<8|uint32(kind))
	head = binary.BigEndian.AppendUint32(append(head, flags), stream)
	_, _ = w.Write(append(head, payload...))
}

func (p *http2Peer) talk(c *tls.Conn) {
	defer func() { _ = c.Close() }()
	if _, err := io.ReadFull(c, make([]byte, len(http2Preface))); err != nil {
		return
	}
	writeFrame(c, frameSettings, 0, 0, "")
	for head := make([]byte, 9); ; {
		if _, err := io.ReadFull(c, head); err != nil {
			return
		}
		payload := make([]byte, uint32(head[0])<<16|uint32(head[1])<<8|uint32(head[2]))
		if _, err := io.ReadFull(c, payload); err != nil {
			return
		}
		switch kind, flags := head[3], head[4]; {
		case kind == frameSettings && flags&flagAck == 0:
			writeFrame(c, frameSettings, flagAck, 0, "")
		case kind == framePing && flags&flagAck == 0:
			writeFrame(c, framePing, flagAck, 0, string(payload))
		case kind == frameHeaders:
			n := int(p.requests.Add(1))
			if !p.acts[min(n, len(p.acts))-1](c, binary.BigEndian.Uint32(head[5:])) {
				return
			}
		}
	}
}

func http2Answer(status, body string) http2Act {
	return func(w io.Writer, stream uint32) bool {
		writeFrame(w, frameHeaders, flagEndHeaders, stream, status)
		writeFrame(w, frameData, flagEndStream, stream, body)
		return true
	}
}

func http2Reset(code uint32) http2Act {
	return func(w io.Writer, stream uint32) bool {
		writeFrame(w, frameReset, 0, stream, string(binary.BigEndian.AppendUint32(nil, code)))
		return true
	}
}

func http2GoAway(last, code uint32) http2Act {
	return func(w io.Writer, _ uint32) bool {
		writeFrame(w, frameGoAway, 0, 0, string(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, last), code)))
		return false
	}
}

// silent sends nothing more on the connection, not even the reply to a ping.
func silent(c io.Writer, _ uint32) bool {
	conn, _ := c.(net.Conn)
	_, _ = io.Copy(io.Discard, conn)
	return false
}

// config returns a Config for p with the Transport of a caller, or with ours.
func (p *http2Peer) config(t *testing.T, ours bool) types.Config {
	t.Helper()
	trusting, _ := p.Client().Transport.(*http.Transport)
	next := &http.Transport{ForceAttemptHTTP2: true}
	if ours {
		next = transport.SharedTransport().Clone()
	}
	next.TLSClientConfig = &tls.Config{RootCAs: trusting.TLSClientConfig.RootCAs}
	t.Cleanup(next.CloseIdleConnections)
	return types.Config{
		APIKey: types.Key(key), RPCURL: p.URL, WalletURL: p.URL, WebhooksURL: p.URL,
		HTTPClient: &http.Client{Transport: next, Timeout: 10 * time.Second},
	}
}

const http2Body = `{"answer":7,"value":7}`
