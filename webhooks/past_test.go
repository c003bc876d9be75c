package webhooks_test

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
	"github.com/solwire/solwire-go/webhooks"
)

func TestBackfillMergesAddresses(t *testing.T) {
	t.Parallel()
	s := fake.New()
	var want []types.Signature
	for i := range 300 { // of each address in turn, and the last ones of both
		e := fake.TransferEvent(i, []string{account, another}[i%2])
		if i > 290 {
			e.Accounts = []string{account, another}
		}
		s.Happen(e)
		want = append(want, types.Signature(e.Signature))
	}
	var checkpoints []uint64
	cfg := webhooks.BackfillConfig{
		Settings: webhooks.Settings{AccountAddresses: []types.Address{account, another, account}},
		Since:    time.Unix(1_735_689_600+10, 0), UntilSlot: 312_000_000 + 2*299,
		Checkpoint: func(_ context.Context, slot uint64) error {
			checkpoints = append(checkpoints, slot)
			return nil
		},
	}
	got, report, err := filled(t, s, cfg)
	require.NoError(t, err)
	require.Equal(t, want[10:299], got.list())
	require.Equal(t, &webhooks.BackfillReport{Handled: 289, Checkpoint: cfg.UntilSlot}, report)
	require.Len(t, checkpoints, 290)
	require.True(t, slices.IsSorted(checkpoints))

	cfg.UntilSlot, cfg.Settings.AccountAddresses = 0, []types.Address{account, another, "Vote111111111111111111111111111111111111111"}
	_, report, err = filled(t, s, cfg)
	require.NoError(t, err)
	require.Equal(t, 290, report.Handled)
	require.Equal(t, uint64(312_000_000+2*299), report.Checkpoint, "an idle address does not hold it")
}

// Events of the last minutes may still be added to a history that has ended.
func TestCheckpointDoesNotPassRecentEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(time.Unix(1_735_689_600+310, 0)))
		s, _ := past(20) // one in each second
		_, report, err := filled(t, s, webhooks.BackfillConfig{})
		require.NoError(t, err)
		require.Equal(t, &webhooks.BackfillReport{Handled: 20, Checkpoint: 312_000_000 + 2*10}, report)
	})
}

func TestBackfillGoesOnAfterTheEndOfAHistory(t *testing.T) {
	t.Parallel()
	s := fake.New()
	var want []types.Signature
	for i := range 20 { // the first one is the only one of account
		e := fake.TransferEvent(i, map[bool]string{true: account, false: another}[i == 0])
		s.Happen(e)
		want = append(want, types.Signature(e.Signature))
	}
	got, _, err := filled(t, s, webhooks.BackfillConfig{
		Settings: webhooks.Settings{AccountAddresses: []types.Address{account, another}},
		Since:    time.Unix(1_735_689_600, 0), UntilSlot: 312_000_000 + 2*20,
	})
	require.NoError(t, err)
	require.Equal(t, want, got.list())
}

func TestBackfillTakesFlatMemory(t *testing.T) {
	const events = 3_000
	endless := func(_ context.Context, _ types.Address, r webhooks.BackfillRange) iter.Seq2[*tx.Transaction, error] {
		return func(yield func(*tx.Transaction, error) bool) {
			for slot := r.SinceSlot; ; slot++ {
				var raw tx.Transaction
				if err := json.Unmarshal([]byte(fake.TransferEvent(int(slot), account).Raw), &raw); !yield(&raw, err) {
					return
				}
			}
		}
	}
	var first, last uint64
	handled := 0
	report, err := client(t, fake.New()).Backfill(t.Context(), webhooks.BackfillConfig{
		Settings:  webhooks.Settings{Type: webhooks.TypeRaw, AccountAddresses: []types.Address{account}},
		SinceSlot: 1, UntilSlot: 312_000_000 + 2*events, Raw: endless, Seen: forgetting{},
		Handle: func(context.Context, *webhooks.Event) error {
			switch handled++; handled {
			case events / 10:
				first = heap()
			case events - 10:
				last = heap()
			}
			return nil
		},
	})
	require.NoError(t, err)
	require.Equal(t, events-1, report.Handled)
	t.Logf("heap %d KiB after %d events, %d KiB after %d", first>>10, events/10, last>>10, events-10)
	require.Less(t, last, first+1<<20)
}

// forgetting is a Seen that takes all events for new.
type forgetting struct{}

func (forgetting) Claim(context.Context, types.Signature, uint64) (bool, error) { return true, nil }
func (forgetting) Done(context.Context, types.Signature) error                  { return nil }
func (forgetting) Release(context.Context, types.Signature) error               { return nil }
