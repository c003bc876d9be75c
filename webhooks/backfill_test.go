package webhooks_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/internal/fake/world"
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
		cfg.Seen = newSeen()
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
	var items, raws []string
	for i, row := range []struct{ kind, failed string }{{"SWAP", "null"}, {"SWAP", `{"a":1}`}, {"TRANSFER", "null"}} {
		signature := []types.Signature{sig1, sig2, sig3}[i]
		items = append(items, fmt.Sprintf(`{"signature":%q,"slot":%d,"type":%q,"transactionError":%s}`, signature, i+1, row.kind, row.failed))
		raws = append(raws, fmt.Sprintf(`{"transaction":{"signatures":[%q]},"slot":%d,"meta":{"err":%s}}`, signature, i+1, row.failed))
	}
	for name, row := range map[string]struct {
		settings webhooks.Settings
		want     []types.Signature
	}{
		"any type":   {webhooks.Settings{TransactionTypes: []txtype.Type{txtype.Any}}, []types.Signature{sig1, sig3}},
		"Any":        {webhooks.Settings{TransactionTypes: []txtype.Type{"Any"}}, []types.Signature{sig1, sig3}},
		"no types":   {webhooks.Settings{}, []types.Signature{sig1, sig3}},
		"one type":   {webhooks.Settings{TransactionTypes: []txtype.Type{txtype.Swap}}, []types.Signature{sig1}},
		"failed":     {webhooks.Settings{Outcome: types.OutcomeFailed}, nil},
		"raw":        {webhooks.Settings{Type: webhooks.TypeRaw, TransactionTypes: []txtype.Type{txtype.Swap}}, []types.Signature{sig1, sig2, sig3}},
		"raw failed": {webhooks.Settings{Type: webhooks.TypeRaw, Outcome: types.OutcomeFailed}, []types.Signature{sig2}},
		"raw good":   {webhooks.Settings{Type: webhooks.TypeRaw, Outcome: types.OutcomeSucceeded}, []types.Signature{sig1, sig3}},
	} {
		s := fake.New()
		s.Answer(200, "["+strings.Join(items, ",")+"]")
		s.Answer(200, "[]")
		var raw []tx.Transaction
		for _, text := range append(raws, fmt.Sprintf(`{"transaction":{"signatures":[%q]},"slot":9,"meta":{"err":null}}`, sig4)) {
			raw = append(raw, decoded(t, text))
		}
		got, report, err := filled(t, s, webhooks.BackfillConfig{Settings: row.settings, UntilSlot: 4, Raw: rawOf(raw...)})
		require.NoError(t, err, name)
		require.Equal(t, row.want, got.list(), name)
		require.Equal(t, &webhooks.BackfillReport{Handled: len(row.want), Filtered: 3 - len(row.want)}, report, name)
	}
}

func TestBackfillStartsAtSinceWithoutASlot(t *testing.T) {
	t.Parallel()
	s, signatures := past(4) // one event in a second
	cfg := webhooks.BackfillConfig{Since: time.Unix(1_735_689_600+1, 999)}
	got, _, err := filled(t, s, cfg)
	require.NoError(t, err)
	require.Equal(t, signatures[1:], got.list())

	cfg.SinceSlot = 311_144_625 // of the third
	got, _, err = filled(t, s, cfg)
	require.NoError(t, err)
	require.Equal(t, signatures[2:], got.list())
}

// The backfill goes on past what fails, and reports the first failure.
func TestBackfillGoesOnPastFailures(t *testing.T) {
	t.Parallel()
	s, signatures := past(10)
	mine := errors.New("database is down")
	cfg := webhooks.BackfillConfig{Seen: newSeen(), Handle: func(_ context.Context, e *webhooks.Event) error {
		switch e.Signature {
		case signatures[3], signatures[5]:
			return mine
		case signatures[1]:
			return webhooks.ErrSkip
		}
		return nil
	}}
	got, report, err := filled(t, s, cfg)
	require.ErrorIs(t, err, mine)
	require.EqualError(t, err, "webhooks.Client.Backfill: event "+string(signatures[3])+" was not handled: database is down")
	require.Equal(t, &webhooks.BackfillReport{Handled: 7, Skipped: 1, Failed: 2}, report)
	require.Equal(t, slices.Concat(signatures[:1], signatures[2:3], signatures[4:5], signatures[6:]), got.list())

	cfg.Handle = nil
	rest, report, err := filled(t, s, cfg)
	require.NoError(t, err)
	require.Equal(t, []types.Signature{signatures[3], signatures[5]}, rest.list())
	require.Equal(t, &webhooks.BackfillReport{Handled: 2, Seen: 8}, report)
}

