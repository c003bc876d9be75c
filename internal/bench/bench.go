// Package bench has the shared parts of the benchmarks: made-up responses of the service, a server
// in another process, and a comparison of two functions. "make bench" runs all benchmarks six
// times on one CPU and prints the medians with benchstat.
//
// These figures have a target. The target from Go 1.27 on, where encoding/json is faster, is in
// parentheses. A "ratio" is ours/other.
//
//	benchmark                          unit           target           what
//	Decode/CompressedAccounts          ratio          ≤ 0.18 (0.45)    CPU, against encoding/json
//	Decode/CompressedTokenAccounts     ratio          ≤ 0.18 (0.45)
//	Decode/ParsedTokenAccounts         ratio          ≤ 0.20 (0.45)
//	Decode/Balances                    ratio          ≤ 0.40 (0.59)    decimals are exact
//	Decode/ProgramAccounts             ratio          ≤ 0.25 (0.60)    10 000 in base64
//	Decode/TransactionsForAddress      ratio          ≤ 0.25 (0.60)    100 whole transactions
//	Decode/Assets                      ratio          ≤ 0.25 (0.60)    1000 assets
//	Decode/ParsedTransactions          ratio          ≤ 0.25 (0.60)    100 of Parsed Events
//	Decode/CompressedAccounts          allocs/item    ≤ 8.5
//	Decode/CompressedTokenAccounts     allocs/item    ≤ 12
//	Decode/ParsedTokenAccounts         allocs/item    ≤ 16
//	Decode/ProgramAccounts             allocs/item    ≤ 5.1
//	Decode/TransactionsForAddress      allocs/item    ≤ 182
//	Decode/Assets                      allocs/item    ≤ 28
//	Decode/ParsedTransactions          allocs/item    ≤ 353
//	SmallCall/1Callers                 allocs/ours    ≤ 100
//	SmallCall/1Callers, 8, 64          ratio          ≤ 1.10           CPU, hand-written client
//	Page/Plain                         ratio          ≤ 0.30 (0.60)    a page of 1000 accounts
//	Page/Gzip                          ratio          ≤ 0.45 (0.65)
//	Page/Zstd                          ratio          ≤ 0.30 (0.45)    against gzip
//	Page/Plain                         bytes/decode   ≤ 1.10           over decoding alone
//	Connections                        connections    ≤ 100            64 callers, 10 000 calls
//	Notification/1kB, 100kB            ratio          ≤ 0.50 (0.80)    CPU, hand-written loop
//	Walk/100000, latency and prefetch  ms/page        ≤ 24             20 ms latency, 10 ms work
//	Walk/1000000                       peak-MB        ≤ 24             1.15 times Walk/100000
//	Walk/1000000                       credits        ≤ 10 010         1000 pages and the last
//	TokenAccountsByDelegate/Decoded    ratio          ≤ 0.20 (0.25)    solana-go, 1000 jsonParsed
//	ProgramAccounts/Decoded            ratio          ≤ 0.35 (0.40)    solana-go, 10 000 in base64
//	Block                              ratio          ≤ 0.40 (0.40)    solana-go, 500 transactions
//
// Walk with two processors, Decode/ParsedAlone, CompressedPage, connections-at-most, and the
// rows of solana-go named Raw are printed without a target. In Raw, one side leaves data encoded
// that the other decodes. Tests hold the allocations to their targets; times are only reported.
package bench

import (
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"testing"
	"time"
)

// rounds is the smallest number of rounds with a useful median.
const rounds = 6

// Compare runs ours and other in turns, on one processor and by a number of callers at once. It
// reports the CPU time of each and their quotient, as medians of the rounds. Each iteration of b
// is a round. With -short, the turns tell only that both run.
func Compare(b *testing.B, callers int, ours, other func() error) {
	b.Helper()
	turn := 200 * time.Millisecond
	if testing.Short() {
		turn = time.Millisecond
	}
	compare(b, turn, callers, cpuTime, ours, other)
}

