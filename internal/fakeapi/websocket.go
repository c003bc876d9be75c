package fakeapi

import (
	"bufio"
	"context"
	"net"
	"net/http"

	"github.com/coder/websocket"

	"github.com/solwire/solwire-go/internal/fakeapi/notify"
)

// Upgrade is the name of the operation that opens a WebSocket connection.
const Upgrade = "WebSocket"

func isUpgrade(r *http.Request) bool { return r.Header.Get("Sec-WebSocket-Key") != "" }

// upgrade opens a WebSocket connection and serves it until it ends.
func (s *Service) upgrade(w http.ResponseWriter, x *Incoming) {
	x.Names = []string{Upgrade}
	x.respond = func() Answer {
		if a, refused := nodeAPI.checkKey(x.Request); refused {
			return a
		}
		return Answer{Status: http.StatusSwitchingProtocols}
	}
	if s.answered(w, x) {
		return
	}
	if a := x.respond(); a.Status != http.StatusSwitchingProtocols {
		a.Write(w)
		return
	}
	s.World()
	// of any origin
	ws, err := websocket.Accept(w, x.Request, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return // Accept has answered
	}
	s.hub.Serve(context.WithoutCancel(x.Context()), ws, func(c *notify.Conn, message []byte) []byte {
		return s.message(x.Request, c, message)
	})
}

// message answers a message of a WebSocket connection, nil for none.
func (s *Service) message(r *http.Request, c *notify.Conn, message []byte) (answer []byte) {
	if aborted(func() {
		answer = each(message, func(sent *call) []byte {
			x := &Incoming{Request: r, Body: sent.text, Names: []string{sent.Method}, calls: []call{*sent}, s: s}
			x.respond = func() Answer {
				result, refused := c.Call(sent.Method, sent.Params)
				if refused != nil {
					return ok(failure(refused, sent.ID))
				}
				return ok(x.Result(result))
			}
			w := &recorder{header: http.Header{}}
			s.handle(w, x)
			return w.body.Bytes()
		})
	}) {
		c.Close(0)
	}
	return answer
}

// Hub returns the WebSocket connections of s.
func (s *Service) Hub() *notify.Hub {
	s.World()
	return s.hub
}

// upgraded is [exchange] for a request to open a WebSocket connection.
func upgraded(h http.Handler, in, sent *http.Request) (*http.Response, error) {
	ours, theirs := net.Pipe()
	w := &hijacker{recorder: recorder{header: http.Header{}}, conn: theirs, hijacked: make(chan struct{})}
	ended := make(chan bool, 1)
	go func() { ended <- aborted(func() { h.ServeHTTP(w, in) }) }()
	select {
	case <-w.hijacked:
		resp, err := http.ReadResponse(bufio.NewReader(w.wire()), sent)
		if err == nil {
			resp.Body = ours
		}
		return resp, err
	case closed := <-ended:
		if closed {
			return nil, net.ErrClosed
		}
		return http.ReadResponse(bufio.NewReader(w.wire()), sent)
	case <-in.Context().Done():
		return nil, in.Context().Err()
	}
}

// A hijacker is a recorder whose connection can be taken over.
type hijacker struct {
	recorder

	conn     net.Conn
	hijacked chan struct{}
}

// Hijack gives the connection away.
func (w *hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	close(w.hijacked)
	return w.conn, bufio.NewReadWriter(bufio.NewReader(w.conn), bufio.NewWriter(w.conn)), nil
}
