package faults_test

import (
	"context"
	"net"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

// A restart is a way in which the service restarts during a walk. Prepare returns a
// function that is called after each page.
type restart struct {
	name    string
	prepare func(w *world, cfg *types.Config) (after func())
}

var restarts = []restart{
	{"between pages", func(w *world, _ *types.Config) func() {
		return func() {
			w.crash()
			w.rise()
		}
	}},
	{"inside pages", func(w *world, _ *types.Config) func() {
		var walk places
		w.plan = func(a *asked) *kind {
			if _, try := walk.of(a); try > 0 {
				return nil
			}
			return &kind{act: cut(halfBody, func(net.Conn) {
				w.crash()
				w.rise()
			})}
		}
		return func() {}
	}},
	{"down until the second try", func(w *world, cfg *types.Config) func() {
		var mu sync.Mutex
		tries, down := 0, false
		cfg.Limiter = limiterFunc(func() {
			mu.Lock()
			defer mu.Unlock()
			if tries++; down && tries == 2 {
				w.rise()
				down = false
			}
		})
		return func() {
			mu.Lock()
			defer mu.Unlock()
			w.crash()
			tries, down = 0, true
		}
	}},
}

// A limiterFunc is called before each attempt.
type limiterFunc func()

func (f limiterFunc) Wait(context.Context) error {
	f()
	return nil
}

// The service restarts around every page of every listing, unnoticed by the walks.
func TestWalksSurviveRestarts(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs seconds")
	}
	for i := range listings {
		l := &listings[i]
		want := slices.Concat(walkAll(t, l)...)
		for _, r := range restarts {
			for _, prefetch := range []bool{false, true} {
				synctest.Test(t, func(t *testing.T) {
					w := inPipes(t)
					cfg := w.config()
					after := r.prepare(w, &cfg)
					var got []string
					for p, err := range l.pages(t.Context(), connect(t, cfg), "", prefetch) {
						require.NoError(t, err, "%s, %s", l.name, r.name)
						got = append(got, p.items...)
						after()
					}
					require.Equal(t, want, got, "%s, %s", l.name, r.name)
					require.GreaterOrEqual(t, w.crashes.Load(), int64(4))
				})
			}
		}
	}
}