// A store that fails ends the history of an address, and a claim of another process does not.
func TestBackfillWithAFailingStore(t *testing.T) {
	t.Parallel()
	for text, row := range map[string]struct {
		err    error
		report webhooks.BackfillReport
	}{
		"store is down": {errors.New("store is down"), webhooks.BackfillReport{Handled: 1, Failed: 1}},
		"row is locked: " + webhooks.ErrClaimed.Error(): {fmt.Errorf("row is locked: %w", webhooks.ErrClaimed), webhooks.BackfillReport{Handled: 2, Failed: 1}},
	} {
		s, signatures := past(3)
		shared, claims := newSeen(), 0
		shared.set(func(_ context.Context, call string) error {
			if call == "Claim" {
				claims++
			}
			if call == "Claim" && claims == 2 {
				return row.err
			}
			return nil
		})
		_, report, err := filled(t, s, webhooks.BackfillConfig{Seen: shared})
		require.ErrorContains(t, err, "event "+string(signatures[1])+" was not handled: ", text)
		require.Equal(t, &row.report, report, text)
		_, report, err = filled(t, s, webhooks.BackfillConfig{Seen: shared})
		require.NoError(t, err)
		require.Equal(t, 3, report.Handled+report.Seen)
	}
}

func TestBackfillGoesOnWithoutAHungHandle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, signatures := past(3)
		hung := make(chan struct{})
		defer close(hung)
		start := time.Now()
		got, report, err := filled(t, s, webhooks.BackfillConfig{Handle: func(_ context.Context, e *webhooks.Event) error {
			if e.Signature == signatures[1] {
				<-hung
			}
			return nil
		}})
		require.EqualError(t, err, "webhooks.Client.Backfill: event "+string(signatures[1])+" was not handled: the call of Handle takes too long")
		require.Equal(t, time.Minute, time.Since(start))
		require.Equal(t, &webhooks.BackfillReport{Handled: 2, Failed: 1}, report)
		require.Equal(t, []types.Signature{signatures[0], signatures[2]}, got.list())
	})
}

func TestUndecodableEventOfAHistoryGoesToHandle(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Answer(200, fmt.Sprintf(`[{"signature":%q,"slot":5,"fee":"x"},{"signature":%q,"slot":6}]`, sig1, sig2))
	s.Answer(200, "[]")
	var slots []uint64
	report, err := client(t, s).Backfill(t.Context(), webhooks.BackfillConfig{
		Settings: full(), SinceSlot: 1, Seen: newSeen(), Handle: func(_ context.Context, e *webhooks.Event) error {
			slots = append(slots, e.Slot)
			return e.Err
		},
	})
	require.ErrorContains(t, err, "event "+string(sig1)+" was not handled: transaction: ")
	require.Equal(t, 1, report.Failed)
	require.Equal(t, uint64(5), slots[0])
}

func TestBackfillEndsWithErrors(t *testing.T) {
	t.Parallel()
	s, _ := past(3)
	for says, raw := range map[string][]tx.Transaction{
		"webhooks.Client.Backfill: a transaction of Raw cannot be identified: signature is empty: invalid argument": {{Slot: 1}},
		"webhooks.Client.Backfill: a history is not from old to new: incomplete listing":                            {signed(sig1, 5), signed(sig2, 4)},
	} {
		_, _, err := filled(t, s, webhooks.BackfillConfig{
			Settings: webhooks.Settings{Type: webhooks.TypeRaw}, Raw: rawOf(raw...),
		})
		require.EqualError(t, err, says)
	}

	odd := fake.New()
	odd.Answer(200, fmt.Sprintf(`[{"signature":%q,"slot":5},null]`, sig1))
	_, report, err := filled(t, odd, webhooks.BackfillConfig{})
	require.ErrorContains(t, err, "item 1 of the response is null")
	require.Equal(t, new(webhooks.BackfillReport), report)

	r, _ := receiver(t, webhooks.ReceiverConfig{Seen: newSeen()})
	require.NoError(t, r.Shutdown(t.Context()))
	settings := full()
	settings.TransactionTypes = nil
	_, err = client(t, s).Backfill(t.Context(), webhooks.BackfillConfig{Receiver: r, SinceSlot: 1, Settings: settings})
	require.ErrorContains(t, err, "the Receiver is shut down")

	s.Answer(401, "")
	_, _, err = filled(t, s, webhooks.BackfillConfig{})
	require.ErrorIs(t, err, types.ErrUnauthorized)
}

