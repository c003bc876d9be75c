package webhooks_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
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

// filled runs a backfill with Handle and Seen alone.
func filled(t *testing.T, s *fake.Service, cfg webhooks.BackfillConfig) (*handled, *webhooks.BackfillReport, error) {
	t.Helper()
	got := &handled{}
	if cfg.Seen == nil {
		cfg.Seen = &store{}
	}
	handle := cfg.Handle
	cfg.Handle = func(ctx context.Context, e *webhooks.Event) error {
		if handle != nil {
			if err := handle(ctx, e); err != nil {
				return err
			}
		}
		got.note(e)
		again, err := webhooks.ParseEvents(e.JSON)
		if err != nil || again[0].Kind != e.Kind || again[0].Signature != e.Signature || again[0].Slot != e.Slot {
			t.Errorf("event %s cannot be stored: %v", e.Signature, err)
		}
		return nil
	}
	if cfg.Settings.Type == "" {
		cfg.Settings.Type = webhooks.TypeEnhanced
	}
	if cfg.Settings.AccountAddresses == nil {
		cfg.Settings.AccountAddresses = []types.Address{account}
	}
	if cfg.SinceSlot == 0 && cfg.Since.IsZero() {
		cfg.SinceSlot = 1
	}
	report, err := client(t, s).Backfill(t.Context(), cfg)
	return got, report, err
}

func TestBackfillFiltersLikeTheWebhook(t *testing.T) {
	t.Parallel()
	item := func(s types.Signature, slot int, kind, failed string) fake.Event {
		return fake.Event{
			Signature: string(s), Accounts: []string{account},
			Enhanced: fmt.Sprintf(`{"signature":%q,"slot":%d,"type":%q,"transactionError":%s}`, s, slot, kind, failed),
			Raw:      fmt.Sprintf(`{"transaction":{"signatures":[%q]},"slot":%d,"meta":{"err":%s}}`, s, slot, failed),
		}
	}
	events := []fake.Event{
		item(sig1, 1, "SWAP", "null"), item(sig2, 2, "SWAP", `{"a":1}`), item(sig3, 3, "TRANSFER", "null"), item(sig4, 9, "SWAP", "null"),
	}
	for name, row := range map[string]struct {
		settings webhooks.Settings
		want     []types.Signature
	}{
		"any type":   {webhooks.Settings{TransactionTypes: []txtype.Type{txtype.Any}}, []types.Signature{sig1, sig3}},
		"Any":        {webhooks.Settings{TransactionTypes: []txtype.Type{"Any"}}, []types.Signature{sig1, sig3}},
		"no types":   {webhooks.Settings{}, []types.Signature{sig1, sig3}},
		"one type":   {webhooks.Settings{TransactionTypes: []txtype.Type{txtype.Swap}}, []types.Signature{sig1}},
		"failed":     {webhooks.Settings{TxnStatus: webhooks.TxnStatusFailed}, nil},
		"raw":        {webhooks.Settings{Type: webhooks.TypeRaw, TransactionTypes: []txtype.Type{txtype.Swap}}, []types.Signature{sig1, sig2, sig3}},
		"raw failed": {webhooks.Settings{Type: webhooks.TypeRaw, TxnStatus: webhooks.TxnStatusFailed}, []types.Signature{sig2}},
		"raw good":   {webhooks.Settings{Type: webhooks.TypeRaw, TxnStatus: webhooks.TxnStatusSuccess}, []types.Signature{sig1, sig3}},
	} {
		s := fake.New()
		s.Happen(events...)
		var raw []tx.Transaction
		for _, e := range events {
			raw = append(raw, decoded(t, e.Raw))
		}
		got, report, err := filled(t, s, webhooks.BackfillConfig{Settings: row.settings, UntilSlot: 4, Raw: rawOf(raw...)})
		require.NoError(t, err, name)
		require.Equal(t, row.want, got.list(), name)
		require.Equal(t, &webhooks.BackfillReport{Handled: len(row.want), Filtered: 3 - len(row.want), Checkpoint: 4}, report, name)
	}
}

