package webhooks_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
)

// A mortal Seen does nothing once its process is dead: its claims stay.
type mortal struct {
	*store
	dead atomic.Bool
}

var errDead = errors.New("process is dead")

func (m *mortal) Claim(ctx context.Context, signature types.Signature, slot uint64) (bool, error) {
	if m.dead.Load() {
		return false, errDead
	}
	return m.store.Claim(ctx, signature, slot)
}

func (m *mortal) Done(ctx context.Context, signature types.Signature) error {
	if m.dead.Load() {
		return errDead
	}
	return m.store.Done(ctx, signature)
}

func (m *mortal) Release(ctx context.Context, signature types.Signature) error {
	if m.dead.Load() {
		return errDead
	}
	return m.store.Release(ctx, signature)
}

// An hour of events is missed. The backfill hands over exactly these, in their order,
// while deliveries go on, and its process dies in the middle.
func TestBackfillAfterAnOutage(t *testing.T) {
	for _, kind := range []webhooks.Type{webhooks.TypeEnhanced, webhooks.TypeRaw} {
		t.Run(string(kind), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { outage(t, kind) })
		})
	}
}

func outage(t *testing.T, kind webhooks.Type) {
	t.Helper()
	const before, missed, after = 300, 900, 100         // one event in 4 seconds
	time.Sleep(time.Until(time.Unix(1_740_000_000, 0))) // after their block times
	s := fake.New()
	s.Unrecorded = true
	hooks := client(t, s)
	hook, err := hooks.Create(t.Context(), webhooks.Settings{
		URL: "https://example.com", Type: kind, TransactionTypes: []txtype.Type{txtype.Any}, AccountAddresses: []types.Address{account}, AuthHeader: secret,
	})
	require.NoError(t, err)
	var running atomic.Pointer[webhooks.Receiver]
	courier := &fake.Courier{Service: s, Client: &http.Client{Transport: carrier(func(req *http.Request) (*http.Response, error) {
		if r := running.Load(); r != nil {
			return fake.Handler(r).RoundTrip(req)
		}
		_ = req.Body.Close()
		return nil, errors.New("connection refused")
	})}}
	var all []types.Signature
	happen := func(n int) (report fake.Report) {
		for range n {
			e := fake.TransferEvent(len(all), account)
			all = append(all, types.Signature(e.Signature))
			s.Happen(e)
			r := courier.Deliver(t.Context(), e)
			report.Acknowledged += r.Acknowledged
			report.Lost = append(report.Lost, r.Lost...)
			time.Sleep(4 * time.Second)
		}
		return report
	}
	shared := &store{lease: 2 * time.Second}
	var mu sync.Mutex
	var calls []types.Signature
	start := func(handle func(*mortal) error) {
		life := &mortal{store: shared}
		r, _ := receiver(t, webhooks.ReceiverConfig{Seen: life, Handle: func(_ context.Context, e *webhooks.Event) error {
			mu.Lock()
			defer mu.Unlock()
			if handle != nil {
				if err := handle(life); err != nil {
					return err
				}
			}
			calls = append(calls, e.Signature)
			return nil
		}})
		running.Store(r)
	}
	kept := uint64(0)
	fill := func() (*webhooks.BackfillReport, error) {
		return hooks.Backfill(t.Context(), webhooks.BackfillConfig{
			Receiver: running.Load(), Webhook: hook.ID, SinceSlot: kept,
			Raw: func(_ context.Context, _ types.Address, r webhooks.BackfillRange) iter.Seq2[*tx.Transaction, error] {
				return rawPast(all, r)
			},
			Checkpoint: func(_ context.Context, slot uint64) error {
				kept = slot
				return nil
			},
		})
	}

	start(nil)
	require.Equal(t, before, happen(before).Acknowledged)
	running.Store(nil)
	require.Len(t, happen(missed).Lost, missed)

	handled := 0
	start(func(life *mortal) error {
		if handled++; handled == missed/2 {
			life.dead.Store(true)
		}
		if life.dead.Load() {
			return errDead
		}
		return nil
	})
	kept, err = running.Load().SafeSlot(t.Context())
	require.NoError(t, err)
	require.Equal(t, uint64(312_000_000+2*(before-1)-500), kept)
	first, err := fill()
	require.ErrorIs(t, err, errDead)
	require.Equal(t, 1, first.Failed)
	require.Equal(t, missed/2-1, first.Handled)
	require.Equal(t, 251, first.Seen, "within the margin of the safe slot")
	require.Equal(t, first.Checkpoint, kept)

	start(nil)
	var wg sync.WaitGroup
	wg.Go(func() {
		if r := happen(after); r.Acknowledged != after {
			t.Errorf("%d acknowledged", r.Acknowledged)
		}
	})
	time.Sleep(5 * time.Second)
	second, err := fill()
	require.NoError(t, err)
	wg.Wait()
	require.Equal(t, missed/2+1, second.Handled)
	require.Zero(t, second.Failed)

	require.Len(t, all, before+missed+after)
	require.ElementsMatch(t, all, calls, "each once")
	isMissed := func(s types.Signature) bool { return slices.Contains(all[before:before+missed], s) }
	require.Equal(t, all[before:before+missed], slices.DeleteFunc(calls, func(s types.Signature) bool { return !isMissed(s) }), "in order")
}

// A carrier is a RoundTripper.
type carrier func(*http.Request) (*http.Response, error)

func (c carrier) RoundTrip(req *http.Request) (*http.Response, error) { return c(req) }

// rawPast returns transfers as a node encodes them.
func rawPast(all []types.Signature, r webhooks.BackfillRange) iter.Seq2[*tx.Transaction, error] {
	return func(yield func(*tx.Transaction, error) bool) {
		for i := range all {
			var raw tx.Transaction
			err := json.Unmarshal([]byte(fake.TransferEvent(i, account).Raw), &raw)
			if raw.Slot >= r.SinceSlot && (r.UntilSlot == 0 || raw.Slot < r.UntilSlot) && !yield(&raw, err) {
				return
			}
		}
	}
}
