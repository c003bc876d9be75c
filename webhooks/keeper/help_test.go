package keeper_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/keeper"
)

const (
	account = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
	another = "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263"
	secret  = "Bearer 6b1f8e4c9a"
)

// A quarter of the CPU time went into collecting small garbage.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// addresses returns n valid addresses.
func addresses(n int) []types.Address {
	all := make([]types.Address, n)
	for i := range all {
		all[i] = types.AddressOf([32]byte{7, byte(i), byte(i >> 8), byte(i >> 16)})
	}
	return all
}

// A setup is a webhook with a Keeper, in the time of a bubble.
type setup struct {
	t       *testing.T
	service *fake.Service
	hooks   *webhooks.Client
	cfg     keeper.Config
	store   *hookedStore
	fail    atomic.Pointer[func(context.Context, *webhooks.Event) error]

	mu  sync.Mutex
	got []types.Signature // that Handle has handled

	keeper *keeper.Keeper // the last one
	stop   func()         // stops it
}

// in runs a test with a setup whose Keeper does not run yet.
func in(t *testing.T, f func(t *testing.T, s *setup)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(t, newSetup(t)) })
}

func newSetup(t *testing.T) *setup {
	t.Helper()
	service := fake.New(&fake.Options{World: &fake.World{}, Journal: 200_000})
	hooks, err := webhooks.New(service.Config())
	require.NoError(t, err)
	s := &setup{t: t, service: service, hooks: hooks, store: &hookedStore{MemoryStore: new(keeper.MemoryStore)}}
	s.cfg = keeper.Config{
		Settings: webhooks.Settings{
			URL: "https://example.com/hook", Type: webhooks.TypeEnhanced, AuthHeader: secret,
			TransactionTypes: []txtype.Type{txtype.Any}, AccountAddresses: []types.Address{account, another},
		},
		Handle: func(ctx context.Context, e *webhooks.Event) error {
			if fail := s.fail.Load(); fail != nil {
				if err := (*fail)(ctx, e); err != nil {
					return err
				}
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			s.got = append(s.got, e.Signature)
			return nil
		},
	}
	return s
}

// failing makes Handle return the error of f; with nil, it succeeds.
func (s *setup) failing(f func(*webhooks.Event) error) {
	if f == nil {
		s.fail.Store(nil)
		return
	}
	g := func(_ context.Context, e *webhooks.Event) error { return f(e) }
	s.fail.Store(&g)
}

// poison delivers an event for which Handle fails, and not for others.
func (s *setup) poison() types.Signature {
	s.failing(no)
	signature := s.swap(account, true)
	s.failing(func(e *webhooks.Event) error {
		if e.Signature == signature {
			return no(e)
		}
		return nil
	})
	return signature
}

// no is an error of Handle.
func no(*webhooks.Event) error { return errors.New("no") }

// handled returns the events that Handle has handled.
func (s *setup) handled() []types.Signature {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]types.Signature(nil), s.got...)
}

// through sends the requests of Keepers that are started from now on through a transport.
func (s *setup) through(transport http.RoundTripper) {
	s.t.Helper()
	cfg := s.service.Config()
	cfg.HTTPClient = &http.Client{Transport: transport}
	var err error
	s.hooks, err = webhooks.New(cfg)
	require.NoError(s.t, err)
}

// make makes a Keeper with the Store as another process has it.
func (s *setup) make() *keeper.Keeper {
	s.t.Helper()
	cfg := s.cfg
	if cfg.Store == nil {
		cfg.Store = s.store
	}
	var err error
	s.keeper, err = keeper.New(s.hooks, cfg)
	require.NoError(s.t, err)
	return s.keeper
}

// run starts a Keeper.
func (s *setup) run() {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	ended := make(chan error, 1)
	go func(k *keeper.Keeper) { ended <- k.Run(ctx) }(s.make())
	s.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			s.t.Error(err)
		}
	})
	s.t.Cleanup(s.stop)
}