// A history that cannot be read does not stop the others.
func TestBackfillGoesOnToOtherAddresses(t *testing.T) {
	t.Parallel()
	const another = "2Bob1111111111111111111111111111111111111111"
	s, want := pastOf(250, account, another)
	s.Answer(400, "") // the first page of account
	settings := webhooks.Settings{AccountAddresses: []types.Address{account, another, account, types.VoteProgram}}
	got, report, err := filled(t, s, webhooks.BackfillConfig{Settings: settings})
	require.ErrorContains(t, err, "400 Bad Request")
	require.Equal(t, &webhooks.BackfillReport{Handled: 125}, report)
	got2, report, err := filled(t, s, webhooks.BackfillConfig{Settings: settings})
	require.NoError(t, err)
	require.Equal(t, &webhooks.BackfillReport{Handled: 250}, report)
	require.ElementsMatch(t, want, got2.list())
	require.Subset(t, want, got.list())
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
	return tx.Transaction{Signature: s, Slot: slot, Signed: tx.Signed{Signatures: []types.Signature{s}}}
}

func TestBackfillRefusesInvalidConfig(t *testing.T) {
	t.Parallel()
	s := fake.New()
	seen := newSeen()
	handle := func(context.Context, *webhooks.Event) error { return nil }
	forgetful, _ := receiver(t, webhooks.ReceiverConfig{})
	with := func(change func(*webhooks.Settings)) webhooks.Settings {
		settings := full()
		change(&settings)
		return settings
	}
	for says, cfg := range map[string]webhooks.BackfillConfig{
		"Receiver is nil; set it, or Handle and Seen":                             {Handle: handle, SinceSlot: 1},
		"Receiver does not go with Handle, Seen and Logger; its own are used":     {Receiver: forgetful, Handle: handle, SinceSlot: 1},
		"Receiver was not made by NewReceiver":                                    {Receiver: new(webhooks.Receiver), SinceSlot: 1},
		"SinceSlot is 0; set it, or Since":                                        {Handle: handle, Seen: seen},
		"UntilSlot is not after SinceSlot":                                        {Handle: handle, Seen: seen, SinceSlot: 5, UntilSlot: 5},
		`Type "" has no events; it is not enhanced or raw`:                        {Handle: handle, Seen: seen, SinceSlot: 1},
		`Type "discord" has no events; it is not enhanced or raw`:                 {Handle: handle, Seen: seen, SinceSlot: 1, Settings: with(func(s *webhooks.Settings) { s.Type = webhooks.TypeDiscord })},
		`Type "enhancedDevnet" does not fit the Config, whose Network is mainnet`: {Handle: handle, Seen: seen, SinceSlot: 1, Settings: with(func(s *webhooks.Settings) { s.Type = webhooks.TypeEnhancedDevnet })},
		"Raw is nil, and the webhook is raw":                                      {Handle: handle, Seen: seen, SinceSlot: 1, Settings: with(func(s *webhooks.Settings) { s.Type = webhooks.TypeRaw })},
		"AccountAddresses is empty":                                               {Handle: handle, Seen: seen, SinceSlot: 1, Settings: with(func(s *webhooks.Settings) { s.AccountAddresses = nil })},
		`AccountAddresses[0] "x": address has length 1, not 32 to 44`:             {Handle: handle, Seen: seen, SinceSlot: 1, Settings: with(func(s *webhooks.Settings) { s.AccountAddresses = []types.Address{"x"} })},
	} {
		_, err := client(t, s).Backfill(t.Context(), cfg)
		require.EqualError(t, err, "webhooks.Client.Backfill: "+says+": invalid argument")
	}
	require.Empty(t, s.Requests())
}

// past returns a service in whose history the account has n transfers, one a second, and their
// signatures.
func past(n int) (*fake.Service, []types.Signature) {
	return pastOf(n, account)
}

// pastOf is past for the transfers of several accounts in turn.
func pastOf(n int, accounts ...string) (*fake.Service, []types.Signature) {
	b := world.NewBuilder("default")
	var all []types.Signature
	for i := range n {
		s := world.Seed(7).Item(i)
		all = append(all, types.Signature(s.Signature()))
		x := world.Transaction{Signature: string(all[i]), Kind: "TRANSFER", Fee: 5000, At: time.Unix(1735689600+int64(i), 0)}
		b.Transact(x, []world.Leg{{From: accounts[i%len(accounts)], To: s.Address(), Amount: "0.5"}})
	}
	w, err := b.World()
	if err != nil {
		panic(err)
	}
	return fake.NewOf(w), all
}