func TestBackfillKeepsATxnStatusThatIsNotReturned(t *testing.T) {
	t.Parallel()
	s := fake.New()
	c := client(t, s)
	hook := webhooks.Settings{
		URL: "https://example.com", Type: webhooks.TypeRaw, TxnStatus: webhooks.TxnStatusSuccess, AccountAddresses: []types.Address{account},
	}
	w, err := c.Create(t.Context(), hook)
	require.NoError(t, err)
	s.Answer(200, fmt.Sprintf(`{"webhookID":%q,"webhookURL":"https://example.com","webhookType":"raw","accountAddresses":[%q]}`, w.ID, account))
	report, err := c.Backfill(t.Context(), webhooks.BackfillConfig{
		Webhook: w.ID, SinceSlot: 1, Seen: &store{}, Handle: func(context.Context, *webhooks.Event) error { return nil },
		Raw: rawOf(decoded(t, fmt.Sprintf(`{"transaction":{"signatures":[%q]},"slot":2,"meta":{"err":{"a":1}}}`, sig1))),
	})
	require.NoError(t, err)
	require.Equal(t, &webhooks.BackfillReport{Filtered: 1}, report)
}

func TestBackfillStartsAtSinceWithoutASlot(t *testing.T) {
	t.Parallel()
	s, signatures := past(4) // one event in a second
	cfg := webhooks.BackfillConfig{Since: time.Unix(1_735_689_600+1, 999)}
	got, _, err := filled(t, s, cfg)
	require.NoError(t, err)
	require.Equal(t, signatures[1:], got.list())

	cfg.SinceSlot = 312_000_000 + 2*2
	got, _, err = filled(t, s, cfg)
	require.NoError(t, err)
	require.Equal(t, signatures[2:], got.list())
}

func TestBackfillStopsAtFailures(t *testing.T) {
	t.Parallel()
	s, signatures := past(10)
	mine := errors.New("database is down")
	for most, failed := range map[int]int{0: 1, 1: 1, 2: 2, 3: 2} {
		cfg := webhooks.BackfillConfig{MaxFailed: most, Seen: &store{}, Handle: func(_ context.Context, e *webhooks.Event) error {
			if e.Signature == signatures[3] || e.Signature == signatures[5] {
				return mine
			}
			if e.Signature == signatures[1] {
				return webhooks.ErrSkip
			}
			return nil
		}}
		got, report, err := filled(t, s, cfg)
		require.ErrorIs(t, err, mine)
		require.EqualError(t, err, "webhooks.Client.Backfill: event "+string(signatures[3])+" was not handled: database is down")
		require.Equal(t, failed, report.Failed)
		require.Equal(t, 1, report.Skipped)
		require.Equal(t, uint64(312_000_006), report.Checkpoint, "that of the first failure")

		cfg.Handle, cfg.SinceSlot = nil, report.Checkpoint
		rest, report, err := filled(t, s, cfg)
		require.NoError(t, err)
		require.ElementsMatch(t, signatures, slices.Concat(signatures[1:2], got.list(), rest.list()))
		require.Equal(t, 7, report.Handled+report.Seen)
	}
}

func TestBackfillEndsWithErrors(t *testing.T) {
	t.Parallel()
	s, signatures := past(3)
	mine := errors.New("mine")
	_, report, err := filled(t, s, webhooks.BackfillConfig{Checkpoint: func(context.Context, uint64) error { return mine }})
	require.ErrorIs(t, err, mine)
	require.Zero(t, report.Handled)

	_, _, err = filled(t, s, webhooks.BackfillConfig{Seen: &store{claim: mine}})
	require.EqualError(t, err, "webhooks.Client.Backfill: Seen.Claim of event "+string(signatures[0])+": mine")
	_, report, err = filled(t, s, webhooks.BackfillConfig{Seen: &store{settling: mine}})
	require.EqualError(t, err, "webhooks.Client.Backfill: Seen.Done of event "+string(signatures[0])+": mine")
	require.Zero(t, report.Handled)

	for says, raw := range map[string][]tx.Transaction{
		"webhooks.Client.Backfill: a transaction of Raw cannot be identified: signature is empty: invalid argument": {{Slot: 1}},
		"webhooks.Client.Backfill: a history is not from old to new: incomplete listing":                            {signed(sig1, 5), signed(sig2, 4)},
	} {
		_, _, err := filled(t, s, webhooks.BackfillConfig{
			Settings: webhooks.Settings{Type: webhooks.TypeRaw}, Raw: rawOf(raw...),
		})
		require.EqualError(t, err, says)
	}

	r, _ := receiver(t, webhooks.ReceiverConfig{Seen: &store{}})
	require.NoError(t, r.Shutdown(t.Context()))
	settings := full()
	settings.TransactionTypes = nil
	_, err = client(t, s).Backfill(t.Context(), webhooks.BackfillConfig{Receiver: r, SinceSlot: 1, Settings: settings})
	require.EqualError(t, err, "webhooks.Client.Backfill: the Receiver is shut down")

	s.Answer(401, "")
	_, _, err = filled(t, s, webhooks.BackfillConfig{})
	require.ErrorIs(t, err, types.ErrUnauthorized)
	s.Answer(404, `{"error":"Not found"}`)
	_, err = client(t, s).Backfill(t.Context(), webhooks.BackfillConfig{Handle: func(context.Context, *webhooks.Event) error { return nil }, Seen: &store{}, SinceSlot: 1, Webhook: hookID})
	require.ErrorIs(t, err, types.ErrNotFound)
}

