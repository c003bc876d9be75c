package consumer

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/wallet"
)

// Each attempt is a span of otelhttp, which has the host and no key, in the query or in a
// header.
func TestSpansHaveNoKey(t *testing.T) {
	spans := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))
	var seen strings.Builder
	service := fake.New(nil)
	service.Fail("getSlot", 1, fake.Fault{Status: 500})
	cfg := service.Config()
	cfg.WrapTransport = func(next http.RoundTripper) http.RoundTripper {
		return recorder{otelhttp.NewTransport(next, otelhttp.WithTracerProvider(provider)), &seen}
	}
	node, err := rpc.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := node.Slot(t.Context(), nil); err != nil {
		t.Error(err)
	}
	wallets, err := wallet.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := wallets.Balances(t.Context(), fake.WalletAddress, nil).Page(); err != nil {
		t.Error(err)
	}

	ended := spans.Ended()
	if len(ended) != 3 {
		t.Errorf("%d spans instead of 3: two attempts and one", len(ended))
	}
	for _, span := range ended {
		fmt.Fprintln(&seen, span.Name(), span.Attributes(), span.Events(), span.Status())
	}
	text := seen.String()
	if !strings.Contains(text, "url.full") || !strings.Contains(text, "/v1/wallet/") {
		t.Error(text)
	}
	if key := cfg.APIKey.Reveal(); strings.Contains(text, key) {
		t.Errorf("the key %s is in %s", key, text)
	}
}

// A recorder writes down requests and the requests of responses.
type recorder struct {
	next http.RoundTripper
	seen *strings.Builder
}

func (r recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	fmt.Fprintln(r.seen, req.URL, req.Header)
	resp, err := r.next.RoundTrip(req)
	if err == nil {
		fmt.Fprintln(r.seen, resp.Request.URL, resp.Request.Header, resp.Header)
	}
	return resp, err
}
