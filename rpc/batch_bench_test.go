package rpc_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/bench"
	"github.com/solwire/solwire-go/internal/golden"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

// A far service answers getTransaction after a latency, one call or a batch.
type far struct {
	result  []byte
	latency time.Duration
}

func (f far) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	time.Sleep(f.latency)
	answer := f.result // without an envelope
	if bytes.HasPrefix(body, []byte("[")) {
		var calls []struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(body, &calls); err != nil {
			return nil, err
		}
		list := make([]string, len(calls))
		for i, c := range calls {
			list[i] = fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"result":%s}`, c.ID, f.result)
		}
		answer = []byte("[" + strings.Join(list, ",") + "]")
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(answer)), Request: req}, nil
}

// BenchmarkHundredTransactions compares one batch with 100 calls of one caller, in the
// time that passes.
func BenchmarkHundredTransactions(b *testing.B) {
	body, _ := golden.Answer("rpc/getTransaction")
	_, result, _ := bytes.Cut(bytes.TrimSuffix(bytes.TrimSpace(body), []byte("}")), []byte(`"result":`))
	service := far{result, 20 * time.Millisecond}
	if testing.Short() {
		service.latency = time.Millisecond
	}
	client, err := rpc.New(types.Config{APIKey: "key", HTTPClient: &http.Client{Transport: service}})
	require.NoError(b, err)
	signatures := make([]types.Signature, 100)
	for i := range signatures {
		signatures[i] = sigA
	}

	start := time.Now()
	for _, s := range signatures {
		_, err := client.Transaction(b.Context(), s, nil)
		require.NoError(b, err)
	}
	calls := time.Since(start)

	var batches []float64
	for b.Loop() {
		start := time.Now()
		_, err := client.Transactions(b.Context(), signatures, nil)
		require.NoError(b, err)
		batches = append(batches, float64(time.Since(start)))
	}
	batch := bench.Median(batches)
	b.ReportMetric(0, "ns/op") // the median says more
	b.ReportMetric(batch/1e6, "ms/ours")
	b.ReportMetric(float64(calls)/1e6, "ms/other")
	b.ReportMetric(batch/float64(calls), "ours/other")
}
