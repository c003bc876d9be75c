package faults_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"time"
)

// A kind is a kind of fault on a connection, in place of a good response. Act reports whether
// the connection stays open.
type kind struct {
	name string
	is   trait
	act  func(w *world, c net.Conn, good []byte) (open bool)
}

type trait int

const (
	passes  trait = 1 << iota // another try may bring the answer, so the client makes one
	slow                      // shows only when the time of an attempt is over
	unacted                   // nothing is executed: even a create is tried again, unless
	behind                    // the node is behind
	params                    // says that the parameters are invalid
	stays   trait = 0
)

func (k *kind) has(t trait) bool { return k.is&t != 0 }

// kinds has all kinds: first faults of the connection, then of the response.
var kinds = []kind{
	{"connection refused", passes, refuseNext},
	{"closed without an answer", passes, cut(func([]byte) int { return 0 }, closed)},
	{"reset without an answer", passes, cut(func([]byte) int { return 0 }, reset)},
	{"closed inside the status line", passes, cut(func([]byte) int { return 9 }, closed)},
	{"closed inside the headers", passes, cut(func(b []byte) int { return header(b) / 2 }, closed)},
	{"closed before the body", passes, cut(header, closed)},
	{"closed inside the body", passes, cut(halfBody, closed)},
	{"reset inside the body", passes, cut(halfBody, reset)},
	{"closed before the last byte", passes, cut(func(b []byte) int { return len(b) - 1 }, closed)},
	{"chunk cut off", passes, chunked(true)},
	{"last chunk missing", passes, chunked(false)},
	{"body without a length stops early", passes, unmeasured},
	{"gzip breaks off", passes, brokenGzip},
	{"no HTTP", passes, say("220 mail.test ESMTP\r\n", false)},
	{"nothing comes", passes | slow, cut(func([]byte) int { return 0 }, stalled)},
	{"headers stall", passes | slow, cut(func(b []byte) int { return header(b) / 2 }, stalled)},
	{"body stalls", passes | slow, cut(halfBody, stalled)},
	{"one byte at a time", passes | slow, trickle},

	{"408", passes, answer(408, `{"error":"timeout"}`)},
	{"429", passes | unacted, answer(429, `{"error":"slow down"}`)},
	{"429 with Retry-After", passes | unacted, answer(429, `{"error":"slow down"}`, "Retry-After: 1")},
	{"429 that is not read to its end", passes | unacted, then(answer(429, strings.Repeat(" ", 100)), closed)},
	{"500", passes, answer(500, `{"error":"internal"}`)},
	{"500 that echoes the key", passes, answer(500, `{"error":`+strconv.Quote("bad key "+key+" "+spellings[1])+`}`)},
	{"502 as a page", passes, answer(502, `<html>bad gateway</html>`, "Content-Type: text/html")},
	{"503", passes, answer(503, ``)},
	{"503 with Retry-After", passes, answer(503, ``, "Retry-After: 1.5")},
	{"504", passes, answer(504, `{}`)},
	{"200 as a page", passes, answer(200, `<html>maintenance</html>`, "Content-Type: text/html")},
	{"200 without anything", passes, answer(200, ``)},
	{"200 with half of the JSON", passes, halfJSON},
	{"200, rate limited", passes | unacted, answer(200, refusal(-32429, "rate limited"))},
	{"200, node is behind", passes | unacted | behind, answer(200, refusal(-32005, "Node is behind by 42 slots"))},
	{"200, slot not reached", passes | unacted | behind, answer(200, refusal(-32016, "Minimum context slot has not been reached"))},
	{"200, internal", passes, answer(200, refusal(-32603, "Internal error"))},
	{"200, internal by its words", passes, answer(200, refusal(-32000, "Internal server error"))},

	{"400", params, answer(400, `{"error":"invalid","code":400,"details":"no"}`)},
	{"401 that echoes the key", stays, answer(401, `{"error":`+strconv.Quote("no "+key)+`}`)},
	{"403 in plain text that echoes the key", stays, answer(403, "?api-key="+spellings[2], "Content-Type: text/plain")},
	{"404 as a page", stays, answer(404, `<html>nothing</html>`, "Content-Type: text/html")},
	{"409", stays, answer(409, `{}`)},
	{"422", stays, answer(422, `{"message":["a","b"],"error":"Unprocessable Entity","statusCode":422}`)},
	{"501", stays, answer(501, ``)},
	{"redirect to another host", stays, answer(302, ``, "Location: http://other.test:80/?a=1")},
	{"redirect that keeps the method", stays, answer(307, ``, "Location: http://other.test:80/")},
	{"redirect to itself", stays, answer(308, ``, "Location: /")},
	{"quota used up", stays, answer(429, `{"error":"max usage reached"}`)},
	{"quota used up with 200", stays, answer(200, refusal(-32429, "max usage reached"))},
	{"wait of an hour", stays, answer(429, `{"error":"slow down"}`, "Retry-After: 3600")},
	{"wait longer than can be counted", stays, answer(503, ``, "Retry-After: 9223372037")},
	{"simulation failed", stays, answer(200, refusal(-32002, "Transaction simulation failed"))},
	{"invalid params", params, answer(200, refusal(-32602, "Invalid params"))},
	{"null", stays, answer(200, `null`)},
	{"an empty object", stays, answer(200, `{}`)},
	{"an empty list", stays, answer(200, `[]`)},
	{"a number", stays, answer(200, `7`)},
	{"an envelope around nothing", stays, answer(200, `{"jsonrpc":"2.0","id":"1"}`)},
	{"an envelope around null", stays, answer(200, `{"jsonrpc":"2.0","id":"1","result":null}`)},
	{"a list that is null", stays, answer(200, `{"balances":null,"data":null,"pagination":{"hasMore":false,"page":1},"context":{"slot":1},"value":{"items":null,"cursor":null}}`)},
	{"a list that is an object", stays, answer(200, `{"balances":{},"data":{},"context":{"slot":1},"value":{"items":{}}}`)},
	{"text after the JSON", stays, textBehind},
}

