package webhooks_test

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

// A hookedStore calls a hook before each statement of its records, whose error is returned.
type hookedStore struct {
	webhooks.MemoryStore
	hook  atomic.Pointer[hook]
	clock atomic.Pointer[setting]
}

// A setting of the clock of a store changes the ages of what was stored before.
type setting struct {
	at time.Time
	by time.Duration
}

type hook func(ctx context.Context, call string) error

func (s *hookedStore) set(h hook) { s.hook.Store(&h) }

func (s *hookedStore) before(ctx context.Context, call string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if h := s.hook.Load(); h != nil && *h != nil {
		return (*h)(ctx, call)
	}
	return nil
}

// hooked gives k a hookedStore.
func (k *kept) hooked() *hookedStore {
	k.store = new(hookedStore)
	k.cfg.Store = k.store
	return k.store
}

// storeDown is a hook: what is recorded fails, and the end of the lock hangs.
func storeDown(ctx context.Context, call string) error {
	switch call {
	case "Unlock":
		<-ctx.Done()
		return ctx.Err()
	case "Add", "Claim", "Done":
		return errors.New("store is down")
	}
	return nil
}

type hookedRecord struct {
	webhooks.Record
	*hookedStore
}

func (s *hookedStore) Record(ctx context.Context, name string) (webhooks.Record, error) { //nolint:ireturn // as webhooks.Store demands
	r, err := s.MemoryStore.Record(ctx, name)
	return &hookedRecord{r, s}, errors.Join(err, s.before(ctx, "Record"))
}

// newSeen returns a Seen of a new store.
func newSeen() *hookedRecord { return new(hookedStore).seen() }

// seen returns a Seen as another process has it.
func (s *hookedStore) seen() *hookedRecord {
	r, _ := s.MemoryStore.Record(context.Background(), "seen")
	return &hookedRecord{r, s}
}

// fail makes a call fail.
func (s *hookedStore) fail(call, text string) {
	s.set(func(_ context.Context, c string) error {
		if c == call {
			return errors.New(text)
		}
		return nil
	})
}

// state returns whether sig1 is new, open or done.
func (r *hookedRecord) state() string {
	missing, _ := r.Record.Missing(context.Background(), []types.Signature{sig1})
	open, _ := r.Record.OpenEvents(context.Background(), webhooks.OpenQuery{})
	switch {
	case len(missing) > 0:
		return "new"
	case open.Count > 0:
		return "open"
	}
	return "done"
}

// called calls f after the hook.
func called[T any](ctx context.Context, r *hookedRecord, call string, f func() (T, error)) (none T, err error) {
	if err := r.before(ctx, call); err != nil {
		return none, err
	}
	return f()
}

// did is called for a call that returns an error alone.
func did(ctx context.Context, r *hookedRecord, call string, f func() error) error {
	_, err := called(ctx, r, call, func() (any, error) { return nil, f() })
	return err
}

func (r *hookedRecord) Claim(ctx context.Context, e *webhooks.Event) (bool, error) {
	return called(ctx, r, "Claim", func() (bool, error) { return r.Record.Claim(ctx, e) })
}

func (r *hookedRecord) Renew(ctx context.Context, e *webhooks.Event) error {
	return did(ctx, r, "Renew", func() error { return r.Record.Renew(ctx, e) })
}

func (r *hookedRecord) Done(ctx context.Context, e *webhooks.Event) error {
	return did(ctx, r, "Done", func() error { return r.Record.Done(ctx, e) })
}

func (r *hookedRecord) Release(ctx context.Context, e *webhooks.Event, failure string) error {
	return did(ctx, r, "Release", func() error { return r.Record.Release(ctx, e, failure) })
}

func (r *hookedRecord) OpenEvents(ctx context.Context, q webhooks.OpenQuery) (*webhooks.OpenEvents, error) {
	return called(ctx, r, "OpenEvents", func() (*webhooks.OpenEvents, error) { return r.Record.OpenEvents(ctx, q) })
}

func (r *hookedRecord) Missing(ctx context.Context, signatures []types.Signature) ([]types.Signature, error) {
	return called(ctx, r, "Missing", func() ([]types.Signature, error) { return r.Record.Missing(ctx, signatures) })
}

