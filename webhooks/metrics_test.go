package webhooks_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/webhooks"
)

// metrics serves the state of a Keeper to Prometheus.
func metrics(keeper *webhooks.Keeper) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		s, err := keeper.Status(req.Context())
		up := 1
		if err != nil || len(s.Problems) > 0 {
			up = 0
		}
		fmt.Fprintf(w, "keeper_up %d\nkeeper_open %d\nkeeper_missed %d\nkeeper_given_up %d\n", up, s.Open, s.Missed, s.GivenUp)
		for name, at := range map[string]types.Time{"open_since": s.OpenSince, "delivered": s.Delivered, "checked": s.Checked, "backfilled": s.Backfilled} {
			if !at.IsZero() {
				fmt.Fprintf(w, "keeper_%s_timestamp_seconds %d\n", name, at.Unix())
			}
		}
		for key, n := range s.Counts {
			fmt.Fprintf(w, "keeper_events_total{kind=%q} %d\n", key, n)
		}
		for _, p := range s.Problems {
			fmt.Fprintf(w, "keeper_problem_since_seconds{cause=%q,address=%q} %d\n", p.Cause, p.Address, p.Since.Unix())
		}
	}
}

// The adapter is the one of the documentation.
func TestMetrics(t *testing.T) {
	source, err := os.ReadFile("metrics_test.go")
	require.NoError(t, err)
	page, err := os.ReadFile("../docs/production.md")
	require.NoError(t, err)
	_, own, _ := strings.Cut(string(source), "// metrics serves")
	own, _, _ = strings.Cut(own, "\n}\n")
	require.Contains(t, string(page), own)
	keep(t, func(t *testing.T, k *kept) {
		k.start()
		k.swap(account, true)
		k.failWith(func(*webhooks.Event) error { return errors.New("no") })
		k.swap(account, true)
		k.service.FailShare("", 1, fake.Status(503))
		time.Sleep(6 * time.Minute)
		w := httptest.NewRecorder()
		metrics(k.keeper)(w, httptest.NewRequest(http.MethodGet, "/metrics", http.NoBody))
		for _, line := range []string{"keeper_up 0", "keeper_open 1", `keeper_events_total{kind="handled"} 1`, `keeper_problem_since_seconds{cause="webhook",address=""} 9`, "keeper_delivered_timestamp_seconds 9"} {
			require.Contains(t, w.Body.String(), line)
		}
	})
}