// header returns the length of the response before its body.
func header(good []byte) int { return bytes.Index(good, []byte("\r\n\r\n")) + 4 }

func halfBody(good []byte) int { return (header(good) + len(good)) / 2 }

// An ending ends a connection after the last byte.
type ending func(net.Conn)

func closed(net.Conn) {}

// reset closes a connection so that the other side sees an error, not an end.
func reset(c net.Conn) {
	if slow, ok := c.(late); ok {
		c = slow.Conn
	}
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
}

// stalled keeps a connection open without sending until the client closes it.
func stalled(c net.Conn) { _, _ = io.Copy(io.Discard, c) }

// cut sends a good response up to a position.
func cut(place func(good []byte) int, end ending) func(*world, net.Conn, []byte) bool {
	return func(_ *world, c net.Conn, good []byte) bool {
		_, _ = c.Write(good[:place(good)])
		end(c)
		return false
	}
}

// restart sends a good response up to a position, then the service restarts, which closes all
// connections.
func restart(place func(good []byte) int) func(*world, net.Conn, []byte) bool {
	return func(w *world, c net.Conn, good []byte) bool {
		_, _ = c.Write(good[:place(good)])
		w.crash()
		w.rise()
		return false
	}
}

// refuseNext closes the connection and refuses the next dial.
func refuseNext(w *world, _ net.Conn, _ []byte) bool {
	w.refusing.Store(1)
	return false
}

func chunked(inside bool) func(*world, net.Conn, []byte) bool {
	return func(_ *world, c net.Conn, good []byte) bool {
		part := good[header(good):halfBody(good)]
		size := len(part)
		if inside {
			size++
		}
		_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", size, part)
		return false
	}
}

func unmeasured(_ *world, c net.Conn, good []byte) bool {
	_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n%s", good[header(good):halfBody(good)])
	return false
}

// brokenGzip begins a stored block of ten thousand bytes and does not finish it.
func brokenGzip(_ *world, c net.Conn, good []byte) bool {
	const start = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff" + "\x00\x10\x27\xef\xd8"
	const size = "\x00\x00\x00\x00" // the last four bytes, for which clients reserve memory
	_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n%s%s%s", start, good[header(good):halfBody(good)], size)
	return false
}

func trickle(_ *world, c net.Conn, good []byte) bool {
	for i := range good {
		if _, err := c.Write(good[i : i+1]); err != nil {
			return false
		}
		_ = c.SetReadDeadline(time.Now().Add(time.Second))
		if _, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			return false // the client closed the connection
		}
	}
	return false
}

func say(text string, open bool) func(*world, net.Conn, []byte) bool {
	return func(_ *world, c net.Conn, _ []byte) bool {
		_, err := io.WriteString(c, text)
		return open && err == nil
	}
}

func then(act func(*world, net.Conn, []byte) bool, end ending) func(*world, net.Conn, []byte) bool {
	return func(w *world, c net.Conn, good []byte) bool {
		act(w, c, good)
		end(c)
		return false
	}
}

// answer sends another status or another body. Headers are lines.
func answer(status int, body string, headers ...string) func(*world, net.Conn, []byte) bool {
	lines := strings.Join(append(headers, "Content-Length: "+strconv.Itoa(len(body))), "\r\n")
	if !strings.Contains(lines, "Content-Type") {
		lines = "Content-Type: application/json\r\n" + lines
	}
	return say(fmt.Sprintf("HTTP/1.1 %d Some Words\r\n%s\r\n\r\n%s", status, lines, body), true)
}

// refusal is a JSON-RPC error, which the REST hosts send too.
func refusal(code int, message string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`, code, message)
}

func halfJSON(w *world, c net.Conn, good []byte) bool {
	return answer(200, string(good[header(good):halfBody(good)]))(w, c, good)
}

func textBehind(w *world, c net.Conn, good []byte) bool {
	return answer(200, string(good[header(good):])+" and more")(w, c, good)
}
