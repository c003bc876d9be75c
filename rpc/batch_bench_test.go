package rpc_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/solwire/solwire-go/internal/golden"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

// A far service answers getTransaction after 20 ms, one call or a batch.
type far struct{ result []byte }

func (f far) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	time.Sleep(20 * time.Millisecond)
	answer := f.result // without an envelope
	if bytes.HasPrefix(body, []byte("[")) {
		var list []string
		for part := range strings.SplitSeq(string(body), `"id":"`) {
			if id, _, found := strings.Cut(part, `"`); found && id != "[{" {
				list = append(list, fmt.Sprintf(`{"jsonrpc":"2.0","id":"%s","result":%s}`, id, f.result))
			}
		}
		answer = []byte("[" + strings.Join(list[len(list)-strings.Count(string(body), "getTransaction"):], ",") + "]")
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(answer)), Request: req}, nil
}

// BenchmarkHundredTransactions compares one batch with 100 calls of one caller.
func BenchmarkHundredTransactions(b *testing.B) {
	body, _ := golden.Answer("rpc/getTransaction")
	_, result, _ := bytes.Cut(bytes.TrimSuffix(bytes.TrimSpace(body), []byte("}")), []byte(`"result":`))
	client, err := rpc.New(types.Config{APIKey: "key", HTTPClient: &http.Client{Transport: far{result}}})
	if err != nil {
		b.Fatal(err)
	}
	signatures := make([]types.Signature, 100)
	for i := range signatures {
		signatures[i] = sigA
	}
	b.Run("batch", func(b *testing.B) {
		for range b.N {
			if _, err := client.Transactions(b.Context(), signatures, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("calls", func(b *testing.B) {
		for range b.N {
			for _, s := range signatures {
				if _, err := client.Transaction(b.Context(), s, nil); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
