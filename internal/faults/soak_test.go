package faults_test

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var soak = flag.Duration("soak", time.Second/2, "how long the soak takes")

// use is the resource usage of an idle program.
type use struct {
	heap                    uint64
	goroutines, descriptors int
}

func used() use {
	runtime.GC()
	runtime.GC() // the first one only empties the pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	files, _ := os.ReadDir("/proc/self/fd") // none on systems that do not show them
	return use{m.HeapAlloc, runtime.NumGoroutine(), len(files)}
}

// TestSoak makes all calls from three hundred goroutines over TCP. One request in ten meets a
// fault, one call in fifty is cancelled, and the service restarts in every round. No call fails,
// and the resource usage does not grow. Calls that have not ended half the duration after their
// round are cancelled too: with bad luck, their retries wait for many seconds.
func TestSoak(t *testing.T) {
	var calm []use // after each round
	t.Run("rounds", func(t *testing.T) {
		w := overTCP(t)
		var quick, stalling []kind
		for _, k := range passing() {
			if k.has(slow) {
				stalling = append(stalling, k)
			} else {
				quick = append(quick, k)
			}
		}
		w.plan = func(*asked) *kind {
			switch n := rand.IntN(10_000); {
			case n < 1000:
				return &quick[rand.IntN(len(quick))]
			case n == 1000 && *soak > 10*time.Second:
				return &stalling[rand.IntN(len(stalling))]
			}
			return nil
		}
		cfg := w.config()
		cfg.MaxAttempts = 8 // with 4, one call in ten thousand would rightly fail
		cfg.HTTPClient.Timeout = time.Minute
		if *soak > 10*time.Second {
			cfg.HTTPClient.Timeout = 2 * time.Second
		}
		var made, cancelled atomic.Int64
		start := time.Now()
		rounds := min(max(int(*soak/(500*time.Millisecond)), 2), 10)
		for round := range rounds {
			end := start.Add(*soak / time.Duration(rounds) * time.Duration(round+1))
			// with a deadline, calls would fail before it
			all, cancelAll := context.WithCancel(t.Context())
			late := time.AfterFunc(time.Until(end.Add(*soak/2)), cancelAll)
			var workers sync.WaitGroup
			for range 300 {
				c := connect(t, cfg) // with its own retry budget: a restart hits all at once
				workers.Go(func() {
					for time.Now().Before(end) {
						call := calls[rand.IntN(len(calls))]
						ctx, cancel := context.WithCancel(all)
						if rand.IntN(50) == 0 {
							time.AfterFunc(rand.N(20*time.Millisecond), cancel)
						}
						err := call.run(ctx, c)
						made.Add(1)
						switch {
						case errors.Is(err, context.Canceled) && ctx.Err() != nil:
							cancelled.Add(1)
						case err != nil:
							w.note("%s: %v", call.name, err)
						}
						w.err(err)
						cancel()
					}
				})
			}
			time.Sleep(time.Until(end) / 2)
			w.crash()
			w.rise()
			workers.Wait()
			late.Stop()
			cancelAll()
			w.transport.CloseIdleConnections()
			requireSoon(t, "connections left open", func() bool { return w.connections() == 0 })
			calm = append(calm, used())
		}
		t.Logf("%d calls in %v, of which %d cancelled; %d requests; %d faults and %d restarts survived",
			made.Load(), time.Since(start).Round(time.Second), cancelled.Load(), w.requests.Load(), w.injected.Load(), w.crashes.Load())
	})
	for _, u := range calm {
		t.Logf("%.1f MiB, %d goroutines, %d descriptors", float64(u.heap)/(1<<20), u.goroutines, u.descriptors)
	}
	first, last := calm[0], calm[len(calm)-1]
	require.LessOrEqual(t, last.heap, first.heap+8<<20)
	require.LessOrEqual(t, last.goroutines, first.goroutines+2)
	require.LessOrEqual(t, last.descriptors, first.descriptors+2)
	require.Less(t, slices.MaxFunc(calm, func(a, b use) int { return a.goroutines - b.goroutines }).goroutines, first.goroutines+10)
}