// start starts a Keeper, and waits until all addresses were listed.
func (s *setup) start() {
	s.t.Helper()
	s.run()
	time.Sleep(2 * time.Minute)
}

// startWith starts a Keeper of n addresses.
func (s *setup) startWith(n int) []types.Address {
	s.t.Helper()
	s.cfg.Settings.AccountAddresses = addresses(n)
	s.start()
	return s.cfg.Settings.AccountAddresses
}

// refused returns the error of Run.
func (s *setup) refused() error {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Hour)
	defer cancel()
	return s.make().Run(ctx)
}

// swap swaps with an account, and delivers the event unless it gets lost.
func (s *setup) swap(a types.Address, delivered bool) types.Signature {
	s.t.Helper()
	time.Sleep(time.Second)
	e := s.service.Swap(a)
	if delivered {
		s.service.Deliver(s.t.Context(), &fake.Delivery{Handler: s.keeper, Anywhere: true}, e)
	}
	return e.Signature()
}

// pending makes n swaps of account, and opens the events as when their deliveries failed.
func (s *setup) pending(n int) (all []types.Signature) {
	s.t.Helper()
	var events []keeper.Pending
	for range n {
		all = append(all, s.service.Swap(account).Signature())
		events = append(events, keeper.Pending{Signature: all[len(all)-1], Slot: 1, Wanted: true})
	}
	_, err := s.store.MemoryStore.Add(s.t.Context(), "", events...)
	require.NoError(s.t, err)
	return all
}

func (s *setup) webhook() *webhooks.Webhook {
	s.t.Helper()
	all, err := s.hooks.Webhooks(s.t.Context())
	require.NoError(s.t, err)
	require.Len(s.t, all, 1)
	w, err := s.hooks.Get(s.t.Context(), all[0].ID)
	require.NoError(s.t, err)
	return w
}

// status returns the status after the next record.
func (s *setup) status() keeper.Status {
	s.t.Helper()
	time.Sleep(10 * time.Second)
	return s.keeper.Status()
}

// problem returns the text of a problem, "" if there is none.
func (s *setup) problem(cause keeper.Cause) string {
	for _, p := range s.keeper.Status().Problems {
		if p.Cause == cause {
			return p.Text
		}
	}
	return ""
}

// credits returns the cost of the requests.
func (s *setup) credits() (n int) {
	for _, r := range s.service.Requests() {
		switch {
		case r.Operation == "getTransactionsForAddress":
			n += 10
		case !strings.HasPrefix(r.Path, "/v0/"):
			n++
		case r.Method != http.MethodGet || !strings.HasPrefix(r.Path, "/v0/webhooks"):
			n += 100
		}
	}
	return n
}

// requests returns how often an operation was requested.
func (s *setup) requests(operation string) (n int) {
	for _, r := range s.service.Requests() {
		if r.Operation == operation {
			n++
		}
	}
	return n
}

// listings returns how many listings were requested for an address.
func (s *setup) listings(a types.Address) (n int) {
	for _, r := range s.service.Requests() {
		if r.Operation == "getSignaturesForAddress" && strings.Contains(r.Body, string(a)) {
			n++
		}
	}
	return n
}

