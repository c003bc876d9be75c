package das_test

import (
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
)

// An endless Transport lists assets whose IDs it computes: 1 to n.
type endless int

func numbered(n int) types.Address {
	var key [32]byte
	binary.BigEndian.PutUint64(key[24:], uint64(n))
	return types.AddressOf(key)
}

func (e endless) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	after := 0
	if _, cursor, ok := strings.Cut(string(body), `"cursor":"`); ok {
		b, err := types.Address(cursor[:strings.IndexByte(cursor, '"')]).Bytes()
		if err != nil {
			return nil, err
		}
		after = int(binary.BigEndian.Uint64(b[24:]))
	}
	var b strings.Builder
	b.WriteString(`{"jsonrpc":"2.0","result":{"items":[`)
	end := min(after+1000, int(e))
	for i := after + 1; i <= end; i++ {
		fmt.Fprintf(&b, `{"id":%q,"content":{"metadata":{"name":"Kit #%d"}}},`, numbered(i), i)
	}
	text := strings.TrimSuffix(b.String(), ",") + "]"
	if end > after {
		text += fmt.Sprintf(`,"cursor":%q`, numbered(end))
	}
	return &http.Response{StatusCode: http.StatusOK, Request: req, Body: io.NopCloser(strings.NewReader(text + "}}"))}, nil
}

func heap() int64 {
	runtime.GC()
	runtime.GC() // frees the pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestMemoryOfWalksIsFlat(t *testing.T) { //nolint:paralleltest // measures the heap of the process
	c, err := das.New(types.Config{APIKey: types.Key("a-key"), HTTPClient: &http.Client{Transport: endless(100_000)}})
	require.NoError(t, err)
	n, early := 0, int64(0)
	for _, err := range c.AssetsByOwner(t.Context(), owner, nil).All() {
		require.NoError(t, err)
		switch n++; n {
		case 10_000:
			early = heap()
		case 100_000:
			require.Less(t, heap()-early, int64(256<<10))
		}
	}
	require.Equal(t, 100_000, n)
}
