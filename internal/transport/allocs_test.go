//go:build !race

// The race detector makes sync.Pool drop items at random.

package transport_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/bench"
)

// Allocations repeat exactly where times do not. These tests are not parallel, since
// the allocations of all goroutines count.

func TestAllocationsOfASmallCall(t *testing.T) {
	ours, _ := callPage(t, bench.Serve(t, bench.CompressedAccounts(0)))
	allocs, _ := bench.Allocs(t, 200, ours)
	require.LessOrEqual(t, allocs, 100.0)
}

func TestBytesAllocatedForAPage(t *testing.T) {
	page := bench.CompressedAccounts(1000)
	require.LessOrEqual(t, overDecode(t, page, bench.Serve(t, page)), 1.10)
}

// The largest pages have megabytes, with and without a Content-Length.
func TestBytesAllocatedForALargePage(t *testing.T) {
	page := bench.CompressedAccounts(6600)
	require.Greater(t, len(page), 4<<20)
	require.LessOrEqual(t, overDecode(t, page, bench.Serve(t, page)), 1.10)
	require.LessOrEqual(t, overDecode(t, page, bench.Serve(t, bench.Gzip(page))), 1.10)
	require.LessOrEqual(t, overDecode(t, page, bench.Serve(t, bench.Zstd(page))), 1.10)

	body := bench.WithoutID(page)
	chunked := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) }))
	t.Cleanup(chunked.Close)
	require.LessOrEqual(t, overDecode(t, page, chunked.URL), 1.10)
}