// rawOf is the history of every address.
func rawOf(all ...tx.Transaction) webhooks.RawHistory {
	return func(context.Context, types.Address, webhooks.BackfillRange) iter.Seq2[*tx.Transaction, error] {
		return func(yield func(*tx.Transaction, error) bool) {
			for i := range all {
				if !yield(&all[i], nil) {
					return
				}
			}
		}
	}
}

func decoded(t *testing.T, text string) (raw tx.Transaction) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &raw))
	return raw
}

func signed(s types.Signature, slot uint64) tx.Transaction {
	return tx.Transaction{Slot: slot, Transaction: tx.Signed{Signatures: []types.Signature{s}}}
}

// A process that dies after the first deliveries leaves the slot from which to backfill.
func TestSafeSlotIsHeldUntilABackfillSucceeds(t *testing.T) {
	t.Parallel()
	s := fake.New()
	missed := fake.TransferEvent(1, account)
	s.Happen(missed)
	shared := &store{}
	fail := true
	start := func() *webhooks.Receiver {
		r, _ := receiver(t, webhooks.ReceiverConfig{Seen: shared, Handle: func(_ context.Context, e *webhooks.Event) error {
			if fail && string(e.Signature) == missed.Signature {
				return errors.New("no")
			}
			return nil
		}})
		return r
	}
	safe := func(r *webhooks.Receiver) uint64 {
		slot, err := r.SafeSlot(t.Context())
		require.NoError(t, err)
		return slot
	}
	deliver := func(r *webhooks.Receiver, i int) {
		require.Equal(t, 200, post(t, r, "["+fake.TransferEvent(i, account).Enhanced+"]"))
	}
	cfg := webhooks.BackfillConfig{Settings: webhooks.Settings{Type: webhooks.TypeEnhanced, AccountAddresses: []types.Address{account}}}

	deliver(start(), 0)
	cfg.Receiver, cfg.SinceSlot = start(), 311_999_500
	require.Equal(t, cfg.SinceSlot, safe(cfg.Receiver))
	deliver(cfg.Receiver, 5000)
	require.Equal(t, cfg.SinceSlot, safe(start()), "it died before the backfill")
	_, err := client(t, s).Backfill(t.Context(), cfg)
	require.ErrorContains(t, err, "was not handled: no")
	require.Equal(t, cfg.SinceSlot, safe(cfg.Receiver))

	fail = false
	since := cfg.SinceSlot
	cfg.SinceSlot++
	_, err = client(t, s).Backfill(t.Context(), cfg)
	require.NoError(t, err)
	require.Equal(t, since, safe(cfg.Receiver), "it began later")
	cfg.SinceSlot = since
	_, err = client(t, s).Backfill(t.Context(), cfg)
	require.NoError(t, err)
	require.Equal(t, uint64(312_010_000-500), safe(start()))
}

