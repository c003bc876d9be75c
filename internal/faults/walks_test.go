package faults_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// places numbers the requests of a listing by their contents, in the order of their first
// appearance.
type places struct {
	mu    sync.Mutex
	seen  []string
	tries map[string]int
}

// of returns the number of the request and of its try, both from 0.
func (p *places) of(a *asked) (request, try int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	place := a.place()
	if request = slices.Index(p.seen, place); request < 0 {
		request = len(p.seen)
		p.seen = append(p.seen, place)
		p.tries = map[string]int{}
	}
	try = p.tries[place]
	p.tries[place]++
	return request, try
}

// walkAll returns the items of a listing without faults, page by page.
func walkAll(t *testing.T, l *listing) (pages [][]string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := inPipes(t)
		for p, err := range l.pages(t.Context(), connect(t, w.config()), "", false) {
			require.NoError(t, err)
			pages = append(pages, p.items)
		}
	})
	require.GreaterOrEqual(t, len(pages), 5, l.name)
	all := slices.Concat(pages...)
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(all))), len(all), "the items must be distinct")
	return pages
}

// eachWalk runs a test for each listing, kind of fault, request that it hits, and
// prefetch, each in a bubble. Whole is the listing page by page.
func eachWalk(t *testing.T, kinds []kind, f func(t *testing.T, l *listing, k *kind, whole [][]string, at int, prefetch bool)) {
	t.Helper()
	for n := range listings {
		l := &listings[n]
		whole := walkAll(t, l)
		for i := range kinds {
			k := &kinds[i]
			if !*thorough && (n+i)%3 != 0 {
				// every listing meets a third of the faults, and every fault a third of the
				// listings
				continue
			}
			t.Run(l.name+"/"+k.name, func(t *testing.T) {
				t.Parallel()
				all := 2 * len(whole) // with and without prefetch
				for n := range all {
					if !*thorough && n != i%all {
						continue
					}
					synctest.Test(t, func(t *testing.T) { f(t, l, k, whole, n/2, n%2 == 1) })
				}
			})
		}
	}
}

// A transient fault does not show: every request is repeated until its response comes. The
// service may even restart.
func TestWalksSurviveEveryFault(t *testing.T) {
	t.Parallel()
	restarts := []kind{
		{"restart inside the body", passes, restart(halfBody)},
		{"restart after the response", passes, restart(func(b []byte) int { return len(b) })},
	}
	eachWalk(t, append(passing(), restarts...), func(t *testing.T, l *listing, k *kind, whole [][]string, at int, prefetch bool) {
		w := inPipes(t)
		var walk places
		w.plan = func(a *asked) *kind {
			if request, try := walk.of(a); request == at && try == 0 {
				return k
			}
			return nil
		}
		var got []string
		for p, err := range l.pages(t.Context(), connect(t, w.config()), "", prefetch) {
			require.NoError(t, err, "request %d", at)
			got = append(got, p.items...)
		}
		require.Equal(t, slices.Concat(whole...), got, "request %d", at)
		require.EqualValues(t, 1, w.injected.Load())
	})
}

// A permanent fault ends the walk with an error. A walk that resumes after the last
// page yields the rest, without gaps or repeats.
func TestWalksResumeAfterEveryFault(t *testing.T) {
	t.Parallel()
	eachWalk(t, kinds, func(t *testing.T, l *listing, k *kind, whole [][]string, at int, prefetch bool) {
		w := inPipes(t)
		var walk places
		down := true
		w.plan = func(a *asked) *kind {
			if request, _ := walk.of(a); request == at && down {
				return k
			}
			return nil
		}
		cfg := w.config()
		cfg.MaxAttempts = 2
		var got []string
		var next string
		var last error
		for p, err := range l.pages(t.Context(), connect(t, cfg), "", prefetch) {
			require.NoError(t, last, "an error comes last")
			if last = err; err != nil {
				require.Empty(t, p)
				continue
			}
			got = append(got, p.items...)
			next = p.next
		}
		require.Error(t, last, "request %d", at)
		w.err(last)
		require.Equal(t, slices.Concat(whole[:l.before(at, len(whole))]...), got, "request %d", at)

		synctest.Wait()
		down = false
		for p, err := range l.pages(t.Context(), connect(t, cfg), next, prefetch) {
			require.NoError(t, err, "request %d", at)
			got = append(got, p.items...)
		}
		require.Equal(t, slices.Concat(whole...), got, "request %d", at)
	})
}

// A break returns at once, even during a prefetch, and leaves nothing behind.
func TestBreakAtEveryItem(t *testing.T) {
	t.Parallel()
	stall := &kind{act: cut(halfBody, stalled)}
	for i := range listings {
		l := &listings[i]
		whole := walkAll(t, l)
		all := slices.Concat(whole...)
		for _, prefetch := range []bool{false, true} {
			t.Run(fmt.Sprint(l.name, "/prefetch ", prefetch), func(t *testing.T) {
				t.Parallel()
				for stop := 1; stop <= len(all); stop++ {
					if !*thorough && stop%31 != 1 {
						continue
					}
					synctest.Test(t, func(t *testing.T) {
						w := inPipes(t)
						page := 0 // that the break is on
						for items := len(whole[0]); items < stop; items += len(whole[page]) {
							page++
						}
						var walk places
						w.plan = func(a *asked) *kind {
							if request, _ := walk.of(a); l.before(request, len(whole)) > page {
								return stall
							}
							return nil
						}
						var got []string
						var left time.Time
						for item, err := range l.items(t.Context(), connect(t, w.config()), prefetch) {
							require.NoError(t, err)
							if got = append(got, item); len(got) == stop {
								if stop%2 == 0 {
									synctest.Wait() // until half of the next page is here
								}
								left = time.Now()
								break
							}
						}
						require.Zero(t, time.Since(left))
						require.Equal(t, all[:stop], got)
						synctest.Wait()
						require.Zero(t, w.bodies.Load())
						require.LessOrEqual(t, int(w.requests.Load()), page+2)
					})
				}
			})
		}
	}
}