func compare(b *testing.B, turn time.Duration, callers int, clock func() time.Duration, ours, other func() error) {
	b.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // as a user's program
	us, them := side{b, callers, 0, clock, ours}, side{b, callers, 0, clock, other}
	us.measure(turn)
	them.measure(turn)
	var x, y, quotients []float64
	round := func() {
		var u, t float64
		if len(quotients)%2 == 0 {
			u = us.cost()
			t = them.cost()
		} else { // the second one may find the processor warm, or hot
			t = them.cost()
			u = us.cost()
		}
		x, y, quotients = append(x, u), append(y, t), append(quotients, u/t)
	}
	for b.Loop() {
		round()
	}
	for len(quotients) < rounds {
		round()
	}
	b.ReportMetric(0, "ns/op") // the time of a round says nothing
	b.ReportMetric(Median(x), "cpu-ns/ours")
	b.ReportMetric(Median(y), "cpu-ns/other")
	b.ReportMetric(Median(quotients), "ours/other")
}

// A side of a comparison is run by some callers, n times each in a turn.
type side struct {
	tb      testing.TB
	callers int
	n       int
	clock   func() time.Duration
	f       func() error
}

// measure finds out how large n has to be for a turn.
func (s *side) measure(turn time.Duration) {
	s.n = 1
	s.run() // the first time is never like the rest
	for {
		start := s.clock()
		s.run()
		if took := s.clock() - start; took > turn/8 {
			s.n = max(1, int(int64(s.n)*int64(turn)/int64(took)))
			return
		}
		s.n *= 2
	}
}

// cost runs the side for a turn and returns the nanoseconds of CPU time that
// each time took.
func (s *side) cost() float64 {
	runtime.GC() // the garbage of the other side is not ours
	start := s.clock()
	s.run()
	return float64(s.clock()-start) / float64(s.callers*s.n)
}

func (s *side) run() {
	var all sync.WaitGroup
	for range s.callers {
		all.Go(func() {
			for range s.n {
				if err := s.f(); err != nil {
					s.tb.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// Median returns the median of values, which it sorts.
func Median(values []float64) float64 {
	slices.Sort(values)
	middle := len(values) / 2
	return (values[middle] + values[(len(values)-1)/2]) / 2
}

// Allocs returns the allocations and bytes of one of n runs of f, in all goroutines
// together. Allocations are whole ones, as with testing.AllocsPerRun:
// now and then the collector empties a pool.
func Allocs(tb testing.TB, n int, f func() error) (allocs, bytes float64) {
	tb.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // as a user's program
	once := side{tb, 1, 1, cpuTime, f}
	once.run() // fills the pools
	once.n = n
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	once.run()
	runtime.ReadMemStats(&after)
	allocs = math.Floor(float64(after.Mallocs-before.Mallocs) / float64(n))
	return allocs, float64(after.TotalAlloc-before.TotalAlloc) / float64(n)
}

// A Listing is a page with items, and the two ways of decoding it that are compared.
type Listing struct {
	Name        string
	Items       int
	Allocs      float64 // the most that ours may make per item
	Ours, Other func() error
}

// Decoded returns how to decode body into a T.
func Decoded[T any](unmarshal func([]byte, any) error, body []byte) func() error {
	return func() error { return unmarshal(body, new(T)) }
}

// Decode compares the two ways of each listing.
func Decode(b *testing.B, listings []Listing) {
	b.Helper()
	for _, l := range listings {
		b.Run(l.Name, func(b *testing.B) {
			Compare(b, 1, l.Ours, l.Other)
			b.ReportMetric(l.allocsPerItem(b), "allocs/item")
		})
	}
}

// CheckAllocs fails tb if a listing makes too many allocations. They repeat exactly where times
// do not. Calls of all goroutines count, so tb must not be parallel.
func CheckAllocs(tb testing.TB, listings []Listing) {
	tb.Helper()
	for _, l := range listings {
		if n := l.allocsPerItem(tb); n > l.Allocs {
			tb.Errorf("%s: %v allocations per item, more than %v", l.Name, n, l.Allocs)
		}
	}
}

// allocsPerItem is to one decimal: the remainder belongs to the page.
func (l Listing) allocsPerItem(tb testing.TB) float64 {
	tb.Helper()
	allocs, _ := Allocs(tb, 20, l.Ours)
	return math.Round(10*allocs/float64(l.Items)) / 10
}