// A backfill fails in the middle, is resumed up to a slot, and is then completed.
func TestHeldSlotMovesWithTheBackfill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, all := past(10)
		shared := &store{held: 312_000_000}
		fail := errors.New("no")
		r, _ := receiver(t, webhooks.ReceiverConfig{Seen: shared, Handle: func(_ context.Context, e *webhooks.Event) error {
			time.Sleep(600 * ms)
			if e.Signature == all[7] {
				return fail
			}
			return nil
		}})
		cfg := webhooks.BackfillConfig{
			Receiver: r, SinceSlot: 311_999_500, UntilSlot: 312_000_100,
			Settings: webhooks.Settings{Type: webhooks.TypeEnhanced, AccountAddresses: []types.Address{account}},
		}
		slot, err := r.SafeSlot(t.Context())
		require.NoError(t, err)
		require.Equal(t, cfg.SinceSlot, slot)
		_, err = client(t, s).Backfill(t.Context(), cfg)
		require.ErrorIs(t, err, fail)
		require.Equal(t, uint64(312_000_012), shared.held, "once a second")

		fail, cfg.SinceSlot = nil, shared.held
		_, err = client(t, s).Backfill(t.Context(), cfg)
		require.NoError(t, err)
		require.Equal(t, cfg.UntilSlot, shared.held)

		cfg.SinceSlot, cfg.UntilSlot = cfg.UntilSlot, 0
		_, err = client(t, s).Backfill(t.Context(), cfg)
		require.NoError(t, err)
		require.Zero(t, shared.held)
	})
}

// The backfill fails before the held slot has moved.
func TestBackfillResumedAtItsCheckpointEndsTheHold(t *testing.T) {
	t.Parallel()
	s, all := past(10)
	shared := &store{held: 312_000_000}
	fail := errors.New("no")
	r, _ := receiver(t, webhooks.ReceiverConfig{Seen: shared, Handle: func(_ context.Context, e *webhooks.Event) error {
		if e.Signature == all[7] {
			return fail
		}
		return nil
	}})
	slot, err := r.SafeSlot(t.Context())
	require.NoError(t, err)
	cfg := webhooks.BackfillConfig{
		Receiver: r, SinceSlot: slot,
		Settings: webhooks.Settings{Type: webhooks.TypeEnhanced, AccountAddresses: []types.Address{account}},
	}
	report, err := client(t, s).Backfill(t.Context(), cfg)
	require.ErrorIs(t, err, fail)
	require.Equal(t, uint64(312_000_014), report.Checkpoint)

	fail, cfg.SinceSlot = nil, report.Checkpoint+1
	_, err = client(t, s).Backfill(t.Context(), cfg)
	require.NoError(t, err)
	require.Equal(t, uint64(312_000_000), shared.held, "it began later")
	cfg.SinceSlot = report.Checkpoint
	_, err = client(t, s).Backfill(t.Context(), cfg)
	require.NoError(t, err)
	require.Zero(t, shared.held)
}

func TestRepeatedFirstBackfillEndsTheHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(time.Unix(1_750_000_000, 0))) // after the block times
		s, all := past(10)
		shared := &store{}
		fail := errors.New("no")
		r, _ := receiver(t, webhooks.ReceiverConfig{Seen: shared, Handle: func(_ context.Context, e *webhooks.Event) error {
			time.Sleep(600 * ms)
			if e.Signature == all[7] {
				return fail
			}
			return nil
		}})
		cfg := webhooks.BackfillConfig{
			Receiver: r, Since: time.Unix(1, 0), Settings: webhooks.Settings{Type: webhooks.TypeEnhanced, AccountAddresses: []types.Address{account}},
		}
		slot, err := r.SafeSlot(t.Context())
		require.NoError(t, err)
		require.Zero(t, slot)
		_, err = client(t, s).Backfill(t.Context(), cfg)
		require.ErrorIs(t, err, fail)
		require.Equal(t, uint64(312_000_012), shared.held)
		fail = nil
		_, err = client(t, s).Backfill(t.Context(), cfg)
		require.NoError(t, err)
		require.Zero(t, shared.held)
	})
}