func (r *hookedRecord) Facts(ctx context.Context, prefix string) ([]webhooks.Fact, error) {
	all, err := called(ctx, r, "Facts", func() ([]webhooks.Fact, error) { return r.Record.Facts(ctx, prefix) })
	for i, f := range all {
		if clock := r.clock.Load(); clock != nil && f.Age > time.Since(clock.at) {
			all[i].Age = (f.Age + clock.by).Abs() // as in package sqlstore
		}
	}
	return all, err
}

func (r *hookedRecord) Add(ctx context.Context, facts ...webhooks.Fact) error {
	return did(ctx, r, "Add", func() error { return r.Record.Add(ctx, facts...) })
}

func (r *hookedRecord) Clean(ctx context.Context, age time.Duration, before uint64) (int64, error) {
	n, err := called(ctx, r, "Clean", func() (int64, error) { return r.Record.Clean(ctx, age, before) })
	if err != nil {
		n = 1
	}
	return n, err
}

func (r *hookedRecord) Put(ctx context.Context, facts ...webhooks.Fact) error {
	for _, f := range facts {
		if err := did(ctx, r, "Put", func() error { return r.Record.Put(ctx, f) }); err != nil {
			return err
		}
	}
	return nil
}

func (r *hookedRecord) Lock(ctx context.Context, hold time.Duration) (bool, error) {
	call := "Lock"
	if hold == 0 {
		call = "Unlock"
	}
	locked, err := called(ctx, r, call, func() (bool, error) { return r.Record.Lock(ctx, hold) })
	if !locked && err == nil {
		err = r.before(ctx, "SELECT") // as in package sqlstore
	}
	return locked, err
}

// A call of the store fails in any way, for a while.
func TestKeeperContinuesAfterCallsOfTheStore(t *testing.T) {
	never := make(chan struct{})
	for name, fault := range map[string]func(context.Context) error{
		"fails":              func(context.Context) error { return errors.New("store is down") },
		"heeds its context":  func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
		"never returns":      func(context.Context) error { <-never; return errors.New("too late") },
		"panics":             func(context.Context) error { panic("no store") },
		"ends its goroutine": func(context.Context) error { runtime.Goexit(); return nil },
	} {
		for _, some := range []bool{false, true} {
			keep(t, func(t *testing.T, k *kept) {
				never = make(chan struct{})
				defer close(never)
				k.cfg.Logger = slog.New(slog.DiscardHandler) // panics
				store := k.hooked()
				k.start()
				down := func(ctx context.Context, call string) error {
					if !some || call == "Done" || call == "OpenEvents" {
						return fault(ctx)
					}
					return nil
				}
				store.set(down)
				first := k.swap(account, true)
				time.Sleep(10 * time.Minute)
				require.NotEmpty(t, k.problem(), name)
				store.set(nil)
				open := k.open()
				time.Sleep(2 * time.Minute)
				require.ElementsMatch(t, []types.Signature{first, open}, k.got.list(), name)
				require.Zero(t, k.status().Open)
				require.Zero(t, k.status().Missed)
				time.Sleep(6 * time.Minute)
				require.Empty(t, k.status().Problems, name)
				store.set(down)
				k.swap(account, true)
				time.Sleep(time.Minute)
				stopping := time.Now()
				k.stop()
				require.Less(t, time.Since(stopping), 6*time.Second, name)
			})
		}
	}
}

// The clock of the store is set just before processes that ended are looked for.
func TestClockOfTheStoreIsSet(t *testing.T) {
	for _, by := range []time.Duration{time.Hour, -time.Hour} {
		keep(t, func(t *testing.T, k *kept) {
			store := k.hooked()
			k.cfg.Interval = 90 * time.Minute
			var want []types.Signature
			for range 3 {
				k.start()
				want = append(want, k.swap(account, true))
			}
			lost := k.swap(another, false)
			time.Sleep(54*time.Minute - 10*time.Second)
			store.clock.Store(&setting{time.Now(), by})
			time.Sleep(5 * time.Minute)
			s := k.status()
			require.Equal(t, 3, s.Counts["delivered"], by)
			require.Equal(t, 3, s.Processes)
			require.Empty(t, s.Problems)
			time.Sleep(150 * time.Minute)
			require.Equal(t, append(want, lost), k.got.list(), by)
			require.Equal(t, 3, k.status().Counts["delivered"])
		})
	}
}
