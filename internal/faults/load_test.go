package faults_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
)

// perSecond is the rate of a small plan.
const perSecond = 10

// A plan of the service refuses what comes too often: more than its rate
// within any second.
type ratePlan struct {
	mu      sync.Mutex
	granted []time.Time
	refused atomic.Int64
	refusal kind
}

func (p *ratePlan) check(*asked) *kind {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.granted = slices.DeleteFunc(p.granted, func(at time.Time) bool { return time.Since(at) >= time.Second })
	if len(p.granted) == perSecond {
		p.refused.Add(1)
		return &p.refusal
	}
	p.granted = append(p.granted, time.Now())
	return nil
}

// languages are a call of each, whose retries are kept within bounds apart.
var languages = []call{
	{"REST", func(ctx context.Context, c *clients) error {
		_, err := c.wallet.Balances(ctx, fake.Collector, nil)
		return err
	}},
	{"JSON-RPC", func(ctx context.Context, c *clients) error {
		_, err := c.compressed.AccountsByOwner(ctx, fake.Owner, nil)
		return err
	}},
}

// crowd makes a call again and again from 64 goroutines through one client, 640
// times in all, and returns how many of them failed.
func crowd(t *testing.T, w *world, cfg types.Config, call call) (failed int64) {
	t.Helper()
	c := connect(t, cfg)
	var callers sync.WaitGroup
	var errs atomic.Int64
	for range 64 {
		callers.Go(func() {
			for range 10 {
				if err := call.run(t.Context(), c); err != nil {
					w.err(err)
					errs.Add(1)
				}
			}
		})
	}
	callers.Wait()
	return errs.Load()
}

func TestLimiterLeavesNothingRefused(t *testing.T) {
	t.Parallel()
	for _, call := range languages {
		t.Run(call.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := inPipes(t)
				plan := &ratePlan{refusal: kind{act: answer(429, `{"error":"slow down"}`)}}
				w.plan = plan.check
				cfg := w.config()
				cfg.Limiter = &pace{every: time.Second / perSecond}
				start := time.Now()
				require.Zero(t, crowd(t, w, cfg, call))
				require.Zero(t, plan.refused.Load())
				require.EqualValues(t, 640, w.requests.Load())
				require.Equal(t, 639*time.Second/perSecond, time.Since(start), "nor is the plan left unused")
			})
		})
	}
}

// Without a limiter the same calls are mostly refused, and some fail. The
// budget and the waits still keep what is sent within bounds.
func TestWithoutLimiterMostIsRefused(t *testing.T) {
	t.Parallel()
	for _, call := range languages {
		for name, headers := range map[string][]string{"computed waits": nil, "Retry-After 1": {"Retry-After: 1"}} {
			t.Run(call.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					w := inPipes(t)
					plan := &ratePlan{refusal: kind{act: answer(429, `{"error":"slow down"}`, headers...)}}
					w.plan = plan.check
					start := time.Now()
					failed := crowd(t, w, w.config(), call)
					sent, refused := w.requests.Load(), plan.refused.Load()
					t.Logf("640 calls, %d failed; %d requests, %d refused; %v", failed, sent, refused, time.Since(start))
					require.Less(t, sent, int64(640*1.25))
					require.Greater(t, refused, sent/2)
				})
			})
		}
	}
}

// When everything fails, the budget pays a hundred retries, whatever the number
// of calls.
func TestOutageIsNotMultiplied(t *testing.T) {
	t.Parallel()
	for i := range kinds {
		k := &kinds[i]
		if !k.has(passes) || raced && i%5 != 0 {
			continue
		}
		for _, call := range languages {
			t.Run(k.name+"/"+call.name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { failThroughout(t, k, call) })
			})
		}
	}
}

func failThroughout(t *testing.T, k *kind, call call) {
	t.Helper()
	w := inPipes(t)
	w.plan = func(*asked) *kind { return k }
	c := connect(t, w.config())
	var callers sync.WaitGroup
	for range 25 {
		callers.Go(func() {
			for i := range 20 {
				err := call.run(t.Context(), c)
				if err == nil {
					w.note("a call succeeded in an outage")
				}
				if i == 0 {
					w.err(err)
				}
			}
		})
	}
	callers.Wait()
	require.LessOrEqual(t, w.handed.Load(), int64(600), "for 500 calls")
}

// Callers that failed together do not come back together.
func TestCallersComeBackApart(t *testing.T) {
	t.Parallel()
	for _, call := range languages {
		for _, down := range []string{"500", "503 with Retry-After"} {
			t.Run(call.name+"/"+down, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					w := inPipes(t)
					start := time.Now()
					var mu sync.Mutex
					var again []time.Duration
					k := &kinds[slices.IndexFunc(kinds, func(k kind) bool { return k.name == down })]
					w.plan = func(*asked) *kind {
						mu.Lock()
						defer mu.Unlock()
						if now := time.Since(start); now > 0 {
							again = append(again, now)
							return nil
						}
						return k
					}
					var callers sync.WaitGroup
					for range 200 {
						c := connect(t, w.config()) // on a machine of its own
						callers.Go(func() {
							if err := call.run(t.Context(), c); err != nil {
								w.note("%v", err)
							}
						})
					}
					callers.Wait()
					require.Len(t, again, 200)
					slices.Sort(again)
					for i := range again {
						if i+100 < len(again) {
							require.Greater(t, again[i+100]-again[i], 50*time.Millisecond, "half of them at once")
						}
					}
				})
			})
		}
	}
}
