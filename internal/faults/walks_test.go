package faults_test

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// places tells the pages of a walk apart by what is asked for, in the order in
// which they are asked for first.
type places struct {
	mu    sync.Mutex
	seen  []string
	tries map[string]int
}

// of returns the number of the page that a asks for and of its try, both from 0.
func (p *places) of(a *asked) (page, try int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	place := a.place()
	if page = slices.Index(p.seen, place); page < 0 {
		page = len(p.seen)
		p.seen = append(p.seen, place)
		p.tries = map[string]int{}
	}
	try = p.tries[place]
	p.tries[place]++
	return page, try
}

// figures count what the tests of walks did, for the log.
type figures struct{ walks, resumes, faults, requests atomic.Int64 }

func (f *figures) log(t *testing.T) {
	t.Cleanup(func() {
		t.Logf("%d walks, %d resumes, %d faults in %d requests", f.walks.Load(), f.resumes.Load(), f.faults.Load(), f.requests.Load())
	})
}

func (f *figures) add(w *world) {
	f.faults.Add(w.injected.Load())
	f.requests.Add(w.requests.Load())
}

// walkAll returns the items of a listing that nothing happens to, page by page.
func walkAll(t *testing.T, l *listing) (pages [][]string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := inPipes(t)
		for p, err := range l.pages(t.Context(), connect(t, w.config()), "", false) {
			require.NoError(t, err)
			pages = append(pages, p.items)
		}
	})
	require.Len(t, pages, 5, l.name)
	all := slices.Concat(pages...)
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(all))), len(all), "items that nothing tells apart prove nothing")
	return pages
}

// eachWalk runs a test for each listing, kind of fault, page that it hits, and
// prefetch, each in a bubble. Whole is the listing page by page.
func eachWalk(t *testing.T, kinds []kind, f func(t *testing.T, l *listing, k *kind, whole [][]string, at int, prefetch bool)) {
	t.Helper()
	for i := range listings {
		l := &listings[i]
		whole := walkAll(t, l)
		for i := range kinds {
			k := &kinds[i]
			t.Run(l.name+"/"+k.name, func(t *testing.T) {
				t.Parallel()
				for at := range whole {
					if raced && at != i%len(whole) {
						continue
					}
					synctest.Test(t, func(t *testing.T) { f(t, l, k, whole, at, false) })
					synctest.Test(t, func(t *testing.T) { f(t, l, k, whole, at, true) })
				}
			})
		}
	}
}

// A fault that passes does not show: every page is asked for until it comes.
func TestWalksSurviveEveryFault(t *testing.T) {
	t.Parallel()
	var sum figures
	sum.log(t)
	eachWalk(t, passing(), func(t *testing.T, l *listing, k *kind, whole [][]string, at int, prefetch bool) {
		w := inPipes(t)
		var walk places
		w.plan = func(a *asked) *kind {
			if page, try := walk.of(a); page == at && try == 0 {
				return k
			}
			return nil
		}
		var got []string
		for p, err := range l.pages(t.Context(), connect(t, w.config()), "", prefetch) {
			require.NoError(t, err, "page %d", at)
			got = append(got, p.items...)
		}
		require.Equal(t, slices.Concat(whole...), got, "page %d", at)
		require.EqualValues(t, 1, w.injected.Load())
		sum.walks.Add(1)
		sum.add(w)
	})
}

// A fault that stays ends the walk with an error. From the last page that was
// handled, another walk brings the rest: nothing is missing, nothing comes twice.
func TestWalksResumeAfterEveryFault(t *testing.T) {
	t.Parallel()
	var sum figures
	sum.log(t)
	eachWalk(t, kinds, func(t *testing.T, l *listing, k *kind, whole [][]string, at int, prefetch bool) {
		w := inPipes(t)
		var walk places
		down := true
		w.plan = func(a *asked) *kind {
			if page, _ := walk.of(a); page == at && down {
				return k
			}
			return nil
		}
		cfg := w.config()
		cfg.MaxAttempts = 2
		w.hunt.config(cfg)
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
		require.Error(t, last, "page %d", at)
		w.err(last)
		require.Equal(t, slices.Concat(whole[:at]...), got, "page %d", at)

		synctest.Wait()
		down = false
		for p, err := range l.pages(t.Context(), connect(t, cfg), next, prefetch) {
			require.NoError(t, err, "page %d", at)
			got = append(got, p.items...)
		}
		require.Equal(t, slices.Concat(whole...), got, "page %d", at)
		sum.walks.Add(1)
		sum.resumes.Add(1)
		sum.add(w)
	})
}

// Leaving a loop takes no time, whatever is on its way, and leaves nothing.
func TestBreakAtEveryItem(t *testing.T) {
	t.Parallel()
	stall := &kind{act: cut(halfBody, stalled)}
	var breaks atomic.Int64
	t.Cleanup(func() { t.Logf("%d breaks", breaks.Load()) })
	for i := range listings {
		l := &listings[i]
		whole := walkAll(t, l)
		all := slices.Concat(whole...)
		for _, prefetch := range []bool{false, true} {
			t.Run(fmt.Sprint(l.name, "/prefetch ", prefetch), func(t *testing.T) {
				t.Parallel()
				for stop := 1; stop <= len(all); stop++ {
					if raced && stop%10 != 1 {
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
							if asked, _ := walk.of(a); asked > page {
								return stall
							}
							return nil
						}
						var got []string
						start := time.Now()
						for item, err := range l.items(t.Context(), connect(t, w.config()), prefetch) {
							require.NoError(t, err)
							if got = append(got, item); len(got) == stop {
								if stop%2 == 0 {
									synctest.Wait() // until half of the next page is here
								}
								break
							}
						}
						require.Zero(t, time.Since(start))
						require.Equal(t, all[:stop], got)
						synctest.Wait()
						require.Zero(t, w.bodies.Load())
						require.LessOrEqual(t, int(w.requests.Load()), page+2)
						breaks.Add(1)
					})
				}
			})
		}
	}
}
