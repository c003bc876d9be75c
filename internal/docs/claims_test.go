package docs_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

// Figures of the documentation that no other package measures.

// interval is a Limiter of evenly spaced requests.
type interval struct {
	every time.Duration
	mu    sync.Mutex
	next  time.Time
}

func (l *interval) Wait(ctx context.Context) error {
	l.mu.Lock()
	wait := time.Until(l.next)
	l.next = time.Now().Add(max(wait, 0) + l.every)
	l.mu.Unlock()
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Fifty workers make a thousand calls of a service that takes ten requests a
// second.
func TestLimiterSparesRefusals(t *testing.T) {
	t.Parallel()
	work := func(limiter types.Limiter) (refused, failed float64, took time.Duration) {
		synctest.Test(t, func(t *testing.T) {
			var requests, refusals, failures atomic.Int64
			service := fake.New()
			service.Unrecorded = true
			var mu sync.Mutex
			room, since := 10.0, time.Now()
			service.Before = func(w http.ResponseWriter, _ *http.Request) bool {
				mu.Lock()
				defer mu.Unlock()
				requests.Add(1)
				room = min(10, room+10*time.Since(since).Seconds())
				since = time.Now()
				if room >= 1 {
					room--
					return false
				}
				refusals.Add(1)
				w.WriteHeader(http.StatusTooManyRequests)
				return true
			}
			cfg := service.Config()
			cfg.Limiter = limiter
			wallets, err := wallet.New(cfg)
			require.NoError(t, err)
			started := time.Now()
			var workers sync.WaitGroup
			for range 50 {
				workers.Go(func() {
					for range 20 {
						time.Sleep(50 * time.Millisecond) // the way there and back
						if _, err := wallets.Balances(t.Context(), fake.Wallet, &wallet.BalancesOptions{Limit: 1}); err != nil {
							require.ErrorIs(t, err, types.ErrRateLimited)
							failures.Add(1)
						}
					}
				})
			}
			workers.Wait()
			took = time.Since(started)
			refused = float64(refusals.Load()) / float64(requests.Load())
			failed = float64(failures.Load()) / 1000
		})
		return refused, failed, took
	}
	_, failed, _ := work(nil)
	require.Greater(t, failed, 0.9, "the budget for retries runs dry")
	refused, failed, took := work(&interval{every: 100 * time.Millisecond})
	require.Zero(t, refused)
	require.Zero(t, failed)
	require.Less(t, took, 101*time.Second, "a thousand calls take 100 s at this rate")
}

// Balances are cut into pages by rank. Between two pages a token is sold and
// another bought, each at any rank.
func TestBalancesThatChangeDuringAWalk(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	walk := func(page int) (missed, twice int) {
		held := make([]int, 950)
		for i := range held {
			held[i] = i
		}
		bought := len(held)
		seen := map[int]int{}
		for at := 0; at < len(held); at += page {
			for _, token := range held[at:min(at+page, len(held))] {
				seen[token]++
			}
			sold := random.IntN(len(held))
			held = slices.Delete(held, sold, sold+1)
			held = slices.Insert(held, random.IntN(len(held)+1), bought)
			bought++
		}
		for token := range 950 { // one that is sold later was there all the same
			if seen[token] == 0 && slices.Contains(held, token) {
				missed++
			}
		}
		for _, n := range seen {
			twice += n - 1
		}
		return missed, twice
	}
	missed, twice := average(walk, 100)
	require.InDelta(t, 1.6, missed, 0.3)
	require.InDelta(t, 1.6, twice, 0.3)
	missed, twice = average(walk, 10)
	require.InDelta(t, 15, missed, 2, "about ten times as many")
	require.InDelta(t, 15, twice, 2)
}

// Compressed accounts come in the order of their hashes. Between two pages, ten
// of 5000 change and with that their hash.
func TestCompressedAccountsThatChangeDuringAWalk(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	missed, twice := average(func(page int) (missed, twice int) {
		hashes := make([]float64, 5000)
		for i := range hashes {
			hashes[i] = random.Float64()
		}
		seen := make([]int, len(hashes))
		for cursor := 0.0; ; {
			var rest []int
			for i, hash := range hashes {
				if hash > cursor {
					rest = append(rest, i)
				}
			}
			slices.SortFunc(rest, func(i, j int) int { return cmp.Compare(hashes[i], hashes[j]) })
			rest = rest[:min(page, len(rest))]
			for _, i := range rest {
				seen[i]++
			}
			if len(rest) < page {
				break
			}
			cursor = hashes[rest[page-1]]
			for range 10 {
				hashes[random.IntN(len(hashes))] = random.Float64()
			}
		}
		for _, n := range seen {
			if n == 0 {
				missed++
			}
			twice += max(n-1, 0)
		}
		return missed, twice
	}, 1000)
	require.InDelta(t, 8, missed, 1)
	require.InDelta(t, 8, twice, 1)
}

// Where a server sorts by leaf index while its cursors compare hashes, accounts
// are lost though nothing changes.
func TestAccountsInLeafIndexOrderAreLost(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	walk := func(accounts int) func(int) (int, int) {
		return func(page int) (distinct, repeated int) {
			hashes := random.Perm(accounts) // by leaf index
			seen := map[int]int{}
			for cursor := -1; ; {
				got, last := 0, 0
				for leaf, hash := range hashes {
					if hash > cursor && got < page {
						seen[leaf]++
						last = hash
						got++
					}
				}
				if got < page {
					break
				}
				cursor = last
			}
			for _, n := range seen {
				repeated += n - 1
			}
			return len(seen), repeated
		}
	}
	distinct, repeated := average(walk(3000), 1000)
	require.InDelta(t, 1500, distinct, 100, "about half of 3000")
	require.Greater(t, repeated, 900.0, "many of them twice or more")
	distinct, _ = average(walk(100), 10)
	require.InDelta(t, 22.5, distinct, 2, "less than a quarter of 100")
}

// What a program of a user downloads besides this module and what it asks for
// itself.
func TestModulesThatComeAlong(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(root + "/internal/testdata/consumer/go.mod")
	require.NoError(t, err)
	modules := 0
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) v`).FindAllStringSubmatch(string(text), -1) {
		if m[1] != "github.com/solwire/solwire-go" && m[1] != "golang.org/x/time" {
			modules++
		}
	}
	require.Equal(t, 6, modules)
	require.Contains(t, read(t, root+"/README.md").prose, "Six modules come with it")
}

// average runs a walk by pages of one size many times.
func average(walk func(page int) (a, b int), page int) (x, y float64) {
	const runs = 100
	for range runs {
		a, b := walk(page)
		x += float64(a) / runs
		y += float64(b) / runs
	}
	return x, y
}

// The table of the README has the attributes that records have, all of them,
// and no more.
func TestRecordsHaveWhatTheTableSays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var records bytes.Buffer
		service := fake.New()
		tries := 0
		service.Before = func(w http.ResponseWriter, _ *http.Request) bool {
			tries++
			if tries == 1 {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
			return tries == 1
		}
		cfg := service.Config()
		cfg.Logger = slog.New(slog.NewJSONHandler(&records, &slog.HandlerOptions{Level: slog.LevelDebug}))
		wallets, err := wallet.New(cfg)
		require.NoError(t, err)
		_, err = wallets.Balances(t.Context(), fake.Wallet, nil)
		require.NoError(t, err)

		has := map[string]bool{}
		for line := range bytes.Lines(records.Bytes()) {
			var record map[string]any
			require.NoError(t, json.Unmarshal(line, &record))
			require.Equal(t, "request", record["msg"])
			require.Equal(t, "DEBUG", record["level"])
			for attribute := range record {
				has[attribute] = true
			}
		}
		delete(has, "msg")
		delete(has, "level")
		delete(has, "time")
		_, section, _ := strings.Cut(read(t, filepath.Join(root, "README.md")).prose, "\n## Diagnostics\n")
		section, _, _ = strings.Cut(section, "\n## ")
		said := map[string]bool{}
		for _, row := range regexp.MustCompile("(?m)^\\| `([a-z]+)` \\|").FindAllStringSubmatch(section, -1) {
			said[row[1]] = true
		}
		require.Equal(t, has, said)
	})
}