// post posts a delivery, and returns the status of the response. Headers are alternating names and
// values.
func (s *setup) post(body string, headers ...string) int {
	req := httptest.NewRequestWithContext(s.t.Context(), http.MethodPost, "/hook", strings.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", secret)
	for i := 1; i < len(headers); i += 2 {
		req.Header.Set(headers[i-1], headers[i])
	}
	w := httptest.NewRecorder()
	s.keeper.ServeHTTP(w, req)
	return w.Code
}

// signatureOf returns the signature of a transaction that does not exist.
func signatureOf(n byte) types.Signature {
	return types.Signature(base58.Encode(bytes.Repeat([]byte{n}, 64)))
}

func transfer(signature types.Signature) string {
	return fmt.Sprintf(`{"signature":%q,"type":"TRANSFER"}`, signature)
}

// A hookedStore is the MemoryStore of several processes, and calls a hook before each statement,
// whose error is returned.
type hookedStore struct {
	*keeper.MemoryStore
	hook      atomic.Pointer[hook]
	mu        sync.Mutex
	processes map[string]keeper.Process
	seen      map[string]time.Time
	leader    string
	until     time.Time
}

type hook func(ctx context.Context, call string) error

// set sets the hook; nil ends it.
func (s *hookedStore) set(h hook) {
	if h == nil {
		s.hook.Store(nil)
		return
	}
	s.hook.Store(&h)
}

// down is a hook: every call fails.
func down(context.Context, string) error { return errors.New("store is down") }

// hooked calls f after the hook of a call.
func hooked[T any](ctx context.Context, s *hookedStore, call string, f func() (T, error)) (T, error) {
	var none T
	if ctx.Err() != nil {
		return none, ctx.Err()
	}
	if h := s.hook.Load(); h != nil {
		if err := (*h)(ctx, call); err != nil {
			return none, err
		}
	}
	return f()
}

func (s *hookedStore) Claim(ctx context.Context, e *webhooks.Event) (bool, error) {
	return hooked(ctx, s, "Claim", func() (bool, error) { return s.MemoryStore.Claim(ctx, e) })
}

func (s *hookedStore) Done(ctx context.Context, e *webhooks.Event) error {
	_, err := hooked(ctx, s, "Done", func() (bool, error) { return true, s.MemoryStore.Done(ctx, e) })
	return err
}

func (s *hookedStore) Add(ctx context.Context, filter string, events ...keeper.Pending) (int, error) {
	return hooked(ctx, s, "Add", func() (int, error) { return s.MemoryStore.Add(ctx, filter, events...) })
}

func (s *hookedStore) Pending(ctx context.Context, q keeper.Query) ([]keeper.Pending, error) {
	return hooked(ctx, s, "Pending", func() ([]keeper.Pending, error) { return s.MemoryStore.Pending(ctx, q) })
}

func (s *hookedStore) Checkpoints(ctx context.Context) (map[types.Address]keeper.Checkpoint, error) {
	return hooked(ctx, s, "Checkpoints", func() (map[types.Address]keeper.Checkpoint, error) { return s.MemoryStore.Checkpoints(ctx) })
}

func (s *hookedStore) SetCheckpoints(ctx context.Context, all ...keeper.Checkpoint) error {
	_, err := hooked(ctx, s, "SetCheckpoints", func() (bool, error) { return true, s.MemoryStore.SetCheckpoints(ctx, all...) })
	return err
}

func (s *hookedStore) Lock(ctx context.Context, own keeper.Process, hold time.Duration) (*keeper.Shared, error) {
	return hooked(ctx, s, "Lock", func() (*keeper.Shared, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		now := time.Now()
		if s.processes == nil {
			s.processes, s.seen = make(map[string]keeper.Process), make(map[string]time.Time)
		}
		s.processes[own.ID], s.seen[own.ID] = own, now
		if s.leader == own.ID || !now.Before(s.until) {
			s.leader, s.until = own.ID, now.Add(hold)
		}
		if s.leader != own.ID {
			own.Webhook = keeper.Webhook{}
		}
		shared, err := s.MemoryStore.Lock(ctx, own, hold)
		shared.Leader, shared.Processes = "", nil
		if now.Before(s.until) {
			shared.Leader = s.leader
		}
		for id, p := range s.processes {
			if now.Sub(s.seen[id]) <= time.Minute {
				shared.Processes = append(shared.Processes, p)
			}
		}
		return shared, err
	})
}

func (s *hookedStore) Clean(ctx context.Context, age time.Duration) (int, error) {
	return hooked(ctx, s, "Clean", func() (int, error) { return s.MemoryStore.Clean(ctx, age) })
}
