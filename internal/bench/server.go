package bench

import (
	"bufio"
	"bytes"
	"net"
	"strconv"
	"testing"
)

// Serve answers every request with body, under the request's own id where it
// is of JSON-RPC, and returns the URL. It allocates nothing once a connection
// stands, so that what is counted is the client's.
func Serve(tb testing.TB, body []byte) string {
	tb.Helper()
	listener, err := new(net.ListenConfig).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = listener.Close() })
	s := server{head: body}
	if i := bytes.Index(body, []byte(openID+`1"`)); i >= 0 {
		s.head, s.tail = body[:i+len(openID)], body[i+len(openID)+1:]
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go s.serve(conn)
		}
	}()
	return "http://" + listener.Addr().String()
}

const openID = `"id":"`

// A server has the answer in two parts; the id of the request goes between.
type server struct{ head, tail []byte }

func (s server) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	in := bufio.NewReader(conn)
	var request, answer []byte
	for {
		var err error
		if request, err = read(in, request); err != nil {
			return
		}
		_, id, _ := bytes.Cut(request, []byte(openID))
		id, _, _ = bytes.Cut(id, []byte(`"`))
		answer = append(answer[:0], "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "...)
		answer = strconv.AppendInt(answer, int64(len(s.head)+len(id)+len(s.tail)), 10)
		answer = append(answer, "\r\n\r\n"...)
		answer = append(append(append(answer, s.head...), id...), s.tail...)
		if _, err := conn.Write(answer); err != nil {
			return
		}
	}
}

// read returns the body of a request, in the memory of the one before.
func read(in *bufio.Reader, body []byte) ([]byte, error) {
	length := 0
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return nil, err
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			break
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			for _, digit := range value {
				length = 10*length + int(digit-'0')
			}
		}
	}
	body = body[:0]
	for range length {
		c, err := in.ReadByte()
		if err != nil {
			return nil, err
		}
		body = append(body, c)
	}
	return body, nil
}
