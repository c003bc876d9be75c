//go:build !race

// The race detector multiplies the memory of a program.

package faults_test

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
)

// hostile lists memory bombs and real responses of 60 MiB.
var hostile = []struct {
	name    string
	assets  bool // are listed, instead of compressed accounts
	respond http.HandlerFunc
}{
	{"empty objects with spaces", false, repeated(60, `{"value":{"items":[`, `{      },`, `{}]}}`)},
	{"texts that are not UTF-8", false, func(w http.ResponseWriter, r *http.Request) { // each shorter than the longest text
		repeated(22, `{"value":{"items":[{"hash":"`, strings.Repeat("\xff", 1000), `"},`)(w, r)
		repeated(22, `{"hash":"`, strings.Repeat("\xff", 1000), `"}]}}`)(w, r)
	}},
	{"a long cursor", false, repeated(60, `{"value":{"items":[],"cursor":"`, strings.Repeat("x", 1000), `"}}`)},
	{"just under the limit", false, repeated(30, `{"value":{"items":[`, `{"data":{},"x":"`+strings.Repeat("x", 132)+`"},`, `{}]}}`)},
	{"a zstd bomb", true, zstdBomb},
	{"assets, asked for again with half the limit", true, repeated(60, `{"result":{"items":[`, `{"id":"DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263"},`, `{}]}}`)},
}

var hostileURL = flag.String("hostile", "", "call this server and tell the memory that it took")

// A call stays below 220 MiB whatever it receives. The calls run in a separate process, which
// prints its peak memory of each.
func TestHostileAnswersTakeLittleMemory(t *testing.T) {
	if *hostileURL != "" {
		callHostile(t, *hostileURL)
		return
	}
	if testing.Short() {
		t.Skip("needs seconds")
	}
	var requests [32]atomic.Int64 // of each response
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i, _ := strconv.Atoi(strings.Trim(r.URL.Path, "/"))
		requests[i].Add(1)
		hostile[i].respond(w, r)
	}))
	defer s.Close()
	call := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestHostileAnswersTakeLittleMemory$", "-hostile="+s.URL)
	call.Env = append(call.Environ(), "GODEBUG=gcstoptheworld=1") // on a busy machine, the collector would lag behind
	out, err := call.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for i, h := range hostile {
		_, peak, found := strings.Cut(string(out), fmt.Sprintf("peak of %d ", i))
		require.True(t, found, "%s", out)
		kilobytes, err := strconv.Atoi(strings.Fields(peak)[0])
		require.NoError(t, err)
		t.Log(h.name, kilobytes>>10, "MiB,", requests[i].Load(), "requests")
		require.Less(t, kilobytes, 220<<10, h.name)
		if strings.Contains(h.name, "bomb") {
			require.EqualValues(t, 1, requests[i].Load(), "a smaller limit would not help")
		}
	}
}

// repeated responds with a start, some MiB of a repeated item, and an end.
func repeated(size int, start, item, end string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		out := bufio.NewWriter(w)
		_, _ = out.WriteString(start)
		for range size << 20 / len(item) {
			_, _ = out.WriteString(item)
		}
		_, _ = out.WriteString(end)
		_ = out.Flush()
	}
}

// zstdBomb responds with 2 MiB of frames, each of which has a MiB of spaces.
func zstdBomb(w http.ResponseWriter, _ *http.Request) {
	z, _ := zstd.NewWriter(nil)
	frame := z.EncodeAll(bytes.Repeat([]byte(" "), 1<<20), nil)
	w.Header().Set("Content-Encoding", "zstd")
	_, _ = w.Write(bytes.Repeat(frame, 2<<20/len(frame)))
}

func callHostile(t *testing.T, url string) {
	t.Helper()
	for i, h := range hostile {
		c := connect(t, types.Config{APIKey: types.Key(fake.Key), RPCURL: fmt.Sprint(url, "/", i), MaxAttempts: 1})
		debug.FreeOSMemory()
		_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // the peak begins anew; else it is at least the one before
		var err error
		if h.assets {
			_, err = c.das.AssetsByOwner(context.Background(), fake.Owner, &das.AssetsOptions{PageOptions: types.PageOptions{Limit: 2}}).Page()
		} else {
			_, err = c.compressed.AccountsByOwner(context.Background(), fake.Owner, nil).Page()
		}
		require.Error(t, err)
		status, err := os.ReadFile("/proc/self/status")
		require.NoError(t, err)
		_, peak, _ := strings.Cut(string(status), "VmHWM:")
		_, _ = fmt.Fprintln(os.Stdout, "peak of", i, strings.Fields(peak)[0])
	}
}
