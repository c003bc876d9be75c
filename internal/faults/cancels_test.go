package faults_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

// The long form of the suite sets these.
var (
	thorough = flag.Bool("thorough", false, "try each fault on each page instead of one")
	cancels  = flag.Int("cancels", 250, "calls to cancel in a bubble")
)

// A call is one call of this module, with its result and the expected result.
type call struct {
	name string
	get  func(ctx context.Context, c *clients) (result, known any, err error)
	want any // known of the right result
}

var errWrongResult = errors.New("wrong result")

// run makes a call and checks its result.
func (l *call) run(ctx context.Context, c *clients) error {
	_, known, err := l.get(ctx, c)
	if err == nil && known != l.want {
		err = errWrongResult
	}
	return err
}

// counted returns a page, and its number of items and whether more follow.
func counted[T any](p *types.Page[T], err error) (result, known any, _ error) {
	if err != nil {
		return nil, nil, err
	}
	return p, fmt.Sprint(len(p.Items), p.HasMore), nil
}

// calls has a call for each path through the module.
var calls = []call{
	{"balances", func(ctx context.Context, c *clients) (any, any, error) {
		return counted(c.wallet.Balances(ctx, fakeapi.Wallet, nil).List.Page())
	}, "100 true"},
	{"history", func(ctx context.Context, c *clients) (any, any, error) {
		return counted(c.wallet.History(ctx, fakeapi.Wallet, nil).Page())
	}, "100 true"},
	{"compressed accounts", func(ctx context.Context, c *clients) (any, any, error) {
		return counted(c.compressed.AccountsByOwner(ctx, fakeapi.Owner, nil).Page())
	}, "50 false"},
	{"token accounts", func(ctx context.Context, c *clients) (any, any, error) {
		return counted(c.rpc.TokenAccountsByDelegate(ctx, fakeapi.Delegate, rpc.ByProgram(types.Token2022Program), nil).Page())
	}, "4 false"},
	{"walk with prefetch", func(ctx context.Context, c *clients) (any, any, error) {
		all, err := c.compressed.AccountsByOwner(ctx, fakeapi.Owner, &compressed.AccountsByOwnerOptions{PageOptions: types.PageOptions{Limit: 12, Prefetch: true}}).Collect(1000)
		return all, len(all), err
	}, 50},
	{"identity", func(ctx context.Context, c *clients) (any, any, error) {
		i, err := c.wallet.Identity(ctx, fakeapi.Exchange)
		return i, i != nil && i.Known(), err
	}, true},
	{"identities", func(ctx context.Context, c *clients) (any, any, error) {
		all, err := c.wallet.Identities(ctx, []string{fakeapi.Exchange, fakeapi.Wallet})
		return all, len(all) == 2 && all[0].Known(), err
	}, true},
	{"webhooks", func(ctx context.Context, c *clients) (any, any, error) {
		all, err := c.webhooks.Webhooks(ctx)
		return all, len(all), err
	}, 0},
}

// pace is a limiter that passes requests at regular intervals.
type pace struct {
	every time.Duration
	mu    sync.Mutex
	next  time.Time
}

func (p *pace) Wait(ctx context.Context) error {
	p.mu.Lock()
	at := p.next
	if now := time.Now(); at.Before(now) {
		at = now
	}
	p.next = at.Add(p.every)
	p.mu.Unlock()
	select {
	case <-time.After(time.Until(at)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// mixed has a fault for half of the requests, and delays half of the responses.
func mixed(kinds []kind, longest time.Duration) func(*asked) *kind {
	return func(*asked) *kind {
		act := func(_ *world, c net.Conn, good []byte) bool {
			_, err := c.Write(good)
			return err == nil
		}
		if rand.IntN(2) == 0 {
			act = kinds[rand.IntN(len(kinds))].act
		}
		if rand.IntN(2) == 0 {
			return &kind{act: act}
		}
		return &kind{act: func(w *world, c net.Conn, good []byte) bool {
			time.Sleep(rand.N(longest))
			return act(w, late{c, longest}, good)
		}}
	}
}

// A late connection pauses in the middle of each write.
type late struct {
	net.Conn

	longest time.Duration
}

func (c late) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b[:len(b)/2])
	if err != nil {
		return n, err
	}
	time.Sleep(rand.N(c.longest))
	rest, err := c.Conn.Write(b[n:])
	return n + rest, err
}

// cancelMany makes calls until count of them were cancelled, each at a random moment within one
// of the durations. It returns the delays with which these returned.
func cancelMany(t *testing.T, w *world, cfg types.Config, count int, within ...time.Duration) []time.Duration {
	t.Helper()
	if testing.Short() {
		count /= 10
	}
	var (
		workers sync.WaitGroup
		mu      sync.Mutex
		made    int
		lates   []time.Duration
	)
	for range 50 {
		workers.Go(func() {
			for {
				mu.Lock()
				enough := len(lates) >= count
				made++
				mu.Unlock()
				if enough {
					return
				}
				call := calls[rand.IntN(len(calls))]
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan time.Time, 1)
				timer := time.AfterFunc(rand.N(within[rand.IntN(len(within))]), func() {
					ended <- time.Now()
					cancel()
				})
				err := call.run(ctx, connect(t, cfg)) // a new client, with a full retry budget
				now := time.Now()
				timer.Stop()
				w.err(err)
				switch {
				case errors.Is(err, errWrongResult):
					w.note("%s: %v", call.name, err)
				case errors.Is(err, context.Canceled) && ctx.Err() == nil:
					w.note("%s ended before its context: %v", call.name, err)
				case errors.Is(err, context.Canceled):
					mu.Lock()
					lates = append(lates, now.Sub(<-ended))
					mu.Unlock()
				}
				cancel()
			}
		})
	}
	workers.Wait()
	slices.Sort(lates)
	t.Logf("%d calls, %d cancelled, %d faults in %d requests", made, len(lates), w.injected.Load(), w.requests.Load())
	return lates
}

// settle is the pause before a request on an HTTP/1 connection that was used before.
const settle = time.Millisecond

func passing() []kind {
	return slices.DeleteFunc(slices.Clone(kinds), func(k kind) bool { return !k.has(passes) })
}

func TestCancelledCallsEndAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := inPipes(t)
		w.plan = mixed(passing(), time.Second)
		cfg := w.config()
		cfg.Limiter = &pace{every: 10 * time.Millisecond}
		lates := cancelMany(t, w, cfg, *cancels, 1, 100*time.Millisecond, time.Second, 10*time.Second, time.Minute)
		require.Zero(t, lates[len(lates)-1], "the latest")
	})
}
