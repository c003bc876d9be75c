package bench

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// serving is the argument of a test program before the file of the body to respond with.
const serving = "serve-the-body-in"

// Serve responds to every request with body, which may be from [Gzip] or [Zstd], and returns the
// URL. A JSON-RPC body gets the id of the request. Serve starts the program of the test once more,
// which must have [Main] as its TestMain. Thus the CPU time and the allocations of this process
// are the client's alone.
func Serve(tb testing.TB, body []byte) string {
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

// Main runs tests, or in a process that [Serve] started, the server.
func Main(m *testing.M) {
	if len(os.Args) != 3 || os.Args[1] != serving {
		os.Exit(m.Run())
	}
	if err := serveFile(os.Args[2], os.Stdin, os.Stdout); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serveFile responds with the body in a file until in ends.
func serveFile(file string, in io.Reader, out io.Writer) error {
	body, err := os.ReadFile(file) //nolint:gosec // written by Serve
	if err != nil {
		return err
	}
	return Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request, _ := io.ReadAll(r.Body)
		_, id, _ := bytes.Cut(request, []byte(openID))
		id, _, _ = bytes.Cut(id, []byte(`"`))
		answer := body
		switch {
		case bytes.HasPrefix(body, []byte("\x1f\x8b")):
			w.Header().Set("Content-Encoding", "gzip")
		case bytes.HasPrefix(body, []byte("\x28\xb5\x2f\xfd")):
			w.Header().Set("Content-Encoding", "zstd")
		default:
			answer = bytes.Replace(body, []byte(openID+"1"), append([]byte(openID), id...), 1)
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
		w.Header()["Date"] = nil // not sent: a client allocates for each header
		_, _ = w.Write(answer)   //nolint:gosec // the body of the test
	}), in, out)
}

// Listen serves h on loopback and tells the URL, until in ends, with the process that
// started this one.
func Listen(h http.Handler, in io.Reader, out io.Writer) error {
	server := httptest.NewServer(h)
	defer server.Close()
	if _, err := fmt.Fprintln(out, server.URL); err != nil {
		return err
	}
	_, err := io.Copy(io.Discard, in)
	return err
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
