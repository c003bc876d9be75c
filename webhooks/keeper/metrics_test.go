package keeper_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/keeper"
)

// counts are the metrics of a process: the Observer of a Keeper.
type counts struct {
	delivered, refused atomic.Int64
	ended              [8]atomic.Int64 // by Outcome
}

func (c *counts) Received(events int)                                  { c.delivered.Add(int64(events)) }
func (c *counts) Refused(int, error)                                   { c.refused.Add(1) }
func (c *counts) Ended(_ *webhooks.Event, o webhooks.Outcome, _ error) { c.ended[o].Add(1) }

// metrics serves the state of a Keeper to Prometheus.
func metrics(k *keeper.Keeper, c *counts) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		s, err := k.Status(req.Context())
		up := 1
		if err != nil || len(s.Problems) > 0 {
			up = 0
		}
		fmt.Fprintf(w, "keeper_up %d\nkeeper_pending %d\nkeeper_dead_letters %d\nkeeper_addresses_behind %d\n", up, s.Pending, s.DeadLetters, s.Behind)
		fmt.Fprintf(w, "keeper_delivered_total %d\nkeeper_refused_total %d\n", c.delivered.Load(), c.refused.Load())
		for o := range c.ended {
			fmt.Fprintf(w, "keeper_events_total{outcome=%q} %d\n", webhooks.Outcome(o), c.ended[o].Load())
		}
		for name, at := range map[string]types.Time{"oldest": s.Oldest, "delivered": s.Delivered} {
			if !at.IsZero() {
				fmt.Fprintf(w, "keeper_%s_timestamp_seconds %d\n", name, at.Unix())
			}
		}
		for _, p := range s.Problems {
			fmt.Fprintf(w, "keeper_problem_since_seconds{cause=%q} %d\n", p.Cause, p.Since.Unix())
		}
	}
}

// The adapter is the one of the documentation.
func TestMetrics(t *testing.T) {
	source, err := os.ReadFile("metrics_test.go")
	require.NoError(t, err)
	page, err := os.ReadFile("../../docs/production.md")
	require.NoError(t, err)
	_, own, _ := strings.Cut(string(source), "// counts are")
	own, _, _ = strings.Cut(own, "\n// The adapter is")
	require.Contains(t, string(page), own)
	in(t, func(t *testing.T, s *setup) {
		c := new(counts)
		s.cfg.Observer = c
		s.start()
		s.swap(account, true)
		s.failing(no)
		s.swap(account, true)
		s.service.FailShare("", 1, fake.Status(503))
		time.Sleep(6 * time.Minute)
		w := httptest.NewRecorder()
		metrics(s.keeper, c)(w, httptest.NewRequest(http.MethodGet, "/metrics", http.NoBody))
		for _, line := range []string{"keeper_up 0", "keeper_pending 1", `keeper_events_total{outcome="handled"} 1`, `keeper_problem_since_seconds{cause="webhook"} 9`, "keeper_delivered_timestamp_seconds 9"} {
			require.Contains(t, w.Body.String(), line)
		}
	})
}
