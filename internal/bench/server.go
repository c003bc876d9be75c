package bench

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// Serve answers every request with body, under the request's own id where it
// is of JSON-RPC, or as [Gzip] or [Zstd] made it, and returns the URL. It
// allocates nothing once a connection stands, so that what is counted is the
// client's.
func Serve(tb testing.TB, body []byte) string {
	tb.Helper()
	listener, err := serve(tb.Context(), body)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = listener.Close() })
	return "http://" + listener.Addr().String()
}

// serving is the argument after which a test program finds the file of the
// body that it has to answer with.
const serving = "serve-the-body-in"

// ServeApart is [Serve] in a process of its own, so that the CPU time of this
// one is the client's alone. It starts the program of the test once more, which
// must have [Main] as its TestMain.
func ServeApart(tb testing.TB, body []byte) string {
	tb.Helper()
	file := filepath.Join(tb.TempDir(), "body")
	if err := os.WriteFile(file, body, 0o600); err != nil {
		tb.Fatal(err)
	}
	url, stop, err := Apart(tb.Context(), serving, file)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(stop)
	return url
}

// Apart runs this very program once more, with other arguments, and returns
// the URL that it prints first. Stop ends its input, with which it ends too.
func Apart(ctx context.Context, args ...string) (url string, stop func(), err error) {
	self, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	service := exec.CommandContext(ctx, self, args...) //nolint:gosec // this very program
	service.Stderr = os.Stderr
	in, err := service.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	out, err := service.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := service.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = in.Close()
		_ = service.Wait()
	}
	url, err = bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return "", nil, fmt.Errorf("service: %w", err)
	}
	return strings.TrimSpace(url), stop, nil
}

// Main runs tests, or in a process that [ServeApart] started, the server.
func Main(m *testing.M) {
	if len(os.Args) != 3 || os.Args[1] != serving {
		os.Exit(m.Run())
	}
	if err := serveFile(os.Args[2], os.Stdin, os.Stdout); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serveFile tells the URL and serves until in ends, with the process that
// started this one.
func serveFile(file string, in io.Reader, out io.Writer) error {
	body, err := os.ReadFile(file) //nolint:gosec // written by ServeApart
	if err != nil {
		return err
	}
	listener, err := serve(context.Background(), body)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, "http://%s\n", listener.Addr()); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, in)
	return err
}

func serve(ctx context.Context, body []byte) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := server{head: body}
	if bytes.HasPrefix(body, []byte("\x1f\x8b")) {
		s.encoding = "Content-Encoding: gzip\r\n"
	} else if bytes.HasPrefix(body, []byte("\x28\xb5\x2f\xfd")) {
		s.encoding = "Content-Encoding: zstd\r\n"
	} else if i := bytes.Index(body, []byte(openID+`1"`)); i >= 0 {
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
	return listener, nil
}

const openID = `"id":"`

// Gzip returns a page as the service sends it to a client that takes gzip, [WithoutID].
func Gzip(page []byte) []byte {
	var compressed bytes.Buffer
	w := gzip.NewWriter(&compressed)
	_, _ = w.Write(WithoutID(page)) // a Buffer takes all
	_ = w.Close()
	return compressed.Bytes()
}

// Zstd is [Gzip] for a client that takes zstd.
func Zstd(page []byte) []byte {
	w, _ := zstd.NewWriter(nil) // without options, which alone can be wrong
	return w.EncodeAll(WithoutID(page), nil)
}

// WithoutID returns a page with a null id, which any request may have.
func WithoutID(page []byte) []byte {
	return bytes.Replace(page, []byte(openID+`1"`), []byte(`"id":null`), 1)
}

// A server has the answer in two parts; the id of the request goes between,
// unless it is compressed.
type server struct {
	head, tail []byte
	encoding   string // the header of that name
}

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
		if s.tail == nil {
			id = nil
		}
		answer = append(answer[:0], "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"...)
		answer = append(answer, s.encoding...)
		answer = append(answer, "Content-Length: "...)
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
	body = slices.Grow(body[:0], length)[:length]
	_, err := io.ReadFull(in, body)
	return body, err
}
