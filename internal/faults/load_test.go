package faults_test

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

// perSecond is the rate limit of a small plan.
const perSecond = 10

// A ratePlan refuses requests above its rate within any second.
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

// languages has a call of REST and of JSON-RPC.
var languages = []call{calls[5], calls[3]}

// crowd makes 640 calls through one client from 64 goroutines, and returns how many
// failed.
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
				require.GreaterOrEqual(t, time.Since(start), 639*time.Second/perSecond)
				require.LessOrEqual(t, time.Since(start), 639*time.Second/perSecond+settle, "nor is the plan left unused")
			})
		})
	}
}

// When everything fails, the budget allows a hundred retries, however many calls
// there are.
func TestOutageIsNotMultiplied(t *testing.T) {
	t.Parallel()
	for i := range kinds {
		k := &kinds[i]
		if !k.has(passes) {
			continue
		}
		for n, call := range languages {
			if !*thorough && n != i%2 {
				continue
			}
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
	for range 15 {
		callers.Go(func() {
			for i := range 4 {
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
	require.LessOrEqual(t, w.handed.Load(), int64(160), "for 60 calls")
}

// Callers that failed at the same moment retry at different moments.
func TestCallersComeBackApart(t *testing.T) {
	t.Parallel()
	for i, down := range []string{"500", "503 with Retry-After"} {
		t.Run(down, func(t *testing.T) {
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
					if now := time.Since(start); now > settle { // not the first tries
						again = append(again, now)
						return nil
					}
					return k
				}
				var callers sync.WaitGroup
				for range 100 {
					c := connect(t, w.config()) // as if on another machine
					callers.Go(func() {
						if err := languages[i].run(t.Context(), c); err != nil {
							w.note("%v", err)
						}
					})
				}
				callers.Wait()
				require.Len(t, again, 100)
				slices.Sort(again)
				for i := range again {
					if i+50 < len(again) {
						require.Greater(t, again[i+50]-again[i], 50*time.Millisecond, "half of them at once")
					}
				}
			})
		})
	}
}