// The first backfill begins at a time, since no event was handled before it.
func TestSafeSlotStaysZeroUntilTheFirstBackfillSucceeds(t *testing.T) {
	t.Parallel()
	s, _ := past(1)
	shared := &store{}
	fail := errors.New("no")
	r, _ := receiver(t, webhooks.ReceiverConfig{Seen: shared, Handle: func(_ context.Context, e *webhooks.Event) error {
		if e.Slot == 312_000_000 {
			return fail
		}
		return nil
	}})
	safe := func(want uint64) {
		t.Helper()
		slot, err := r.SafeSlot(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, slot)
	}
	cfg := webhooks.BackfillConfig{
		Receiver: r, Since: time.Unix(1, 0), Settings: webhooks.Settings{Type: webhooks.TypeEnhanced, AccountAddresses: []types.Address{account}},
	}
	safe(0)
	_, err := client(t, s).Backfill(t.Context(), cfg)
	require.ErrorIs(t, err, fail)
	require.Equal(t, 200, post(t, r, "["+fake.TransferEvent(5000, account).Enhanced+"]"))
	safe(0)
	fail = nil
	_, err = client(t, s).Backfill(t.Context(), cfg)
	require.NoError(t, err)
	safe(312_010_000 - 500)

	shared.settling = errors.New("store is read-only")
	cfg.SinceSlot = 312_010_000 - 500
	_, err = client(t, s).Backfill(t.Context(), cfg)
	require.EqualError(t, err, "webhooks.Client.Backfill: Seen.HoldSlot: store is read-only")
}

func TestBackfillRefusesInvalidConfig(t *testing.T) {
	t.Parallel()
	s := fake.New()
	seen := &store{}
	handle := func(context.Context, *webhooks.Event) error { return nil }
	forgetful, _ := receiver(t, webhooks.ReceiverConfig{})
	with := func(change func(*webhooks.Settings)) webhooks.Settings {
		settings := full()
		change(&settings)
		return settings
	}
	for says, cfg := range map[string]webhooks.BackfillConfig{
		"Receiver is nil; set it, or Handle and Seen":                                                   {Handle: handle, SinceSlot: 1},
		"Receiver does not go with Handle, Seen and Skipped; its own are used":                          {Receiver: forgetful, Handle: handle, SinceSlot: 1},
		"Receiver was not made by NewReceiver":                                                          {Receiver: new(webhooks.Receiver), SinceSlot: 1},
		"Receiver has no Seen, and its memory forgets events after 10 minutes; set ReceiverConfig.Seen": {Receiver: forgetful, SinceSlot: 1},
		"SinceSlot is 0; set it, or Since":                                                              {Handle: handle, Seen: seen},
		"UntilSlot is not after SinceSlot":                                                              {Handle: handle, Seen: seen, SinceSlot: 5, UntilSlot: 5},
		"MaxFailed -1 is negative; 0 means the default":                                                 {Handle: handle, Seen: seen, SinceSlot: 1, MaxFailed: -1},
		`Type "" has no events; it is not enhanced or raw`:                                              {Handle: handle, Seen: seen, SinceSlot: 1},
		`Type "discord" has no events; it is not enhanced or raw`:                                       {Handle: handle, Seen: seen, SinceSlot: 1, Settings: with(func(s *webhooks.Settings) { s.Type = webhooks.TypeDiscord })},
		`Type "enhancedDevnet" does not fit the Config, whose Network is mainnet`:                       {Handle: handle, Seen: seen, SinceSlot: 1, Settings: with(func(s *webhooks.Settings) { s.Type = webhooks.TypeEnhancedDevnet })},
		"Raw is nil, and the webhook is raw":                                                            {Handle: handle, Seen: seen, SinceSlot: 1, Settings: with(func(s *webhooks.Settings) { s.Type = webhooks.TypeRaw })},
		"AccountAddresses is empty":                                                                     {Handle: handle, Seen: seen, SinceSlot: 1, Settings: with(func(s *webhooks.Settings) { s.AccountAddresses = nil })},
		"AccountAddresses has 1001 addresses; backfill at most 1000 at a time":                          {Handle: handle, Seen: seen, SinceSlot: 1, Settings: with(func(s *webhooks.Settings) { s.AccountAddresses = make([]types.Address, 1001) })},
		`AccountAddresses[0] "x": address has length 1, not 32 to 44`:                                   {Handle: handle, Seen: seen, SinceSlot: 1, Settings: with(func(s *webhooks.Settings) { s.AccountAddresses = []types.Address{"x"} })},
	} {
		_, err := client(t, s).Backfill(t.Context(), cfg)
		require.EqualError(t, err, "webhooks.Client.Backfill: "+says+": invalid argument")
	}
	require.Empty(t, s.Requests())
}
