package prometheus_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	client "github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/prometheus"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/keeper"
)

func TestMeterIsCollected(t *testing.T) {
	cfg := fake.Config()
	cfg.Meter = &types.Meter{Limit: 1000}
	node, err := rpc.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := node.Slot(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	check(t, prometheus.Meter(cfg.Meter), `
		# HELP solwire_credits_limit Credits of the budget.
		# TYPE solwire_credits_limit gauge
		solwire_credits_limit 1000
		# HELP solwire_credits_total Credits that calls cost, by operation.
		# TYPE solwire_credits_total counter
		solwire_credits_total{operation="getSlot"} 1
		# HELP solwire_responses_total Responses that cost credits, by operation.
		# TYPE solwire_responses_total counter
		solwire_responses_total{operation="getSlot"} 1
	`)
}

func TestStreamsAreCollected(t *testing.T) {
	check(t, prometheus.Streams(func() stream.Status {
		return stream.Status{
			CreditsSpent: 20,
			Connections:  []stream.ConnectionStatus{{Since: time.Unix(1, 0), Behind: 3, Subscriptions: 4, Reconnects: 2}, {}},
			Loops:        []stream.LoopStatus{{Op: "Logs (logsSubscribe)", Slot: 300_000_000, Filling: &stream.Gap{}, Unreadable: 1}},
		}
	}), `
		# HELP solwire_stream_connection_up Whether a connection has slots.
		# TYPE solwire_stream_connection_up gauge
		solwire_stream_connection_up{connection="0"} 1
		solwire_stream_connection_up{connection="1"} 0
		# HELP solwire_stream_loop_filling Whether a loop fills a gap.
		# TYPE solwire_stream_loop_filling gauge
		solwire_stream_loop_filling{loop="0",operation="Logs (logsSubscribe)"} 1
		# HELP solwire_stream_reconnects_total Attempts to connect again.
		# TYPE solwire_stream_reconnects_total counter
		solwire_stream_reconnects_total{connection="0"} 2
		solwire_stream_reconnects_total{connection="1"} 0
	`, "solwire_stream_connection_up", "solwire_stream_loop_filling", "solwire_stream_reconnects_total")
}

func TestKeeperIsCollected(t *testing.T) {
	status := keeper.Status{Processes: 2, Pending: 7, Problems: []keeper.Problem{{Cause: "store", Since: types.Time{Time: time.Unix(1_760_000_000, 0)}}}}
	check(t, prometheus.Keeper(func() keeper.Status { return status }), `
		# HELP solwire_keeper_pending_events Events that are not handled yet.
		# TYPE solwire_keeper_pending_events gauge
		solwire_keeper_pending_events 7
		# HELP solwire_keeper_problem_since_timestamp_seconds Since when a problem lasts, by cause.
		# TYPE solwire_keeper_problem_since_timestamp_seconds gauge
		solwire_keeper_problem_since_timestamp_seconds{cause="store"} 1.76e+09
		# HELP solwire_keeper_up Whether the Keeper has no problems.
		# TYPE solwire_keeper_up gauge
		solwire_keeper_up 0
	`, "solwire_keeper_pending_events", "solwire_keeper_problem_since_timestamp_seconds", "solwire_keeper_up")
}

// The metrics of a program with a Keeper; the code is in docs/production.md.
func TestMetricsOfAProgram(t *testing.T) {
	cfg, registry := fake.New(nil).Config(), client.NewRegistry()
	cfg.Meter = new(types.Meter)
	text, err := program(cfg, registry)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		`solwire_webhook_received_events_total 1`, `solwire_webhook_events_total{outcome="handled"} 1`,
		`solwire_webhook_refused_deliveries_total{status="401"} 1`, `solwire_keeper_up 1`, `solwire_stream_fill_credits 0`,
	} {
		if !strings.Contains(text, "\n"+line+"\n") {
			t.Errorf("%s is not in\n%s", line, text)
		}
	}
}

func program(cfg types.Config, registry *client.Registry) (string, error) {
	hooks, err := webhooks.New(cfg)
	if err != nil {
		return "", err
	}
	streams, err := stream.New(cfg)
	if err != nil {
		return "", err
	}
	defer streams.Close()
	config := keeper.Config{
		Settings: webhooks.Settings{
			URL: "https://example.com/hook", AuthHeader: "of this test", Type: webhooks.TypeEnhanced,
			TransactionTypes: []txtype.Type{txtype.Swap}, AccountAddresses: []types.Address{fake.WalletAddress},
		},
		Store: new(keeper.MemoryStore), Handle: func(context.Context, *webhooks.Event) error { return nil },
	}
	err = func() error {
		observer := prometheus.NewObserver()
		config.Observer = observer
		k, err := keeper.New(hooks, config)
		if err != nil {
			return err
		}
		registry.MustRegister(observer, prometheus.Keeper(k.Status), prometheus.Meter(cfg.Meter), prometheus.Streams(streams.Status))
		http.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
		service := fake.Of(cfg)
		service.Deliver(context.Background(), &fake.Delivery{Handler: k, AuthHeader: "of this test"}, service.Swap(fake.WalletAddress))
		k.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/", strings.NewReader("[]")))
		return nil
	}()
	w := httptest.NewRecorder()
	http.DefaultServeMux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", http.NoBody))
	return w.Body.String(), err
}

// check compares metrics, and their names with the rules of Prometheus.
func check(t *testing.T, c client.Collector, want string, names ...string) {
	t.Helper()
	want = strings.ReplaceAll(want, "\t", "")
	if err := testutil.CollectAndCompare(c, strings.NewReader(want), names...); err != nil {
		t.Error(err)
	}
	problems, err := testutil.CollectAndLint(c)
	if err != nil || len(problems) > 0 {
		t.Error(problems, err)
	}
}
