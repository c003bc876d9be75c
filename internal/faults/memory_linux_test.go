//go:build !race

// The race detector multiplies the memory of a program.

package faults_test

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
)

// hostile has responses of 60 MiB: a start, a repeated item and an end.
var hostile = map[string][3]string{
	"empty objects with spaces": {`{"value":{"items":[`, `{      },`, `{}]}}`},
	"objects with junk":         {`{"value":{"items":[`, `{"xxxxxxxxxxxxxxxxxxxx":1,"data":{}},`, `{}]}}`},
	"a text that is not UTF-8":  {`{"value":{"items":[{"hash":"`, strings.Repeat("\xff", 1000), `"}]}}`},
	"an error not in UTF-8":     {`{"jsonrpc":"2.0","error":{"code":1,"message":"`, strings.Repeat("\xff", 1000), `"}}`},
	"a long cursor":             {`{"value":{"items":[],"cursor":"`, strings.Repeat("x", 1000), `"}}`},
}

var (
	hostileURL  = flag.String("hostile", "", "call this server and tell the memory that it took")
	hostileSort = flag.String("hostilesort", "", "list assets sorted so, instead of compressed accounts")
)

// A call stays below 256 MiB whatever it receives. Each call runs in a separate
// process, which prints its peak memory.
func TestHostileAnswersTakeLittleMemory(t *testing.T) {
	if *hostileURL != "" {
		callHostile(t, *hostileURL)
		return
	}
	if testing.Short() {
		t.Skip("needs seconds")
	}
	handlers := map[string]http.HandlerFunc{"a zstd bomb of 2 MiB": zstdBomb(2 << 20), "a zstd bomb of 600 kB": zstdBomb(600_000)}
	for name, parts := range hostile {
		handlers[name] = func(w http.ResponseWriter, _ *http.Request) {
			out := bufio.NewWriter(w)
			_, _ = out.WriteString(parts[0])
			for range 60 << 20 / len(parts[1]) {
				_, _ = out.WriteString(parts[1])
			}
			_, _ = out.WriteString(parts[2])
			_ = out.Flush()
		}
	}
	for name, handler := range handlers {
		sorts := []string{""}
		bomb := strings.Contains(name, "bomb")
		if strings.Contains(name, "600 kB") {
			sorts = []string{"", "id", "created"} // assets by cursor and by number halve their limits
		}
		for _, sort := range sorts {
			t.Run(name+"/"+sort, func(t *testing.T) {
				var requests atomic.Int64
				s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					requests.Add(1)
					handler(w, r)
				}))
				defer s.Close()
				call := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestHostileAnswersTakeLittleMemory$", "-hostile="+s.URL, "-hostilesort="+sort)
				out, err := call.CombinedOutput()
				require.NoError(t, err, "%s", out)
				_, peak, found := strings.Cut(string(out), "peak ")
				require.True(t, found, "%s", out)
				kilobytes, err := strconv.Atoi(strings.Fields(peak)[0])
				require.NoError(t, err)
				t.Log(kilobytes>>10, "MiB,", requests.Load(), "requests")
				require.Less(t, kilobytes, 256<<10)
				if bomb {
					require.EqualValues(t, 1, requests.Load(), "a smaller limit would not help")
				}
			})
		}
	}
}

// zstdBomb responds with frames of a total size, each of which has a MiB of spaces.
func zstdBomb(size int) http.HandlerFunc {
	w, _ := zstd.NewWriter(nil)
	frame := w.EncodeAll(bytes.Repeat([]byte(" "), 1<<20), nil)
	body := bytes.Repeat(frame, size/len(frame))
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "zstd")
		_, _ = w.Write(body)
	}
}

func callHostile(t *testing.T, url string) {
	t.Helper()
	cfg := types.Config{APIKey: fake.Key, RPCURL: url, MaxAttempts: 1}
	c, err := compressed.New(cfg)
	require.NoError(t, err)
	assets, err := das.New(cfg)
	require.NoError(t, err)
	if *hostileSort == "" {
		_, err = c.AccountsByOwner(context.Background(), fake.Owner, nil).Page()
	} else {
		_, err = assets.AssetsByOwner(context.Background(), fake.Owner, &das.AssetsOptions{SortBy: das.SortBy(*hostileSort)}).Page()
	}
	require.Error(t, err)
	peak, err := peakMemory()
	require.NoError(t, err)
	_, _ = fmt.Fprintln(os.Stdout, "peak", peak)
}

// peakMemory returns the peak resident memory of this process in kilobytes.
func peakMemory() (string, error) {
	status, err := os.Open("/proc/self/status")
	if err != nil {
		return "", err
	}
	defer func() { _ = status.Close() }()
	for lines := bufio.NewScanner(status); lines.Scan(); {
		if value, ok := strings.CutPrefix(lines.Text(), "VmHWM:"); ok {
			return strings.Fields(value)[0], nil
		}
	}
	return "", io.ErrUnexpectedEOF
}
